"""Read every message of random games at a table by the rules: does it tell a seat what it may not
see? `python -m tests.play.table.messages GAME --games 1000`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from generator.games.toripoka.table import hidden_cards
from generator.pipeline.tabling import refereed_table
from generator.play.engine import OVER
from generator.play.table.referee import RefereedTable
from generator.play.table.server import Visitor

FRONT, BACK = "front", "back"
GAMES = ("talavera", "toripoka", "taluva", "advaya", "atreya")
_COMPARED = 0.25  # of the messages are compared with those of other hidden cards
Hidden = Iterator[tuple[str, str, str]]  # a component, a piece, the side of it


def _hidden_in_talavera(engine: Any, state: Any, _: int | None) -> Hidden:
    """The tiles behind the orders that lie in the market, in the stack and before the seats."""
    for card in (*state.covered, *state.stack, *state.orders):
        yield "cards", engine.ids[card], BACK


def _hidden_in_toripoka(engine: Any, state: Any, seat: int | None) -> Hidden:
    """The stock, the hands of others and what they laid face down."""
    others = {0, 1} - {seat}
    hands = [card for other in others for card in state.hands[other]]
    down = [card for other in others for card in hidden_cards(state, other)]
    for card in {*state.rest, *hands, *down} - set(state.bidding.public):
        yield "cards", engine.pieces.ids[card], FRONT


def _hidden_in_taluva(engine: Any, state: Any, _: int | None) -> Hidden:
    """The tiles of kinds that nobody has drawn yet."""
    drawn = {state.tile, *(laid.tile for laid in state.laid)}
    for kind, ids in enumerate(engine.tiles):
        if kind not in drawn:
            yield "tiles", ids[0], FRONT


_HIDDEN = {
    "talavera": _hidden_in_talavera,
    "toripoka": _hidden_in_toripoka,
    "taluva": _hidden_in_taluva,
}  # the two others are open


def _secrets_in_talavera(engine: Any, state: Any) -> Iterator[str]:
    """Tiles in words that lie on no card with its tiles up."""
    seen = {*state.market, *(card for hand in state.hands for card in hand)}
    tiles = {engine.tiles[card] for card in seen}
    for card in (*state.covered, *state.stack):
        if engine.tiles[card] not in tiles:
            yield engine._tell_tiles(card)


def _secrets_in_toripoka(engine: Any, state: Any, seat: int | None) -> Iterator[str]:
    """The cards in words that a seat does not see."""
    hidden = {id_ for _, id_, _ in _hidden_in_toripoka(engine, state, seat)}
    yield from (engine._say_card(engine.pieces.ids.index(id_)) for id_ in hidden)


def _secrets(game: str, engine: Any, state: Any, seat: int | None) -> Iterator[str]:
    """What words must not name."""
    if game == "talavera":
        yield from _secrets_in_talavera(engine, state)
    elif game == "toripoka":
        yield from _secrets_in_toripoka(engine, state, seat)


def read_game(table: RefereedTable, game: str, seed: int, most: int = 100_000) -> tuple[int, set[str]]:
    """Plays a game at random, or so many choices of it. How many messages there were, and what was
    wrong with them."""
    rng = Random(seed)
    table._random = Random(seed)
    table._begin()
    table._go_on()
    read, faults = 0, set()
    while table._engine.turn(table._state) != OVER and len(table._choices) < most:
        for seat in (None, *range(table.seats)):
            faults |= set(_read_message(table, game, seat, rng))
            read += 1
        table._make(rng.choice(table._known))
    return read, faults


def _read_message(table: RefereedTable, game: str, seat: int | None, rng: Random) -> Iterator[str]:
    engine: Any = table._engine
    described = table._describe(Visitor(seat))
    message, played = json.dumps(described), json.dumps(described["played"])
    if game in _HIDDEN:
        for component, id_, side in _HIDDEN[game](engine, table._state, seat):
            piece = table._pieces[component, id_]
            face = piece.front if side == FRONT else piece.back
            if f'"{face}"' in message:
                yield f"{game}: seat {seat} is sent the {side} of {component}/{id_}"
    if game == "talavera":
        for card in (*table._state.covered, *table._state.stack):
            if f" {engine.names[card]} (" in message:
                yield f"talavera: seat {seat} is told the tiles of card {card}"
    for words in filter(played.__contains__, _secrets(game, engine, table._state, seat)):
        yield f"{game}: seat {seat} is told of {words}"
    if seat is None and '"stacks": []' not in message:
        yield f"{game}: a guest is sent the table"
    if seat is not None and rng.random() < _COMPARED and not _is_alike(table, seat, message, rng):
        yield f"{game}: what seat {seat} is sent depends on what is hidden"


def _is_alike(table: RefereedTable, seat: int, message: str, rng: Random) -> bool:
    """Whether a message stays the same when what the seat cannot see is dealt anew."""
    engine, state = table._engine, table._state
    another = engine.deal_unseen(state, seat, rng)
    if another is state or engine.lay(another, seat) != engine.lay(state, seat):
        return True  # it takes cards that it sees for unknown
    table._put(another)
    is_alike = json.dumps(table._describe(Visitor(seat))) == message
    table._put(state)
    return is_alike


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.play.table.messages", description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=1000)
    asked = parser.parse_args()
    table = refereed_table(asked.game, ["people"], {})
    read = 0
    faults: set[str] = set()
    for seed in range(asked.games):
        more, found = read_game(table, asked.game, seed)
        read, faults = read + more, faults | found
    print(f"{asked.game}: {asked.games:,} games, {read:,} messages, {len(faults)} faults")
    print("\n".join(sorted(faults)[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
