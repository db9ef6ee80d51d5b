"""The pages: all of it on the paper, nothing upon another thing, each face where it belongs."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.basics.geometry import Rect, Size
from generator.basics.shapes import Shape, box_of, circle, hexagon, rectangle
from generator.model import Sheet
from generator.review import Review, ReviewRow, review_sheets
from generator.text import Lettering
from tests.support.printing import FONTS, face_of

HAIR = 1e-6
LETTERS = Lettering.of(FONTS)

shapes = st.one_of(
    st.builds(rectangle, st.builds(Size, st.floats(8, 400), st.floats(8, 400))),
    st.builds(circle, st.floats(8, 300)),
    st.builds(lambda across: hexagon(across, "edge"), st.floats(8, 200)),
)
words = st.text(st.characters(blacklist_categories=["Cc", "Cs"]), max_size=300)
papers = st.sampled_from([Size(215.9, 279.4), Size(148, 210), Size(297, 210)])


def row(old: Shape | None, new: Shape | None, title: str = "cards 1", description: str = "") -> ReviewRow:
    before, after = (face_of("x", shape, 3.0, "") if shape else None for shape in (old, new))
    return ReviewRow(title, description, before, after, after if before else None)


def laid(rows: list[ReviewRow], paper: Size, title: str = "What changed") -> list[Sheet]:
    sheets, faces = review_sheets(Review(title, ["Faces: 1."], rows), paper, FONTS)
    ids = [face.id for face in faces]
    assert len(ids) == len(set(ids))
    placed = {p.face for sheet in sheets for p in sheet.pages[0].placements}
    assert placed == set(ids)
    return sheets


def boxes(sheet: Sheet) -> list[Rect]:
    """Of the faces and of the words on a page."""
    (page,) = sheet.pages
    inked = [LETTERS.ink(label) for label in page.labels]
    return [*(box_of(p.clip) for p in page.placements), *inked]


@settings(max_examples=25)
@given(st.lists(st.tuples(shapes, shapes, words, words), min_size=1, max_size=6), papers, words)
def test_all_of_it_on_the_paper(given_rows: list[tuple[Shape, Shape, str, str]], paper: Size, title: str) -> None:
    sheets = laid([row(*given_row) for given_row in given_rows], paper, title)
    for sheet in sheets:
        for box in boxes(sheet):
            assert box.x0 > 5
            assert box.y0 > 5
            assert box.x1 < paper.width - 5
            assert box.y1 < paper.height - 5
        pieces = [box_of(p.clip) for p in sheet.pages[0].placements]
        for one, other in combinations(pieces, 2):
            shared = one.within(other)
            assert min(shared.width, shared.height) < HAIR
    assert len(sheets) <= len(given_rows) + 1  # a long summary stands by itself


def test_a_card_is_shown_beside_what_it_was() -> None:
    card = rectangle(Size(40.0, 60.0))
    (sheet,) = laid([row(card, card), row(None, card), row(card, None)], Size(215.9, 279.4))
    (page,) = sheet.pages
    places = {p.face: box_of(p.clip) for p in page.placements}
    assert {name for name in places if name != "legend"} == {
        "old0", "new0", "both0", "new1", "old2",
    }  # fmt: skip
    assert places["old0"].y0 == places["new0"].y0 == places["both0"].y0
    assert places["old0"].x0 < places["new0"].x0 < places["both0"].x0
    assert places["new1"].x0 == places["new0"].x0
    for name in ("old0", "new0", "both0", "new1", "old2"):  # as large as they print
        assert places[name].width == pytest.approx(40)
        assert places[name].height == pytest.approx(60)


def test_a_character_that_the_letters_lack_is_reported_as_one() -> None:
    card = rectangle(Size(40.0, 60.0))
    (sheet,) = laid([row(card, card, description="名 → x")], Size(215.9, 279.4))
    assert "? → x" in [label.text for label in sheet.pages[0].labels]
