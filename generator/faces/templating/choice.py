"""Take the name of a template with placeholders, choose a template for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from generator.basics.errors import MisfitError, quote
from generator.basics.place import Place
from generator.faces.templating.naming import Headings, read_expression
from generator.faces.templating.nodes import Wording
from generator.faces.templating.reading import PLACEHOLDER
from generator.faces.templating.sandbox import Expression, value_of
from generator.faces.templating.template import SvgTemplate, WithResources
from generator.model import Column, Value

MAX_TEMPLATES = 100  # for one side of a component


class TemplateName:
    """The path of a template with placeholders: "art/{{ kind }}.svg".

    `request` is the line of the spec that names it, `headings` gives those of the table. Raises
    MisfitError if an expression is not valid.
    """

    def __init__(self, text: str, request: Place, headings: Headings) -> None:
        parts = enumerate(PLACEHOLDER.split(text))
        self._wording = Wording(
            tuple(read_expression(one, headings) if at % 2 else one for at, one in parts)
        )
        if "{{" in self._wording.bare or self._wording.is_plain:
            raise MisfitError("'{{' is opened here and not closed", "write {{ kind }}.svg")
        expressions = [one for one in self._wording.parts if isinstance(one, Expression)]
        names = sorted({name for one in expressions for name in one.names})
        self.columns = [Column(name, reader=request) for name in names]

    def file(self, row: Mapping[str, Value]) -> str:
        """The path for a row. Raises MisfitError if an expression fails, or all cells are empty."""
        scope = {column.name: value_of(row[column.name]) for column in self.columns}
        if scope and not any(str(value) for value in scope.values()):
            hint = "fill it; [component.default] fills all empty cells of a column"
            raise MisfitError("the cell is empty, so it names no template", hint)
        return self._wording.text(scope)


class ChosenTemplates(WithResources, frozen=True, dict=True):
    """Chooses a template for each row; implements filled.Templates."""

    name: TemplateName
    by_file: Mapping[str, SvgTemplate]

    @property
    def layers(self) -> frozenset[str]:
        """The names of all their layers."""
        return frozenset[str]().union(*(one.layers for one in self.by_file.values()))

    def columns(self) -> Sequence[Column]:
        return list(self._columns.values())

    @cached_property
    def _columns(self) -> Mapping[str, Column]:
        columns = {column.name: column for column in self.name.columns}
        for template in self.by_file.values():
            columns = {**template.by_name, **columns}
        return columns

    @cached_property
    def _reads(self) -> Mapping[str, Sequence[str]]:
        names = [column.name for column in self.name.columns]
        return {file: [*names, *template.by_name] for file, template in self.by_file.items()}

    def reads(self, row: Mapping[str, Value]) -> Sequence[str]:
        try:
            return self._reads[self.name.file(row)]
        except (KeyError, MisfitError):  # only in a draft
            return [column.name for column in self.name.columns]

    def choose(self, row: Mapping[str, Value]) -> SvgTemplate:
        """Raises MisfitError, in a draft, if the row names no template that can be used."""
        file = self.name.file(row)
        if file not in self.by_file:
            raise MisfitError(f"the template {quote(file)} cannot be used")
        return self.by_file[file]
