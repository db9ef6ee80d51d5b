"""The examples of Advaya's rules, decided by its engine."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from generator.games.advaya.arena import BEYOND, ClosedShape, TurnedFace, cell_at, find_closed
from generator.games.advaya.play import GIFTS, GOALS, Advaya, AdvayaState, Closing, SlideTile, score_closed
from tests.games.advaya.test_booklet import PINNED, RULES, SIX, SLIDES, TEXT, groups, lined
from tests.games.arenas import Arena
from tests.games.arenas import Cell as TableCell
from tests.games.figures import Laid
from tests.support.engines import engine_of

_LAST = "4"  # the tile S, which closes shapes 1 and 5
_TARGET = ("first-capture", "max-capture")


def engine(**chosen: str) -> Advaya:
    made = engine_of("advaya", **chosen)
    assert isinstance(made, Advaya)
    return made


def standing(rules: Advaya, laid: Sequence[Laid], without: str = "") -> AdvayaState:
    """The arena of a figure, perhaps without a tile. Black moves."""
    arena = Arena(laid, lined)
    faces = {cell_at(*cell): face_of(rules, lying) for cell, lying in arena.laid.items() if lying.piece != without}
    lying = {cell: rules.faces[face] for cell, face in faces.items()}
    closed = {shape for cell in lying for shape in find_closed(lying, cell)}
    tiles = sum(1 << rules.ids.index(lying.piece) for lying in laid if lying.piece not in ("1", without))
    state = rules.start()
    return replace(state, arena=tuple(sorted(faces.items())), played=(tiles, 0), closed=tuple(closed))


def face_of(rules: Advaya, lying: Laid) -> int:
    """The front in this turn, or in the first that looks like it."""
    tile = rules.ids.index(lying.piece)
    faces = [n for n, face in enumerate(rules.faces) if (face.tile, face.side) == (tile, "front")]
    return faces[-lying.turn // 60 % len(faces)]


def lay_last(rules: Advaya, seat: int) -> AdvayaState:
    """The tile S, laid where the figure shows it: by black (0) or white (1)."""
    arena = Arena(SIX, lined)
    (cell,) = (cell for cell, lying in arena.laid.items() if lying.piece == _LAST)
    before = replace(standing(rules, SIX, without=_LAST), turn=seat)
    move = SlideTile(cell_at(*cell), face_of(rules, arena.laid[cell]))
    assert move in rules.legal(before)
    return rules.apply(before, move)


def test_closed_shapes_have_the_told_values() -> None:
    closed = standing(engine(), SIX).closed
    assert sorted((shape.colour, shape.value) for shape in closed) == [(0, 2), (0, 2), (0, 2), (0, 3), (1, 2), (1, 4)]


def test_domination_scores_eleven() -> None:
    (total,) = re.findall(r"White scores [\d +]+ = \*\*(\d+)\*\*", RULES)
    after = lay_last(engine(goal="domination"), 1)
    assert after.points == (0, int(total)) == (0, 4 + 3 + 2 + 2)


def test_what_black_closes_for_white_scores_its_value_alone() -> None:
    """As the rules choose; the other two readings are options."""
    told = "scores its own value if it is not dominated, but nothing for the shapes that adjoin it"
    assert told in TEXT
    points = {gift: lay_last(engine(goal="domination", gift=gift), 0).points[1] for gift in GIFTS}
    assert points == {"value": 4, "all": 11, "nothing": 0}


def test_the_figure_wins_first_closed_and_scores_max_closed() -> None:
    first, most = engine(), engine(goal="max-closed")
    for seat in (0, 1):
        end = lay_last(first, seat)
        assert (end.points, first.winners(end), first.legal(end)) == ((0, 4), [1], [])
        assert lay_last(most, seat).points == (0, 4)


def test_nobody_captures_a_start_tile_outside_the_shape() -> None:
    for goal in _TARGET:
        rules = engine(goal=goal)
        after = lay_last(rules, 1)
        assert (after.points, rules.turn(after)) == ((0, 0), 0)


def tiles_that_move(rules: Advaya, state: AdvayaState) -> set[str]:
    names = (rules.write(state, move) for move in rules.legal(state))
    return {name.split()[1] for name in names if name.startswith("move ")}


def test_tiles_2_3_and_4_may_move() -> None:
    rules = engine(goal="max-closed")
    arena = Arena(PINNED.laid, lined)
    told = {number: arena.laid[arena.cell_at(at)].piece for number, at in PINNED.marks}
    assert tiles_that_move(rules, standing(rules, PINNED.laid)) == {told[n] for n in "234"}


def test_tiles_of_the_pool_slide_into_place_1_but_not_into_place_2() -> None:
    """Though some have the colours that either needs. Place 2 is for its neighbours at the gap."""
    rules = engine(goal="max-closed")
    for laid, at, number in zip(groups(SLIDES), SLIDES.hexagons, (1, 2), strict=True):
        state, place = standing(rules, laid), cell_at(*Arena(laid, lined).cell(at))
        legal = [move for move in rules.legal(state) if isinstance(move, SlideTile)]
        pool = {face.tile for face in rules.faces} - {rules.faces[on].tile for _, on in state.arena}
        come = {rules.faces[move.face].tile for move in legal if move.cell == place}
        assert matching(rules, state, place)
        assert (number, not come & pool) == (number, number == 2)


def matching(rules: Advaya, state: AdvayaState, place: int) -> list[TurnedFace]:
    """The faces of the pool that have the colours of all neighbours of a place."""
    lying = {cell: rules.faces[face] for cell, face in state.arena}
    used = {face.tile for face in lying.values()}
    sides = [(side, lying.get(place + beyond)) for side, beyond in enumerate(BEYOND)]
    return [
        face
        for face in rules.faces
        if face.tile not in used
        and all(face.white >> side & 1 == other.white >> (side + 3) % 6 & 1 for side, other in sides if other)
    ]


def four_areas() -> dict[int, TurnedFace]:
    """A tile whose first piece lies along three others."""
    beside = ((1, 2, 3), (0,), (0,), (0,))
    return {0: TurnedFace(0, "front", 0, 0, (0,) * 6, ((),) * 4, (1, 0, 0, 0), beside, True)}


def shape(area: int, value: int) -> ClosedShape:
    return ClosedShape(1 if area == 0 else 0, value, frozenset({(0, area)}))


def domination(mover: int, before: list[ClosedShape], new: list[ClosedShape]) -> list[int]:
    points = [0, 0]
    closing = Closing(mover, four_areas(), before, new, 0)
    for seat, more in score_closed("domination", "value", closing):
        points[seat] += more
    return points


def test_the_published_example_scores_twelve() -> None:
    """White closes a shape of 4 beside black ones of 3, 3 and 2."""
    white, black = shape(0, 4), [shape(1, 3), shape(2, 3), shape(3, 2)]
    assert domination(1, black, [white]) == [0, 12]
    assert domination(1, black[1:], [white, black[0]]) == [0, 9]  # closed at the same time
    assert domination(0, [white, *black[1:]], [black[0]]) == [0, 0]  # closed later


def test_a_dominated_shape_scores_nothing_but_what_it_dominates() -> None:
    white = shape(0, 5)
    assert domination(1, [shape(1, 6), shape(2, 4)], [white]) == [0, 4]
    assert domination(1, [shape(1, 5)], [white]) == [0, 5]  # equal: neither dominates
    assert domination(1, [shape(2, 4)], [white, shape(1, 6)]) == [6, 4]  # at the same time


def closed_by_white(goal: str, value: int, start: int = 0) -> list[tuple[int, int]]:
    closing = Closing(1, four_areas(), [], [shape(0, value)], start)
    return list(score_closed(goal, "all", closing))


def test_small_shapes_score_nothing() -> None:
    for goal in GOALS:
        assert closed_by_white(goal, 3) == []
        assert closed_by_white(goal, 4) == [(1, 4)]


def test_capture_needs_a_piece_of_the_start_tile() -> None:
    captures = [closed_by_white(goal, 4, start=1) == [] for goal in GOALS]
    assert captures == [goal in _TARGET for goal in GOALS]


def test_cells_are_told_by_column_and_half_row() -> None:
    origin: TableCell = (0, 0)
    around = [cell_at(*cell) for cell in ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))]
    assert around == [cell_at(*origin) + beyond for beyond in BEYOND]
