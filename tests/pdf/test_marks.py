"""Rule, crop marks and clean pieces, looked at on rasters of the finished pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pypdfium2
import pytest
from PIL import Image
from shapely import Polygon, STRtree

from generator.basics.geometry import Point
from generator.basics.shapes import Shape, circle, hexagon, trihex
from generator.layout import Item
from tests.pdf.test_nets import strokes
from tests.support import paper
from tests.support.paper import Corners
from tests.support.printing import CARD, Deck, deck, face_of, mark, print_decks, published, run_of

DPI = 300
PIXELS_PER_MM = DPI / 25.4
DARK = 100  # of 255; the slug's ink is 33
BLEED = 3.0


def rasters(pdf: bytes) -> list[Image.Image]:
    """Each page in grey."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.render(scale=DPI / 72, grayscale=True).to_pil() for page in document]


@cache
def talavera(paper_name: str) -> list[Image.Image]:
    return rasters(published(paper_name, "long"))


def longest_run(picture: Image.Image) -> float:
    """The length in mm of the longest dark line across the picture, parts of a pixel counted."""
    width = picture.width
    pixels = picture.tobytes()
    best = 0.0
    for start in range(0, len(pixels), width):
        row = pixels[start : start + width]
        for match in re.finditer(b"[\x00-\x64]{200,}", row):
            low, high = max(match.start() - 1, 0), match.end() + 1
            peak = 255 - min(row[match.start() : match.end()])
            best = max(best, sum(min(255 - value, peak) for value in row[low:high]) / peak)
    return best / PIXELS_PER_MM


def margins(page: Image.Image, block: tuple[float, float, float, float]) -> Iterator[Image.Image]:
    """The four strips of paper around the block and its bleed, each lying across."""
    x0, y0, x1, y1 = block
    turn = Image.Transpose.ROTATE_90
    yield cut(page, (x0, 0.0, x1, y0 - BLEED))
    yield cut(page, (x0, y1 + BLEED, x1, page.height / PIXELS_PER_MM))
    yield cut(page, (0.0, y0, x0 - BLEED, y1)).transpose(turn)
    yield cut(page, (x1 + BLEED, y0, page.width / PIXELS_PER_MM, y1)).transpose(turn)


def cut(page: Image.Image, box: tuple[float, float, float, float]) -> Image.Image:
    """A part of the page; mm from its top left."""
    x0, y0, x1, y1 = (round(value * PIXELS_PER_MM) for value in box)
    return page.crop((x0, y0, x1, y1))


def block_of(trims: list[Corners]) -> tuple[float, float, float, float]:
    x0s, y0s, x1s, y1s = zip(*(trim.box() for trim in trims), strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


def trims_of(pdf: bytes) -> list[list[Corners]]:
    return [[card.trim for card in page] for page in paper.placements(pdf, BLEED)]


@pytest.mark.parametrize("paper_name", ["letter", "a4"])
def test_rule_is_50_mm_on_both_sides(paper_name: str) -> None:
    trims = trims_of(published(paper_name, "long"))
    for page, placed in list(zip(talavera(paper_name), trims, strict=True))[:2]:
        lines = [longest_run(strip) for strip in margins(page, block_of(placed))]
        assert max(lines) == pytest.approx(50.0, abs=0.1)
        assert sorted(lines)[-2] < 45, "one rule"


def test_rule_of_a_shrunken_page_is_noticed() -> None:
    """97 % is what a print dialog that fits the page to its margins makes of it."""
    page = talavera("a4")[0]
    small = page.resize((round(page.width * 0.97), round(page.height * 0.97)))
    box = block_of(trims_of(published("a4", "long"))[0])
    block = (box[0] * 0.97, box[1] * 0.97, box[2] * 0.97, box[3] * 0.97 + 1.0)
    assert max(map(longest_run, margins(small, block))) < 49.0


def dark_lengths(page: Image.Image, cuts: list[tuple[float, float, float, float]]) -> list[float]:
    """For each line outward from the block, how much of it is dark (mm)."""
    return [dark_length(page, line) for line in cuts]


def dark_length(page: Image.Image, line: tuple[float, float, float, float]) -> float:
    x0, y0, x1, y1 = line
    steps = round(max(abs(x1 - x0), abs(y1 - y0)) * PIXELS_PER_MM)
    dark = 0
    for step in range(steps):
        x = (x0 + (x1 - x0) * step / steps) * PIXELS_PER_MM
        y = (y0 + (y1 - y0) * step / steps) * PIXELS_PER_MM
        if 0 <= x < page.width and 0 <= y < page.height:
            grey = page.getpixel((int(x), int(y)))
            assert isinstance(grey, int)
            dark += grey < DARK
    return dark / PIXELS_PER_MM


def cut_lines(trims: list[Corners], aside: float = 0.0) -> list[tuple[float, float, float, float]]:
    """7 mm outward from both ends of every cut, moved aside by so many mm."""
    x0, y0, x1, y1 = block_of(trims)
    xs = sorted({round(x, 3) + aside for t in trims for x in (t.box()[0], t.box()[2])})
    ys = sorted({round(y, 3) + aside for t in trims for y in (t.box()[1], t.box()[3])})
    return [
        *((x, y, x, end) for x in xs for y, end in ((y0, y0 - 7), (y1, y1 + 7))),
        *((x, y, end, y) for y in ys for x, end in ((x0, x0 - 7), (x1, x1 + 7))),
    ]


@pytest.mark.parametrize("paper_name", ["letter", "a4"])
def test_crop_marks_stand_at_every_cut_of_a_front(paper_name: str) -> None:
    fronts = list(zip(talavera(paper_name), trims_of(published(paper_name, "long")), strict=True))
    for page, trims in fronts[::2]:
        lines = cut_lines(trims)
        assert len(lines) == 16
        assert min(dark_lengths(page, lines)) >= 2.4, "a mark long enough to lay a ruler to"
    page, trims = fronts[0]
    assert min(dark_lengths(page, cut_lines(trims, aside=0.4))) < 1.0, "a thin line, no edge of art"


GROUND = 127  # of 255, between the ink of a mark and white


def test_marks_on_the_bleed_lie_on_paper_white() -> None:
    """Above and below nine cards Letter has no room past their bleeds."""
    art = mark("", f"rgb({GROUND},{GROUND},{GROUND})")
    faces = tuple(face_of(f"front {i}", CARD, BLEED, f"{art}<!--{i}-->") for i in range(9))
    run = run_of(CARD, BLEED, tuple(Item(face.name, face.id, None) for face in faces))
    pdf = print_decks([Deck(run, faces)], "letter", "single").pdf
    (page,), (trims,) = rasters(pdf), trims_of(pdf)
    upright = [(x, y, end) for x, y, across, end in cut_lines(trims) if x == across]
    assert len(upright) == 8
    for x, y, end in upright:
        in_bleed = y - 2.0 if end < y else y + 2.0
        beyond, white, ink, *right = (
            page.getpixel((int((x + aside) * PIXELS_PER_MM), int(in_bleed * PIXELS_PER_MM)))
            for aside in (-0.8, -0.25, 0.0, 0.25, 0.8)
        )
        assert ink == pytest.approx(33, abs=60)
        assert [white, right[0]] == pytest.approx([255, 255], abs=20)
        assert [beyond, right[1]] == pytest.approx([GROUND, GROUND], abs=9)


@pytest.mark.parametrize("paper_name", ["letter", "a4", "a5"])
def test_nothing_but_the_face_is_printed_within_a_trim(paper_name: str) -> None:
    """Faces that are light everywhere but for an arrow: no mark reaches into any of them."""
    pdf = print_decks([deck(13)], paper_name, "short").pdf
    trims = trims_of(pdf)
    for page, placed in zip(rasters(pdf), trims, strict=True):
        for trim in placed:
            x0, y0, x1, y1 = trim.box()
            for edge in ((x0, y0, x1, y0 + 1), (x0, y1 - 1, x1, y1), (x0, y0, x0 + 1, y1), (x1 - 1, y0, x1, y1)):
                assert darkest(page, edge) > 200
            inner = cut(page, (x0 + 1, y0 + 1, x1 - 1, y1 - 1))
            assert ink(inner) == pytest.approx(ARROW, rel=0.05)


ARROW = 0.5 * 8 * 9  # mm2, as tests.support.printing.mark draws it


def darkest(page: Image.Image, box: tuple[float, float, float, float]) -> int:
    low, _ = cut(page, box).getextrema()
    assert isinstance(low, int)
    return low


def ink(picture: Image.Image) -> float:
    """The dark area in mm2."""
    return sum(picture.histogram()[:128]) / PIXELS_PER_MM**2


def test_a_mark_across_a_piece_would_be_noticed() -> None:
    """The measure itself can fail: one pixel of ink on the edge of a trim."""
    pdf = print_decks([deck(1)], "a4", "long").pdf
    page, (trim,) = rasters(pdf)[0], trims_of(pdf)[0]
    x0, y0, x1, _ = trim.box()
    assert darkest(page, (x0, y0, x1, y0 + 1)) > 200
    page.putpixel((round(x0 * PIXELS_PER_MM) + 50, round(y0 * PIXELS_PER_MM) + 3), 0)
    assert darkest(page, (x0, y0, x1, y0 + 1)) == 0


@pytest.mark.parametrize("shape", [hexagon(26.73, "edge"), trihex(30.0), circle(20.0)])
def test_lines_of_the_file_lie_along_every_trim_and_in_none(shape: Shape) -> None:
    printed_deck = deck(5, shape, cuts="double")
    printed = print_decks([printed_deck], "a4", "single")
    lines = [line.buffer(0.06, cap_style="flat") for line in strokes(printed.pdf, "cut")]
    tree = STRtree(lines)
    for placed in printed.sheets[0].pages[0].placements:
        corners = (Point(x + BLEED, y + BLEED) for x, y in shape.outline)
        trim = Polygon([placed.affine.apply(corner) for corner in corners])
        inner, near = trim.buffer(-0.005), trim.exterior.buffer(0.2)
        found = [lines[index] for index in tree.query(near)]
        assert not any(line.intersects(inner) for line in found)
        along = sum(line.intersection(near).area for line in found) / 0.12
        assert along > 0.95 * trim.length
