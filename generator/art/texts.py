"""Runs of a drawing's text: characters in one style, as the engine reads and sets them.

The press sets the plain runs as lines (`words`); the SVG export places the glyphs of all of them
(`setting`). The style of letters comes from their element and the style around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from generator.art import css
from generator.art.css import read_declarations
from generator.art.drawing import NUMBER, SPACE, SVG, link_of, user_units
from generator.art.measure import Bend, chains_of, transform_of
from generator.basics.errors import MisfitError
from generator.basics.geometry import Size
from generator.basics.recent import remembered
from generator.basics.shapes import carried
from generator.text import HOUSE_FAMILY, Font, FontBook
from generator.text.fonts import metric

_LISTS = ("x", "y", "dx", "dy", "rotate")
_BETWEEN = re.compile(r"[\s,]+")
_SPANS = (f"{SVG}tspan", f"{SVG}a", f"{SVG}textPath", f"{SVG}tref")
_PATH = f"{SVG}textPath"
_BLANKS = str.maketrans("\n\r\t", "   ")
_MANY_BLANKS = re.compile("  +")
_RELATIVE = re.compile(rf"\s*({NUMBER})\s*(em|ex|%)\s*")
_LINE_HEIGHT = re.compile(r"/\s*+\S++")  # of the shorthand `font`
_SIZE = re.compile(rf"{NUMBER}(?:[a-z]++|%)")
_SIZES = {
    "xx-small": 12 / 1.2**3, "x-small": 12 / 1.2**2, "small": 12 / 1.2, "medium": 12.0,
    "large": 12 * 1.2, "x-large": 12 * 1.2**2, "xx-large": 12 * 1.2**3,
}  # fmt: skip

# The properties of lettering that styles read.
_READ = frozenset(
    {
        "alignment-baseline", "baseline-shift", "dominant-baseline", "font", "font-family",
        "font-kerning", "font-size", "font-style", "font-variant", "font-weight", "kerning",
        "letter-spacing", "text-anchor", "text-decoration", "text-decoration-line", "word-spacing",
        "writing-mode",
    }
)  # fmt: skip

# All properties of lettering, which outlines do not need.
LETTERING = _READ | {
    "direction", "font-feature-settings", "font-size-adjust", "font-stretch", "font-variant-caps",
    "font-variant-east-asian", "font-variant-ligatures", "font-variant-numeric",
    "font-variation-settings", "glyph-orientation-horizontal", "glyph-orientation-vertical",
    "inline-size", "line-height", "shape-inside", "shape-padding", "text-align", "text-align-last",
    "text-decoration-color", "text-decoration-style", "text-indent", "text-orientation",
    "text-rendering", "text-transform", "unicode-bidi", "white-space",
    "-inkscape-font-specification",
}  # fmt: skip
_LINES = ("underline", "overline", "line-through")

# The properties of paint that letters inherit.
PAINT = (
    "color", "fill", "fill-opacity", "fill-rule", "paint-order", "stroke", "stroke-dasharray",
    "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "visibility",
)  # fmt: skip

# The attributes that have an effect on letters.
STYLING = _READ | {*PAINT, "display", "style", SPACE}
Pairs = tuple[tuple[str, str], ...]  # names and values


class Stretch(Struct, frozen=True, eq=False):
    """A length to which letters are stretched (textLength)."""

    length: float
    is_of_glyphs: bool


class LetterStyle(Struct, frozen=True, cache_hash=True):
    """The style of letters. Lengths are user units; `raised` is upward."""

    families: tuple[str, ...] = ()
    size: float = 12.0
    weight: int = 400
    is_italic: bool = False
    spacing: float = 0.0
    word_spacing: float = 0.0
    anchor: str = "start"
    has_small_caps: bool = False
    is_kerned: bool = True
    dominant: str = "auto"
    aligned: str = "auto"
    raised: float = 0.0
    mode: str = "lr"
    is_preserved: bool = False
    is_shown: bool = True
    paint: Pairs = ()
    lines: tuple[tuple[str, Pairs], ...] = ()  # underlines and others

    @property
    def features(self) -> Mapping[str, bool]:
        features = {"smcp": True} if self.has_small_caps else {}
        return features if self.is_kerned else features | {"kern": False}

    def length(self, text: str, whole: float = 0.0) -> float:
        """A length in user units; 0 for other text. `whole` is 100 %."""
        try:
            return user_units(text)
        except MisfitError:
            relative = _RELATIVE.fullmatch(text)
        if relative is None:
            return 0.0
        unit = {"em": self.size, "ex": self.size / 2, "%": whole / 100}[relative[2]]
        return float(relative[1]) * unit


class Run(Struct):
    """Characters of a text that follow each other in one style. given: the x, y, dx, dy and rotate
    of the first one, in user units and degrees. stretch, path: of their textLength and textPath."""

    characters: str
    look: LetterStyle
    font: Font
    given: Mapping[str, float]
    stretch: Stretch | None
    path: Bend | None


class TextReader(Struct, frozen=True):
    """Reads the texts of a drawing. Only texts along paths or with percentages need its elements by
    their ids and the size of its view (user units)."""

    styles: LetterStyles
    view: Size
    by_id: Mapping[str, Any]

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
        node = _TextNode("", depth, look, stretch, path)
        self._add(element.text, node)
        for child in element:
            if child.tag in _SPANS:
                self.read(child, look, depth + 1, stretch, path)
            self._add(child.tail, node)
        self._elements.append((element, look, start, len(self._nodes)))

    def _add(self, text: str | None, like: _TextNode) -> None:
        if text:
            characters = text.translate(_BLANKS)
            if not like.look.is_preserved:
                characters = _MANY_BLANKS.sub(" ", characters)
            self._nodes.append(replace(like, characters=characters))

    def runs(self) -> Iterator[Run]:
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
            written = filter(None, _BETWEEN.split(element.get(name)))
            numbers = [look.length(number, whole) for number in written]
            if name == "rotate" and numbers:
                numbers += numbers[-1:] * (len(own) - len(numbers))
            for at, number in zip(own, numbers, strict=False):
                self._given.setdefault(at, {}).setdefault(name, number)

    def _divide(self, node: _TextNode, start: int) -> Iterator[Run]:
        """A run for each place in a node; `start` is the index of its first character."""
        look, font = node.look, self._styles.font(node.look)
        end = start + len(node.characters)
        cuts = self._given.keys() & range(start + 1, end)
        for at, until in pairwise([start, *sorted(cuts), end]):
            characters = node.characters[at - start : until - start]
            given = self._given.get(at, {})
            yield Run(characters, look, font, given, node.stretch, node.path)

    def _stretch(self, element: Any, look: LetterStyle) -> Stretch | None:
        text = element.get("textLength")
        length = look.length(text, self._view.width) if text else 0.0
        is_of_glyphs = element.get("lengthAdjust") == "spacingAndGlyphs"
        return Stretch(length, is_of_glyphs) if length > 0 else None

    def _path(self, element: Any, look: LetterStyle) -> Bend:
        """The path of a textPath; one without points if there is none."""
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


def read_properties(attributes: Mapping[str, str]) -> dict[str, str]:
    """The properties of an element; those of its style override its attributes."""
    properties = {name: value.strip() for name, value in attributes.items() if "}" not in name}
    properties.pop("font-kerning", None)  # the engine reads it only from a style
    for name, value, _ in read_declarations(attributes.get("style", "")):
        if name == "font":
            properties |= _font(value)
        else:
            properties[name] = value
    return {name: value for name, value in properties.items() if value != "inherit"}


class LetterStyles(Struct, dict=True):
    """The styles of the elements of drawings, and their fonts; each is made once."""

    fonts: FontBook

    def within(self, around: LetterStyle, attributes: Iterable[tuple[str, str]]) -> LetterStyle:
        """The style of the content of an element, by its attributes; `around` is the style outside it."""
        return self._inherit(around, tuple([pair for pair in attributes if pair[0] in STYLING]))

    @remembered
    def _inherit(self, around: LetterStyle, own_pairs: Pairs) -> LetterStyle:
        attributes = dict(own_pairs)
        properties = read_properties(attributes)
        size = _size(around, properties.get("font-size", ""))
        sized = replace(around, size=size)
        own = {name: properties[name] for name in PAINT if name in properties}
        paint = dict(around.paint) | own
        look = replace(
            sized,
            families=tuple(css.families(properties)) or around.families,
            weight=_weight(around.weight, properties.get("font-weight", "")),
            is_italic=_choice(properties, "font-style", ("italic", "oblique"), around.is_italic),
            has_small_caps=_choice(properties, "font-variant", ("small-caps",), around.has_small_caps),
            is_kerned=_is_kerned(properties, around),
            spacing=_spacing(sized, properties.get("letter-spacing"), around.spacing),
            word_spacing=_spacing(sized, properties.get("word-spacing"), around.word_spacing),
            anchor=properties.get("text-anchor", around.anchor),
            dominant=properties.get("dominant-baseline", around.dominant),
            aligned=properties.get("alignment-baseline", "auto"),
            mode=properties.get("writing-mode", around.mode),
            is_preserved={"preserve": True, "default": False}.get(attributes.get(SPACE, ""), around.is_preserved),
            is_shown=around.is_shown and properties.get("display") != "none",
            paint=tuple(sorted(paint.items())),
        )
        lined = properties.get("text-decoration-line", "")
        decoration = properties.get("text-decoration", lined).split()
        lines = [(line, look.paint) for line in _LINES if line in decoration]
        raised = look.raised + self._shift(look, properties.get("baseline-shift", ""), around)
        return replace(look, raised=raised, lines=(*around.lines, *lines))

    @remembered
    def font(self, look: LetterStyle) -> Font:
        family = next(filter(None, map(self.fonts.known, look.families)), HOUSE_FAMILY)
        return self.fonts.find(family, look.weight, italic=look.is_italic)

    def _shift(self, look: LetterStyle, value: str, around: LetterStyle) -> float:
        """How far a baseline is raised."""
        if value == "super":
            return metric(self.font(look), "super") * look.size
        if value == "sub":
            return -metric(self.font(look), "sub") * look.size
        return look.length(value, around.size) if value not in ("", "baseline") else 0.0


def _font(value: str) -> dict[str, str]:
    """The properties of the shorthand `font`."""
    words = _LINE_HEIGHT.sub(" ", value).split()
    sizes = (at for at, word in enumerate(words) if word in _SIZES or _SIZE.fullmatch(word))
    at = next(sizes, len(words))
    if at >= len(words) - 1:
        return {}
    properties = {"font-size": words[at], "font-family": " ".join(words[at + 1 :])}
    for word in words[:at]:
        if word in ("italic", "oblique"):
            properties["font-style"] = word
        elif word == "small-caps":
            properties["font-variant"] = word
        elif word != "normal":
            properties["font-weight"] = word
    return properties


def _size(around: LetterStyle, value: str) -> float:
    if value in ("larger", "smaller"):
        return around.size * (1.2 if value == "larger" else 1 / 1.2)
    if not value:
        return around.size
    return _SIZES.get(value) or around.length(value, around.size) or around.size


def _weight(around: int, value: str) -> int:
    if value in ("bolder", "lighter"):
        steps = (300, -200) if around == 400 else (100, -100)  # usvg's
        return min(max(around + steps[value == "lighter"], 100), 900)
    weight = {"normal": 400, "bold": 700}.get(value)
    return weight or (int(float(value)) if re.fullmatch(r"\d{2,3}(\.0*)?", value) else around)


def _choice(properties: Mapping[str, str], name: str, yes: tuple[str, ...], around: bool) -> bool:
    return properties[name] in yes if name in properties else around


def _is_kerned(properties: Mapping[str, str], around: LetterStyle) -> bool:
    if "font-kerning" in properties:
        return properties["font-kerning"] != "none"
    if "kerning" in properties:
        return properties["kerning"] != "0"
    return around.is_kerned


def _spacing(look: LetterStyle, value: str | None, around: float) -> float:
    return around if value is None else look.length(value, look.size)
