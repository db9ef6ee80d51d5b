"""Font families that set a drawing's texts, written into it; replaced families are reported."""

import re
from collections.abc import Iterable, Iterator, Sequence

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.drawing import SVG, Drawing, local
from generator.basics.errors import Place
from generator.model import LackingWords
from generator.text import ChosenFamilies, Font, FontBook
from generator.text.fontbook import FontStyle, StandIns
from generator.text.fonts import lacks_bold
from generator.text.shape import part_by_font

TEXT = ("text", "tspan", "textPath", "a")
_LETTERED = tuple(f"{SVG}{name}" for name in TEXT)
_WORD = r"-?[^\W\d][\w-]*"
_PLAIN = re.compile(rf"{_WORD}(?: {_WORD})*")  # a name that CSS reads without quotes
_LISTED = re.compile(r"[\s,]+")
_PLACEHOLDER = "{{"
_USUAL_FAMILY = "sans-serif"  # of a text that names none: a game may choose it in [font.alias]
_BOLD = 700
_WEIGHTS = range(100, 1000, 100)
# The weights of relative ones: the number is that of the first line above the weight around.
_STEPS = {"bolder": ((350, 400), (550, 700), (1001, 900)), "lighter": ((550, 100), (750, 400), (1001, 700))}
_USUAL_WIDTHS = ("normal", "100%")
_WIDTHS = frozenset(
    f"{degree}{width}" for degree in ("", "semi-", "extra-", "ultra-") for width in ("condensed", "expanded")
)
_MAX_QUOTED = 40  # characters of a property in a message


class StandIn(Struct, frozen=True):
    """A text whose font is missing: its line, the missing family, and the one it gets. The missing
    family is "" if the text names none."""

    line: int
    missing: str
    family: str


def record_stand_ins(stand_ins: StandIns, texts: Iterable[StandIn], place: Place) -> None:
    """Add texts of the drawing at `place` to the stand-ins of a game."""
    for text in texts:
        places = stand_ins.setdefault((text.missing, text.family), {})
        places[place.at_line(text.line)] = None


def name_families(drawing: Drawing, fonts: FontBook) -> list[StandIn]:
    """Write the available families of each element, by the names that the engine knows, and the
    style that a PostScript name tells, unless the element states its own.

    A text that names no family gets the one for "sans-serif". An element with a placeholder, or
    without any available family, stays as it is.
    """
    nameless = _name_usual_family(drawing)
    chosen: dict[etree._Element, ChosenFamilies] = {}
    for element in list(drawing.elements()):
        names = css.families(drawing.styles.of(element))
        choice = fonts.choose(names) if names else None
        if choice is None or any(_PLACEHOLDER in name for name in names):
            continue
        chosen[element] = choice
        if list(choice.families) != names or not all(_PLAIN.fullmatch(name) for name in names):
            _set_families(element, write_families(choice))
        if choice.style:
            _set_style(drawing, element, choice.style)
    drawing.forget_styles()
    return [
        StandIn(drawing.line(text), "" if holder in nameless else choice.stands_for, choice.families[0])
        for text in drawing.elements()
        if local(text) in TEXT and has_words(text) and not _gets(text, "font-family")
        for holder in [up for up in (text, *text.iterancestors()) if up in chosen][:1]
        for choice in [chosen[holder]]
        if choice.stands_for
    ]


def _name_usual_family(drawing: Drawing) -> set[etree._Element]:
    """Give texts that name no family the usual one, as browsers do. Returns these texts."""
    texts = [element for element in drawing.elements() if local(element) == "text"]
    nameless = {text for text in texts if not families_of(drawing, text)}
    for text in nameless:
        css.pop_property(text, "font-family")  # "inherit"
        text.set("font-family", _USUAL_FAMILY)
    drawing.forget_styles()
    return nameless


def write_families(choice: ChosenFamilies) -> str:
    """Families as the value of `font-family`."""
    return ", ".join(f"'{name}'" for name in choice.families)


def own_words(text: etree._Element) -> str:
    """The words of an element without those of its parts; blanks in a row become one."""
    return " ".join(((text.text or "") + "".join(child.tail or "" for child in text)).split())


def has_words(text: etree._Element) -> bool:
    """Whether an element itself has words, or gets some from pnp:text."""
    return bool(own_words(text)) or _gets(text, "text")


def _gets(text: etree._Element, name: str) -> bool:
    """Whether a pnp: attribute sets something from a row."""
    return any(str(own).endswith(f"}}{name}") for own in text.attrib)


def _set_families(element: etree._Element, families: str) -> None:
    style = css.declarations(element.get("style", ""))
    if "font-family" in element.attrib and not {"font", "font-family"} & style.keys():
        element.set("font-family", families)
    if "font-family" not in element.attrib or {"font", "font-family"} & style.keys():
        style_text = element.get("style", "").rstrip("; ")
        element.set("style", f"{style_text};font-family:{families}".lstrip(";"))


def _set_style(drawing: Drawing, element: etree._Element, style: FontStyle) -> None:
    named = {"font-weight": str(style.weight), "font-style": "italic" if style.is_italic else "normal"} | (
        {"font-stretch": style.width} if style.width else {}
    )
    new = {name: value for name, value in named.items() if not drawing.find_own(element, name)}
    css.set_properties(element, new)


def fall_back(drawing: Drawing, fonts: FontBook, fallback: Sequence[str]) -> None:
    """Set characters that the family of a text lacks in the next of its families that has them, or
    else in one of `fallback`. The engine would use any font that has them. The line under or
    through a part is that of the part's font.
    """
    for text in [element for element in drawing.root.iter(*_LETTERED) if has_words(element)]:
        choice = fonts.choose(families_of(drawing, text))
        if choice is not None:
            families = dict.fromkeys((*choice.families, *fallback))
            _part(text, [fonts.find(family) for family in families])


def find_missing(drawing: Drawing, text: etree._Element, fonts: FontBook) -> str:
    """The characters of a text's own words that its font lacks."""
    choice = fonts.choose(families_of(drawing, text))
    if choice is None:
        return ""
    return fonts.find(choice.families[0]).missing("".join(own_words(text).split()))


def number_weights(drawing: Drawing) -> None:
    """Write `bolder` and `lighter` as numbers (CSS Fonts 4, 2.2.1): the engine goes one step of 100 from a weight,
    and a drawing within another has a weight to begin with. The styles must be forgotten after it."""
    numbers: dict[etree._Element, str] = {}
    for element in drawing.elements():
        steps = _STEPS.get(drawing.find_own(element, "font-weight"))
        if steps is None:
            continue
        own = (
            numbers.get(ancestor) or drawing.find_own(ancestor, "font-weight") for ancestor in element.iterancestors()
        )
        around = _weight(next((text for text in own if text and text != "inherit"), ""))
        weight = next((new for below, new in steps if around < below), around)
        numbers[element] = str(weight)
        css.set_properties(element, {"font-weight": str(weight)})


def settle_weights(drawing: Drawing, fonts: FontBook) -> None:
    """Write the weights of the fonts that set the texts, if one differs from the weight asked for:
    of two equally near the engine takes the first in its folder."""
    settled: list[tuple[etree._Element, int]] = []
    differs = False
    for text in drawing.elements():
        choice = fonts.choose(families_of(drawing, text)) if local(text) in TEXT else None
        if choice is None or not own_words(text):
            continue
        weight, is_italic = _find_style(drawing, text)
        if weight not in _WEIGHTS:  # the engine reads no others
            return
        font = fonts.find(choice.families[0], weight, italic=is_italic)
        is_own = not font.is_variable and not lacks_bold(weight, font)
        settled.append((text, font.weight if is_own else weight))
        differs = differs or settled[-1][1] != weight
    for text, weight in settled if differs else ():
        css.set_properties(text, {"font-weight": str(weight)})
    drawing.forget_styles()


def find_lacking(drawing: Drawing, fonts: FontBook) -> Iterator[LackingWords]:
    """The words that print without a style because their family lacks it: bold, italic, a width, or
    an instance of a variable font beside its weights."""
    for text in drawing.root.iter(*_LETTERED):
        if not (words := own_words(text)):
            continue
        choice = fonts.choose(families_of(drawing, text))
        weight, is_italic = _find_style(drawing, text)
        axes = drawing.find_inherited(text, "font-variation-settings")
        has_axes = axes not in ("", "normal")
        width = drawing.find_inherited(text, "font-stretch")
        has_width = width not in ("", *_USUAL_WIDTHS)
        if choice is None or not (weight >= _BOLD or is_italic or has_axes or has_width):
            continue
        font = fonts.find(choice.families[0], weight, italic=is_italic)
        upright = fonts.find(choice.families[0], weight)
        # for characters that only the upright has, the engine sets the whole text upright
        has_italic = font.italic and (font is upright or not _only_in(upright, font, words))
        lost = {"bold": lacks_bold(weight, font), "italic": is_italic and not has_italic}
        if has_width:  # the engine reads no per cent, and a variable width not of all fonts
            is_read = width in _WIDTHS and fonts.has_widths(choice.families[0])
            lost[f"{width[:_MAX_QUOTED]} width"] = not is_read
        if has_axes:  # fonts have one file for each weight
            lost[f"instance with {axes[:_MAX_QUOTED]}"] = True
        if lacks := " ".join(name for name, is_lost in lost.items() if is_lost):
            yield LackingWords(words, font.title, lacks)


def _only_in(upright: Font, italic: Font, words: str) -> bool:
    """Whether an italic lacks characters that the upright of its family has."""
    missing = italic.missing("".join(words.split()))
    return missing != "" and upright.missing(missing) != missing


def find_form(drawing: Drawing, text: etree._Element, fonts: FontBook) -> str:
    """In plain words, a form of a font that the engine lacks and other engines have; or "".

    So is a text that the engine draws right only in parts, as of an Indic script.
    """
    words = own_words(text) if local(text) in TEXT else ""
    choice = fonts.choose(families_of(drawing, text)) if words else None
    if choice is None:
        return ""
    weight, is_italic = _find_style(drawing, text)
    font = fonts.find(choice.families[0], weight, italic=is_italic)
    if font.has_table("sbix"):
        return f"a text in the pictures of {font.title}"
    if len(font.parts(words, rtl=False)) > 1:
        return "a text with spacing vowel signs"
    others = ("font-variation-settings", "font-stretch")
    has_others = any(drawing.find_inherited(text, name) not in ("", "normal") for name in others)
    asks = has_others or is_italic > font.italic
    if asks and font.is_variable and font.family == font.title:
        return f"a text in a variant of {font.title}"
    return ""


def _find_style(drawing: Drawing, text: etree._Element) -> tuple[int, bool]:
    """The weight that a text asks for, and whether it asks for an italic."""
    slope = drawing.find_inherited(text, "font-style")
    weight = _weight(drawing.find_inherited(text, "font-weight"))
    return weight, slope.startswith(("italic", "oblique"))


def _weight(text: str) -> int:
    return _BOLD if text in ("bold", "bolder") else int(text) if text.isdecimal() else 400


def families_of(drawing: Drawing, element: etree._Element) -> list[str]:
    """The families of an element, or else of the nearest element around it that sets them."""
    for holder in (element, *element.iterancestors()):
        if families := css.families(drawing.styles.of(holder)):
            return families
    return []


def _part(text: etree._Element, fonts: Sequence[Font]) -> None:
    """Put words in other fonts than the first into separate parts."""
    for place in [None, *text]:
        words = (text.text if place is None else place.tail) or ""
        if not fonts[0].missing("".join(words.split())):
            continue
        at = 0 if place is None else text.index(place) + 1
        parts = [(part, font) for part, font, _ in part_by_font(words, fonts)]
        lead = parts.pop(0)[0] if parts[0][1] is fonts[0] else ""
        if place is None:
            text.text = lead
        else:
            place.tail = lead
        text[at:at] = _spans(parts, fonts[0])


def _spans(parts: Sequence[tuple[str, Font]], usual: Font) -> list[etree._Element]:
    spans: list[etree._Element] = []
    for words, font in parts:
        if font is usual:
            spans[-1].tail = words
            continue
        span = etree.Element(f"{SVG}tspan", {"font-family": f"'{font.family}'"})
        span.text = words
        spans.append(span)
    return spans
