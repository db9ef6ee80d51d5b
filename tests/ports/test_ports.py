"""Games in the shape of real ones print as their files are; the finished PDF is read back."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from openpyxl import load_workbook

from tests.conftest import Pnp
from tests.ports import flowed, photographs, questions
from tests.ports.counters import COUNTERS, make_counters
from tests.ports.flowed import make_flowed
from tests.ports.photographs import BLUE, GROUND, RED, make_photographs
from tests.ports.questions import make_questions
from tests.ports.verses import CARDS, FAMILY, LINES, TITLE, make_verses
from tests.support import paper
from tests.support.paper import MM_PER_PT, Corners

DPI = 72
TOP, LEFT, RIGHT = (0.5, 0.04), (0.06, 0.6), (0.94, 0.6)  # of a card: across, down


def build(pnp: Pnp, game: Path) -> bytes:
    pdf = game.with_suffix(".pdf")
    result = pnp("build", game, "--paper", "a4", "--no-mix", "-o", pdf)
    assert result.exit_code == 0, result.output
    return pdf.read_bytes()


def cards(pdf: bytes, bleed: float, side: int, sheets: int) -> Iterator[tuple[str, Corners]]:
    """The words of each piece on the fronts (0) or backs (1) of the first sheets, no blanks."""
    with pypdfium2.PdfDocument(pdf) as document:
        placed = paper.placements(pdf, bleed)
        for number in range(side, 2 * sheets, 2):
            page, text = document[number], document[number].get_textpage()
            for piece in placed[number]:
                left, top, right, bottom = (mm / MM_PER_PT for mm in piece.trim.box())
                high = page.get_height()
                words = text.get_text_bounded(left, high - bottom, right, high - top)
                yield "".join(words.split()), piece.trim


def fonts(pdf: bytes) -> dict[str, bool]:
    """The fonts by their names, and whether the file holds them."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        found = [pdf_object for pdf_object in document.objects if is_descriptor(pdf_object)]
        return {str(port.FontName).rpartition("+")[2]: any("FontFile" in key for key in port) for port in found}


def is_descriptor(pdf_object: pikepdf.Object) -> bool:
    return isinstance(pdf_object, pikepdf.Dictionary) and pdf_object.get("/Type") == "/FontDescriptor"


def test_texts_that_inkscape_flowed_flow_anew(tmp_path: Path, pnp: Pnp) -> None:
    """Those of four templates, with placeholders that its line breaks cut in two."""
    pdf = build(pnp, make_flowed(tmp_path))
    kinds = list(flowed.WORDS.items())
    expected = ["".join(f"{kinds[n % 4][0]}{n + 1}{kinds[n % 4][1]}{n % 7}".split()) for n in range(flowed.CARDS)]
    assert [words for words, _ in cards(pdf, 3.0, 0, 5)] == expected
    met = paper.meetings(pdf, 3.0, "long")
    assert (len(met), paper.worst(met) < 0.01) == (flowed.CARDS, True)
    assert all(fonts(pdf).values())


def test_two_hundred_counters_of_a_workbook_fit_one_page(tmp_path: Path, pnp: Pnp) -> None:
    game = make_counters(tmp_path)
    pdf = build(pnp, game)
    assert len(paper.paper_sizes(pdf)) == 1
    found = list(cards(pdf, 0.0, 0, 1))
    rows = load_workbook(game / "army.xlsx")["Counters"].iter_rows(min_row=2, values_only=True)
    expected = Counter(f"{row[2]}{row[3]}-{row[4]}-{row[5]}" for row in rows)
    assert Counter(words for words, _ in found) == expected
    assert expected.total() == COUNTERS
    for _, trim in found:
        left, top, right, bottom = trim.box()
        assert (right - left, bottom - top) == pytest.approx((12.7, 12.7), abs=0.01)


def test_japanese_stands_from_top_to_bottom(tmp_path: Path, pnp: Pnp) -> None:
    """In a font with PostScript outlines; the lines of a card follow each other from the right."""
    pdf = build(pnp, make_verses(tmp_path))
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert str(document.docinfo["/Title"]) == TITLE
    assert fonts(pdf)[FAMILY.replace(" ", "")]
    found = [Counter(words) for words, _ in cards(pdf, 3.0, 0, 10)]
    assert len(found) == CARDS
    expected = [Counter("".join(LINES[n % 4]) + str(n + 1)) for n in range(CARDS)]
    assert found == expected
    first = [spot_of(pdf, character) for character in "一者働"]
    assert first[0].x == pytest.approx(first[1].x, abs=0.5)
    assert first[1].x == pytest.approx(first[2].x, abs=0.5)
    assert first[0].y < first[1].y < first[2].y
    assert spot_of(pdf, "二").x == pytest.approx(first[0].x - 14, abs=0.5)


def spot_of(pdf: bytes, character: str) -> paper.Spot:
    """The middle of a character on the first card, mm from its top left."""
    trim = paper.placements(pdf, 3.0)[0][0].trim
    with pypdfium2.PdfDocument(pdf) as document:
        page, text = document[0], document[0].get_textpage()
        left, top, right, bottom = trim.box()
        for index in range(text.count_chars()):
            x0, y0, x1, y1 = (pt * MM_PER_PT for pt in text.get_charbox(index))
            x, y = (x0 + x1) / 2, page.get_height() * MM_PER_PT - (y0 + y1) / 2
            if text.get_text_range(index, 1) == character and left < x < right and top < y < bottom:
                return paper.Spot(x - left, y - top)
    raise AssertionError(f"{character} is not on the first card")


def test_photographs_stand_as_they_were_taken(tmp_path: Path, pnp: Pnp) -> None:
    pdf = build(pnp, make_photographs(tmp_path))
    shown = []
    with pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(paper.placements(pdf, 3.0)[:10:2]):
            picture = document[2 * number].render(scale=DPI / 72).to_pil().convert("RGB")
            shown += [[near(picture.getpixel(at(piece.trim, *spot))) for spot in (TOP, LEFT, RIGHT)] for piece in page]
    assert shown == [[RED, BLUE, GROUND]] * photographs.CARDS
    names = sorted(words for words, _ in cards(pdf, 3.0, 0, 5))
    assert names == sorted(f"Arcanum{number}" for number in range(photographs.CARDS))


def at(trim: Corners, across: float, down: float) -> tuple[int, int]:
    """The pixel of a point of a card."""
    x = trim.top_left.x + across * (trim.top_right.x - trim.top_left.x)
    y = trim.top_left.y + down * (trim.bottom_left.y - trim.top_left.y)
    x += down * (trim.bottom_left.x - trim.top_left.x)
    y += across * (trim.top_right.y - trim.top_left.y)
    return round(x / 25.4 * DPI), round(y / 25.4 * DPI)


def near(pixel: object) -> tuple[int, int, int]:
    """The colour that a pixel is nearest to: JPEG is not exact."""
    assert isinstance(pixel, tuple)
    red, green, blue = pixel
    return min((RED, BLUE, GROUND), key=lambda c: abs(c[0] - red) + abs(c[1] - green) + abs(c[2] - blue))


def test_670_cards_of_json_print_each_with_its_own_back(tmp_path: Path, pnp: Pnp) -> None:
    game = make_questions(tmp_path)
    pdf = build(pnp, game)
    rows = json.loads((game / "cards.json").read_text("utf-8"))
    fronts = [words for words, _ in cards(pdf, 3.0, 0, 75)]
    for number, (row, words) in enumerate(zip(rows, fronts, strict=True), start=1):
        pick = ",pick2" if row["kind"] == "question" else ""
        said = "".join(row["text"].split())
        assert words == f"{said}{number}of{questions.CARDS}{pick}"
    backs = Counter(words for words, _ in cards(pdf, 3.0, 1, 75))
    assert backs == {"WhatFitsquestion": 170, "WhatFitsanswer": 500}
    met = paper.meetings(pdf, 3.0, "long")
    assert (len(met), paper.worst(met) < 0.01) == (questions.CARDS, True)
    assert all(fonts(pdf).values())
