"""What differs from row to row: the texts of the spec with placeholders, the art and the templates that they name."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from generator.basics.errors import MisfitError, Place, quote
from generator.faces.templating.nodes import Headings, read_wording
from generator.faces.templating.sandbox import Expression, value_of
from generator.faces.templating.template import SvgTemplate, WithResources
from generator.model import Art, Column, Piece, Value
from generator.tables.fields import TextLayout

_OPEN = re.compile(r"\{\{\s*([^{}]*?)\s*(?:\}\}?|$)")  # a placeholder, closed or not


class RowText:
    """A text of the spec with placeholders, which differs from row to row: "{{ wide }}x30mm".

    `request` is its line, `headings` gives those of the table, `names` says what it names: "size".
    Raises MisfitError if an expression is not valid.
    """

    def __init__(self, text: str, request: Place, headings: Headings, names: str) -> None:
        self.names = names
        self._wording = read_wording(text, headings)
        if "{{" in self._wording.bare or self._wording.is_plain:
            closed = _OPEN.sub(r"{{ \1 }}", text)
            raise MisfitError("'{{' is opened here and not closed", f"write {closed}")
        self.columns = [Column(name, reader=request) for name in sorted(self._wording.names)]

    def text(self, row: Mapping[str, Value]) -> str:
        """The text for a row. Raises MisfitError if an expression fails, or all cells are empty."""
        scope = {column.name: value_of(row[column.name]) for column in self.columns}
        if self.is_empty(row):
            hint = "fill it; [component.default] fills all empty cells of a column"
            raise MisfitError(f"the cell is empty, so it names no {self.names}", hint)
        return self._wording.text(scope)

    def says_none(self, row: Mapping[str, Value]) -> bool:
        """Whether all its placeholders are empty, or one is `none`. Raises MisfitError if an expression fails."""
        words = self._words(row)
        return "none" in words or not any(words)

    def _words(self, row: Mapping[str, Value]) -> list[str]:
        scope = {column.name: value_of(row[column.name]) for column in self.columns}
        expressions = (part for part in self._wording.parts if isinstance(part, Expression))
        return [expression.text(scope).strip().casefold() for expression in expressions]

    def is_empty(self, row: Mapping[str, Value]) -> bool:
        """Whether all cells that it reads are empty, and its expressions make nothing of that."""
        if not self.columns or any(str(row[column.name]) for column in self.columns):
            return False
        with suppress(MisfitError):
            return not any(self._words(row))
        return True

    def cell(self, piece: Piece) -> Place:
        """The cell of a piece that it reads, or the row if it reads several."""
        columns = [column.name.partition(".")[0] for column in self.columns]
        return piece.place.at_column(columns[0]) if len(columns) == 1 else piece.place


class RowArt(WithResources, frozen=True):
    """Art that a row names: an art of the game, an icon, or a file."""

    name: RowText

    def of(self, row: Mapping[str, Value]) -> Art | None:
        """The art of a row; None if its cells are empty. Raises MisfitError without one."""
        return None if self.name.is_empty(row) else self.art(self.name.text(row))


class ChosenTemplates(WithResources, frozen=True, dict=True):
    """Chooses a template for each row."""

    name: RowText
    by_file: Mapping[str, SvgTemplate]
    is_back: bool  # a row may have none

    @property
    def layers(self) -> frozenset[str]:
        """The names of all their layers."""
        return frozenset[str]().union(*(template.layers for template in self.by_file.values()))

    @property
    def texts(self) -> Sequence[tuple[str, TextLayout]]:
        """The ids of their texts in boxes, and how each follows others."""
        return [text for template in self.by_file.values() for text in template.texts]

    def columns(self) -> Sequence[Column]:
        columns = {column.name: column for column in self.name.columns}
        for template in self.by_file.values():
            columns = {**template.by_name, **columns}
        return list(columns.values())

    @cached_property
    def _reads(self) -> Mapping[str, Sequence[str]]:
        names = [column.name for column in self.name.columns]
        return {file: [*names, *template.by_name] for file, template in self.by_file.items()}

    def reads(self, row: Mapping[str, Value]) -> Sequence[str]:
        """The names of the columns on which the face of a row depends. Rows that differ in these
        names differ in the cells of the first ones."""
        try:
            return self._reads[self.name.text(row)]
        except (KeyError, MisfitError):  # a blank back, or a draft
            return [column.name for column in self.name.columns]

    def choose(self, row: Mapping[str, Value]) -> SvgTemplate | None:
        """None for a blank back. Raises MisfitError, in a draft, if the row names no template that can be used."""
        is_none = self.is_back and self.name.says_none(row)
        file = "" if is_none and self.name.is_empty(row) else self.name.text(row)
        if is_none and file not in self.by_file:
            return None
        if file not in self.by_file:
            raise MisfitError(f"the template {quote(file)} cannot be used")
        return self.by_file[file]


Templates = SvgTemplate | ChosenTemplates  # of a side
