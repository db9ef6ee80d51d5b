"""Legal moves as a person makes them at a table: the pieces that he touches, and where he puts
them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from generator.play.engine import Engine, LaidPiece
from generator.play.table.state import JsonObject

_MOST_PUT = 40  # pieces by one move; a move that lays more otherwise is only named
_MOST_TRIED = 800  # moves that are made to learn what they change
_PLACE = ("x", "y", "turn")

Numbered = Sequence[tuple[int, LaidPiece]]  # what lies on the table, with ids
Change = tuple[Counter[LaidPiece], Counter[LaidPiece]]
Show = Callable[[LaidPiece], JsonObject]


class LegalMove(Struct, frozen=True):
    """A move with its name and its words.

    takes: the ids of the pieces on the table that it touches and does not put elsewhere, in order.
    puts: the pieces that it puts on the table, each with the id of the piece that it is, 0 if that
    does not lie there.
    """

    name: str
    words: str
    move: Any
    takes: Sequence[int] = ()
    puts: Sequence[tuple[int, LaidPiece]] = ()


class MoveFinder:
    """Finds the legal moves of the seat whose turn it is. `lying`: what it sees on the table;
    `deals`: states with other hidden cards."""

    def __init__(self, engine: Engine[Any, Any], state: Any, lying: Numbered, deals: Iterable[Any]) -> None:
        self._engine, self._state, self._deals = engine, state, deals
        self._seat = engine.turn(state)
        self._moves = engine.legal(state)
        self._lying = [it for _, it in lying]
        self._ids = {it: id_ for id_, it in reversed(lying)}
        self._named = {(it.component, it.piece): it for it in self._lying}

    def find(self) -> list[LegalMove]:
        return [self._look(move) for move in self._moves]

    def _look(self, move: Any) -> LegalMove:
        """A move with what it touches, as far as that does not depend on what the seat cannot see:
        a move may turn up what was hidden."""
        gone, new = self._touch(self._state, move)
        for other in self._look_alikes if gone or new else ():
            also_gone, also_new = self._touch(other, move)
            gone, new = gone & also_gone, new & also_new
        sources = {(it.component, it.piece): it for it in gone}
        puts = []
        for it in new.elements():
            source = sources.get((it.component, it.piece))
            if source is None or (it.x, it.y, it.turn) != (source.x, source.y, source.turn):
                puts.append((0 if source is None else self._ids[source], it))
        name = self._engine.write(self._state, move)
        takes = {self._ids[it] for it in gone} - {source for source, _ in puts}
        return LegalMove(name, self._engine.say(self._state, move), move, sorted(takes), puts)

    def _touch(self, state: Any, move: Any) -> Change:
        """The pieces that a move takes from where they lie, or only touches; and what it puts."""
        touched = self._engine.touch(state, move)
        if touched is None:
            is_tried = len(self._moves) <= _MOST_TRIED
            return self._change(state, move) if is_tried else (Counter(), Counter())
        ids, named = self._ids, self._named
        lying = (it if it in ids else named.get((it.component, it.piece)) for it in touched)
        return Counter(it for it in lying if it), Counter(it for it in touched if it not in ids)

    def _change(self, state: Any, move: Any) -> Change:
        """What lies otherwise after a move: of a piece that it takes, where others may make room
        for it, only that one."""
        before = Counter(self._lying)
        after = Counter(self._engine.lay(self._engine.apply(state, move), self._seat))
        taken = self._engine.piece_of(state, move)
        gone, new = (
            Counter({it: n for it, n in changed.items() if taken in ("", it.piece)})
            for changed in (before - after, after - before)
        )
        return (gone, new) if new.total() <= _MOST_PUT else (Counter(), Counter())

    @cached_property
    def _look_alikes(self) -> list[Any]:
        """States in which the table looks the same to the seat: a deal may also change cards that
        it sees and takes for unknown."""
        return [it for it in self._deals if self._engine.lay(it, self._seat) == self._lying]


def describe_moves(moves: Sequence[LegalMove], show: Show) -> Mapping[str, JsonObject | Any]:
    """Moves for the page: a spot is the number of a look, x, y and turn; a look is the side of a
    piece. `puts` are the numbers of spots."""
    looks: dict[str, int] = {}
    found: list[JsonObject] = []
    spots: dict[tuple[float, ...], int] = {}

    def spot(source: int, it: LaidPiece) -> int:
        shown = show(it)
        x, y, turn = (shown.pop(name) for name in _PLACE)
        look = {"id": source or None, **shown}
        number = looks.setdefault(repr(look), len(looks))
        if number == len(found):
            found.append(look)
        return spots.setdefault((number, x, y, turn), len(spots))

    told = [
        {"name": it.name, "words": it.words, "takes": it.takes, "puts": [spot(*put) for put in it.puts]} for it in moves
    ]
    return {"moves": told, "spots": [*map(list, spots)], "looks": found}
