"""The types of values in a spec: lengths, colours, art and fonts.

Renderers and checks declare their options as classes of keys with these types; the spec is read with `Resources` as
context, so an option arrives resolved: a palette name as its colour, an art name as its picture, a family as its font.

Also values between a template's reader and its drawing: a filled SVG and its texts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from lxml import etree
from msgspec import Meta, Struct, field

from generator.basics.colours import COLOUR_PATTERN, find_colour, read_colour
from generator.basics.errors import MisfitError, Place, Problem, did_you_mean, fail, quote
from generator.basics.files import one_line
from generator.basics.geometry import LENGTH_HINT, LENGTH_PATTERN, MM_PER_PT, Rect, parse_length
from generator.basics.keys import After, Before, Custom, Reads, ReadsWith, Schema, describe, matching, strip
from generator.model import DRAWN, MIRROR, Art, FaceFault, LackingWords
from generator.tables.rows import read_values
from generator.text import Font, FontBook
from generator.text.fontbook import FontStyle, StandIns
from generator.text.markup import PLAIN, Notation
from generator.text.shape import Style, Valign

LANGUAGE_PATTERN = "[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"  # "de", "pt-BR"
MAX_COUNT = 1_000_000
MAX_TITLE = 60  # characters: a title is printed in the slug of every sheet
_NAME_RULE = "must be lower-case letters, digits, '-' and '_', beginning with a letter or digit"
_LEAST_SEEN_MM = 1.0  # the least length that is visible on paper
_LEAST_CUT_MM = 5.0  # the least length that a hand can cut
_LEAST_READ_MM, _MOST_READ_MM = 8.49 * MM_PER_PT, 14.01 * MM_PER_PT
_LEAST_FOLDED_MM = 8.0  # the least length that a hand can fold


class TableRows(Struct, frozen=True):
    """The rows of a whole table: the values of each by its headings. `columns` are these as
    expressions write them, and `digest` is of all values."""

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]]
    digest: str

    def items(self, _scope: object) -> Sequence[Mapping[str, Any]]:
        """The rows, whatever the values of the row that a template fills."""
        return self.rows


def _no_rows(file: str, place: Place) -> TableRows:
    raise fail(place, f"there is no table {quote(file)} here")


def _no_face(name: str) -> Art:
    raise MisfitError(f"there is no face {quote(name)} here")


class FacePictures(Struct):
    """The faces of all pieces as pictures, once they are known. `show` gives that of a name such as
    "cards/hut#back", or raises MisfitError; `digest` is of all rows that they are drawn from."""

    show: Callable[[str], Art] = _no_face
    digest: Callable[[], str] = str


class Resources(Struct, frozen=True):
    """The resources that names in a spec refer to."""

    palette: Mapping[str, str]
    art: Mapping[str, Art]
    icons: Mapping[str, Art]  # named in texts: :sword:
    fonts: FontBook
    fallback: tuple[str, ...]  # families for characters that others lack, in order
    language: str  # the printed language, "" for the original
    read_art: Callable[[str, Place], Art]  # a file of the game; raises PnpError
    stand_ins: StandIns = {}
    findings: dict[Problem, None] = {}  # about drawings that print
    read_rows: Callable[[str, Place], TableRows] = _no_rows  # a table of the game; raises PnpError
    faces: FacePictures = field(default_factory=FacePictures)
    notation: Notation = PLAIN  # of texts


def _length(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise MisfitError(f"the length {quote(value)} has no unit", LENGTH_HINT)
    if not isinstance(value, str):
        raise MisfitError(f"{quote(value)} is not a length", LENGTH_HINT)
    return parse_length(value)


def _at_least(least: float, why: str) -> Reads:
    def check(value: object) -> float:
        length = _length(value)
        if length < least:
            raise MisfitError(f"the length {quote(value)} is too small to {why}", f"least: {least:g}mm")
        return length

    return Reads(check)


def _text_size(value: object) -> float:
    size = _length(value)
    if not _LEAST_READ_MM <= size <= _MOST_READ_MM:
        raise MisfitError(f"the text size {quote(value)} is out of range", "use 8.5pt to 14pt")
    return size


def _bleed(value: object) -> float | Literal["auto"]:
    return "auto" if value == "auto" else _length(value)


def _colour(value: object, resources: Resources) -> str:
    return find_colour(value, resources.palette)


def _edge(value: object, resources: Resources) -> str:
    return find_colour(value, {**resources.palette, DRAWN: DRAWN, MIRROR: MIRROR})


def find_art(value: object, resources: Resources) -> Art:
    """The art of a name in [art]. Raises MisfitError without one."""
    art = resources.art
    if not isinstance(value, str) or value not in art:
        hint = did_you_mean(value if isinstance(value, str) else "", art)
        raise MisfitError(f"unknown art {quote(value)}", hint or "name it in [art] first")
    return art[value]


def _font(value: object, resources: Resources) -> Font:
    fonts = resources.fonts
    if not isinstance(value, str):
        raise MisfitError(f"{quote(value)} is not the name of a font family")
    choice = fonts.choose([value])
    if choice is None:
        raise MisfitError(f"there is no font family {quote(value)}", font_hint(value, fonts))
    style = choice.style or FontStyle()
    font = fonts.find(choice.families[0], style.weight, italic=style.is_italic)
    if choice.stands_for:
        resources.stand_ins.setdefault((choice.stands_for, font.title), {})
    return font


def font_hint(family: str, fonts: FontBook) -> str:
    """The hint for a missing font family. It names a file that may hold it, but is not used."""
    known = did_you_mean(family, fonts.families())
    squeezed = family.replace(" ", "").casefold()
    unused = [finding for finding in fonts.findings if squeezed in finding.place.file.casefold()]
    if squeezed.endswith((".ttf", ".otf", ".ttc", ".otc")):
        return f"name the family, not its file; {known}"
    if unused:
        return f"{unused[0].place}: {unused[0].what}"
    return f"put its TTF, OTF or WOFF into the game's fonts folder; {known}"


def _one_line(value: object) -> object:
    return one_line(value) if isinstance(value, str) else value


def _schema(description: str, **rest: Any) -> Schema:
    return Schema({"type": "string", "description": description, **rest})


def _lengths(limit: str = "") -> Schema:
    return _schema(f"a length {limit}with its unit: mm, cm, in, pt", pattern=LENGTH_PATTERN)


Length = Custom[float, Reads(_length), _lengths()]
PositiveLength = Custom[float, _at_least(_LEAST_SEEN_MM, "be seen"), _lengths("of at least 1mm, ")]  # mm, at least 1
CutLength = Custom[float, _at_least(_LEAST_CUT_MM, "cut"), _lengths("of at least 5mm, ")]
FoldLength = Custom[float, _at_least(_LEAST_FOLDED_MM, "fold"), _lengths("of at least 8mm, ")]
Bleed = Custom[
    float | Literal["auto"],
    Reads(_bleed),
    _schema("a length with its unit, or 'auto'", pattern=f"{LENGTH_PATTERN}|^auto$"),
]
TextSize = Custom[
    float, Reads(_text_size), _schema("a length from 8.5pt to 14pt, with its unit", pattern=LENGTH_PATTERN)
]
PlainColour = Custom[str, Reads(read_colour), _schema("a colour, '#rrggbb' or as in CSS", pattern=COLOUR_PATTERN)]
Colour = Custom[str, ReadsWith(_colour), _schema("a name in [palette], '#rrggbb', or a colour as in CSS")]
EdgeArt = Custom[
    str, ReadsWith(_edge), _schema("how the bleed is filled: 'drawn', 'mirror', or a colour for all edges")
]
ArtName = Custom[Art, ReadsWith(find_art), _schema("a name in [art]")]
FontFamily = Custom[Font, ReadsWith(_font), _schema("a family in a fonts folder")]
MaybeArt = Annotated[ArtName | None, describe("a name in [art]; none by default")]
MaybeFont = Annotated[FontFamily | None, describe("a family in a fonts folder")]
Extent = Annotated[tuple[PositiveLength, PositiveLength], describe("width and height")]
Name = Annotated[str, matching(r"^[a-z0-9][a-z0-9_-]*$", _NAME_RULE, max_length=60)]
Values = Custom[
    list[str], Reads(read_values), Schema({"type": ["array", "string"], "items": {"type": ["string", "number"]}})
]
Language = Annotated[str, matching(f"^{LANGUAGE_PATTERN}$", "must be a language such as 'de' or 'pt-BR'")]
ColumnName = Custom[  # "faction.cost": the cost of the row that the column faction names
    str,
    Before(lambda name: "_".join(name.split()).lower() if isinstance(name, str) else name),
    matching(r"^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)?$", _NAME_RULE, max_length=60),
    Schema({"type": "string"}),
]
Title = Custom[str, Before(strip), Meta(min_length=1, max_length=MAX_TITLE), After(one_line)]
_Line = Annotated[str, Meta(min_length=1, max_length=500)]
Text = Custom[_Line, Before(strip), After(_one_line)]
Words = Custom[Annotated[str, Meta(max_length=500)], Before(strip), After(_one_line)]  # or none
FlagOrText = Custom[bool | _Line, Before(strip), After(_one_line)]
NumberOrText = Custom[int | _Line, Before(strip), After(_one_line)]

# Not stripped, because readers open the exact name.
FileName = Custom[_Line, After(one_line)]
Count = Annotated[int, describe("a whole number from 0", ge=0, le=MAX_COUNT)]


class TextLayout(Struct, frozen=True):
    """How an element follows the texts of its face. Lengths are mm."""

    fit: str = ""  # the id of the text or group that this shape is as high as
    pad: float = 0.0  # around that
    stack: str = ""  # the id of the box in which its children lie below each other
    gap: float = 0.0  # between them
    continues: str = ""  # the id of the text whose rest it has
    deck: str = ""  # the box in which all texts of the component have the same size


class TextBox(Struct, frozen=True):
    """A text to set in a box, in place of an element. Box and style are in mm on paper."""

    element: etree._Element
    text: str
    box: Rect
    style: Style
    motion: str  # the SVG transform from mm of the box to the element's place
    name: str  # of the element, for messages: "<text> {{ rules }}"
    place: Place  # of the element
    layout: TextLayout = TextLayout()

    @property
    def id(self) -> str:
        return str(self.element.get("id", ""))


class Follower(Struct, frozen=True):
    """A panel, whose target is its text or group (None if this row hides it), or a stack, whose
    target is its box. `unit` is the mm of its user unit."""

    element: etree._Element
    target: etree._Element | None
    layout: TextLayout
    valign: Valign
    unit: float
    name: str
    place: Place


class Filled(Struct, frozen=True):
    """A template filled from a row and proven harmless, without the texts of its boxes. Where an
    expression fails, something stands in for its value."""

    root: etree._Element
    boxes: tuple[TextBox, ...]
    lacking: tuple[LackingWords, ...] = ()  # of its other texts
    faults: tuple[FaceFault, ...] = ()
    followers: tuple[Follower, ...] = ()  # inner ones first
    guides: frozenset[etree._Element] = frozenset()  # boxes that are not painted
