"""The icons that every game has: sound, of one style, in the colour of the words around them."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import resvg_py
from lxml import etree
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from generator import pipeline
from generator.art.picture import ArtReader
from generator.basics import writing
from generator.basics.errors import Place
from generator.model import Art
from generator.pipeline.sheets import silent
from generator.text.markup import parse
from generator.text.shape import colour_picture, colourless, house_icon, house_icons, pictures_in
from tests.conftest import Pnp
from tests.support.printing import request_of
from tests.text.specimen import BOOK

FILES = list(house_icons().values())
ROOM = 4  # units around an icon that are looked at too
PX = 5  # pixels of a unit
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" {}>{}</svg>'
SQUARE = '<path d="M1 1h22v22H1z"/>'
RED, BLUE, GREY = (176, 42, 28), (29, 79, 138), (120, 120, 120)


@pytest.fixture(scope="module")
def inks() -> dict[str, NDArray[np.bool_]]:
    """Where each icon is inked, as another engine draws it, with some room around it."""
    return {path.stem: _ink(path.read_text("utf-8")) for path in FILES}


def _ink(svg: str) -> NDArray[np.bool_]:
    side = 24 + 2 * ROOM
    seen = svg.replace('viewBox="0 0 24 24"', f'viewBox="{-ROOM} {-ROOM} {side} {side}"')
    png = resvg_py.svg_to_bytes(svg_string=seen, width=side * PX, height=side * PX, skip_system_fonts=True)
    alpha = Image.open(io.BytesIO(bytes(png))).convert("RGBA").getchannel("A")
    return np.asarray(alpha) > 127


def test_the_names_are_plain_and_can_be_written_in_a_text() -> None:
    assert len(FILES) > 60
    for name in house_icons():
        assert re.fullmatch(r"[a-z]+(-[1-6])?", name)
        ((span,),) = (line for block in parse(f":{name}:") for line in block.lines)
        assert span.icon == name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_a_small_sound_drawing_of_one_colour(path: Path) -> None:
    reader = ArtReader(path.parent, BOOK)
    reader.read(path.name, Place("here"), has_texts=False)  # raises what it finds fault with
    text = path.read_text("utf-8")
    assert len(text) < 1024
    assert not re.search(r"\d\.\d{3}", text)
    root = etree.fromstring(text.encode())
    assert (root.get("viewBox"), root.get("fill")) == ("0 0 24 24", "currentColor")
    known = {"viewBox", "fill", "fill-rule", "stroke", "stroke-width", "stroke-linecap"}
    known |= {"stroke-linejoin", "d", "cx", "cy", "r", "rx", "ry", "x", "y", "width", "height"}
    for element in root.iter(etree.Element):
        assert set(element.attrib) <= known | {"transform"}
        assert {element.get("fill"), element.get("stroke")} <= {None, "none", "currentColor"}
        assert float(element.get("stroke-width", "2")) >= 1.6


def test_each_fills_its_box_and_none_is_cut_off(inks: dict[str, NDArray[np.bool_]]) -> None:
    for name, ink in inks.items():
        rows, columns = (np.nonzero(ink.any(axis))[0] / PX - ROOM for axis in (1, 0))
        assert min(rows[0], columns[0]) >= 0.4, name
        assert max(rows[-1], columns[-1]) <= 23.6, name
        assert max(np.ptp(rows), np.ptp(columns)) >= 17, name
        assert 0.15 <= ink.sum() / (24 * PX) ** 2 <= 0.67, name
        off = (rows[0] + rows[-1] - 24, columns[0] + columns[-1] - 24)
        assert max(map(abs, off)) <= 4, name  # in its middle


def test_none_closes_up_when_it_is_small(inks: dict[str, NDArray[np.bool_]]) -> None:
    """What is white and narrower than a unit, 0.15 mm among words of 9 pt, is next to nothing."""
    for name, ink in inks.items():
        grown = Image.fromarray(ink).convert("L").filter(ImageFilter.MaxFilter(PX))
        closed = np.asarray(grown.filter(ImageFilter.MinFilter(PX))) > 0
        assert closed.sum() / ink.sum() < 1.06, name


def test_no_two_are_alike(inks: dict[str, NDArray[np.bool_]]) -> None:
    small = {name: ink[:: PX // 2, :: PX // 2] for name, ink in inks.items()}
    for (name, ink), (other, its) in combinations(small.items(), 2):
        assert (ink ^ its).sum() > 0.02 * max(ink.sum(), its.sum()), (name, other)


def _art(attributes: str, content: str = SQUARE) -> Art:
    return Art("own", _uri(SVG.format(attributes, content)))


def _uri(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def test_only_what_takes_a_colour_is_given_one() -> None:
    for own in ('fill="#123456"', 'fill="currentColor" color="red"'):
        assert colour_picture(_art(own), "#b02a1c") == _art(own)
    taking = _art('fill="currentColor"')
    red, blue = colour_picture(taking, "#b02a1c"), colour_picture(taking, "#1d4f8a")
    assert red != blue != taking
    drawings = (f'<image href="{art.uri}"/>' for art in (red, blue, taking))
    assert pictures_in(drawings) == {colourless(taking.uri)}
    assert colour_picture(Art("png", "data:image/png;base64,AAAA"), "#b02a1c").uri.endswith("AAAA")


GAME = """[game]
title = "Tiny"
designer = "The tests"
about = "Icons."
[palette]
red = "#b02a1c"
[[component]]
id = "cards"
title = "Cards"
size = ["{width}mm", "16mm"]
bleed = "0mm"
{row}
[component.front]
template = "card.svg"
{booklet}"""


def _game(folder: Path, texts: Sequence[str], booklet: str = "", **icons: str) -> Path:
    """A game of one card with these texts side by side, each in a box of 20 mm, and own icons."""
    boxes = "".join(
        f'<rect id="b{i}" x="{20 * i}" width="20" height="16" fill="none"/>'
        f'<text fill="#1d4f8a" font-family="Alegreya Sans" font-size="9" pnp:valign="middle" '
        f'pnp:box="b{i}" text-anchor="middle">{{{{ t{i} }}}}</text>'
        for i in range(len(texts))
    )
    row = "\n".join(f"t{i} = {text!r}" for i, text in enumerate(texts))
    width = 20 * len(texts)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" viewBox="0 0 {width} 16">'
    spec = GAME.format(
        width=width, row=f'[[component.row]]\nid = "a"\n{row}',
        booklet="[booklet]\ncover = false" if booklet else "",
    )  # fmt: skip
    drawings = {f"icons/{name}.svg": svg.encode() for name, svg in icons.items()}
    contents = {"card.svg": f"{svg}{boxes}</svg>".encode(), "game.toml": spec.encode()}
    rules = {"rules.md": booklet.encode()} if booklet else {}
    writing.write_folder(folder / "tiny", contents | rules | drawings)
    return folder / "tiny"


def _inks_of(game: Path) -> list[tuple[int, ...]]:
    """The commonest ink in each box of the card, as it is printed."""
    request = request_of(str(game), "letter", "single")
    pictures = pipeline.export_kit(request, "png", {"dpi": 100}, game.with_name("pictures"), silent)
    with Image.open(pictures / "faces/cards/a-front.png") as image:
        face = np.asarray(image.convert("RGB")).astype(int)
    boxes = np.array_split(face, round(face.shape[1] * 25.4 / 100 / 20), axis=1)
    found = []
    for box in boxes:
        pixels = box.reshape(-1, 3)
        colours, counts = np.unique(pixels[pixels.sum(1) < 700], axis=0, return_counts=True)
        found.append(tuple(map(int, colours[counts.argmax()])))
    return found


def test_an_icon_is_printed_in_the_colour_of_its_words(tmp_path: Path) -> None:
    own = {
        "taking": SVG.format('fill="currentColor"', SQUARE),
        "grey": SVG.format('fill="#787878"', SQUARE),
        "heart": SVG.format('fill="#787878"', SQUARE),  # wins over the house's
    }
    texts = [":square:", "[:square:]{red}", "[:taking:]{red}", "[:grey:]{red}", "[:heart:]{red}"]
    inks = _inks_of(_game(tmp_path, texts, **own))
    assert inks == [BLUE, RED, RED, GREY, GREY]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (":haert:", "did you mean 'heart'?"),
        (":doubloom:", "did you mean 'doubloon'?"),
        (":zzyzx:", "draw it as icons/zzyzx.svg, or write \\: for a colon"),
    ],
)
def test_an_unknown_name_is_reported_with_the_nearest(text: str, hint: str, tmp_path: Path, pnp: Pnp) -> None:
    game = _game(tmp_path, [text], doubloon=SVG.format("", SQUARE))
    result = pnp("check", game)
    assert result.exit_code == 1
    assert f"there is no icon '{text.strip(':')}'" in result.output
    assert f"hint: {hint}\n" in result.output


def test_a_booklet_has_them_and_knows_which_of_its_own_are_on_a_piece(tmp_path: Path, pnp: Pnp) -> None:
    """In whatever colour they are there; those of the house may stand anywhere."""
    rules = "# Tiny\n\n::: kit\n1 cards\n:::\n\nThe :taking: and the :other:, in :clock: 30 min.\n"
    own = {"taking": SVG.format('fill="currentColor"', SQUARE), "other": SVG.format("", SQUARE)}
    game = _game(tmp_path, ["[:taking:]{red}"], rules, **own)
    result = pnp("check", game)
    assert re.findall(r"the symbol ('\w+') is not on any piece", result.output) == ["'other'"]
    built = pnp("build", game, "-o", tmp_path / "tiny.pdf")
    assert built.exit_code == 0, built.output


def test_who_needs_none_reads_none(tmp_path: Path, pnp: Pnp) -> None:
    house_icons.cache_clear()
    house_icon.cache_clear()
    game = _game(tmp_path, [":own:"], own=SVG.format("", SQUARE))
    assert pnp("check", game).exit_code == 0
    assert house_icons.cache_info().misses == 0
