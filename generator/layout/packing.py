"""Formes of a blank in the areas of a sheet, the fullest first."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from generator.basics.geometry import HAIR, Point, Size, lattice, translation
from generator.layout.forme import NO_GAP, Area, Blank, Forme, Seat
from generator.model import Cut

SHORTEST = 2.5  # mm; the shortest mark that a ruler can be laid to
_MORE = 3.0  # mm for one more line of the slug
_FEWER = 4  # sizes to try along a side: smaller grids leave room for the slug


def formes(
    blank: Blank, areas: Sequence[Area], *, cuts: Cut, gap: Size, may_touch: bool, slug: float
) -> Iterator[Forme]:
    """The ways to arrange pieces on a sheet, the fullest first.

    `cuts`: "shared"; in "squares"; or pieces `gap` mm apart, across and down: for all their bleeds
    ("double") or not ("gap", rectangles only); other pieces keep the wider gap both ways. If they
    `may_touch`, hexagons in gutters may touch at their corners. Smaller formes follow the fullest
    because the slug needs `slug` mm too.
    """
    if blank.shape.is_box or cuts == "squares":
        around = blank.most_bleed if cuts == "squares" else 0.0
        freed = Size(*(side + 2 * around for side in blank.shape.size))
        grids = [grid for area in areas for grid in _grids(freed, area, gap, slug)]
        for grid in sorted(grids, key=lambda grid: -grid.columns * grid.rows):
            spots = lattice(grid.corner, grid.pitch, grid.columns, grid.rows)
            seats = tuple(Seat(blank, translation(x + around, y + around)) for x, y in spots)
            yield Forme(grid.area, seats, cuts, gap if cuts == "gap" else NO_GAP)
        return
    from generator.layout.nest import nests  # loads pyclipper, which rectangles do not need

    share = cuts == "shared" and (blank.most_bleed > 0 or blank.shape.kind == "polygon")
    for left in (rooms(slug), more_rooms(slug)):
        nested = nests(blank, areas, max(gap), left, shares_edges=share, may_touch=may_touch)
        yield from sorted(nested, key=lambda forme: -len(forme.seats))


class _Grid(Struct, frozen=True):
    """Rows and columns of rectangles, and the top left of the first."""

    area: Area
    columns: int
    rows: int
    pitch: Size
    corner: Point


def _grids(piece: Size, area: Area, gap: Size, slug: float) -> Iterator[_Grid]:
    pitch = Size(piece.width + gap.width, piece.height + gap.height)
    box = area.box
    for columns in _largest(box.width + gap.width, pitch.width):
        for rows in _largest(box.height + gap.height, pitch.height):
            block = Size(columns * pitch.width - gap.width, rows * pitch.height - gap.height)
            for above, beside in rooms(slug):
                wide, high = block.width + beside, block.height + above
                if wide <= box.width + HAIR and high <= box.height + HAIR:
                    corner = area.corner(block, above=above, beside=beside)
                    yield _Grid(area, columns, rows, pitch, corner)


def rooms(slug: float) -> tuple[tuple[float, float], ...]:
    """The mm to leave above and beside a block: none, or a slug's, between the marks or past
    them."""
    past = slug + SHORTEST
    return (0.0, 0.0), (slug, 0.0), (0.0, slug), (past, 0.0), (0.0, past)


def more_rooms(slug: float) -> tuple[tuple[float, float], ...]:
    """The mm to leave where one line is too short for the slug: several lines, or two sides."""
    past = slug + SHORTEST
    several = [past + lines * _MORE for lines in (1, 2, 3)]
    return ((past, past), *((much, 0.0) for much in several), *((0.0, much) for much in several))


def _largest(room: float, pitch: float) -> range:
    """The most pieces that fit along a side, and up to three fewer."""
    most = max(int((room + HAIR) / pitch), 0)
    return range(most, max(most - _FEWER, 0), -1)
