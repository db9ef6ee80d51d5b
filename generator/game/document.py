"""The tables and keys of game.toml.

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
from generator.game.component_keys import ComponentTable, Layers
from generator.game.shapes import PieceSize
from generator.game.spec import Source, table_of
from generator.model import Component, Game
from generator.tables.fields import (
    Colour,
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
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.lettering import find_illegible

USUAL_TEXT_MM = 10 * MM_PER_PT
USUAL_ACCENT = "#7a2e1d"


_MOST_COLOURS = 500  # each pair is compared for every kind of colour vision
_PAST_EDGE = 0.5  # mm: measures of sheets are rounded


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
    links: Annotated[
        Literal["text", "qr"],
        describe("'qr': below a text with links, the QR code of each and its address"),
    ] = "text"
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
        dict[Name, PlainColour], describe("[ink.low.palette]: other colours for names in [palette]")
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


class KeywordTable(Keys, frozen=True, kw_only=True):
    """[keywords.NAME]: words that all texts in boxes set in one way"""

    words: Annotated[
        list[Text], describe("words, as the texts write them: ['Guard', 'The Seer']")
    ] = []
    table: Annotated[FileName | None, describe("a table whose column has such words")] = None
    column: Annotated[Text, describe("the heading of that column")] = "title"
    look: Annotated[Text, describe("the marks around them: '[**:shield: {}**]{red}'")] = "**{}**"

    def __post_init__(self) -> None:
        if not self.words and not self.table:
            raise MisfitError("there are no words", "write words = ['Guard'], or a table")
        if "{}" not in self.look:
            what = f"{quote(self.look)} has no place for the word"
            raise KeyMisfitError("look", what, "write {} for it: '**{}**'")


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
    symbols: Custom[
        dict[Text, Text],
        describe(
            "[symbols]: sign = an icon, art, a file or a text with marks: '{T}' = 'turn'",
            extra_json_schema={"propertyNames": {"minLength": 1, "maxLength": 500}},
        ),
    ] = {}
    keywords: Annotated[
        dict[Name, KeywordTable],
        describe("[keywords.NAME]: words that all texts in boxes set in one way"),
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
    among = "or any in fonts/, " if fonts.own_families else ""
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
