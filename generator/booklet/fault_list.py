"""Take the faults of a draft, make the pages that list them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from generator.art.missing import FAULT_RED
from generator.basics.errors import count_of
from generator.basics.geometry import ORIGIN, Rect, Size
from generator.basics.place import Place
from generator.basics.units import MM_PER_PT
from generator.booklet.design import PageDesign, PageFrame
from generator.booklet.page_blocks import PageBlock
from generator.booklet.pages import paginate
from generator.booklet.typesetting import page_face
from generator.faces.canvas import Canvas
from generator.faces.draft import legible, set_words
from generator.model import Booklet, Face, Game, PlacedLayer, Poster
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.flow import Flow, OverfullError
from generator.text.style import Style

_SIZE = 9.5 * MM_PER_PT
_NUMBER = 10.0  # mm from the left to the words of a fault
_GAP = 2.2  # mm between faults
_BELOW_TITLE = 3.0
_LONG_WORD = re.compile(r"(\S{40})")  # too long for a line
_ABOUT = "A red frame marks a piece with a fault; the red band has the number of the fault below."


def fault_list(game: Game, messages: Sequence[str], size: Size, bare: float) -> list[Face]:
    """The pages that list numbered messages, for a printer that leaves `bare` mm at each edge.
    Raises PnpError if the page is too small."""
    frame = PageFrame.of(size, bare)
    fonts = FontBook(game.font_folders)
    place, families = Place("draft"), (HOUSE_FAMILY, HOUSE_FAMILY)
    plain = Booklet(place, "", *families, (), _SIZE, FAULT_RED, {}, {}, False, Poster(place))
    setter = _ListSetter(PageDesign(plain, fonts), frame.text.width)
    pages = paginate(list(setter.blocks(game.title, messages)), frame.text.height)
    faces = []
    for number, page in enumerate(pages, 1):
        canvas, name = Canvas(frame.size), f"page {number} of the faults"
        page.draw(canvas, frame.text.x0, frame.text.y0)
        faces.append(page_face([PlacedLayer(canvas.layer(name), ORIGIN)], name, frame))
    return faces


class _ListSetter:
    """Makes the blocks of the list, `width` mm wide."""

    def __init__(self, design: PageDesign, width: float) -> None:
        self._design = design
        self._width = width

    def blocks(self, title: str, messages: Sequence[str]) -> Iterator[PageBlock]:
        design = self._design
        head = self._set(f"{title}: {count_of(len(messages), 'fault')}", 0.0, 0.0, design.section)
        about = self._set(_ABOUT, 0.0, head.height + _BELOW_TITLE, design.body)
        height = head.height + about.height + 2 * _BELOW_TITLE
        yield PageBlock(height, (*head.lines, *about.lines), keeps=True)
        for number, message in enumerate(messages, 1):
            yield self._fault(number, message)

    def _fault(self, number: int, message: str) -> PageBlock:
        """The first line of a message in ink, its hint and further places in grey."""
        first, *others = message.removeprefix("error: ").split("\n")
        numeral = self._set(str(number), 0.0, 0.0, self._design.marker)
        words = self._set(first, _NUMBER, 0.0, self._design.body)
        lines, height = [*numeral.lines, *words.lines], words.height
        for other in others:
            flow = self._set(other, _NUMBER, height, self._design.caption)
            lines += flow.lines
            height += flow.height
        return PageBlock(height, tuple(lines), below=_GAP)

    def _set(self, words: str, x: float, y: float, style: Style) -> Flow:
        box = Rect(x, y, self._width, y + 1e4)
        parted = _LONG_WORD.sub(r"\1 ", legible(words.strip(), self._design.fonts))
        try:
            return set_words(self._design.fonts, parted, box, replace(style, align="left"))
        except OverfullError as error:
            return error.flow
