"""Cards are found where other programs drew them: within 0.2 mm of their places."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest

from generator.basics.geometry import Rect, Size
from generator.basics.shapes import Kind
from generator.importing.choosing import choose_cards, propose_cards
from generator.importing.finding import FoundCards, Wanted, in_order
from generator.importing.page_worker import look
from generator.importing.reading import PageLook, PageRequest
from tests.importing import old_pdfs
from tests.importing.old_pdfs import A4, OldPdf, comb, grid

POKER, BRIDGE = Size(63.5, 88.9), Size(57.0, 87.0)
NINE = grid(3, 3, POKER, (9.75, 15.15))
APART = grid(2, 2, POKER, (20.0, 30.0), gap=8.0)
TOKENS = grid(5, 4, Size(30.0, 30.0), (22.0, 17.0), gap=2.0)


def look_at(content: bytes, folder: Path, page: int = 0, wanted: Wanted | None = None) -> PageLook:
    path = folder / f"{abs(hash(content))}.pdf"
    path.write_bytes(content)
    return look(PageRequest(str(path), page, wanted or Wanted()))


def find(content: bytes, folder: Path, wanted: Wanted | None = None, page: int = 0) -> list[FoundCards]:
    """What is taken for the cards of a page."""
    wanted = wanted or Wanted()
    seen = look_at(content, folder, page, wanted)
    (chosen,) = choose_cards({1: seen}, wanted)
    return [FoundCards("boxes", [card.cell for card in group], group[0].bleed, 1.0) for group in chosen.groups]


def assert_same(found: list[Rect], true: list[Rect], apart: float = 0.2) -> None:
    assert len(found) == len(true), found
    for cell, place in zip(found, true, strict=True):
        assert max(abs(a - b) for a, b in zip(cell, place, strict=True)) <= apart, (cell, place)


@pytest.mark.parametrize(
    ("draw", "cells", "bleed"),
    [
        (old_pdfs.filled, NINE, 0.0),
        (old_pdfs.filled, NINE[:4], 0.0),  # a last page that is not full
        (old_pdfs.framed, NINE, 0.0),
        (old_pdfs.framed, TOKENS, 0.0),
        (old_pdfs.rounded, APART, 0.0),
        (old_pdfs.clipped, NINE, 0.0),
        (old_pdfs.photographed, APART, 0.0),
        (old_pdfs.in_forms, APART, 0.0),
        (old_pdfs.ruled, NINE, 0.0),
        (old_pdfs.marked, grid(3, 3, BRIDGE, (19.5, 18.0)), 0.0),
        (old_pdfs.bled, APART, 3.0),
        (old_pdfs.shop_bled, APART, 3.175),
    ],
)  # fmt: skip
def test_cards_are_found_as_programs_draw_them(
    draw: old_pdfs.Drawing, cells: list[Rect], bleed: float, tmp_path: Path
) -> None:
    pdf = OldPdf()
    draw(pdf, cells)
    (found,) = find(pdf.finish(), tmp_path)
    assert_same(found.cells, cells)
    assert found.bleed == pytest.approx(bleed, abs=0.2)


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("hexagon", comb(4, 4, Size(40.0, 46.188), (15.0, 12.0))),
        ("hexagon", comb(4, 4, Size(46.188, 40.0), (15.0, 12.0))),
        ("circle", comb(3, 4, Size(38.0, 38.0), (15.0, 12.0))),
    ],
)
def test_pieces_of_a_shape_interlock(kind: Kind, cells: list[Rect], tmp_path: Path) -> None:
    """Their boxes overlap."""
    pdf = OldPdf()
    old_pdfs.shaped(pdf, cells)
    content = pdf.finish()
    (found,) = find(content, tmp_path, Wanted(shape=kind))
    assert_same(found.cells, in_order(cells))
    width, height = found.size
    (smaller,) = find(content, tmp_path, Wanted(Size(width * 0.9, height * 0.9), shape=kind))
    assert smaller.bleed == pytest.approx(min(width, height) * 0.05, abs=0.02)
    other: Kind = "circle" if kind == "hexagon" else "hexagon"
    assert find(content, tmp_path, Wanted(shape=other)) == []


def turned_by(content: bytes, degrees: int, crop: float = 0.0) -> bytes:
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        page = pdf.pages[0]
        page.rotate(degrees, relative=False)
        x0, y0, x1, y1 = map(float, page.mediabox)
        page.cropbox = pikepdf.Array([x0 + crop, y0, x1, y1 - crop])
        pdf.save(saved)
    return saved.getvalue()


def test_a_page_may_have_a_larger_unit(tmp_path: Path) -> None:
    pdf, saved = OldPdf(), io.BytesIO()
    pdf.cards(APART[:3])
    with pikepdf.open(io.BytesIO(pdf.finish())) as half:
        half.pages[0].contents_add(b"0.5 0 0 0.5 0 0 cm", prepend=True)
        half.pages[0].mediabox = pikepdf.Array([float(side) / 2 for side in half.pages[0].mediabox])
        half.pages[0].UserUnit = 2
        half.save(saved, min_version="1.6")
    (found,) = find(saved.getvalue(), tmp_path)
    assert_same(found.cells, APART[:3])


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_page_is_read_as_viewers_show_it(degrees: int, tmp_path: Path) -> None:
    """Turned, and cropped by 2 mm at the left and at the top."""
    pdf = OldPdf()
    pdf.cards(APART[:3])
    content = turned_by(pdf.finish(), degrees, 2 * old_pdfs.MM)
    (found,) = find(content, tmp_path)
    width, height = A4.width - 2, A4.height - 2
    upright = [cell.moved(-2.0, -2.0) for cell in APART[:3]]
    turned = {
        0: upright,
        90: [Rect(height - y1, x0, height - y0, x1) for x0, y0, x1, y1 in upright],
        180: [Rect(width - x1, height - y1, width - x0, height - y0) for x0, y0, x1, y1 in upright],
        270: [Rect(y0, width - x1, y1, width - x0) for x0, y0, x1, y1 in upright],
    }[degrees]
    assert_same(found.cells, sorted(turned, key=lambda cell: (round(cell.y0), cell.x0)))


def test_a_small_page_is_a_card(tmp_path: Path) -> None:
    whole = Size(69.85, 95.25)  # with an eighth of an inch of bleed
    pdf = OldPdf(whole)
    pdf.fill(Rect(0, 0, *whole), 1)
    (found,) = find(pdf.finish(), tmp_path)
    assert_same(found.cells, [Rect(3.175, 3.175, 66.675, 92.075)])
    pdf = OldPdf(Size(76.0, 100.0))
    pdf.fill(Rect(0, 0, 76, 100), 1)
    pdf.canvas.setTrimBox((6 * old_pdfs.MM, 6 * old_pdfs.MM, 70 * old_pdfs.MM, 94 * old_pdfs.MM))
    (found,) = find(pdf.finish(), tmp_path)
    assert_same(found.cells, [Rect(6, 6, 70, 94)])
    assert found.bleed == pytest.approx(6.0, abs=0.01)


def test_two_sizes_on_a_page(tmp_path: Path) -> None:
    tokens = grid(1, 4, Size(30.0, 30.0), (20.0, 240.0), gap=6.0)
    pdf = OldPdf()
    pdf.cards(APART)
    pdf.cards(tokens, 10)
    cards, others = find(pdf.finish(), tmp_path)
    assert_same(cards.cells, APART)
    assert_same(others.cells, tokens)


def text_page() -> bytes:
    pdf = OldPdf()
    for line in range(50):
        pdf.words(Rect(20, 20 + line * 5, 190, 25 + line * 5), "Rules that fill a page of text.")
    return pdf.finish()


def test_pages_without_cards_have_none(tmp_path: Path) -> None:
    poster = OldPdf()
    poster.canvas.drawImage(old_pdfs.pictured(1), *poster.box(Rect(5, 5, 205, 292)))
    table = OldPdf()
    old_pdfs.framed(table, grid(30, 2, Size(80.0, 8.0), (20.0, 20.0)))
    for content in (text_page(), OldPdf().finish(), poster.finish(), table.finish()):
        assert find(content, tmp_path) == []


def test_a_person_says_what_cannot_be_seen(tmp_path: Path) -> None:
    pdf = OldPdf()
    for number, cell in enumerate(NINE):
        pdf.words(cell, f"word {number}")
    words = pdf.finish()
    assert find(words, tmp_path) == []
    said = Wanted(POKER, (3, 3))
    (found,) = find(words, tmp_path, said)
    assert_same(found.cells, NINE)  # in the middle of the page
    said = Wanted(Size(60.0, 80.0), (2, 3), (12.0, 20.0), (1.0, 4.0))
    (found,) = find(words, tmp_path, said)
    across, down = [12.0, 73.0, 134.0], [20.0, 104.0]
    assert_same(found.cells, [Rect(x, y, x + 60, y + 80) for y in down for x in across])
    sheet = OldPdf()  # one picture of all cards, without marks
    sheet.canvas.drawImage(old_pdfs.pictured(2, (900, 1200)), *sheet.box(Rect(10, 20, 200, 260)))
    (found,) = find(sheet.finish(), tmp_path, Wanted(grid=(3, 2)))
    assert_same(found.cells, grid(3, 2, Size(95.0, 80.0), (10.0, 20.0)), 0.4)


@pytest.mark.parametrize(
    ("draw", "cells"),
    [
        (old_pdfs.filled, grid(3, 3, POKER, (5.0, 11.0), gap=2.0)),
        (old_pdfs.marked_cards, NINE),
        (old_pdfs.backed, NINE),
        (old_pdfs.bled, APART),
    ],
)
def test_a_scan_is_proposed(draw: old_pdfs.Drawing, cells: list[Rect], tmp_path: Path) -> None:
    """Within 0.3 mm, never without a word of a person: its own words, or only the size."""
    pdf = OldPdf()
    draw(pdf, cells)
    scan = old_pdfs.flattened(pdf.finish())
    seen = look_at(scan, tmp_path)
    (page,) = choose_cards({1: seen}, Wanted())
    assert page.groups == ()
    proposed = propose_cards({1: seen})
    assert proposed
    words, (page,) = proposed
    assert_same([card.cell for card in page.cards], cells, 0.3)
    assert page.reason == "proposed by its pixels alone"
    if draw is old_pdfs.marked_cards:
        (found,) = find(scan, tmp_path, words)
        assert_same(found.cells, cells, 0.3)
        (found,) = find(scan, tmp_path, Wanted(POKER))
        assert_same(found.cells, cells, 0.3)
        assert find(scan, tmp_path, Wanted(Size(50.0, 70.0))) == []


def test_a_size_settles_which_of_two_frames_is_cut(tmp_path: Path) -> None:
    pdf = OldPdf()
    pdf.cards(cell.grown(2.0) for cell in APART)
    content = pdf.finish()
    (found,) = find(content, tmp_path)
    assert_same(found.cells, [cell.grown(2.0) for cell in APART])
    (found,) = find(content, tmp_path, Wanted(POKER))
    assert_same(found.cells, APART)
    assert found.bleed == pytest.approx(2.0, abs=0.05)
    (found,) = find(content, tmp_path, Wanted(bleed=2.0))
    assert_same(found.cells, APART)


def test_pages_agree_on_a_size(tmp_path: Path) -> None:
    """The last page has one card among the rules, and its frame is a size of its own elsewhere."""
    pdf = OldPdf()
    pdf.cards(NINE)
    pdf.next()
    pdf.fill(NINE[0], 1)
    for line in range(25):
        pdf.words(Rect(80, 20 + line * 9, 200, 26 + line * 9), "Rules that fill a page")
    content = pdf.finish()
    looks = {page + 1: look_at(content, tmp_path, page) for page in (0, 1)}
    first, last = choose_cards(looks, Wanted())
    assert_same([card.cell for card in first.cards], NINE)
    assert_same([card.cell for card in last.cards], NINE[:1])
    (alone,) = choose_cards({2: looks[2]}, Wanted())
    assert alone.reason == "no cards are seen on it"
