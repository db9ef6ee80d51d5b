"""A place in a file, as a value. Its text is only for people: no code parses it."""

from __future__ import annotations

from pathlib import PurePath
from typing import Self

from msgspec import Struct


class Place(Struct, frozen=True, order=True):
    """A place in a file. Messages show its text: "talavera/cards.csv:7 column red".

    file: its path as a person knows it; or another place, such as an option, a printer or a game.
    line: from 1; 0 for the whole file.
    part: a part of the line or of the file, in words: "column red".
    sheet: a sheet of a spreadsheet, whose rows are its lines: "talavera/cards.xlsx:Cards!C7".
    letters: the letters of the column in that sheet.
    """

    file: str
    line: int = 0
    part: str = ""
    sheet: str = ""
    letters: str = "A"

    @classmethod
    def in_folder(cls, folder: PurePath, file: str) -> Self:
        """A file of a game: its path in `folder`, after the folder's name: "talavera/art/a.svg"."""
        return cls(f"{folder.name}/{file}")

    def __str__(self) -> str:
        sheet = f"{self.sheet}!{self.letters}" if self.sheet else ""
        line = f":{sheet}{self.line}" if self.line else ""
        part = f" {self.part}" if self.part else ""
        return f"{self.file}{line}{part}"

    def at_line(self, line: int) -> Place:
        """A line of the same file, or the whole file for 0."""
        return Place(self.file, line)

    def at_column(self, name: str) -> Place:
        """The cell of a row in the column of that name."""
        return Place(self.file, self.line, f"column {name}", self.sheet, self.letters)

    @property
    def row(self) -> Place:
        """The row of a cell."""
        return Place(self.file, self.line, "", self.sheet)
