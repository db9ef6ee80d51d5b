"""The tables and keys of game.toml.

A key's description is also the hint when the key is missing or has the wrong type.

Also the translation of those texts of a game.toml that are not in tables, and what [booklet] and
[cover] make: the Booklet to typeset and the Poster of the cover sheet.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import asdict, replace

from generator.art.picture import crossed
from generator.basics.errors import MisfitError, Place, PnpError, did_you_mean, quote
from generator.basics.files import decode, is_one_line, one_line, read_within
from generator.basics.geometry import HAIR, MM_PER_PT, Point, Size
from generator.basics.keys import After, Before, Custom, KeyMisfitError, KeyPath, Keys, Schema, matching, strip
from generator.basics.papers import Paper, Precut, paper_names, parse_paper
from generator.basics.phrases import Phrases, check_phrase, flatten, read_phrases
from generator.game.component_keys import ComponentTable, Layers
from generator.game.shapes import PieceSize
from generator.game.spec import Raw, Source, table_of
from generator.model import COVER, LEAFLETS, Art, Booklet, Component, Composition, Game, Poster
from generator.tables import fields
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.lettering import find_illegible, make_legible

USUAL_TEXT_MM = 10 * MM_PER_PT
USUAL_ACCENT = "#7a2e1d"
_MOST_COLOURS = 500  # each pair is compared for every kind of colour vision
_PAST_EDGE = 0.5  # mm: measures of sheets are rounded
_MOST_RULES = 128 * 1024  # bytes: more than the text of any booklet that can be stapled
_MOST_ON_COVER = 100  # the lines of a figure

ADDRESS = r"^https://[0-9A-Za-z._-]{1,253}([/?#][!-~]{0,2000})?$"  # without a port, a user or a bracket
_Address = Annotated[str, matching(ADDRESS, "must be https://HOST/…, without a port, a password or a space")]
Sources = Annotated[dict[fields.FileName, _Address], Meta(max_length=100)]
TextByText = Custom[
    dict[fields.Text, fields.Text], Meta(extra_json_schema={"propertyNames": {"minLength": 1, "maxLength": 500}})
]
PhraseTables = dict[fields.Name, dict[fields.Name, fields.Text]]
_Part = Annotated[float, Meta(ge=0.0, le=1.0)]
_Words = Custom[str, Before(strip), Meta(min_length=1, max_length=200), After(one_line)]
ScoreLines = Annotated[tuple[fields.Title, ...], Meta(max_length=20)]


class GameTable(Keys, frozen=True, kw_only=True):
    """[game] with title, designer and about"""

    title: fields.Title
    designer: fields.Text
    about: fields.Text
    language: fields.Language | None = None
    players: fields.Title | None = None
    time: fields.Title | None = None
    age: fields.Title | None = None
    scores: ScoreLines = ()
    # read separately, because it names fonts
    fallback: list[fields.Text] = []


class VariantTable(Keys, frozen=True, kw_only=True):
    """[variant.NAME]: the same game with other tables, additional rows or other layers"""

    about: fields.Text
    title: fields.Title | None = None
    table: dict[fields.Name, fields.FileName] = {}
    layers: Layers = {}
    extends: bool = False

    def __post_init__(self) -> None:
        if not self.table and not self.layers:
            raise MisfitError("the variant changes nothing", "give it a table, or layers")


class LanguageTable(Keys, frozen=True, kw_only=True):
    """[language.NAME]: the texts of `--lang NAME` that are not in tables"""

    title: fields.Title | None = None
    about: fields.Text | None = None
    players: fields.Title | None = None
    time: fields.Title | None = None
    age: fields.Title | None = None
    scores: ScoreLines = ()
    component: dict[fields.Name, fields.Title] = {}
    booklet: fields.FileName | None = None
    phrases: PhraseTables = {}


class BookletTable(Keys, frozen=True, kw_only=True):
    """[booklet]: the rules, to be folded and stapled"""

    file: fields.FileName = "rules.md"
    title_font: fields.FontFamily | None = None
    text_font: fields.FontFamily | None = None
    text_size: fields.TextSize = USUAL_TEXT_MM
    accent: fields.Colour = USUAL_ACCENT
    links: Literal["text", "qr"] = "text"
    cover: bool = True


class LowInkSides(Keys, frozen=True, kw_only=True):
    """[ink.low.component.NAME.front]: options of a side, or all of them with `template`"""

    front: dict[str, Any] = {}
    back: dict[str, Any] = {}


class LowInkTable(Keys, frozen=True, kw_only=True):
    """[ink.low]: what `--ink low` prints instead; it prints as it is set here"""

    palette: dict[fields.Name, fields.PlainColour] = {}
    art: dict[fields.Name, fields.FileName] = {}
    component: dict[fields.Name, LowInkSides] = {}


class InkTable(Keys, frozen=True, kw_only=True):
    """[ink]: how the game prints with another amount of ink"""

    low: LowInkTable | None = None


class FontTable(Keys, frozen=True, kw_only=True):
    """[font]: how the game calls fonts"""

    alias: TextByText = {}


def _wrap(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Pieces = Custom[
    tuple[fields.Text, ...],
    Before(_wrap),
    Schema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Figures = Custom[str, Before(strip), Meta(min_length=1), After(one_line)]


class AcceptTable(Keys, frozen=True, kw_only=True):
    """[[accept]]: a finding of `pnp check` that may stay"""

    finding: fields.Text
    on: Pieces = ()
    found: Figures
    reason: fields.Text
    level: Literal["warning", "error"] = "warning"
    variant: fields.Name | None = None


class KeywordTable(Keys, frozen=True, kw_only=True):
    """[keywords.NAME]: words that all texts in boxes set in one way"""

    words: list[fields.Text] = []
    table: fields.FileName | None = None
    column: fields.Text = "title"
    look: fields.Text = "**{}**"

    def __post_init__(self) -> None:
        if not self.words and not self.table:
            raise MisfitError("there are no words", "write words = ['Guard'], or a table")
        if "{}" not in self.look:
            raise KeyMisfitError("look", f"{quote(self.look)} has no place for the word", "write {} for it: '**{}**'")


class PaperTable(Keys, frozen=True, kw_only=True):
    """[paper.NAME]: a sheet that is cut already, in rows and columns, for `--paper NAME`"""

    size: fields.Text
    piece: PieceSize
    columns: Annotated[int, Meta(ge=1, le=100)]
    rows: Annotated[int, Meta(ge=1, le=100)]
    left: fields.Length
    top: fields.Length
    pitch: PieceSize | None = None
    round: bool = False

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
    palette: Annotated[dict[fields.Name, fields.PlainColour], Meta(max_length=_MOST_COLOURS)] = {}
    art: dict[fields.Name, fields.FileName] = {}
    paper: dict[fields.Name, PaperTable] = {}
    symbols: TextByText = {}
    keywords: dict[fields.Name, KeywordTable] = {}
    # read separately, because it names fonts
    font: FontTable | None = None
    component: list[ComponentTable]
    # read one by one, because they contain options of a renderer
    box: list[dict[str, Any]] = []
    booklet: dict[str, Any] | None = None
    # read separately, because it names art
    cover: dict[str, Any] | None = None
    scene: dict[str, Any] | None = None
    play: dict[str, Any] | None = None
    odds: list[dict[str, Any]] = []
    accept: list[AcceptTable] = []
    variant: dict[fields.Name, VariantTable] = {}
    ink: InkTable | None = None
    language: dict[fields.Language, LanguageTable] = {}
    source: Sources = {}
    phrases: PhraseTables = {}


def without_strays(raw: Raw) -> Raw:
    """A game.toml without the keys of [game] that are above all tables, where that line is missing."""
    strays = () if "game" in raw else GameTable.__struct_fields__
    return {key: value for key, value in raw.items() if key not in strays}


def find_paper(source: Source, name: str) -> Paper | None:
    """The paper of that name in a game.toml; None if it has none. Raises PnpError with its faults."""
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


def raw_words(source: Source, language: str) -> Raw:
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
            what = f"title: the font of the sheets, {HOUSE_FAMILY}, {among}has no glyph for {quote(missing)}"
            source.report(path, what, "put a font that has it into fonts/, or use other letters")
    ids = [*(str(table.get("id")) for table, _ in source.tables("component")), *boxes]
    _check_phrases(source, ())
    for language in table_of(source.raw, "language"):
        words = raw_words(source, language)
        _check_phrases(source, ("language", language))
        for id_ in table_of(words, "component").keys() - set(ids):
            path = ("language", language, "component", id_)
            source.report(path, f"unknown component {quote(id_)}", did_you_mean(id_, ids))
        if "booklet" in words and "booklet" not in source.raw:
            path = ("language", language, "booklet")
            source.report(path, "the game has no booklet to translate", "add [booklet]")


def _check_phrases(source: Source, of: KeyPath) -> None:
    """Reports phrases of the game or of a language that do not exist, and fields that they lack."""
    groups = table_of(raw_words(source, str(of[1])) if of else source.raw, "phrases")
    for group, phrases in groups.items():
        for name, pattern in phrases.items() if isinstance(phrases, dict) else ():
            source.collect(check_phrase, f"{group}.{name}", str(pattern), at=(*of, "phrases", group, name))


def _titles(source: Source) -> Iterator[tuple[object, KeyPath]]:
    """Every raw title that a sheet may show, with its key path."""
    languages = table_of(source.raw, "language")
    translations = [(raw_words(source, language), ("language", language)) for language in languages]
    for table, path in ((table_of(source.raw, "game"), ("game",)), *source.tables("component"), *translations):
        yield table.get("title"), (*path, "title")
    for words, path in translations:
        for id_, title in table_of(words, "component").items():
            yield title, (*path, "component", id_)


def choose_phrases(document: Document, language: str, fonts: FontBook) -> Phrases:
    """The phrases of a kit in a language of the game ("" for its own), with those that it sets
    itself; English ones for those with letters that no font has."""
    words = document.language.get(language, LanguageTable()) if language else document
    phrases = read_phrases(language or document.game.language or "")
    phrases = phrases.with_own(flatten(words.phrases))
    return make_legible(phrases, fonts)


def translate(game: Game, words: LanguageTable) -> Game:
    """The game with its titles in a language; those without a translation stay."""
    glue = game.phrases.say("net.glue")

    def titled(component: Component) -> Component:
        return replace(component, title=words.component.get(component.id, component.title), glue=glue)

    return replace(
        game,
        title=words.title or game.title,
        about=words.about or game.about,
        players=words.players or game.players,
        time=words.time or game.time,
        age=words.age or game.age,
        scores=words.scores or game.scores,
        components=tuple(map(titled, game.components)),
    )


def read_booklet(source: Source, folder: Path, resources: fields.Resources) -> Booklet | None:
    """Reads the booklet; None if the game has none, or if faults are reported."""
    raw, path = source.raw.get("booklet"), ("booklet",)
    if not isinstance(raw, dict):
        if "cover" in source.raw:
            what = "the cover is part of the booklet, and the game has none"
            source.report(("cover",), what, "add [booklet] and rules.md, or leave [cover] out")
        return None
    _check_ids(source)
    table = source.validate(BookletTable, raw, path, resources)
    poster = read_poster(source, resources)
    if table is None or poster is None:
        return None
    translation = raw_words(source, resources.language).get("booklet")
    file = table.file
    key: KeyPath = (*path, "file")
    if isinstance(translation, str):
        file, key = translation, ("language", resources.language, "booklet")
    place, spec_place = Place.in_folder(folder, file), source.place(key)
    content = source.collect(read_within, folder, file, _MOST_RULES, spec_place)
    text = None if content is None else source.collect(decode, content, place)
    if text is None:
        return None
    text = resources.notation.to_markdown(text)
    return Booklet(
        place=place,
        text=text,
        title_font=table.title_font.family if table.title_font else HOUSE_FAMILY,
        text_font=table.text_font.family if table.text_font else HOUSE_FAMILY,
        fallback=resources.fallback,
        size=table.text_size,
        accent=table.accent,
        icons={**resources.art, **resources.icons, **_read_pictures(source, text, place, resources)},
        palette=resources.palette,
        has_cover=table.cover,
        poster=poster,
        links=table.links,
    )


def _read_pictures(source: Source, text: str, place: Place, resources: fields.Resources) -> dict[str, Art]:
    """The pictures in the rules by their files; a crossed box for one that cannot be read."""
    if "![" not in text:
        return {}
    from generator.booklet.reading import pictures  # loads a parser

    read = {file: source.collect(resources.read_art, file, at) for file, at in pictures(text, place).items()}
    return {file: art or Art(file, crossed(file), file) for file, art in read.items()}


def _check_ids(source: Source) -> None:
    """Reports components with the id of the booklet or of its cover."""
    for component, path in source.tables("component"):
        id_ = component.get("id")
        if id_ in LEAFLETS:
            what = f"{id_!r} is the name of the {'cover sheet' if id_ == COVER else 'booklet'}"
            source.report((*path, "id"), what, "give the component another id")


class CoverTable(Keys, frozen=True, kw_only=True):
    """[cover]: the picture on the cover sheet and on the title page of the rules"""

    composition: Composition | None = None
    pieces: Annotated[tuple[_Words, ...], Meta(max_length=_MOST_ON_COVER)] = ()
    overlap: Annotated[float, Meta(ge=-1.0, le=0.95)] | None = None
    fills: bool = False
    rows: Annotated[tuple[Annotated[str, Meta(max_length=_MOST_ON_COVER)], ...], Meta(max_length=_MOST_ON_COVER)] = ()
    art: Mapping[str, fields.ArtName] = {}
    front: _Words | None = None
    front_at: tuple[_Part, _Part] = (0.5, 0.5)


def read_poster(source: Source, resources: fields.Resources) -> Poster | None:
    """The picture of the cover, the usual one by default; None if faults are reported."""
    raw, path = source.raw.get("cover", {}), ("cover",)
    if not isinstance(raw, dict):
        return None
    table = source.validate(CoverTable, raw, path, resources)
    if table is None:
        return None
    faults = list(_disagreements(table))
    for key, what, hint in faults:
        source.report((*path, key), what, hint)
    if faults:
        return None
    return Poster(place=source.place(path), **asdict(table) | {"front": table.front or ""})


def _disagreements(table: CoverTable) -> Iterator[tuple[str, str, str]]:
    """Keys that need each other: each fault with its key and a hint."""
    if table.rows and table.composition != "wall":
        yield "rows", "rows are for a wall", "write composition = 'wall'"
    if table.composition == "table" and not table.pieces:
        yield "composition", "a table needs pieces", "write pieces = ['cards 3 at 0 0']"
    if table.rows and not any(row.strip() for row in table.rows):
        yield "rows", "the rows are empty", "write a letter for each square of art"
    for letter in sorted({*"".join(table.rows)} - {" ", *table.art}):
        yield "rows", f"the letter {quote(letter)} has no art", "give it one in [cover.art]"
    for name in table.art:
        if len(name) != 1:
            yield "art", f"{quote(name)} is not one letter", "rows have one letter for each square"
