"""Rounds of Toripoka by the names of cards and pyramids, for tests of its rules."""

from __future__ import annotations

from generator.games.toripoka.play import Toripoka
from generator.games.toripoka.table import NONE, SHOW, LayCard, ToripokaState
from tests.support.engines import engine_of

# The round of the booklet: Ana is the first seat, Ben has won the medium green pyramid before.
DEAL = """
deal hearts-6 hearts-10 spades-10
deal hearts-7 hearts-8 spades-K
feel for a large one
pull large red
feel for a medium one
pull medium blue
open hearts-9 hearts-5
"""

FOUR_TURNS = """
lay hearts-6 right
draw hearts-A
lay hearts-8 left
draw hearts-K
lay hearts-10 left
draw hearts-3
lay spades-K left face down
draw hearts-2
lay hearts-A right face down
draw spades-4
lay hearts-7 right
draw hearts-4
lay spades-10 left face down
lay hearts-K right face down
"""

LAST_TURNS = """
lay hearts-3 left
lay hearts-2 left
lay spades-4 right
lay hearts-4 right with medium green
"""


def toripoka(**chosen: str) -> Toripoka:
    engine = engine_of("toripoka", **chosen)
    assert isinstance(engine, Toripoka)
    return engine


def pyramids(engine: Toripoka, names: str) -> tuple[int, ...]:
    """ "large red, small blue" """
    return tuple(sorted(engine.pieces.pyramid_names.index(name) for name in names.split(", ")))


def with_won(engine: Toripoka, *names: str) -> ToripokaState:
    """The start of a round; the seats have won these pyramids."""
    won = tuple(pyramids(engine, name) if name else () for name in names)
    start = engine.start()
    bag = tuple(pyramid for pyramid in start.bidding.bag if pyramid not in won[0] + won[1])
    return start._replace(won=won, bidding=start.bidding._replace(bag=bag))


def played(engine: Toripoka, state: ToripokaState, *lines: str) -> ToripokaState:
    """The state after these moves."""
    for line in "\n".join(lines).strip().splitlines():
        if line:
            state = engine.apply(state, engine.read(state, line))
    return state


def names(engine: Toripoka, state: ToripokaState) -> list[str]:
    return [engine.write(state, move) for move in engine.legal(state)]


def won(engine: Toripoka, state: ToripokaState, seat: int) -> list[str]:
    return [engine.pieces.pyramid_names[pyramid] for pyramid in state.won[seat]]


def shown(engine: Toripoka, public: str, *rows: str) -> ToripokaState:
    """The end of a round for two small pyramids: the public cards, and the rows of the first seat
    on the left and the right, then of the second, as "2h 8h Ks+large-red"."""
    start = with_won(engine, "", "")
    bids = pyramids(engine, "small red, small blue")
    laid = [
        tuple(LayCard(card(engine, word), at % 2, False, on_card(engine, word)) for word in row.split())
        for at, row in enumerate(rows)
    ]
    used = {*bids, *(move.pyramid for row in laid for move in row)}
    bag = tuple(pyramid for pyramid in start.bidding.bag if pyramid not in used)
    open_ = tuple(card(engine, word) for word in public.split())
    bidding = start.bidding._replace(public=open_, bids=bids, bag=bag)
    return start._replace(due=SHOW, rows=tuple(laid), room=(0, 0), bidding=bidding)


def card(engine: Toripoka, text: str) -> int:
    name = text.partition("+")[0]
    return engine.pieces.ids.index(f"{ {'h': 'hearts', 's': 'spades'}[name[-1]] }-{name[:-1]}")


def on_card(engine: Toripoka, text: str) -> int:
    name = text.partition("+")[2].replace("-", " ")
    return engine.pieces.pyramid_names.index(name) if name else NONE
