"""A place in a file, as a value: made once where something is found, and never read back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something stands. Its text is what a person is told: "talavera/cards.csv:7 column red".

    file: as a person knows it; or what is no file: an option, a printer, a game's name.
    line: from 1; 0 for the file as a whole.
    part: of the line or the file, in words: "column red".
    sheet: of a spreadsheet, whose rows are its lines: "talavera/cards.xlsx:Cards!C7".
    letters: of the column in that sheet.
    """

    file: str
    line: int = 0
    part: str = ""
    sheet: str = ""
    letters: str = "A"

    def __str__(self) -> str:
        sheet = f"{self.sheet}!{self.letters}" if self.sheet else ""
        line = f":{sheet}{self.line}" if self.line else ""
        part = f" {self.part}" if self.part else ""
        return f"{self.file}{line}{part}"

    def at_line(self, line: int) -> Place:
        """A line of the same file, the file as a whole for 0."""
        return Place(self.file, line)

    def at_column(self, name: str) -> Place:
        """The cell of a row in the column of that name."""
        return Place(self.file, self.line, f"column {name}", self.sheet, self.letters)

    @property
    def row(self) -> Place:
        """The row that a cell stands in."""
        return Place(self.file, self.line, "", self.sheet)
