"""Every kind of font is drawn as it is measured: the letters of these fonts are bars."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pypdfium2
import pytest
from PIL import Image

from generator.basics.geometry import Size
from generator.model import Layer
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook
from tests.support import fontmaking
from tests.support.fontmaking import NARROW, WIDE
from tests.support.printing import page_of

EM = 20.0  # mm
PIXELS = 20  # a mm


def draw(book: FontBook, font: Font, text: str = "H") -> Image.Image:
    """A page with text set as the renderers set it."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40" width="60mm" height="40mm">'
        f'<text y="30" font-size="{EM}" font-family={quoteattr(repr(font.family))} '
        f'font-weight="{font.weight}" font-style="{"italic" if font.italic else "normal"}">'
        f"{text}</text></svg>"
    )
    page = page_of(Layer.of("page", svg, Size(60.0, 40.0)), book.folders)
    scale = PIXELS * 25.4 / 72
    picture: Image.Image = pypdfium2.PdfDocument(page)[0].render(scale=scale).to_pil()
    return picture


def bar_of(picture: Image.Image) -> float:
    """How wide the ink of a page is, in thousandths of an em."""
    box = picture.convert("L").point(lambda v: 255 if v < 128 else 0).getbbox()
    assert box, "nothing is drawn"
    return (box[2] - box[0]) / PIXELS / EM * 1000


def measured(font: Font) -> float:
    return font.ink("H", 1000.0).width


@pytest.mark.parametrize("name", ["a.otf", "a.OTF", "a.Otf", "a.ttf"])
def test_opentype_with_postscript_outlines(name: str, tmp_path: Path) -> None:
    fontmaking.outlined(tmp_path / name, "Bars")
    book = FontBook([tmp_path])
    font = book.find("Bars")
    assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)


def test_collection_of_fonts(tmp_path: Path) -> None:
    """Each is found by its own family, weight and slope, in the one file."""
    parts, fonts = tmp_path / "parts", tmp_path / "fonts"
    parts.mkdir()
    fonts.mkdir()
    regular = fontmaking.bars(parts / "a.ttf", "Bars")
    slanted = fontmaking.bars(parts / "b.ttf", "Bars", italic=True)
    house = HOUSE_FONTS / "abril-fatface" / "AbrilFatface-Regular.ttf"
    fontmaking.collection(fonts / "all.TTC", regular, slanted, house)
    book = FontBook([fonts])
    assert (book.families(), book.folders) == (["Abril Fatface", "Bars"], (fonts,))
    for font in (book.find("Bars"), book.find("Bars", italic=True), book.find("Abril Fatface")):
        assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)
    assert book.find("Bars", italic=True).italic


@pytest.mark.parametrize("weight", [100, 400, 500, 700, 900])
@pytest.mark.parametrize("default", [100.0, 400.0, 900.0])
def test_variable_font_at_every_weight(default: float, weight: int, tmp_path: Path) -> None:
    """Whatever its own default is: the engine by itself draws that in place of 400."""
    axes = {"wght": (100.0, default, 900.0)}
    fontmaking.variable(tmp_path / "bars[wght].ttf", "Bars", axes)
    book = FontBook([tmp_path])
    font = book.find("Bars", weight)
    expected = NARROW + (WIDE - NARROW) * (weight - 100) / 800
    if default in (100.0, 900.0):  # a line from one end to the other
        assert measured(font) == pytest.approx(expected, abs=2)
    assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)
    assert font.weight == weight


def test_other_axes_stay_at_their_default(tmp_path: Path) -> None:
    """The engine would set the optical size by the size of the letters."""
    axes = {"wght": (100.0, 400.0, 900.0), "opsz": (6.0, 6.0, 144.0)}
    fontmaking.variable(tmp_path / "bars.ttf", "Bars", axes)
    book = FontBook([tmp_path])
    font = book.find("Bars")
    assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)


def test_named_weight_of_a_variable_font_is_found_by_its_name(tmp_path: Path) -> None:
    """As Illustrator names fonts."""
    axes = {"wght": (100.0, 400.0, 900.0)}
    fontmaking.variable(tmp_path / "a.ttf", "Bars", axes, {"Semi Bold": 600.0})
    found = FontBook([tmp_path]).find_called("Bars-SemiBold")
    assert found is not None
    assert (found.family, found.weight) == ("Bars", 600)


def test_static_fonts_are_used_before_a_variable_one(tmp_path: Path) -> None:
    """Archives of fonts hold both."""
    fontmaking.bars(tmp_path / "static.ttf", "Bars", weight=400)
    fontmaking.bars(tmp_path / "bold.ttf", "Bars", weight=700)
    fontmaking.variable(tmp_path / "variable.ttf", "Bars", {"wght": (100.0, 400.0, 900.0)})
    book = FontBook([tmp_path])
    assert [book.find("Bars", weight).weight for weight in (400, 500, 700, 900)] == [
        400, 400, 700, 700,
    ]  # fmt: skip
    font = book.find("Bars", 900)
    assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)


def test_variable_font_of_cff2_outlines_is_drawn_in_two_weights(tmp_path: Path) -> None:
    source = fontmaking.outlined(tmp_path / "a.otf", "Bars", "CFF2")
    fontmaking.with_weights(source)
    book = FontBook([tmp_path])
    assert book.findings == []
    assert [book.find("Bars", weight).weight for weight in (100, 400, 900)] == [400, 400, 700]
    font = book.find("Bars")
    assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)


def test_font_of_cff2_outlines_alone_is_reported(tmp_path: Path) -> None:
    fontmaking.outlined(tmp_path / "a.otf", "Bars", "CFF2")
    (found,) = FontBook([tmp_path]).findings
    assert "CFF2" in found.what


def test_coloured_font_is_drawn_in_its_colours(tmp_path: Path) -> None:
    fontmaking.coloured(tmp_path / "a.ttf", "Bars")
    book = FontBook([tmp_path])
    colours = {colour for _, colour in draw(book, book.find("Bars"), "A H").getcolors(9999) or ()}
    assert {(255, 0, 0), (0, 0, 0)} <= colours


NAMES = ["Archivo Black", "Roboto Condensed", "Arial Narrow", "Futura Extra Bold", ".Hidden", "Bold"]
WHOLE = ["Bold", "MedievalSharp", "IM Fell English SC", "Uncial", "Source Serif 4"]


@pytest.mark.parametrize("family", [*NAMES, *WHOLE])
def test_family_whose_name_ends_like_a_style_is_drawn(family: str, tmp_path: Path) -> None:
    """The engine takes such words off the name, and then knows no family of that name."""
    fontmaking.bars(tmp_path / "a.ttf", family)
    book = FontBook([tmp_path])
    assert book.families() == [family.lstrip(".")]
    assert (book.folders == (tmp_path,)) == (family in WHOLE)
    font = book.find(family)
    assert bar_of(draw(book, font)) == pytest.approx(measured(font), abs=8)


def test_engine_is_given_the_files_themselves_where_it_can_draw_them() -> None:
    assert FontBook([HOUSE_FONTS]).folders == (HOUSE_FONTS,)


def test_copy_for_the_engine_is_the_same_each_time(tmp_path: Path) -> None:
    copies = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        fontmaking.variable(tmp_path / name / "a.ttf", "Bars", {"wght": (100.0, 900.0, 900.0)})
        shutil.copy(HOUSE_FONTS / "fraunces" / "Fraunces-Black.ttf", tmp_path / name / "b.TTF")
        (copy,) = FontBook([tmp_path / name]).folders
        copies.append([(file.name, file.read_bytes()) for file in sorted(copy.iterdir())])
    assert copies[0] == copies[1]
    assert len(copies[0]) == 2


def test_copy_is_taken_as_it_is(tmp_path: Path) -> None:
    """The press is told of the copy, and reads it as the reader of the game did."""
    fontmaking.variable(tmp_path / "a.ttf", "Bold Bars Black", {"wght": (100.0, 900.0, 900.0)})
    book = FontBook([tmp_path, HOUSE_FONTS])
    again = FontBook(book.folders)
    assert (again.folders, again.findings) == (book.folders, [])
    assert again.find(HOUSE_FAMILY) == book.find(HOUSE_FAMILY)
    assert again.find("Bold Bars Black", 700) == book.find("Bold Bars Black", 700)
