"""The finished PDF, folded as a hand folds it: every page comes in its turn, and upright."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from generator.model import Way
from tests.booklet.talavera import folder_with, printed
from tests.support import paper
from tests.support.printing import request_of

BLEED = 0.0
PT = 72 / 25.4


def text_of(pages: int) -> str:
    """Rules of so many pages behind the title, each of which says which it is."""
    return "\n\n---\n\n".join(f"Here stands leaf {number} of all." for number in range(2, pages + 1))


def said(page: pypdfium2.PdfPage, placed: paper.Placed) -> int:
    """Which page a placed face says it is."""
    left, top, right, bottom = (value * PT for value in placed.trim.box())
    height = page.get_height()
    words = page.get_textpage().get_text_bounded(left, height - bottom, right, height - top)
    words = "".join(words.split())
    for way in (words, words[::-1]):  # a page that lies upside down is read backwards
        if found := re.search(r"leaf(\d+)ofall", way):
            return int(found[1])
        if "Rulesofplay" in way:
            return 1
    raise AssertionError(f"no page says {words}")


Seen = tuple[int, tuple[tuple[float, float], ...]]


def sides(pdf: bytes, flip: str, sheets: int) -> Iterator[dict[str, list[Seen]]]:
    """What lies on both sides of each sheet, as one sees it who turns it like a page."""
    placements, sizes = paper.placements(pdf, BLEED), paper.paper_sizes(pdf)
    with pypdfium2.PdfDocument(pdf) as document:
        for sheet in range(sheets):
            lying: dict[str, list[Seen]] = {}
            for number, side in ((2 * sheet, "front"), (2 * sheet + 1, "back")):
                lying[side] = [
                    (said(document[number], placement), paper.as_seen(placement, sizes[number], side, flip))
                    for placement in paper.pages_on(placements[number])
                ]
            yield lying


def leafed(sheets: list[dict[str, list[Seen]]]) -> list[Seen]:
    """The pages in the order in which a reader meets them: the sheets lie in one another, the
    front of the first outside, all left halves are folded behind the right ones."""
    order: list[Seen] = []
    for sheet in sheets:  # to the middle of the booklet
        order += on_the_right(sheet["front"]) + on_the_left(sheet["back"])
    for sheet in reversed(sheets):
        order += on_the_right(sheet["back"]) + on_the_left(sheet["front"])
    return order


def on_the_right(seen: list[Seen]) -> list[Seen]:
    return [corner for corner in seen if sum(x for x, _ in corner[1]) > 0]


def on_the_left(seen: list[Seen]) -> list[Seen]:
    return [corner for corner in seen if sum(x for x, _ in corner[1]) < 0]


@pytest.mark.parametrize(
    ("name", "flip", "count", "width", "height"),
    [("letter", "long", 4, 139.7, 215.9), ("a4", "short", 7, 148.5, 210.0), ("tabloid", "long", 9, 215.9, 279.4)],
)
def test_leafed_through(name: str, flip: Way, count: int, width: float, height: float, tmp_path: Path) -> None:
    folder = folder_with(text_of(count), tmp_path / "talavera")
    (pdf,) = printed(request_of(str(folder), name, flip), tmp_path / "out.pdf")
    order = leafed(list(sides(pdf, flip, -(-count // 4))))
    assert [number for number, _ in order] == list(range(1, count + 1))
    for number, corners in order:
        left = 0.0 if number % 2 else -width
        right, top, bottom = left + width, -height / 2, height / 2
        wanted = ((left, top), (right, top), (right, bottom), (left, bottom))
        for corner, place in zip(corners, wanted, strict=True):
            assert corner == pytest.approx(place, abs=0.02)


@pytest.mark.parametrize("way", ["single", "fold"])
def test_a_sheet_with_one_printed_side_says_where_to_fold_it(way: Way, tmp_path: Path) -> None:
    folder = folder_with(text_of(5), tmp_path / "talavera")
    (pdf,) = printed(request_of(str(folder), "letter", way), tmp_path / "out.pdf")
    with pypdfium2.PdfDocument(pdf) as document:
        for number in range(3):
            width, height = document[number].get_size()
            fold = width / 2
            words = document[number].get_textpage().get_text_bounded(fold - 12, 0, fold + 12, height)
            assert "foldhere,printoutside" in "".join(words.split())
