"""Take a game.toml and a language, translate the texts that are not in tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from generator.basics.errors import did_you_mean, quote
from generator.basics.files import is_one_line
from generator.basics.keys import KeyPath
from generator.game.document import LanguageTable
from generator.game.source import Source
from generator.game.spec import table_of
from generator.model import Component, Game
from generator.text import HOUSE_FAMILY, FontBook
from generator.text.lettering import find_illegible


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
    translations = [(raw_words(source, one), ("language", one)) for one in languages]
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
