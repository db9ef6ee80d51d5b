"""Labels of sheets in scripts that the font of the sheets lacks: drawn where they are measured."""

from __future__ import annotations

import pypdfium2
import pytest

from generator.basics.geometry import Point, Rect, Size
from generator.model import Imprint, Label, Page, Sheet
from generator.pdf import Job, press_worker
from generator.text import FontBook, Lettering
from tests.text.specimen import FOLDERS

BOOK = FontBook(FOLDERS)
LETTERING = Lettering.of(BOOK)
PAPER = Size(100.0, 40.0)
TITLES = {
    "Latin": "Talavera · Cards",
    "Japanese": "金貨を二枚得る · sheet 1",
    "Arabic": "السلام عملتين · sheet 1",
    "Hebrew": "שלום",
    "Devanagari": "दो सिक्के",
}


def ink_of(label: Label) -> Rect:
    """Where a page that holds nothing but a label is inked, in mm."""
    box = Rect(0.0, 0.0, *PAPER)
    page = Page("front", (), (), (label,), box, box)
    sheet = Sheet("cards", "Cards", 1, 1, PAPER, None, (page,))
    pdf = press_worker.print_job(Job([sheet], [], Imprint("t", "a", "s"), [*map(str, FOLDERS)]))
    scale = 20 * 25.4 / 72
    picture = pypdfium2.PdfDocument(pdf)[0].render(scale=scale).to_pil().convert("L")
    found = picture.point(lambda value: 255 if value < 128 else 0).getbbox()
    assert found, "nothing is drawn"
    return Rect(*(side / 20 for side in found))


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("script", [title for title in TITLES if title != "Latin"])
def test_label_is_inked_where_it_is_measured(script: str, bold: bool) -> None:
    label = LETTERING.line(TITLES[script], 8.0, Point(4.0, 20.0), bold=bold)
    assert tuple(ink_of(label)) == pytest.approx(tuple(LETTERING.ink(label)), abs=0.15)


@pytest.mark.parametrize("script", TITLES)
def test_label_is_as_wide_as_its_words(script: str) -> None:
    text = TITLES[script]
    label = LETTERING.line(text, 8.0, Point(90.0, 20.0), "right")
    assert LETTERING.width(text, 8.0) == pytest.approx(90.0 - label.affine.e)
    assert LETTERING.ink(label).x1 == pytest.approx(90.0, abs=1.0)


def test_letters_of_a_cursive_script_join() -> None:
    """The width is that of the joined letters, not of each by itself."""
    text = "عملتين"
    joined = LETTERING.width(text, 10.0)
    assert joined == pytest.approx(BOOK.find("Noto Naskh Arabic").width(text, 10.0), rel=0.01)
    apart = sum(LETTERING.width(character, 10.0) for character in text)
    assert joined < 0.95 * apart


def test_title_in_the_font_of_the_sheets_is_text() -> None:
    assert LETTERING.outlined(TITLES["Latin"]) is None
