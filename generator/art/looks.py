"""Take an element and the style around it, make the style of its letters, as the engine sets them.

Properties and their defaults are those of the press's engine (usvg) and of SVG 1.1, chapter 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from unicodedata import category

from msgspec import Struct
from msgspec.structs import replace

from generator.art import css
from generator.art.css import read_declarations
from generator.art.drawing import NUMBER, SPACE, user_units
from generator.basics.errors import MisfitError
from generator.text import HOUSE_FAMILY, Font, FontBook
from generator.text.glyphs import metric

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


class LetterStyles:
    """The styles of the elements of drawings, and their fonts; each is made once."""

    def __init__(self, fonts: FontBook) -> None:
        self.fonts = fonts
        self._styles: dict[tuple[LetterStyle, Pairs], LetterStyle] = {}
        self._fonts: dict[LetterStyle, Font] = {}

    def within(self, around: LetterStyle, attributes: Iterable[tuple[str, str]]) -> LetterStyle:
        """The style of the content of an element, by its attributes; `around` is the style outside
        it."""
        own = tuple([pair for pair in attributes if pair[0] in STYLING])
        key = around, own
        if key not in self._styles:
            self._styles[key] = self._inherit(around, dict(own))
        return self._styles[key]

    def _inherit(self, around: LetterStyle, attributes: Mapping[str, str]) -> LetterStyle:
        properties = read_properties(attributes)
        size = _size(around, properties.get("font-size", ""))
        sized = replace(around, size=size)
        paint = dict(around.paint) | {
            name: properties[name] for name in PAINT if name in properties
        }
        look = replace(
            sized,
            families=tuple(css.families(properties)) or around.families,
            weight=_weight(around.weight, properties.get("font-weight", "")),
            is_italic=_choice(properties, "font-style", ("italic", "oblique"), around.is_italic),
            has_small_caps=_choice(
                properties, "font-variant", ("small-caps",), around.has_small_caps
            ),
            is_kerned=_is_kerned(properties, around),
            spacing=_spacing(sized, properties.get("letter-spacing"), around.spacing),
            word_spacing=_spacing(sized, properties.get("word-spacing"), around.word_spacing),
            anchor=properties.get("text-anchor", around.anchor),
            dominant=properties.get("dominant-baseline", around.dominant),
            aligned=properties.get("alignment-baseline", "auto"),
            mode=properties.get("writing-mode", around.mode),
            is_preserved={"preserve": True, "default": False}.get(
                attributes.get(SPACE, ""), around.is_preserved
            ),
            is_shown=around.is_shown and properties.get("display") != "none",
            paint=tuple(sorted(paint.items())),
        )
        decoration = properties.get(
            "text-decoration", properties.get("text-decoration-line", "")
        ).split()
        lines = [(line, look.paint) for line in _LINES if line in decoration]
        raised = look.raised + self._shift(look, properties.get("baseline-shift", ""), around)
        return replace(look, raised=raised, lines=(*around.lines, *lines))

    def font(self, look: LetterStyle) -> Font:
        if look not in self._fonts:
            families = filter(None, map(self.fonts.known, look.families))
            family = next(families, HOUSE_FAMILY)
            self._fonts[look] = self.fonts.find(family, look.weight, italic=look.is_italic)
        return self._fonts[look]

    def font_of(self, look: LetterStyle, character: str) -> Font:
        """The font of a character: words with lines may have some that only another family has,
        see `families.fall_back`."""
        usual = self.font(look)
        if not look.lines or usual.has(character) or category(character)[0] in "CM":
            return usual
        others = (self.font(replace(look, families=(family,))) for family in look.families)
        return next((font for font in others if font.has(character)), usual)

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
