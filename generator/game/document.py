"""The tables and keys of game.toml.

A key's description is also the hint when the key is missing or has the wrong type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from generator.basics.errors import MisfitError
from generator.basics.files import one_line
from generator.basics.keys import After, Before, Custom, Keys, Schema, describe, strip
from generator.basics.units import MM_PER_PT
from generator.game.component_table import ComponentTable, Layers
from generator.tables.fields import (
    Colour,
    FileName,
    FontFamily,
    Language,
    Name,
    PlainColour,
    Text,
    TextSize,
    Title,
)

USUAL_TEXT_MM = 10 * MM_PER_PT
USUAL_ACCENT = "#7a2e1d"


_MOST_COLOURS = 500  # each pair is compared for every kind of colour vision


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
        Name | None, describe("the variant; without it, the game and all its variants")
    ] = None


class Document(Keys, frozen=True, kw_only=True):
    """A whole game.toml."""

    game: GameTable
    palette: Annotated[
        dict[Name, PlainColour],
        Meta(max_length=_MOST_COLOURS),
        describe("[palette]: name = '#1f3f8c', or a colour as in CSS"),
    ] = {}
    art: Annotated[dict[Name, FileName], describe("[art]: name = 'art/star.svg'")] = {}
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
