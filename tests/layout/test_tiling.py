"""Panels of a piece that is larger than a sheet: what they cover, where their joints lie."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.basics.errors import PnpError
from generator.basics.geometry import Rect, Size
from generator.basics.shapes import box_of
from generator.layout import COST_STEP, OVERLAP, Item, JointCosts, Printing
from generator.layout import impose as layout_impose
from generator.layout.tiling import PanelGrid, find_grids, tile_around, tile_evenly
from generator.model import Tiling
from tests.support.printing import FONTS, Deck, board, deck, impose

A4 = Size(210.0, 297.0)


def costs(size: Size, *dear: tuple[float, float]) -> JointCosts:
    """Joints cost nothing, but much between these mm from the left."""
    across = [0] * (round(size.width / COST_STEP) + 1)
    for low, high in dear:
        for step in range(round(low / COST_STEP), round(high / COST_STEP) + 1):
            across[step] = 9
    return JointCosts(across, [0] * (round(size.height / COST_STEP) + 1))


@settings(max_examples=20)
@example((380.0, 270.0), 0.0, 0.5)  # two sheets exactly
@given(
    st.tuples(st.floats(210.0, 2000.0), st.floats(60.0, 2000.0)), st.sampled_from([0.0, OVERLAP]), st.floats(0.1, 0.9)
)
def test_panels_are_the_whole_piece_and_none_is_larger_than_a_sheet(
    sides: tuple[float, float], overlap: float, busy: float
) -> None:
    """Also where joints move off the middle of the piece, or what is drawn anywhere."""
    size, room = Size(*sides), Size(190.0, 270.0)
    (grid,) = find_grids(size, [room], overlap)
    for tiling in (
        tile_evenly(size, grid, overlap),
        *tile_around(size, grid, overlap, costs(size)),
        *tile_around(size, grid, overlap, costs(size, (busy * size.width, size.width))),
    ):
        panels = tiling.panels
        assert len(panels) == grid.columns * grid.rows
        for part in ("seen", "seen_behind"):
            boxes = [getattr(panel, part) for panel in panels]
            assert sum(box.width * box.height for box in boxes) == pytest.approx(size.width * size.height)
            assert box_of([corner for box in boxes for corner in box.corners()]) == pytest.approx(Rect(0.0, 0.0, *size))
        for panel in panels:
            assert panel.box.width <= room.width + 1e-6
            assert panel.box.height <= room.height + 1e-6
            assert panel.box == pytest.approx(panel.seen.around(panel.seen_behind))
        beside = [panel.box for panel in panels if panel.name.startswith("A")]
        assert all(one.x1 - other.x0 == pytest.approx(overlap) for one, other in pairwise(beside))
    fewer = ((grid.columns - 1, grid.rows), (grid.columns, grid.rows - 1))
    assert all(
        columns * room.width - (columns - 1) * overlap < size.width
        or rows * room.height - (rows - 1) * overlap < size.height
        for columns, rows in fewer
    )


def test_joints_lie_beside_what_they_would_cut() -> None:
    size, room = Size(360.0, 100.0), (Size(200.0, 120.0),)
    grid = PanelGrid(2, 1, room)
    (plain,) = tile_around(size, grid, 0.0, costs(size))
    assert plain.lefts == (0.0, 180.0), "equal panels, where nothing is cut"
    (moved,) = tile_around(size, grid, 0.0, costs(size, (175.0, 190.0)))
    assert moved.lefts == (0.0, 174.0), "the nearest free place"
    (full,) = tile_around(size, grid, 0.0, costs(size, (100.0, 300.0)))
    assert full.lefts == (0.0, 180.0), "no place is free within the room of a sheet"


def test_names_are_a_letter_for_the_row_and_a_number_for_the_column() -> None:
    tiling = Tiling(Size(30.0, 20.0), (0.0, 10.0, 20.0), (0.0, 10.0))
    assert [panel.name for panel in tiling.panels] == ["A1", "A2", "A3", "B1", "B2", "B3"]
    assert tiling.names == "A1–B3"


def test_each_panel_inks_what_is_seen_of_it_and_past_its_cuts() -> None:
    """The bleed at cuts is 3 mm, and 2 mm of the art go on beneath the next panel."""
    cut = {
        (sheet.number, page.side): [
            round(abs(inked - edge), 6) for inked, edge in zip(box_of(page.placements[0].clip), page.trim, strict=True)
        ]
        for sheet in impose([board(Size(420.0, 297.0), OVERLAP)], "a4", "long")
        for page in sheet.pages
    }
    bare = OVERLAP - 2.0
    assert cut[1, "front"] == [3.0, 3.0, bare, bare], "A1 has strips at its right and its foot"
    assert cut[1, "back"] == [3.0, 3.0, 3.0, 3.0], "nothing covers it from behind"
    assert cut[4, "front"] == [3.0, 3.0, 3.0, 3.0], "B2 lies on the others"
    # of a sheet that lies across, the back is upside down: its left is that of the front
    assert cut[4, "back"] == [bare, 3.0, 3.0, bare], "which lie on it from behind"


def test_the_slug_names_each_panel() -> None:
    sheets = impose([board(Size(420.0, 297.0))], "a4", "long")
    heads = [sheet.pages[0].labels[0].text for sheet in sheets]
    assert heads == [
        f"Toy · Board · {name} of A1–B2 · sheet {number} of 4 · FRONT"
        for number, name in enumerate(("A1", "A2", "B1", "B2"), 1)
    ]


def test_panels_of_a_piece_of_one_side_are_named_on_backs_that_would_be_blank() -> None:
    two_sided, one_sided = deck(3), board(Size(420.0, 297.0))
    items = tuple(Item(item.piece, item.front, None) for item in one_sided.run.items)
    plain = Deck(replace(one_sided.run, items=items), one_sided.faces)
    alone, together = impose([plain], "a4", "long"), impose([plain, two_sided], "a4", "long")
    assert all(len(sheet.pages) == 1 for sheet in alone)
    named = [sheet for sheet in together if sheet.tiling]
    assert [sheet.pages[1].labels[0].text for sheet in named] == ["A1", "A2", "B1", "B2"]
    assert all(not sheet.pages[1].placements for sheet in named)


def test_a_piece_that_fits_is_whole_and_a_panel_that_does_not_is_refused() -> None:
    assert [sheet.tiling for sheet in impose([board(Size(180.0, 200.0))], "a4", "long")] == [None]
    with pytest.raises(PnpError, match="does not fit"):
        impose([board(Size(180.0, 200.0))], "60x60mm", "long")


def test_scaled_pieces_have_panels_of_the_scaled_size() -> None:
    run = board(Size(210.0, 148.5)).run
    how = Printing(A4, "long", scale=2.0)
    sheets = layout_impose("Toy", [run], how, FONTS)
    trims = [page.trim for sheet in sheets for page in sheet.pages if page.side == "front"]
    assert sum(trim.width * trim.height for trim in trims) == pytest.approx(420.0 * 297.0)
