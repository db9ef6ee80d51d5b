"""Take an element and what it inherits, make the look of the letters in it, as the press sets them.

Properties and their defaults are those of the press's engine (usvg), beside SVG 1.1, chapter 10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from generator.art import css
from generator.art.drawing import NUMBER
from generator.art.measure import user_units
from generator.errors import MisfitError
from generator.export.svg.cascade import read_declarations
from generator.text import HOUSE_FAMILY, Font, FontBook
from generator.text.glyphs import metric

SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_RELATIVE = re.compile(rf"\s*({NUMBER})\s*(em|ex|%)\s*")
_LINE_HEIGHT = re.compile(r"/\s*+\S++")  # of the shorthand `font`
_SIZE = re.compile(rf"{NUMBER}(?:[a-z]++|%)")
_SIZES = {
    "xx-small": 12 / 1.2**3, "x-small": 12 / 1.2**2, "small": 12 / 1.2, "medium": 12.0,
    "large": 12 * 1.2, "x-large": 12 * 1.2**2, "xx-large": 12 * 1.2**3,
}  # fmt: skip
# How letters look, which outlines show and `style` need no longer say.
LETTERING = frozenset(
    {
        "alignment-baseline",
        "baseline-shift",
        "direction",
        "dominant-baseline",
        "font",
        "font-family",
        "font-feature-settings",
        "font-kerning",
        "font-size",
        "font-size-adjust",
        "font-stretch",
        "font-style",
        "font-variant",
        "font-variant-caps",
        "font-variant-ligatures",
        "font-variant-numeric",
        "font-variant-east-asian",
        "font-variation-settings",
        "font-weight",
        "glyph-orientation-horizontal",
        "glyph-orientation-vertical",
        "inline-size",
        "kerning",
        "letter-spacing",
        "line-height",
        "shape-inside",
        "shape-padding",
        "text-align",
        "text-align-last",
        "text-anchor",
        "text-decoration",
        "text-decoration-color",
        "text-decoration-line",
        "text-decoration-style",
        "text-indent",
        "text-orientation",
        "text-rendering",
        "text-transform",
        "unicode-bidi",
        "white-space",
        "word-spacing",
        "writing-mode",
        "-inkscape-font-specification",
    }
)
_LINES = ("underline", "overline", "line-through")
# What letters inherit of a text that paints them.
PAINT = (
    "color", "fill", "fill-opacity", "fill-rule", "paint-order", "stroke", "stroke-dasharray",
    "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "visibility",
)  # fmt: skip
Paint = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LetterStyle:
    """How letters are set. Lengths are user units; `raised` is upward."""

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
    paint: Paint = ()
    lines: tuple[tuple[str, Paint], ...] = ()  # underlines and their kin

    def font(self, fonts: FontBook) -> Font:
        known = filter(None, map(fonts.known, self.families))
        family = next(known, HOUSE_FAMILY)
        return fonts.find(family, self.weight, italic=self.is_italic)

    @property
    def features(self) -> Mapping[str, bool]:
        wanted = {"smcp": True} if self.has_small_caps else {}
        return wanted if self.is_kerned else wanted | {"kern": False}

    def length(self, text: str, whole: float = 0.0) -> float:
        """A length in user units; 0 for what is none. `whole` is what a percentage is of."""
        if relative := _RELATIVE.fullmatch(text):
            unit = {"em": self.size, "ex": self.size / 2, "%": whole / 100}[relative[2]]
            return float(relative[1]) * unit
        try:
            return user_units(text)
        except MisfitError:
            return 0.0


def read_properties(element: Element) -> dict[str, str]:
    """The properties of an element, those of its style before those of its attributes."""
    found = {name: value.strip() for name, value in element.attrib.items() if "}" not in name}
    found.pop("font-kerning", None)  # the engine knows it in a style alone
    for name, value, _ in read_declarations(element.get("style", "")):
        if name == "font":
            found |= _font(value)
        else:
            found[name] = value
    return {name: value for name, value in found.items() if value != "inherit"}


def inherit(around: LetterStyle, element: Element, fonts: FontBook) -> LetterStyle:
    """The look of what stands in an element, `around` being that of what it stands in."""
    told = read_properties(element)
    size = _size(around, told.get("font-size", ""))
    sized = replace(around, size=size)
    paint = dict(around.paint) | {name: told[name] for name in PAINT if name in told}
    look = replace(
        sized,
        families=tuple(css.families(told)) or around.families,
        weight=_weight(around.weight, told.get("font-weight", "")),
        is_italic=_choice(told, "font-style", ("italic", "oblique"), around.is_italic),
        has_small_caps=_choice(told, "font-variant", ("small-caps",), around.has_small_caps),
        is_kerned=_is_kerned(told, around),
        spacing=_spacing(sized, told.get("letter-spacing"), around.spacing),
        word_spacing=_spacing(sized, told.get("word-spacing"), around.word_spacing),
        anchor=told.get("text-anchor", around.anchor),
        dominant=told.get("dominant-baseline", around.dominant),
        aligned=told.get("alignment-baseline", "auto"),
        mode=told.get("writing-mode", around.mode),
        is_preserved={"preserve": True, "default": False}.get(
            element.get(SPACE, ""), around.is_preserved
        ),
        is_shown=around.is_shown and told.get("display") != "none",
        paint=tuple(sorted(paint.items())),
    )
    decoration = told.get("text-decoration", told.get("text-decoration-line", "")).split()
    lines = [(line, look.paint) for line in _LINES if line in decoration]
    raised = look.raised + _shift(look, told.get("baseline-shift", ""), around, fonts)
    return replace(look, raised=raised, lines=(*around.lines, *lines))


def _font(value: str) -> dict[str, str]:
    """What the shorthand `font` says."""
    words = _LINE_HEIGHT.sub(" ", value).split()
    sizes = (at for at, word in enumerate(words) if word in _SIZES or _SIZE.fullmatch(word))
    at = next(sizes, len(words))
    if at >= len(words) - 1:
        return {}
    found = {"font-size": words[at], "font-family": " ".join(words[at + 1 :])}
    for word in words[:at]:
        if word in ("italic", "oblique"):
            found["font-style"] = word
        elif word == "small-caps":
            found["font-variant"] = word
        elif word != "normal":
            found["font-weight"] = word
    return found


def _size(around: LetterStyle, told: str) -> float:
    if told in ("larger", "smaller"):
        return around.size * (1.2 if told == "larger" else 1 / 1.2)
    if not told:
        return around.size
    return _SIZES.get(told) or around.length(told, around.size) or around.size


def _weight(around: int, told: str) -> int:
    if told in ("bolder", "lighter"):
        step = 100 if told == "bolder" else -100
        return min(max(around + step, 100), 900)
    named = {"normal": 400, "bold": 700}.get(told)
    return named or (int(float(told)) if re.fullmatch(r"\d{2,3}(\.0*)?", told) else around)


def _choice(told: Mapping[str, str], name: str, yes: tuple[str, ...], around: bool) -> bool:
    return told[name] in yes if name in told else around


def _is_kerned(told: Mapping[str, str], around: LetterStyle) -> bool:
    if "font-kerning" in told:
        return told["font-kerning"] != "none"
    if "kerning" in told:
        return told["kerning"] != "0"
    return around.is_kerned


def _spacing(look: LetterStyle, told: str | None, around: float) -> float:
    return around if told is None else look.length(told, look.size)


def _shift(look: LetterStyle, told: str, around: LetterStyle, fonts: FontBook) -> float:
    """How far a baseline is raised."""
    if told == "super":
        return metric(look.font(fonts), "super") * look.size
    if told == "sub":
        return -metric(look.font(fonts), "sub") * look.size
    return look.length(told, around.size) if told not in ("", "baseline") else 0.0
