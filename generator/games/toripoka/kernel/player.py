"""Whole games of Toripoka by random and greedy bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

from generator.games.toripoka.checks import DEALT, PLAYERS, PUBLIC
from generator.games.toripoka.deck import SIZES
from generator.games.toripoka.kernel.arrays import (
    IN_BAG,
    WAYS,
    CompiledRules,
    Numbers,
    box_of,
    new_table,
    new_trace,
)
from generator.games.toripoka.kernel.compiling import compiled, edition, kept
from generator.games.toripoka.kernel.greedy import appraise, cards_named, keep_guess, skip_deal
from generator.games.toripoka.kernel.rules import (
    begin_round,
    draw,
    list_moves,
    make_move,
    points_of,
)
from generator.games.toripoka.kernel.twister import Ints, pick, seed_twister, words_of
from generator.games.toripoka.state import NONE, ToripokaState
from generator.play.counting import LONGEST, EndlessGameError
from generator.play.engine import CHANCE, OVER, Course, Decision

_NO_SEEDS = (words_of(0)[:0],) * 2


@compiled
def _begin_game(box: Numbers, table: Numbers, chance: Ints, choice: Ints) -> None:
    seed_twister(table.chance, chance)
    seed_twister(table.choice, choice)
    table.first = table.steps = table.decided = table.wants = 0
    for at in range(len(table.figures)):
        table.figures[at] = 0
    for pyramid in range(box.pyramids):
        table.place[pyramid] = IN_BAG
        for seat in range(PLAYERS):
            for size in range(len(SIZES)):
                table.owned[seat, box.colour[pyramid], size] = 0
    begin_round(box, table)


@compiled
def _choose(box: Numbers, table: Numbers, count: int) -> int:
    """The place of the move that the bot of the turn makes, NONE if guesses are wanted."""
    if not table.is_greedy[table.turn]:
        return pick(table.choice, count)
    appraise(box, table, count)
    if table.wants:
        return NONE
    skip_deal(table, table.turn)
    worths, highest, equals = table.worths, table.worths[0], 0
    for at in range(count):
        highest = max(highest, worths[at])
    for at in range(count):
        equals += worths[at] == highest
    left, at = pick(table.choice, equals), 0
    while left or worths[at] != highest:
        left -= worths[at] == highest
        at += 1
    return at


@compiled
def _take_turn(box: Numbers, table: Numbers, step: Numbers) -> bool:
    """The next move of a seat; False if guesses are wanted first."""
    seat, count, at = table.turn, list_moves(box, table), 0
    can_lay = table.held[seat] if table.pulled == PUBLIC else 0
    if count > 1:
        at = _choose(box, table, count)
        if at == NONE:
            return False
        table.decided += 1
    step.seat, step.options, step.move = seat, count, table.moves[at]
    for each in range(DEALT):
        step.hand[each] = table.hands[seat, each] if each < can_lay else NONE
    make_move(box, table, table.moves[at])
    for each in range(PLAYERS):
        step.scores[each] = points_of(box, table, each)
    return True


def _make_play(digest: str) -> Callable[[Numbers, Numbers, Any, Ints, Ints], bool]:
    @kept
    def play(box: Numbers, table: Numbers, trace: Any, chance: Ints, choice: Ints) -> bool:
        """Plays a new game with these seeds, or the one on the table if there are none; False if
        guesses are wanted to go on."""
        if len(chance) and len(digest):  # see `edition`
            _begin_game(box, table, chance, choice)
        for at in range(table.wants):
            keep_guess(box, table.wanted[at], table.answers[at])
        while table.turn != OVER and table.steps < LONGEST:
            step = trace[table.steps]
            if table.turn == CHANCE:
                step.seat, step.move = CHANCE, table.due
                draw(box, table, step.drawn)
            elif not _take_turn(box, table, step):
                return False
            table.steps += 1
        return True

    return play


_play = _make_play(edition())


class ToripokaKernel:
    """Plays the games of an engine; each bot is random or greedy."""

    def __init__(self, engine: CompiledRules, are_greedy: Sequence[bool]) -> None:
        self._engine, self._are_greedy = engine, are_greedy
        self._box, self._table, self._trace = box_of(engine), new_table(), new_trace()
        self._is_free = Lock()

    def play(self, chance: int, choice: int, order: Sequence[int], *, is_watched: bool) -> Course:
        with self._is_free:
            trace = self.play_out(chance, choice, order)
            end, decided = self._end(), int(self._table["decided"])
            if not is_watched:
                return Course(end, decided)
            turns = trace[trace["seat"] != CHANCE]
            return Course(end, decided, self._decisions(turns), turns["scores"].tolist())

    def play_out(self, chance: int, choice: int, order: Sequence[int]) -> Any:
        """Plays a game to its end. What happened is good until the next game. Raises
        EndlessGameError."""
        table = self._table
        table["is_greedy"] = [self._are_greedy[bot] for bot in order]
        seeds = words_of(chance), words_of(choice)
        while not _play(self._box, table, self._trace, *seeds):
            for at, name in enumerate(table["wanted"][: table["wants"]].tolist()):
                table["answers"][at] = self._guess(name)
            seeds = _NO_SEEDS
        if table["steps"] == LONGEST:
            raise EndlessGameError
        return self._trace[: table["steps"]]

    def _guess(self, name: int) -> float:
        engine, cards = self._engine, cards_named(name)
        keys = [engine.values.keys_of[card][kind] for card, kind in cards]
        return engine.appraiser.outlook.guess(keys, [card for card, _ in cards])

    def _end(self) -> ToripokaState:
        engine, table = self._engine, self._table
        places = table["place"][: self._box["pyramids"]].tolist()
        first, second, bag = (
            tuple([pyramid for pyramid, at in enumerate(places) if at == place])
            for place in (0, 1, IN_BAG)
        )
        figures = tuple(table["figures"].tolist())
        return engine.begin_round(int(table["first"]), bag, (first, second), figures)

    def _decisions(self, turns: Any) -> list[Decision]:
        ids, decisions = self._engine.pieces.ids, list[Decision]()
        columns = (turns[name].tolist() for name in ("options", "move", "hand"))
        for options, move, hand in zip(*columns, strict=True):
            if options > 1:
                offered = {ids[card] for card in hand if card != NONE}
                is_lay = bool(offered) and move >= 0
                chosen = ids[move // WAYS % len(ids)] if is_lay else ""
                decisions.append(Decision(options, offered, chosen))
        return decisions
