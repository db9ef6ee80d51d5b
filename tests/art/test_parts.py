"""A part of a drawing is a picture of its own."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from generator.art.picture import ArtReader
from generator.basics.errors import Place, PnpError
from tests.art.engines import FONTS, differ, printed, read, svg

ICONS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"'
    ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">'
    "<style>.a{fill:url(#red)}</style>"
    '<defs><linearGradient id="red"><stop stop-color="#a00"/></linearGradient>'
    '<symbol id="star" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></symbol></defs>'
    '<g inkscape:label="Night" inkscape:groupmode="layer"><rect x="50" width="50" height="50"/></g>'
    '<g id="day" fill="#0a0"><g transform="translate(20 20)">'
    '<circle id="sun" class="a" cx="10" cy="20" r="10"/><path id="ray" d="M40 0h20v5h-20z"/></g>'
    '<text font-family="Nowhere">nobody asks for it</text></g></svg>'
)
PARTS = {
    "sun": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
    '<circle cx="10" cy="10" r="10" fill="#a00"/></svg>',
    "ray": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 5"><path d="M0 0h20v5h-20z" fill="#0a0"/></svg>',
    "star": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>',
    "Night": svg('<rect x="50" width="50" height="50"/>'),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_a_drawing_is_a_picture(name: str, tmp_path: Path) -> None:
    (tmp_path / "icons.svg").write_text(ICONS, "utf-8")
    art = ArtReader(tmp_path, FONTS).read(f"icons.svg#{name}", Place("game.toml", 1))
    expected, _ = read(tmp_path, PARTS[name])
    assert differ(printed(art), printed(expected)) == (False, False)
    assert art.file == "icons.svg"


def test_a_symbol_of_a_library_without_a_size_is_cropped(tmp_path: Path) -> None:
    """Inkscape's own libraries of symbols have none."""
    symbol = '<symbol id="leaf"><path d="M-900 2000h20v10h-20z" fill="#0a0"/></symbol>'
    library = f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{symbol}</defs></svg>'
    (tmp_path / "library.svg").write_text(library, "utf-8")
    reader = ArtReader(tmp_path, FONTS)
    art = reader.read("library.svg#leaf", Place("game.toml", 1))
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">'
    expected, _ = read(tmp_path, f'{box}<path d="M0 0h20v10h-20z" fill="#0a0"/></svg>')
    assert differ(printed(art), printed(expected)) == (False, False)
    with pytest.raises(PnpError, match="no viewBox"):
        reader.read("library.svg", Place("game.toml", 1))


HIDDEN = {
    "style": '<g id="moon" style="display:none">',
    "attribute": '<g id="moon" display="none">',
    "class": '<style>.st0{display:none}</style><g id="moon" class="st0">',
    "visibility": '<g id="moon" visibility="hidden">',
    "a layer around": '<g visibility="hidden" style="display:none"><g/><g id="moon">',
}


@pytest.mark.parametrize("way", HIDDEN)
def test_a_named_part_is_shown_and_what_is_hidden_within_it_is_not(way: str, tmp_path: Path) -> None:
    """Inkscape hides layers that are switched off, Illustrator by a class."""
    within = (
        '<circle cx="5" cy="5" r="5"/><path d="M50 0h9v9z" display="none"/>'
        '<path d="M0 50h9v9z" visibility="hidden"/></g>'
    )
    end = "</g>" if way == "a layer around" else ""
    (tmp_path / "sky.svg").write_text(svg(HIDDEN[way] + within + end), "utf-8")
    art = ArtReader(tmp_path, FONTS).read("sky.svg#moon", Place("game.toml", 1))
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    shown = '<circle cx="5" cy="5" r="5"/>'
    whole = svg(shown) if way != "a layer around" else f"{box}{shown}</svg>"
    assert differ(printed(art), printed(read(tmp_path, whole)[0])) == (False, False)


def test_a_part_that_is_a_plain_text_is_cropped_to_its_letters(tmp_path: Path) -> None:
    """An element of lxml without children counts as false."""
    text = '<text id="word" x="30" y="60" font-family="Alegreya Sans" font-size="20">Hill</text>'
    (tmp_path / "words.svg").write_text(svg(text), "utf-8")
    art = ArtReader(tmp_path, FONTS).read("words.svg#word", Place("game.toml", 1))
    drawing = base64.b64decode(art.uri.partition(",")[2]).decode()
    view = [float(side) for side in re.findall('viewBox="([^"]+)"', drawing)[0].split()]
    assert 30 < view[0] < 33
    assert 20 < view[2] < 40
    assert 40 < view[1] < 50
    assert 10 < view[3] < 16


def test_the_name_of_a_file_may_have_a_number_sign(tmp_path: Path) -> None:
    (tmp_path / "#1 icons.svg").write_text(ICONS, "utf-8")
    reader = ArtReader(tmp_path, FONTS)
    whole = reader.read("#1 icons.svg#ray", Place("game.toml", 1))
    expected, _ = read(tmp_path, PARTS["ray"])
    assert differ(printed(whole), printed(expected)) == (False, False)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("icons.svg#son", "the drawing has no part 'son'"),
        ("icons.svg#red", "this part of the drawing shows nothing"),
        ("dot.png#sun", "'dot.png' has no parts"),
        ("icons.svg#day", "no font family 'Nowhere'"),
    ],
)
def test_a_part_that_cannot_be_shown_is_named(file: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "icons.svg").write_text(ICONS, "utf-8")
    with pytest.raises(PnpError, match=message):
        ArtReader(tmp_path, FONTS).read(file, Place("game.toml", 1))
