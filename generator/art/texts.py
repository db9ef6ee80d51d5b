"""Take a text of a drawing, make its runs: characters in one style, as the engine reads them.

The press sets the plain ones as lines (`words`); the SVG export places the glyphs of all of them
(`setting`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from generator.art.drawing import SVG, link_of
from generator.art.looks import LetterStyle, LetterStyles
from generator.art.transforms import transform_of
from generator.basics.geometry import Size
from generator.basics.outlines import carried
from generator.text import Font

if TYPE_CHECKING:
    from generator.art.bends import Bend

_LISTS = ("x", "y", "dx", "dy", "rotate")
_BETWEEN = re.compile(r"[\s,]+")
_SPANS = (f"{SVG}tspan", f"{SVG}a", f"{SVG}textPath", f"{SVG}tref")
_PATH = f"{SVG}textPath"
_BLANKS = str.maketrans("\n\r\t", "   ")
_MANY_BLANKS = re.compile("  +")


class Stretch(Struct, frozen=True, eq=False):
    """A length to which letters are stretched (textLength)."""

    length: float
    is_of_glyphs: bool


class Run(Struct):
    """Characters of a text that follow each other in one style.

    font: the font of the style.
    own: the font of their glyphs, if `font` has none for them.
    given: the values of x, y, dx, dy and rotate for the first one, in user units and degrees.
    stretch: the textLength that they are part of.
    path: the path of their textPath.
    """

    characters: str
    look: LetterStyle
    font: Font
    own: Font
    given: Mapping[str, float]
    stretch: Stretch | None
    path: Bend | None


class TextReader:
    """Reads the texts of a drawing. Only texts along paths or with percentages need its elements by
    their ids and the size of its view (user units)."""

    def __init__(self, styles: LetterStyles, view: Size, by_id: Mapping[str, Any]) -> None:
        self.styles = styles
        self.view = view
        self.by_id = by_id

    def read(self, text: Any, around: LetterStyle) -> list[Run]:
        """The runs of a <text>; `around` is the style of the element around it."""
        walk = _TextWalk(self)
        walk.read(text, around)
        return list(walk.runs())


def chunks(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """Runs that are set together: from one with a given x or y to the next."""
    chunk: list[Run] = []
    for run in runs:
        is_start = "x" in run.given or "y" in run.given
        if chunk and (is_start or run.path is not chunk[-1].path):
            yield chunk
            chunk = []
        chunk.append(run)
    if chunk:
        yield chunk


class _TextNode(Struct):
    """Characters directly in an element; `depth` is how deep it is in its <text>."""

    characters: str
    depth: int
    look: LetterStyle
    stretch: Stretch | None
    path: Bend | None

    def drop_first(self) -> None:
        """Drop a blank before it, unless blanks are kept."""
        if not self.look.is_preserved:
            self.characters = self.characters.removeprefix(" ")

    def drop_last(self) -> None:
        """Drop a blank after it, unless blanks are kept."""
        if not self.look.is_preserved:
            self.characters = self.characters.removesuffix(" ")


class _TextWalk:
    """A walk through the elements of one text."""

    def __init__(self, reader: TextReader) -> None:
        self._styles, self._view, self._by_id = reader.styles, reader.view, reader.by_id
        self._nodes: list[_TextNode] = []
        self._elements: list[tuple[Any, LetterStyle, int, int]] = []  # with the span of their nodes
        self._given: dict[int, dict[str, float]] = {}  # by the index of a character

    def read(
        self,
        element: Any,
        around: LetterStyle,
        depth: int = 0,
        stretch: Stretch | None = None,
        path: Bend | None = None,
    ) -> None:
        look = self._styles.within(around, element.items())
        if not look.is_shown:
            return
        start = len(self._nodes)
        stretch = self._stretch(element, look) or stretch
        path = self._path(element, look) if element.tag == _PATH else path
        self._add(element.text, depth, look, stretch, path)
        for child in element:
            if child.tag in _SPANS:
                self.read(child, look, depth + 1, stretch, path)
            self._add(child.tail, depth, look, stretch, path)
        self._elements.append((element, look, start, len(self._nodes)))

    def _add(
        self,
        text: str | None,
        depth: int,
        look: LetterStyle,
        stretch: Stretch | None,
        path: Bend | None,
    ) -> None:
        if text:
            characters = text.translate(_BLANKS)
            if not look.is_preserved:
                characters = _MANY_BLANKS.sub(" ", characters)
            self._nodes.append(_TextNode(characters, depth, look, stretch, path))

    def runs(self) -> Iterator[Run]:
        """The runs of what was read."""
        _trim(self._nodes, self._elements[-1][1] if self._elements else None)
        starts = list(accumulate((len(node.characters) for node in self._nodes), initial=0))
        for element, look, first, last in self._elements:
            self._place(element, look, range(starts[first], starts[last]))
        for node, start in zip(self._nodes, starts, strict=False):
            if node.characters:
                yield from self._divide(node, start)

    def _place(self, element: Any, look: LetterStyle, own: range) -> None:
        """Gives characters the positions of an element, unless an inner element has set them."""
        for name in filter(element.get, _LISTS):
            whole = self._view.width if name in ("x", "dx") else self._view.height
            numbers = [
                look.length(number, whole) for number in _BETWEEN.split(element.get(name)) if number
            ]
            if name == "rotate" and numbers:
                numbers += numbers[-1:] * (len(own) - len(numbers))
            for at, number in zip(own, numbers, strict=False):
                self._given.setdefault(at, {}).setdefault(name, number)

    def _divide(self, node: _TextNode, start: int) -> Iterator[Run]:
        """The runs of a node: its parts with places or fonts of their own; `start` is the index of
        its first character."""
        look, font = node.look, self._styles.font(node.look)
        fonts = [self._styles.font_of(look, c) for c in node.characters] if look.lines else []
        end = start + len(node.characters)
        cuts = self._given.keys() & range(start + 1, end)
        cuts |= {at for at, (a, b) in enumerate(pairwise(fonts), start + 1) if a is not b}
        for at, until in pairwise([start, *sorted(cuts), end]):
            characters = node.characters[at - start : until - start]
            own = fonts[at - start] if fonts else font
            given = self._given.get(at, {})
            yield Run(characters, look, font, own, given, node.stretch, node.path)

    def _stretch(self, element: Any, look: LetterStyle) -> Stretch | None:
        text = element.get("textLength")
        length = look.length(text, self._view.width) if text else 0.0
        is_of_glyphs = element.get("lengthAdjust") == "spacingAndGlyphs"
        return Stretch(length, is_of_glyphs) if length > 0 else None

    def _path(self, element: Any, look: LetterStyle) -> Bend:
        """The path of a textPath; one without points if there is none."""
        from generator.art.bends import Bend, chains_of  # fontTools: few drawings need it

        path = self._by_id.get(link_of(element).strip().removeprefix("#"))
        if path is None or path.tag != f"{SVG}path":
            return Bend(())
        moved = transform_of(path.get("transform", ""))
        bend = Bend(tuple(carried(chain, moved) for chain in chains_of(path.get("d", ""))))
        return replace(bend, offset=look.length(element.get("startOffset", "0"), bend.length))


def _trim(nodes: Sequence[_TextNode], look: LetterStyle | None) -> None:
    """Drop blanks around a text of a style, and of blanks that meet all but one, as the engine does
    (usvg): a node deeper than the one before begins without a blank, whatever is before it."""
    if len(nodes) == 1 and look and not look.is_preserved:
        nodes[0].characters = nodes[0].characters.removeprefix(" ").removesuffix(" ")
    inked: _TextNode | None = None
    for at, (node, after) in enumerate(pairwise(nodes), 2):
        before = node if node.characters or inked is None else inked
        starts, ends = before.characters[:1] == " ", before.characters[-1:] == " "
        if node.depth < after.depth or (ends and before.look.is_preserved):
            after.drop_first()
        elif ends and after.characters[:1] == " " and not after.look.is_preserved:
            before.drop_last()
        if at == 2 and starts and before.characters and not before.look.is_preserved:
            before.drop_first()
        elif at == len(nodes):
            after.drop_last()
        if at == len(nodes) and ends and not after.characters:
            before.characters = before.characters.removesuffix(" ")
        if before.characters.strip(" "):
            inked = before
