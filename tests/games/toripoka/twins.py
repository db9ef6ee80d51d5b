"""Games of Toripoka by its rules and by its kernel, compared move by move.

python -m tests.games.toripoka.twins --games 100000 --bots random
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from msgspec.structs import replace

from generator.games.toripoka.kernel.arrays import CARD, HAND, OPEN, SHOW, WAYS
from generator.games.toripoka.kernel.player import ToripokaKernel
from generator.games.toripoka.play import Toripoka
from generator.games.toripoka.state import (
    NONE,
    ChooseSize,
    Drawn,
    FoldHand,
    LayCard,
    Pulled,
    ShowHands,
    ToripokaMove,
    ToripokaState,
)
from generator.play.bots import Bot, make_bot
from generator.play.counting import EndlessGameError, PlainRules
from generator.play.engine import CHANCE, Course, Decks, Engine, Move, State
from generator.play.making import make_engine
from tests.support.engines import decks_of

Played = tuple[list[ToripokaMove], Course | None]  # its moves; None for a game without an end


class _Noting(Toripoka):
    """Notes what is drawn."""

    noted: list[ToripokaMove]

    def draw(self, state: ToripokaState, rng: Random) -> ToripokaMove:
        self.noted.append(move := super().draw(state, rng))
        return move


class _NotingBot:
    """Notes what a bot chooses."""

    def __init__(self, bot: Bot, noted: list[Any]) -> None:
        self._bot, self._noted = bot, noted

    def choose(
        self, engine: Engine[State, Move], state: State, moves: Sequence[Move], rng: Random
    ) -> Move:
        self._noted.append(move := self._bot.choose(engine, state, moves, rng))
        return move


class Twins:
    """The rules and the kernel for a deck, options and bots.

    compared: how many moves were.
    """

    def __init__(self, decks: Decks, chosen: Mapping[str, str], bots: Sequence[str]) -> None:
        self._noted: list[ToripokaMove] = []
        engine = make_engine(_Noting, decks, chosen)
        assert isinstance(engine, _Noting)
        engine.noted = self._noted
        self._cards = len(engine.pieces.cards)
        self._rules = PlainRules(engine, [_NotingBot(make_bot(bot), self._noted) for bot in bots])
        kernel = make_engine(Toripoka, decks, chosen).compile(bots)
        assert isinstance(kernel, ToripokaKernel)
        self._kernel = kernel
        self.compared = 0

    def by_rules(self, seed: int, order: Sequence[int]) -> Played:
        self._noted.clear()
        try:
            course = self._rules.play(seed, seed + 1, order, is_watched=True)
        except EndlessGameError:
            return [*self._noted], None
        return [*self._noted], course

    def by_kernel(self, seed: int, order: Sequence[int]) -> Played:
        try:
            course = self._kernel.play(seed, seed + 1, order, is_watched=True)
            steps = self._kernel.play_out(seed, seed + 1, order)
        except EndlessGameError:
            return [], None
        noted = [self._move(row) for row in steps if row["seat"] == CHANCE or row["options"] > 1]
        return noted, course

    def _move(self, row: Any) -> ToripokaMove:
        move = int(row["move"])
        if row["seat"] == CHANCE:
            return _outcome(move, [card for card in row["drawn"].tolist() if card != NONE])
        if row["hand"][0] == NONE:
            return ChooseSize(move)
        if move < 0:
            return FoldHand(-1 - move)
        lay, way = divmod(move, WAYS)
        pyramid, card = divmod(lay, self._cards)
        return LayCard(card, way // 2, bool(way % 2), pyramid - 1)

    def difference(self, seed: int, order: Sequence[int]) -> str:
        """Where both differ in a game; "" if they are the same."""
        rules, course = self.by_rules(seed, order)
        kernel, compiled = self.by_kernel(seed, order)
        if course is None or compiled is None:
            return "" if course is compiled else "only one comes to an end"
        for number, (one, other) in enumerate(zip(rules, kernel, strict=False)):
            if one != other:
                return f"move {number}: {one} by the rules, {other} by the kernel"
        self.compared += len(rules)
        scores = [[*each] for each in course.scores]
        return "" if replace(course, scores=scores) == compiled else "another course"


def _outcome(due: int, drawn: list[int]) -> ToripokaMove:
    if due == HAND:
        return Drawn(tuple(sorted(drawn)))
    if due in (OPEN, CARD):
        return Drawn(tuple(drawn))
    return ShowHands() if due == SHOW else Pulled(drawn[0])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--bots", default="random")
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args()
    chosen = dict(rule.split("=") for rule in asked.rule)
    bots = (asked.bots.split(",") * 2)[:2]
    twins = Twins(decks_of("toripoka"), chosen, bots)
    played = 0
    with suppress(KeyboardInterrupt):
        for game in range(asked.first, asked.first + asked.games):
            if found := twins.difference(2 * game, [game % 2, 1 - game % 2]):
                raise SystemExit(f"game {game}: {found}")
            played += 1
    print(f"{played:,} games, {twins.compared:,} moves: the same")


if __name__ == "__main__":
    main()
