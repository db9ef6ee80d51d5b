"""The tables [symbols] and [keywords] of a game.toml: how its texts write icons, and which words
they set in a way of their own."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from msgspec.structs import replace

from generator.art.pixels import FORMATS
from generator.basics.colours import find_colour
from generator.basics.errors import MisfitError, Place, did_you_mean, quote
from generator.game.document import Document, KeywordTable
from generator.game.spec import Source
from generator.tables.fields import Resources
from generator.tables.schema import fold
from generator.tables.table import read_lines
from generator.text.markup import TINT, Notation, escape_marks, read_marks
from generator.text.shape import find_icon

_MOST = 1000  # signs and keywords
_LONGEST = 100  # characters
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def add_notation(source: Source, folder: Path, document: Document, resources: Resources) -> Resources:
    """The resources with the symbols and keywords of the game, and the icons that these name. Their
    faults are reported."""
    reader, signs = _NotationReader(folder, resources), dict[str, str]()

    for name, table in document.keywords.items():
        at = ("keywords", name)
        signs.update(source.collect(reader.keywords, table, source.place((*at, "table")), at=at) or {})
    for sign, text in document.symbols.items():
        at = ("symbols", sign)
        signs.update(source.collect(reader.symbol, sign, text, source.place(at), at=at) or {})
    if len(signs) > _MOST:
        source.report(("keywords",), f"there are {len(signs):,} symbols and keywords", f"at most {_MOST:,}")
    return replace(resources, icons=reader.icons, notation=Notation(tuple(signs.items())))


class _NotationReader:
    """Reads what symbols and keywords stand for, as texts with marks. Raises MisfitError, and PnpError for a file."""

    def __init__(self, folder: Path, resources: Resources) -> None:
        self._folder = folder
        self._resources = resources
        self.icons = dict(resources.icons)  # and those that symbols and keywords name

    def symbol(self, sign: str, text: str, place: Place) -> dict[str, str]:
        if PurePath(text).suffix.lower() in (*FORMATS, ".svg"):
            name = "art-" + re.sub("[^a-z0-9]+", "-", text.lower())
            self.icons[name] = replace(self._resources.read_art(text, place), name=name)
            text = f":{name}:"
        elif _NAME.fullmatch(text):
            hint = f"draw it as icons/{text}.svg; for words, mark them: '**{text}**'"
            text = f":{self._icon(text, hint)}:"
        return {sign: self._checked(text)}

    def keywords(self, table: KeywordTable, place: Place) -> dict[str, str]:
        self._checked(table.look)
        column = self._column(table.table, table.column, place) if table.table else ()
        words = (" ".join(word.split()) for word in (*table.words, *column))
        look = table.look.replace(": {}", ":\u00a0{}")  # the icon stays with its word
        return {word: look.replace("{}", escape_marks(word)) for word in words}

    def _checked(self, text: str) -> str:
        """A text whose icons and colours there are."""
        for span in read_marks(text):
            for colour in (span.look.colour, span.look.pill.replace(TINT, "")):
                find_colour(colour, self._resources.palette) if colour else None
            if name := re.split("[(@]", span.icon)[0]:
                self._icon(name, f"draw it as icons/{name}.svg")
        return text

    def _icon(self, name: str, otherwise: str) -> str:
        """The name of an icon of the texts: itself, or that of a picture of [art]."""
        art = self._resources.art.get(name)
        if art and name not in self.icons:
            name = name if name[0].isalpha() else f"art-{name}"
            self.icons[name] = art
        find_icon(name, self.icons, otherwise)
        return name

    def _column(self, file: str, column: str, place: Place) -> Iterator[str]:
        """The cells of a column, and those of its translation."""
        header, *rows = [line.cells for line in read_lines(self._folder, file, place)] or [[]]
        headings = list(map(fold, header))
        if fold(column) not in headings:
            raise MisfitError(f"{file} has no column {quote(column)}", did_you_mean(column, header))
        for name in (fold(column), f"{fold(column)}.{self._resources.language}"):
            at = headings.index(name) if name in headings else len(header)
            cells = (row[at].strip() for row in rows if len(row) > at)
            yield from (cell for cell in cells if 0 < len(cell) <= _LONGEST)
