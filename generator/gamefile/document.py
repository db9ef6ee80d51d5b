"""The tables and keys of game.toml as pydantic models.

A key's description is also the hint when the key is missing or has the wrong type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from generator.errors import MisfitError
from generator.fields import (
    Bleed,
    Colour,
    EdgeArt,
    FileName,
    FontFamily,
    Language,
    Length,
    Name,
    PlainColour,
    Text,
    TextSize,
    Title,
)
from generator.files import one_line
from generator.gamefile.shapes import SHAPES, SHARING, PieceSize
from generator.model import DRAWN, Cuts
from generator.units import MM_PER_PT

MAX_BLEED_MM = 20.0  # print shops ask for 3 to 5
USUAL_BLEED_MM = 3.0
USUAL_SAFE_MM = 3.0
USUAL_TEXT_MM = 10 * MM_PER_PT
USUAL_ACCENT = "#7a2e1d"


def _describe(description: str) -> Any:
    return Field(description=description)


# Faults of cells are reported with their columns, when rows are read.
Cell = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": ["string", "number", "boolean", "array"],
            "items": {"type": ["string", "number"]},
        }
    ),
]


_MOST_COLOURS = 500  # each pair is compared for every kind of colour vision


class SpecTable(BaseModel):
    """A table of the spec. Unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class GameTable(SpecTable):
    """[game] with title, designer and about"""

    title: Annotated[Title, _describe("the name of the game, printed on every sheet: one line")]
    designer: Annotated[Text, _describe("the designer of the game")]
    about: Annotated[Text, _describe("the game in one sentence")]
    # read separately, because it names fonts
    fallback: Annotated[
        list[Text],
        _describe(
            "families for characters that a text's own font lacks, in order: ['Noto Sans JP']"
        ),
    ] = []


class LookupTable(SpecTable):
    """[component.lookup.COLUMN]: the table whose rows the cells of a column name"""

    table: Annotated[FileName | None, _describe("the file of the other table: 'factions.csv'")] = (
        None
    )
    row: Annotated[
        list[dict[str, Cell]], _describe("[[component.lookup.COLUMN.row]], instead of a table")
    ] = []
    key: Annotated[Text, _describe("the column of the other table to search")] = "id"

    @model_validator(mode="after")
    def _is_one(self) -> LookupTable:
        if self.table and self.row:
            raise MisfitError("both a table and rows are given", "keep one of them")
        return self


class ComponentTable(SpecTable):
    """[[component]]: pieces of one size, their faces, their table and its rules"""

    id: Annotated[Name, _describe("a short name for files and messages: 'cards'")]
    title: Annotated[Title, _describe("the name of the pieces, printed on every sheet: 'Cards'")]
    table: Annotated[
        FileName | None,
        _describe(
            "the file with a row for each piece: 'cards.csv', .tsv, .json, .ods, 'cards.xlsx#Sheet'"
        ),
    ] = None
    row: Annotated[
        list[dict[str, Cell]],
        _describe("[[component.row]], in double brackets, instead of a table"),
    ] = []
    default: Annotated[
        dict[str, Cell], _describe("[component.default] with column = the value of empty cells")
    ] = {}
    lookup: Annotated[
        dict[str, LookupTable],
        _describe(
            "[component.lookup.COLUMN]: its cells name rows of another table; read as COLUMN.NAME"
        ),
    ] = {}
    size: Annotated[
        PieceSize | None,
        _describe(
            "width and height of the cut piece: '63x88mm', ['63mm', '88mm'] or a name: 'poker'"
        ),
    ] = None
    shape: Annotated[
        dict[str, Any] | None, _describe("[component.shape], for pieces that are not rectangles")
    ] = None
    corner_radius: Annotated[
        Length, _describe("the radius of the cut corners; 0mm for square corners")
    ] = 0.0
    bleed: Annotated[
        Bleed,
        _describe(
            "how far art runs past the cut; 'auto': 3mm, with gutters if they cost no extra sheet"
        ),
    ] = USUAL_BLEED_MM
    back_bleed: Annotated[
        Length | None, _describe("a larger bleed for the backs, because drift shows there")
    ] = None
    least_bleed: Annotated[
        Length | None,
        _describe("how narrow the bleeds in gutters may become where that saves sheets"),
    ] = None
    safe: Annotated[
        Length,
        _describe("the least distance from the cut for text and for art that does not reach it"),
    ] = USUAL_SAFE_MM
    cuts: Annotated[
        Cuts | None,
        _describe(
            "'shared': neighbours touch; 'double': gutters hold all bleeds; 'auto': double if free"
        ),
    ] = None
    # these three are validated by the renderer or check that they name
    front: Annotated[
        dict[str, Any],
        _describe("[component.front] with a template, or a renderer and its options"),
    ]
    back: Annotated[
        dict[str, Any] | None,
        _describe("[component.back] with a template, or a renderer and its options"),
    ] = None
    rule: Annotated[
        list[dict[str, Any]], _describe("[[component.rule]], in double brackets, with a kind")
    ] = []

    @field_validator("corner_radius")
    @classmethod
    def _fits_the_piece(cls, radius: float, info: ValidationInfo) -> float:
        most = min(info.data.get("size") or (2 * radius,)) / 2
        if radius > most:
            raise MisfitError(
                f"a radius of {radius:g} mm is more than half the piece", f"at most {most:g}mm"
            )
        return radius

    @field_validator("bleed", "back_bleed")
    @classmethod
    def _is_sane(cls, bleed: Any) -> Any:
        if isinstance(bleed, float) and bleed > MAX_BLEED_MM:
            hint = f"at most {MAX_BLEED_MM:g}mm; 3mm is usual"
            raise MisfitError(f"a bleed of {bleed:g} mm is far too much", hint)
        return bleed

    @model_validator(mode="after")
    def _agree(self) -> ComponentTable:
        """Checks keys that exclude each other."""
        if self.table and self.row:
            raise MisfitError("both a table and rows are given", "keep one of them")
        if self.size and self.shape:
            raise MisfitError("both size and shape are given", "size is for rectangles: keep one")
        if self.shape and self.corner_radius:
            raise MisfitError("corner_radius is for rectangles", "leave it out beside a shape")
        if self.bleed == "auto" and self.cuts:
            hint = "leave out cuts, or give bleed a length"
            raise MisfitError("bleed = 'auto' chooses the cuts itself", hint)
        kind = (self.shape or {}).get("kind")  # of any type
        if kind in [*SHAPES] and kind not in SHARING and self.cuts in ("shared", "auto"):
            hint = "rectangles, hexagons, trihexes and tents do; leave out cuts"
            raise MisfitError(f"pieces of the kind {kind!r} cannot share cuts", hint)
        if self.back_bleed is not None and self.back_bleed < self.bleed_length:
            hint = "leave it out if both are equal"
            raise MisfitError("back_bleed is less than bleed", hint)
        if self.least_bleed is not None and self.least_bleed > self.bleed_length:
            raise MisfitError("least_bleed is more than bleed", "make it less, or leave it out")
        return self

    @property
    def bleed_length(self) -> float:
        return USUAL_BLEED_MM if self.bleed == "auto" else self.bleed


class EdgeTable(SpecTable):
    """The keys of [component.front] and [component.back] beside their renderer's options."""

    edge: EdgeArt = DRAWN


Layers = Annotated[
    dict[str, StrictBool | Text],
    _describe("layer = false (never drawn), or its condition: night = \"time == 'night'\""),
]


class TemplateTable(SpecTable):
    """The keys of [component.front] and [component.back] without a renderer."""

    template: Annotated[
        FileName,
        _describe(
            "an SVG with placeholders for the cells of the table: 'front.svg', or '{{ kind }}.svg'"
        ),
    ]
    layers: Layers = {}


class VariantTable(SpecTable):
    """[variant.NAME]: the same game with other tables, additional rows or other layers"""

    about: Annotated[Text, _describe("how the variant differs, in one sentence")]
    table: Annotated[dict[Name, FileName], _describe("table.COMPONENT = 'other.csv'")] = {}
    layers: Layers = {}
    extends: Annotated[
        StrictBool,
        _describe("true: add the rows; a known id replaces its piece, and a count of 0 removes it"),
    ] = False

    @model_validator(mode="after")
    def _differs(self) -> VariantTable:
        if not self.table and not self.layers:
            raise MisfitError("the variant changes nothing", "give it a table, or layers")
        return self


class LanguageTable(SpecTable):
    """[language.NAME]: the texts of `--lang NAME` that are not in tables"""

    title: Annotated[Title | None, _describe("the name of the game")] = None
    about: Annotated[Text | None, _describe("the game in one sentence")] = None
    component: Annotated[
        dict[Name, Title], _describe("component.COMPONENT = the name of its pieces; boxes too")
    ] = {}
    booklet: Annotated[FileName | None, _describe("the file of the rules: 'rules.de.md'")] = None


class BookletTable(SpecTable):
    """[booklet]: the rules, to be folded and stapled"""

    file: Annotated[FileName, _describe("the rules as Markdown, in the game's folder")] = "rules.md"
    title_font: Annotated[
        FontFamily | None, _describe("the font family of the title and headings")
    ] = None
    text_font: Annotated[FontFamily | None, _describe("the font family of all other text")] = None
    text_size: Annotated[TextSize, _describe("the size of the text, 8.5pt to 14pt")] = USUAL_TEXT_MM
    accent: Annotated[
        Colour, _describe("the colour of headings, rules and marks; dark enough to read")
    ] = USUAL_ACCENT
    cover: Annotated[
        StrictBool, _describe("false: no cover sheet with the contents and the assembly of the kit")
    ] = True


class LowInkSides(SpecTable):
    """[ink.low.component.NAME.front]: options of a side, or all of them with `template`"""

    front: Annotated[
        dict[str, Any], _describe("options of the front, as in [component.front]")
    ] = {}
    back: Annotated[dict[str, Any], _describe("options of the back, as in [component.back]")] = {}


class LowInkTable(SpecTable):
    """[ink.low]: what `--ink low` prints instead; it prints as it is set here"""

    palette: Annotated[
        dict[Name, PlainColour],
        _describe("[ink.low.palette]: other colours for names in [palette]"),
    ] = {}
    art: Annotated[
        dict[Name, FileName], _describe("[ink.low.art]: other files for names in [art]")
    ] = {}
    component: Annotated[
        dict[Name, LowInkSides], _describe("[ink.low.component.NAME.front] with options to replace")
    ] = {}


class InkTable(SpecTable):
    """[ink]: how the game prints with another amount of ink"""

    low: Annotated[
        LowInkTable | None,
        _describe("[ink.low]: what `--ink low` prints instead; it prints as it is set here"),
    ] = None


class FontTable(SpecTable):
    """[font]: how the game calls fonts"""

    alias: Annotated[
        dict[Text, Text],
        _describe("[font.alias]: the family to use for another name: 'Impact' = 'Abril Fatface'"),
    ] = {}


def _wrap(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Pieces = Annotated[
    tuple[Text, ...],
    BeforeValidator(_wrap),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Figures = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(one_line)
]


class AcceptTable(SpecTable):
    """[[accept]]: a finding of `pnp check` that may stay"""

    finding: Annotated[Text, _describe("the kind of finding, as docs/check.md lists them")]
    on: Annotated[
        Pieces,
        _describe("the pieces: 'cards', 'cards/3' or a list of these; without it, the whole game"),
    ] = ()
    found: Annotated[
        Figures, _describe("the figures found, as `pnp check GAME --accept` prints them")
    ]
    reason: Annotated[Text, _describe("why the finding is acceptable, in one sentence")]
    level: Annotated[
        Literal["warning", "error"],
        _describe("the most severe level to accept: 'warning', or 'error' for errors too"),
    ] = "warning"
    variant: Annotated[
        Name | None, _describe("the variant; without it, the game and all its variants")
    ] = None


class Document(SpecTable):
    """A whole game.toml."""

    game: GameTable
    palette: Annotated[
        dict[Name, PlainColour],
        Field(max_length=_MOST_COLOURS),
        _describe("[palette]: name = '#1f3f8c', or a colour as in CSS"),
    ] = {}
    art: Annotated[dict[Name, FileName], _describe("[art]: name = 'art/star.svg'")] = {}
    # read separately, because it names fonts
    font: Annotated[FontTable | None, _describe("[font] with the table alias")] = None
    component: Annotated[
        list[ComponentTable], _describe("[[component]], in double brackets: pieces to print")
    ]
    # read one by one, because they contain options of a renderer
    box: Annotated[list[dict[str, Any]], _describe("[[box]], in double brackets: a tuck box")] = []
    booklet: Annotated[dict[str, Any] | None, _describe("[booklet] with the file of the rules")] = (
        None
    )
    # read separately, because it names art
    cover: Annotated[
        dict[str, Any] | None, _describe("[cover] with the picture of the cover sheet")
    ] = None
    scene: Annotated[
        dict[str, Any] | None, _describe("[scene] with [[scene.group]]: the picture of a game")
    ] = None
    play: Annotated[
        dict[str, Any] | None, _describe("[play] with engine: how bots play the game")
    ] = None
    odds: Annotated[
        list[dict[str, Any]], _describe("[[odds]], in double brackets, with a kind: a question")
    ] = []
    accept: Annotated[
        list[AcceptTable], _describe("[[accept]] with finding, found and reason")
    ] = []
    variant: Annotated[
        dict[Name, VariantTable], _describe("[variant.NAME] with about and table")
    ] = {}
    ink: Annotated[InkTable | None, _describe("[ink] with the table low")] = None
    language: Annotated[
        dict[Language, LanguageTable], _describe("[language.NAME] with the titles in that language")
    ] = {}


def without_strays(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A game.toml without the keys of [game] that are above all tables, where that line is
    missing."""
    strays = () if "game" in raw else GameTable.model_fields.keys()
    return {key: value for key, value in raw.items() if key not in strays}
