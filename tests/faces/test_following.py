"""Layouts that follow the text: panels, stacks, texts in circles, texts that go on, one size.

Measured on the printed page: letters by pdfium, areas by their colours.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from generator import check_game, print_game
from generator.basics.errors import Problem
from generator.basics.geometry import Rect
from generator.pdf.raster import rasterise
from tests.game.tiny import GAME, HEAD

FONT = Path(__file__).parents[2] / "fonts/alegreya-sans/AlegreyaSans-Regular.ttf"
DPI = 254  # ten pixels to a millimetre
PX = DPI / 72
GROUND = (255, 238, 119)
PANEL, BAR, PICTURE = (255, 0, 0), (0, 0, 255), (0, 128, 0)
WORDS = "Look at the top card of the deck and put it back in any place that you like to have it."
LONG = " ".join(f"word{number}" for number in range(160))
PAINTED = 'fill="#ff0000"'


class Page(NamedTuple):
    """A page at ten pixels to a millimetre, and the words on it with the boxes of their ink."""

    pixels: np.ndarray
    letters: list[tuple[str, Rect]]

    def area(self, colour: tuple[int, int, int]) -> Rect | None:
        """The box of a colour in mm, None if there is none of it."""
        near = [abs(self.pixels[..., band] - part) < 12 for band, part in enumerate(colour)]
        rows, columns = np.nonzero(near[0] & near[1] & near[2])
        if not len(rows):
            return None
        sides = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
        return Rect(*(float(side) / 10 for side in sides))

    @property
    def text(self) -> str:
        return "".join(letter for letter, _ in self.letters)

    def lines(self) -> list[float]:
        """The heights of the feet of its lines, from the letters without a descender."""
        feet = {round(box.y1, 1) for letter, box in self.letters if letter in "tkdhlinmrx"}
        return [foot for before, foot in pairwise([-9.0, *sorted(feet)]) if foot - before > 0.6]


def game_of(folder: Path, body: str, rows: Sequence[tuple[str, ...]], back: str = "") -> Path:
    """A game of cards of 40 × 60 mm with columns a and b; the drawings need no bleed."""
    spec = GAME.replace('edge = "red"', 'edge = "#ffffff"')
    head = f'{HEAD}<rect width="40" height="60" fill="#ffee77"/>'
    (folder / "front.svg").write_text(f"{head}{body}</svg>", "utf-8")
    if back:
        spec += '[component.back]\ntemplate = "back.svg"\nedge = "#ffffff"\n'
        (folder / "back.svg").write_text(f"{head}{back}</svg>", "utf-8")
    (folder / "game.toml").write_text(spec, "utf-8")
    table = io.StringIO()
    csv.writer(table).writerows([("id", "a", "b"), *rows])
    (folder / "cards.csv").write_text(table.getvalue(), "utf-8")
    return folder


def pages_of(folder: Path, tmp_path: Path, only: str = "cards") -> list[Page]:
    """The printed pages, without what is written beside the cards."""
    print_game(str(folder), tmp_path / "x.pdf", only=(only,), paper="a5")
    content = (tmp_path / "x.pdf").read_bytes()
    pictures = [np.asarray(page.convert("RGB"), np.int16) for page in rasterise(content, DPI)]
    pages = []
    with pypdfium2.PdfDocument(content) as document:
        for page, picture in zip(document, pictures, strict=True):
            textpage, height = page.get_textpage(), page.get_height()
            letters = []
            for at in range(textpage.count_chars()):
                x0, y0, x1, y1 = textpage.get_charbox(at)
                box = Rect(*(side * PX / 10 for side in (x0, height - y1, x1, height - y0)))
                letters.append((textpage.get_text_range(at, 1), box))
            cards = Page(picture, []).area(GROUND)
            assert cards
            pages.append(Page(picture, [each for each in letters if _holds(cards, each[1])]))
    return pages


def _holds(cards: Rect, letter: Rect) -> bool:
    return cards.x0 < letter.x0 < cards.x1 and cards.y0 < letter.y1 < cards.y1


def errors_of(folder: Path) -> list[Problem]:
    return [problem for problem in check_game(str(folder)) if problem.level == "error"]


def costs_of(folder: Path) -> list[Problem]:
    return [problem for problem in check_game(str(folder)) if problem.rule == "text.deck"]


def metrics() -> tuple[float, float]:
    """Ascent and descent of the font in ems."""
    font = TTFont(FONT)
    em = font["head"].unitsPerEm
    return font["OS/2"].sTypoAscender / em, -font["OS/2"].sTypoDescender / em


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "dot.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    return folder


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
@pytest.mark.parametrize("words", ["Look.", WORDS])
def test_a_panel_is_as_high_as_its_text(folder: Path, tmp_path: Path, words: str, valign: str) -> None:
    body = (
        f'<rect id="box" x="4" y="10" width="32" height="40" {PAINTED} pnp:fit="t" pnp:pad="3mm"/>'
        f'<text id="t" pnp:box="box" pnp:valign="{valign}">{{{{ a }}}}</text>'
    )
    (page,) = pages_of(game_of(folder, body, [("x", words, "")]), tmp_path)
    panel = page.area(PANEL)
    assert panel
    feet, (ascent, descent) = page.lines(), metrics()
    assert len(feet) == (1 if words == "Look." else 6)
    assert panel.width == pytest.approx(32, abs=0.15)
    assert feet[0] - panel.y0 == pytest.approx(3 + ascent * 4, abs=0.2)
    assert panel.y1 - feet[-1] == pytest.approx(3 + descent * 4, abs=0.2)
    assert panel.height == pytest.approx(6 + (ascent + descent) * 4 + 5 * (len(feet) - 1), abs=0.2)
    left = min(box.x0 for _, box in page.letters) - panel.x0
    assert left == pytest.approx(3, abs=0.5)  # with the bearing of a letter


def test_a_panel_without_a_text_is_not_there(folder: Path, tmp_path: Path) -> None:
    hidden = '<text id="t" pnp:if="b" pnp:box="box">{{ b }}</text>'
    for text in ('<text id="t" pnp:box="box">{{ b }}</text>', hidden):
        body = f'<rect id="box" x="4" y="9" width="32" height="40" {PAINTED} pnp:fit="t"/>{text}'
        (page,) = pages_of(game_of(folder, body, [("x", "", "")]), tmp_path)
        assert page.area(PANEL) is None


STACK = """
<rect id="room" x="4" y="6" width="32" height="{height}" fill="none"/>
<g pnp:stack="room" pnp:gap="2mm" {more}>
  <g>
    <rect x="4" y="40" width="32" height="1" fill="#ff0000" pnp:fit="t" pnp:pad="1mm"/>
    <text id="t" pnp:box="room">{{{{ a }}}}</text>
  </g>
  <rect x="4" y="50" width="32" height="1" fill="#0000ff" pnp:if="b"/>
  <g transform="translate(0 3) scale(1 2)">
    <rect x="4" y="0" width="10" height="4" fill="#008000"/>
  </g>
</g>
"""


@pytest.mark.parametrize("more", ["", 'pnp:valign="bottom"'])
@pytest.mark.parametrize("bar", ["", "yes"])
@pytest.mark.parametrize("words", ["Look.", WORDS])
def test_what_is_below_moves_down(folder: Path, tmp_path: Path, words: str, bar: str, more: str) -> None:
    body = '<rect x="0" y="0" width="40" height=".5" fill="#00ffff"/>'
    body += STACK.format(height=50, more=more)
    (page,) = pages_of(game_of(folder, body, [("x", words, bar)]), tmp_path)
    panel, line, picture = map(page.area, (PANEL, BAR, PICTURE))
    top = page.area((0, 255, 255))
    assert panel
    assert picture
    assert top
    assert picture.height == pytest.approx(8, abs=0.15)
    if bar:
        assert line
        assert line.y0 - panel.y1 == pytest.approx(2, abs=0.15)
        assert picture.y0 - line.y1 == pytest.approx(2, abs=0.15)
    else:
        assert line is None
        assert picture.y0 - panel.y1 == pytest.approx(2, abs=0.15)
    if more:
        assert picture.y1 - top.y0 == pytest.approx(56, abs=0.15)
    else:
        assert panel.y0 - top.y0 == pytest.approx(6, abs=0.15)
    assert all(panel.y0 < box.y0 and box.y1 < panel.y1 for _, box in page.letters if box.width)


def test_a_stack_that_is_too_high_is_reported(folder: Path) -> None:
    body = STACK.format(height=26, more="")
    game_of(folder, body, [("x", WORDS, "yes"), ("y", "Look.", "yes")])
    (problem,) = errors_of(folder)
    assert problem.rule == "text.overflow"
    assert "the stack is " in problem.what
    assert "mm higher than its box" in problem.what
    assert problem.on == ("cards/x",)
    ascent, descent = metrics()
    high = 2 + (ascent + descent) * 4 + 4 * 5 + 2 + 1 + 2 + 8
    lacks = float(problem.what.partition("the stack is ")[2].partition(" ")[0])
    assert lacks == pytest.approx(high - 26, abs=0.11)


def test_a_stack_within_a_stack(folder: Path, tmp_path: Path) -> None:
    inner = (
        '<rect id="small" x="4" y="20" width="30" height="30" fill="none"/>'
        '<g pnp:stack="small" pnp:gap="1mm">'
        '<rect x="4" y="3" width="9" height="3" fill="#ff0000"/>'
        '<rect x="4" y="1" width="9" height="4" fill="#0000ff"/></g>'
    )
    last = '<rect x="4" y="0" width="9" height="2" fill="#008000"/>'
    body = '<rect id="room" x="4" y="6" width="32" height="50" fill="none"/>'
    body += f'<g pnp:stack="room" pnp:gap="2mm"><g>{inner}</g>{last}</g>{{{{ a }}}}{{{{ b }}}}'
    (page,) = pages_of(game_of(folder, body, [("x", "", "")]), tmp_path)
    panel, line, picture = map(page.area, (PANEL, BAR, PICTURE))
    assert panel
    assert line
    assert picture
    assert line.y0 - panel.y1 == pytest.approx(1, abs=0.15)
    assert picture.y0 - line.y1 == pytest.approx(2, abs=0.15)


@pytest.mark.parametrize("shape", ['<circle {} r="14"/>', '<ellipse {} rx="17" ry="10"/>'])
def test_letters_are_within_their_circle(folder: Path, tmp_path: Path, shape: str) -> None:
    drawn = shape.format('id="box" cx="20" cy="30" fill="#ff0000"')
    text = '<text pnp:box="box" pnp:least="2mm" font-size="9">{{ a }}</text>'
    (page,) = pages_of(game_of(folder, drawn + text, [("x", WORDS, "")]), tmp_path)
    disc = page.area(PANEL)
    assert disc
    inked = [box for letter, box in page.letters if letter.strip()]
    for box in inked:
        for x, y in box.corners():
            across = (x - disc.centre.x) / (disc.width / 2)
            assert hypot(across, (y - disc.centre.y) / (disc.height / 2)) < 1.01
    assert page.text.split() == WORDS.split()
    assert len(page.lines()) > 3
    block = min(box.y0 for box in inked), max(box.y1 for box in inked)
    assert sum(block) / 2 == pytest.approx(disc.centre.y, abs=0.6)
    assert sum(box.width * box.height for box in inked) > 0.15 * disc.width * disc.height


FIRST = (
    '<rect id="box" x="4" y="6" width="32" height="30" fill="none"/>'
    '<text id="t" pnp:box="box" pnp:least="3mm">{{ a }}</text>'
)
NEXT = (
    '<rect id="more" x="4" y="{}" width="32" height="{}" fill="#ff0000" pnp:fit="rest" '
    'pnp:pad="1mm"/><text id="rest" pnp:box="more" pnp:continues="t"/>'
)


@pytest.mark.parametrize("words", [LONG[:390], WORDS, "- one\n- two\n\n**b** " + LONG[:330]])
def test_a_text_goes_on_upon_the_back(folder: Path, tmp_path: Path, words: str) -> None:
    back = NEXT.format(4, 52)
    front, behind = pages_of(game_of(folder, FIRST, [("x", words, "")], back), tmp_path)
    said = words.replace("- ", "• ").replace("**", "")
    printed = "".join((front.text + behind.text).split())
    assert printed == "".join(said.split())
    assert bool(behind.letters) == (behind.area(PANEL) is not None) == (words != WORDS)
    assert min(box.height for _, box in front.letters if box.height) > 0
    if behind.letters:
        assert len(front.lines()) in (7, 8)  # of 3.75 mm in 30 mm, with or without a gap


def test_a_text_goes_on_in_two_boxes_of_a_face(folder: Path, tmp_path: Path) -> None:
    second = '<rect id="two" x="4" y="38" width="12" height="18" fill="none"/>'
    second += '<text id="u" pnp:box="two" pnp:continues="t" font-size="3"/>'
    third = '<rect id="three" x="20" y="38" width="16" height="18" fill="none"/>'
    third += '<text pnp:box="three" pnp:continues="u" font-size="3"/>'
    folder = game_of(folder, FIRST + second + third, [("x", LONG[:220], "")])
    (page,) = pages_of(folder, tmp_path)
    assert page.text.split() == LONG[:220].split()


def test_what_no_box_has_room_for_is_reported(folder: Path) -> None:
    game_of(folder, FIRST, [("x", LONG, "")], NEXT.format(40, 12))
    (problem,) = errors_of(folder)
    assert problem.rule == "text.overflow"
    assert "the back" in problem.what
    assert "at 8.5 pt" in problem.what


def test_a_row_that_hides_the_next_box_loses_no_word(folder: Path) -> None:
    back = f'<g pnp:if="b">{NEXT.format(4, 52)}</g>'
    game_of(folder, FIRST, [("x", LONG[:390], "yes"), ("y", LONG[:390], "")], back)
    (problem,) = errors_of(folder)
    assert problem.on == ("cards/y",)
    assert "the front" in problem.what


SIZED = (
    '<rect id="box" x="4" y="6" width="32" height="40" fill="none"/>'
    '<text pnp:box="box" pnp:least="2mm" pnp:size="deck" font-size="7">{{ a }}</text>'
)
ROWS = [("p", "Look.", ""), ("q", WORDS, ""), ("r", f"{WORDS} {WORDS}", ""), ("s", "Ah", "")]


def heights(page: Page) -> set[float]:
    return {round(box.height, 2) for letter, box in page.letters if letter == "o"}


def test_all_rows_have_the_largest_size_at_which_all_fit(folder: Path, tmp_path: Path) -> None:
    (page,) = pages_of(game_of(folder, SIZED, ROWS), tmp_path)
    assert len(heights(page)) == 1
    (alone,) = pages_of(folder, tmp_path, "cards/p")
    assert heights(alone) == heights(page)
    (note,) = costs_of(folder)
    assert note.level == "note"
    game_of(folder, SIZED.replace('pnp:size="deck"', ""), ROWS)
    (page,) = pages_of(folder, tmp_path)
    own = heights(page)
    assert len(own) == 3
    (alone,) = pages_of(folder, tmp_path, "cards/r")
    assert heights(alone) == {min(own)}
    told = dict(re.findall(r"(\w) \((\d+\.\d) pt\)", note.what))
    sizes = dict(zip("rq", sorted(own), strict=False))
    assert list(told) == ["r", "q"]
    for name, height in sizes.items():
        assert float(told[name]) == pytest.approx(7 / 25.4 * 72 * height / max(own), abs=0.3)


def test_a_row_that_costs_less_makes_all_texts_larger(folder: Path, tmp_path: Path) -> None:
    (small,) = pages_of(game_of(folder, SIZED, ROWS), tmp_path)
    (large,) = pages_of(game_of(folder, SIZED, ROWS[:2]), tmp_path)
    assert min(heights(large)) > max(heights(small))
    assert len(costs_of(folder)) == 1
    game_of(folder, SIZED, ROWS[:1])
    assert costs_of(folder) == []
