"""The tables and keys of game.toml, those of a [[component]] among them.

A key's description is also the hint when the key is missing or has the wrong type.

Also the translation of those texts of a game.toml that are not in tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from generator.basics.errors import MisfitError, PnpError, did_you_mean, quote
from generator.basics.files import is_one_line, one_line
from generator.basics.geometry import HAIR, Point, Size
from generator.basics.keys import (
    After,
    Before,
    Custom,
    KeyMisfitError,
    KeyPath,
    Keys,
    Schema,
    describe,
    strip,
)
from generator.basics.papers import Paper, Precut, paper_names, parse_paper
from generator.basics.units import MM_PER_PT
from generator.game.shapes import (
    IN_SQUARES,
    MAY_SHARE,
    MOST_FOLDS,
    MOST_HOLES,
    SHAPES,
    SIZE,
    CutoutTable,
    FoldTable,
    HoleTable,
    PieceSize,
)
from generator.game.spec import Source, table_of
from generator.model import DRAWN, Component, Cuts, Game, Joint, Turn
from generator.tables.fields import (
    Bleed,
    Colour,
    ColumnName,
    EdgeArt,
    FileName,
    FlagOrText,
    FontFamily,
    Language,
    Length,
    Name,
    PlainColour,
    Text,
    TextSize,
    Title,
)
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.lettering import find_illegible

USUAL_TEXT_MM = 10 * MM_PER_PT
USUAL_ACCENT = "#7a2e1d"


_MOST_COLOURS = 500  # each pair is compared for every kind of colour vision
MAX_BLEED_MM = 20.0  # print shops ask for 3 to 5
USUAL_BLEED_MM = 3.0
USUAL_SAFE_MM = 3.0
_PAST_EDGE = 0.5  # mm: measures of sheets are rounded

# Faults of cells are reported with their columns, when rows are read.
Cell = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "type": ["string", "number", "boolean", "array"],
            "items": {"type": ["string", "number"]},
        }
    ),
]


class GameTable(Keys, frozen=True, kw_only=True):
    """[game] with title, designer and about"""

    title: Annotated[Title, describe("the name of the game, printed on every sheet: one line")]
    designer: Annotated[Text, describe("the designer of the game")]
    about: Annotated[Text, describe("the game in one sentence")]
    # read separately, because it names fonts
    fallback: Annotated[
        list[Text],
        describe(
            "families for characters that a text's own font lacks, in order: ['Noto Sans JP']"
        ),
    ] = []


Layers = Annotated[
    dict[str, FlagOrText],
    describe("layer = false (never drawn), or its condition: night = \"time == 'night'\""),
]


class VariantTable(Keys, frozen=True, kw_only=True):
    """[variant.NAME]: the same game with other tables, additional rows or other layers"""

    about: Annotated[Text, describe("how the variant differs, in one sentence")]
    table: Annotated[dict[Name, FileName], describe("table.COMPONENT = 'other.csv'")] = {}
    layers: Layers = {}
    extends: Annotated[
        bool,
        describe("true: add the rows; a known id replaces its piece, and a count of 0 removes it"),
    ] = False

    def __post_init__(self) -> None:
        if not self.table and not self.layers:
            raise MisfitError("the variant changes nothing", "give it a table, or layers")


class LanguageTable(Keys, frozen=True, kw_only=True):
    """[language.NAME]: the texts of `--lang NAME` that are not in tables"""

    title: Annotated[Title | None, describe("the name of the game")] = None
    about: Annotated[Text | None, describe("the game in one sentence")] = None
    component: Annotated[
        dict[Name, Title], describe("component.COMPONENT = the name of its pieces; boxes too")
    ] = {}
    booklet: Annotated[FileName | None, describe("the file of the rules: 'rules.de.md'")] = None


class BookletTable(Keys, frozen=True, kw_only=True):
    """[booklet]: the rules, to be folded and stapled"""

    file: Annotated[FileName, describe("the rules as Markdown, in the game's folder")] = "rules.md"
    title_font: Annotated[
        FontFamily | None, describe("the font family of the title and headings")
    ] = None
    text_font: Annotated[FontFamily | None, describe("the font family of all other text")] = None
    text_size: Annotated[TextSize, describe("the size of the text, 8.5pt to 14pt")] = USUAL_TEXT_MM
    accent: Annotated[
        Colour, describe("the colour of headings, rules and marks; dark enough to read")
    ] = USUAL_ACCENT
    cover: Annotated[
        bool, describe("false: no cover sheet with the contents and the assembly of the kit")
    ] = True


class LowInkSides(Keys, frozen=True, kw_only=True):
    """[ink.low.component.NAME.front]: options of a side, or all of them with `template`"""

    front: Annotated[dict[str, Any], describe("options of the front, as in [component.front]")] = {}
    back: Annotated[dict[str, Any], describe("options of the back, as in [component.back]")] = {}


class LowInkTable(Keys, frozen=True, kw_only=True):
    """[ink.low]: what `--ink low` prints instead; it prints as it is set here"""

    palette: Annotated[
        dict[Name, PlainColour],
        describe("[ink.low.palette]: other colours for names in [palette]"),
    ] = {}
    art: Annotated[
        dict[Name, FileName], describe("[ink.low.art]: other files for names in [art]")
    ] = {}
    component: Annotated[
        dict[Name, LowInkSides], describe("[ink.low.component.NAME.front] with options to replace")
    ] = {}


class InkTable(Keys, frozen=True, kw_only=True):
    """[ink]: how the game prints with another amount of ink"""

    low: Annotated[
        LowInkTable | None,
        describe("[ink.low]: what `--ink low` prints instead; it prints as it is set here"),
    ] = None


class FontTable(Keys, frozen=True, kw_only=True):
    """[font]: how the game calls fonts"""

    alias: Custom[
        dict[Text, Text],
        describe(
            "[font.alias]: the family to use for another name: 'Impact' = 'Abril Fatface'",
            extra_json_schema={"propertyNames": {"minLength": 1, "maxLength": 500}},
        ),
    ] = {}


def _wrap(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Pieces = Custom[
    tuple[Text, ...],
    Before(_wrap),
    Schema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Figures = Custom[str, Before(strip), Meta(min_length=1), After(one_line)]


class AcceptTable(Keys, frozen=True, kw_only=True):
    """[[accept]]: a finding of `pnp check` that may stay"""

    finding: Annotated[Text, describe("the kind of finding, as docs/check.md lists them")]
    on: Annotated[
        Pieces,
        describe("the pieces: 'cards', 'cards/3' or a list of these; without it, the whole game"),
    ] = ()
    found: Annotated[
        Figures, describe("the figures found, as `pnp check GAME --accept` prints them")
    ]
    reason: Annotated[Text, describe("why the finding is acceptable, in one sentence")]
    level: Annotated[
        Literal["warning", "error"],
        describe("the most severe level to accept: 'warning', or 'error' for errors too"),
    ] = "warning"
    variant: Annotated[
        Name | None,
        describe(
            "the variant; without it, the game, and its variants but for rules of their tables"
        ),
    ] = None


def _sane(bleed: float | Literal["auto"]) -> float | Literal["auto"]:
    if bleed != "auto" and bleed > MAX_BLEED_MM:
        hint = f"at most {MAX_BLEED_MM:g}mm; 3mm is usual"
        raise MisfitError(f"a bleed of {bleed:g} mm is far too much", hint)
    return bleed


_SaneBleed = Custom[Bleed, After(_sane)]
_SaneLength = Custom[Length, After(_sane)]


class LookupTable(Keys, frozen=True, kw_only=True):
    """[component.lookup.COLUMN]: the table whose rows the cells of a column name"""

    table: Annotated[FileName | None, describe("the file of the other table: 'factions.csv'")] = (
        None
    )
    row: Annotated[
        list[dict[str, Cell]], describe("[[component.lookup.COLUMN.row]], instead of a table")
    ] = []
    key: Annotated[Text, describe("the column of the other table to search")] = "id"

    def __post_init__(self) -> None:
        if self.table and self.row:
            raise MisfitError("both a table and rows are given", "keep one of them")


class PaperTable(Keys, frozen=True, kw_only=True):
    """[paper.NAME]: a sheet that is cut already, in rows and columns, for `--paper NAME`"""

    size: Annotated[Text, describe("the whole sheet: 'letter', 'a4', or its size: '4x6in'")]
    piece: Annotated[
        PieceSize,
        describe("width and height of its pieces: '90x52mm'; of discs the diameter twice"),
    ]
    columns: Annotated[int, describe("how many pieces lie side by side", ge=1, le=100)]
    rows: Annotated[int, describe("how many pieces lie below each other", ge=1, le=100)]
    left: Annotated[Length, describe("from the left edge of the sheet to the first piece")]
    top: Annotated[Length, describe("from the top edge of the sheet to the first piece")]
    pitch: Annotated[
        PieceSize | None,
        describe("from one piece to the next, across and down; their size, if they touch"),
    ] = None
    round: Annotated[bool, describe("true: the pieces are discs")] = False

    def __post_init__(self) -> None:
        pitch = self.pitch or self.piece
        if min(step - side for step, side in zip(pitch, self.piece, strict=True)) < -HAIR:
            raise KeyMisfitError("pitch", "the pieces overlap", "at least the size of a piece")
        paper, precut = self.paper(""), self.precut("")
        past = max(precut.end.x - paper.size.width, precut.end.y - paper.size.height)
        if past > _PAST_EDGE:
            what = f"the last piece ends {past:.2g} mm past the edge of the sheet"
            raise KeyMisfitError("pitch", what, "measure left, top and pitch again")
        if self.round and abs(self.piece[0] - self.piece[1]) > HAIR:
            raise KeyMisfitError("piece", "a disc is as wide as high", "give its diameter twice")

    def precut(self, name: str) -> Precut:
        pitch, corner = Size(*(self.pitch or self.piece)), Point(self.left, self.top)
        grid = self.columns, self.rows
        return Precut(name, Size(*self.piece), *grid, corner, pitch, self.round)

    def paper(self, name: str) -> Paper:
        """Raises KeyMisfitError if there is no paper of its size."""
        try:
            return Paper(name, parse_paper(self.size).size, self.precut(name))
        except PnpError as error:
            first = error.problems[0]
            raise KeyMisfitError("size", first.what, first.hint) from None


class ComponentTable(Keys, frozen=True, kw_only=True):
    """[[component]]: pieces of one size, their faces, their table and its rules"""

    id: Annotated[Name, describe("a short name for files and messages: 'cards'")]
    title: Annotated[Title, describe("the name of the pieces, printed on every sheet: 'Cards'")]
    table: Annotated[
        FileName | None,
        describe(
            "the file with a row for each piece: 'cards.csv', .tsv, .json, .ods, 'cards.xlsx#Sheet'"
        ),
    ] = None
    row: Annotated[
        list[dict[str, Cell]],
        describe("[[component.row]], in double brackets, instead of a table"),
    ] = []
    default: Annotated[
        dict[str, Cell], describe("[component.default] with column = the value of empty cells")
    ] = {}
    lookup: Annotated[
        dict[str, LookupTable],
        describe(
            "[component.lookup.COLUMN]: its cells name rows of another table; read as COLUMN.NAME"
        ),
    ] = {}
    size: Annotated[PieceSize | None, SIZE] = None
    outline: Annotated[
        FileName | None,
        describe("the form in an SVG that is the outline of a piece: 'token.svg#cut'"),
    ] = None
    shape: Annotated[
        dict[str, Any] | None, describe("[component.shape], for pieces that are not rectangles")
    ] = None
    corner_radius: Annotated[
        Length, describe("the radius of the cut corners; 0mm for square corners")
    ] = 0.0
    folds: Annotated[
        list[FoldTable],
        describe(
            "lines to score and fold: [{ x = '90mm' }, { y = …, angle = 90 }]",
            max_length=MOST_FOLDS,
        ),
    ] = []
    holes: Annotated[
        list[HoleTable],
        describe(
            "round holes: [{ at = ['31.5mm', '44mm'], diameter = '4mm' }]", max_length=MOST_HOLES
        ),
    ] = []
    cutouts: Annotated[
        list[CutoutTable],
        describe(
            "windows: [{ at = […], size = […], corner_radius = '1mm' }, { corners = […] }]",
            max_length=MOST_HOLES,
        ),
    ] = []
    bleed: Annotated[
        _SaneBleed,
        describe(
            "how far art runs past the cut; 'auto': 3mm, with gutters if they cost no extra sheet"
        ),
    ] = USUAL_BLEED_MM
    back_bleed: Annotated[
        _SaneLength | None,
        describe("a larger bleed for the backs, because drift shows there"),
    ] = None
    least_bleed: Annotated[
        Length | None,
        describe("how narrow the bleeds in gutters may become where that saves sheets"),
    ] = None
    safe: Annotated[
        Length,
        describe("the least distance from the cut for text and for art that does not reach it"),
    ] = USUAL_SAFE_MM
    cuts: Annotated[
        Cuts | None,
        describe(
            "'shared': neighbours touch; 'double': gutters hold all bleeds; 'auto': double if free;"
            " 'squares': straight cuts first, then each outline"
        ),
    ] = None
    tile: Annotated[
        bool | Joint | None,
        describe(
            "'butt' or 'overlap': how panels of a piece larger than a sheet join; false: no panels"
        ),
    ] = None
    paper: Annotated[
        Text | None, describe("the paper, if it is not that of the other pieces: 'a3'")
    ] = None
    # these three are validated by the renderer or check that they name
    front: Annotated[
        dict[str, Any],
        describe("[component.front] with a template, or a renderer and its options"),
    ]
    back: Annotated[
        dict[str, Any] | None,
        describe("[component.back] with a template, or a renderer and its options"),
    ] = None
    rule: Annotated[
        list[dict[str, Any]], describe("[[component.rule]], in double brackets, with a kind")
    ] = []

    def __post_init__(self) -> None:
        """Checks keys that exclude each other."""
        self._check_form()
        self._check_cuts()
        if self.table and self.row:
            raise MisfitError("both a table and rows are given", "keep one of them")
        if self.back_bleed is not None and self.back_bleed < self.bleed_length:
            hint = "leave it out if both are equal"
            raise MisfitError("back_bleed is less than bleed", hint)
        if self.least_bleed is not None and self.least_bleed > self.bleed_length:
            raise MisfitError("least_bleed is more than bleed", "make it less, or leave it out")

    def _check_form(self) -> None:
        most = min(self.size) / 2 if self.size else self.corner_radius
        if self.corner_radius > most:
            what = f"a radius of {self.corner_radius:g} mm is more than half the piece"
            raise KeyMisfitError("corner_radius", what, f"at most {most:g}mm")
        if self.size and self.shape:
            raise MisfitError("both size and shape are given", "size is for rectangles: keep one")
        if self.outline and (self.size or self.shape):
            other = "size" if self.size else "shape"
            raise MisfitError(f"both outline and {other} are given", "keep one of them")
        if (self.outline or self.shape) and self.corner_radius:
            raise MisfitError("corner_radius is for rectangles", "leave it out beside a shape")
        if self.tile and (self.shape or self.outline):
            what = "only a rectangle is printed in panels, with straight joints"
            raise KeyMisfitError("tile", what, "leave it out beside a shape")

    def _check_cuts(self) -> None:
        """Raises MisfitError for cuts that such pieces cannot have."""
        if self.bleed == "auto" and self.cuts:
            hint = "leave out cuts, or give bleed a length"
            raise MisfitError("bleed = 'auto' chooses the cuts itself", hint)
        kind = (self.shape or {}).get("kind")  # of any type
        if kind in [*SHAPES] and kind not in MAY_SHARE and self.cuts in ("shared", "auto"):
            hint = "rectangles, hexagons, trihexes, tents and triangles do; leave out cuts"
            hint += ", or put 'squares'" if kind in IN_SQUARES else ""
            raise MisfitError(f"pieces of the kind {kind!r} cannot share cuts", hint)
        if self.cuts == "squares" and not self.outline and kind not in IN_SQUARES:
            hint = "discs, outlines and other flat pieces with corners do; leave out cuts"
            raise MisfitError("these pieces cannot lie in squares", hint)

    @property
    def bleed_length(self) -> float:
        return USUAL_BLEED_MM if self.bleed == "auto" else self.bleed


class Document(Keys, frozen=True, kw_only=True):
    """A whole game.toml."""

    game: GameTable
    palette: Annotated[
        dict[Name, PlainColour],
        Meta(max_length=_MOST_COLOURS),
        describe("[palette]: name = '#1f3f8c', or a colour as in CSS"),
    ] = {}
    art: Annotated[dict[Name, FileName], describe("[art]: name = 'art/star.svg'")] = {}
    paper: Annotated[
        dict[Name, PaperTable],
        describe("[paper.NAME]: a sheet that is cut already, by its measures"),
    ] = {}
    # read separately, because it names fonts
    font: Annotated[FontTable | None, describe("[font] with the table alias")] = None
    component: Annotated[
        list[ComponentTable], describe("[[component]], in double brackets: pieces to print")
    ]
    # read one by one, because they contain options of a renderer
    box: Annotated[list[dict[str, Any]], describe("[[box]], in double brackets: a tuck box")] = []
    booklet: Annotated[dict[str, Any] | None, describe("[booklet] with the file of the rules")] = (
        None
    )
    # read separately, because it names art
    cover: Annotated[
        dict[str, Any] | None, describe("[cover] with the picture of the cover sheet")
    ] = None
    scene: Annotated[
        dict[str, Any] | None, describe("[scene] with [[scene.group]]: the picture of a game")
    ] = None
    play: Annotated[
        dict[str, Any] | None, describe("[play] with engine: how bots play the game")
    ] = None
    odds: Annotated[
        list[dict[str, Any]], describe("[[odds]], in double brackets, with a kind: a question")
    ] = []
    accept: Annotated[list[AcceptTable], describe("[[accept]] with finding, found and reason")] = []
    variant: Annotated[
        dict[Name, VariantTable], describe("[variant.NAME] with about and table")
    ] = {}
    ink: Annotated[InkTable | None, describe("[ink] with the table low")] = None
    language: Annotated[
        dict[Language, LanguageTable], describe("[language.NAME] with the titles in that language")
    ] = {}


def without_strays(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A game.toml without the keys of [game] that are above all tables, where that line is
    missing."""
    strays = () if "game" in raw else GameTable.__struct_fields__
    return {key: value for key, value in raw.items() if key not in strays}


class SideTable(Keys, frozen=True, kw_only=True):
    """The keys of [component.front] and [component.back] beside their renderer's options."""

    edge: EdgeArt = DRAWN
    turn: Annotated[
        Turn | None,
        describe(
            "how the face lies on the piece, in degrees clockwise: 0, 90, 180, 270; a template as "
            "large as the turned piece lies at 90 by itself"
        ),
    ] = None
    turn_by: Annotated[
        ColumnName | None, describe("a column with the turn of each row, instead of turn")
    ] = None

    def __post_init__(self) -> None:
        if self.turn is not None and self.turn_by is not None:
            raise KeyMisfitError("turn_by", "both turn and turn_by are given", "keep one of them")

    @property
    def turned(self) -> Turn | str | None:
        """The turn of all faces, or the column that has it; None if their templates say it."""
        return self.turn_by if self.turn is None else self.turn


class TemplateTable(Keys, frozen=True, kw_only=True):
    """The keys of [component.front] and [component.back] without a renderer."""

    template: Annotated[
        FileName,
        describe(
            "an SVG with placeholders for the cells of the table: 'front.svg', or "
            "'{{ kind }}.svg'; or a finished picture: 'faces/{{ id }}.png'"
        ),
    ]
    layers: Layers = {}


def find_paper(source: Source, name: str) -> Paper | None:
    """The paper of that name in a game.toml; None if it has none. Raises PnpError with its
    faults."""
    raw = table_of(source.raw, "paper").get(name)
    if raw is None:
        return None
    table = source.validate(PaperTable, raw, ("paper", name), None)
    if table is None:
        raise PnpError(source.problems)
    return table.paper(name)


def check_papers(source: Source) -> None:
    """Reports papers of a game.toml whose names are taken."""
    for name in table_of(source.raw, "paper"):
        if name in paper_names():
            what = f"{quote(name)} is the name of a paper already"
            source.report(("paper", name), what, "choose another name, or leave it out")


def raw_words(source: Source, language: str) -> Mapping[str, Any]:
    """The table [language.NAME], not yet validated."""
    return table_of(table_of(source.raw, "language"), language)


def check_languages(source: Source, fonts: FontBook, boxes: list[str]) -> None:
    """Reports titles with characters that neither the sheets' font nor the game's own fonts have,
    and languages that name unknown components or a missing booklet."""
    among = "or any in fonts/, " if fonts.own_families() else ""
    for title, path in _titles(source):
        line = title.strip() if isinstance(title, str) else ""
        missing = find_illegible(line, fonts)
        if missing and is_one_line(line):
            what = (
                f"title: the font of the sheets, {HOUSE_FAMILY}, {among}has no glyph for "
                f"{quote(missing)}"
            )
            source.report(path, what, "put a font that has it into fonts/, or use other letters")
    ids = [*(str(table.get("id")) for table, _ in source.tables("component")), *boxes]
    for language in table_of(source.raw, "language"):
        words = raw_words(source, language)
        for id_ in table_of(words, "component").keys() - set(ids):
            path = ("language", language, "component", id_)
            source.report(path, f"unknown component {quote(id_)}", did_you_mean(id_, ids))
        if "booklet" in words and "booklet" not in source.raw:
            path = ("language", language, "booklet")
            source.report(path, "the game has no booklet to translate", "add [booklet]")


def _titles(source: Source) -> Iterator[tuple[object, KeyPath]]:
    """Every raw title that a sheet may show, with its key path."""
    languages = table_of(source.raw, "language")
    translations = [(raw_words(source, language), ("language", language)) for language in languages]
    for table, path in (
        (table_of(source.raw, "game"), ("game",)),
        *source.tables("component"),
        *translations,
    ):
        yield table.get("title"), (*path, "title")
    for words, path in translations:
        for id_, title in table_of(words, "component").items():
            yield title, (*path, "component", id_)


def translate(game: Game, words: LanguageTable) -> Game:
    """The game with its titles in a language; those without a translation stay."""

    def titled(component: Component) -> Component:
        return replace(component, title=words.component.get(component.id, component.title))

    return replace(
        game,
        title=words.title or game.title,
        about=words.about or game.about,
        components=tuple(map(titled, game.components)),
    )
