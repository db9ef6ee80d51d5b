"""Take a side of a [[component]] with a template, read the template, or those that rows choose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import MisfitError, PnpError, Problem, did_you_mean, quote
from generator.basics.keys import KeyPath
from generator.basics.place import Place
from generator.game.component_table import TemplateTable
from generator.game.pieces import Tables
from generator.game.source import Source
from generator.game.spec import table_of
from generator.model import Piece
from generator.tables.fields import Resources
from generator.tables.filled import Templates
from generator.tables.headings import fold

if TYPE_CHECKING:  # a game without templates does not load Jinja
    from generator.faces.templating.choice import ChosenTemplates, TemplateName
    from generator.faces.templating.naming import Headings
    from generator.faces.templating.sandbox import Expression
    from generator.faces.templating.template import SvgTemplate

_BRACES = re.compile(r"(?<!\{)\{\s*(\w[\w ]{0,59}?)\s*\}(?!\})")
Layers = Mapping[str, "bool | Expression"]


class TemplateReader(Struct, frozen=True):
    """Reads the templates of a game, one side after another."""

    source: Source
    folder: Path
    resources: Resources
    tables: Tables
    layers: set[str] = field(default_factory=set)  # of all templates so far
    braces: dict[str, Place] = field(default_factory=dict)  # the words in single ones, likewise

    def read(
        self, options: Mapping[str, Any], path: KeyPath, component: Mapping[str, Any]
    ) -> Templates | None:
        """The templates of a side; None if a fault is reported. `options` are those of the side, at
        `path`, `component` the table around it."""
        if "renderer" in options:
            hint = "a template needs no renderer"
            self.source.report(path, "both template and renderer are given: keep one", hint)
            return None
        table = self.source.validate(TemplateTable, options, path, self.resources)
        if table is None:
            return None
        from generator.faces.templating.template import SvgTemplate

        headings = cache(partial(self.tables.headings, component, path[:-1]))
        layers = self._layers(table, path, headings)
        if match := _BRACES.search(table.template):
            what = f"the name of the template has {quote(match[1])} in single braces"
            hint = f"write {{{{ {match[1]} }}}} to read the column"
            self.source.report((*path, "template"), what, hint)
            return None
        if "{{" in table.template:
            found: ChosenTemplates | SvgTemplate | None = self._choose(
                table.template, path, component, layers, headings
            )
        else:
            place = self.source.place((*path, "template"))
            found = self._template(table.template, [place], layers, headings)
        if found is None:
            return None
        is_known = isinstance(found, SvgTemplate) or found.by_file  # else the table is at fault
        for name in table.layers.keys() - found.layers if is_known else ():
            what = f"{table.template} has no layer {quote(name)}"
            self.source.report((*path, "layers", name), what, did_you_mean(name, found.layers))
        self.layers.update(found.layers)
        return found

    def _template(
        self, file: str, places: list[Place], layers: Layers, headings: Headings
    ) -> SvgTemplate | None:
        """The template that the spec names at some places; each is at fault if there is none."""
        from generator.faces.templating.template import read_template

        try:
            read = read_template(self.folder, file, self.resources, places[0], layers, headings)
            for words, line in read.braces.items():
                self.braces.setdefault(fold(words), Place(f"{self.folder.name}/{file}", line))
            return read
        except PnpError as error:
            for problem in error.problems:
                found = places if problem.place == places[0] else [problem.place]
                self.source.add(replace(problem, place=place) for place in found)
            return None

    def _choose(
        self,
        text: str,
        path: KeyPath,
        component: Mapping[str, Any],
        layers: Layers,
        headings: Headings,
    ) -> ChosenTemplates | None:
        """The templates that occur in the rows."""
        from generator.faces.templating.choice import MAX_TEMPLATES, ChosenTemplates, TemplateName

        at = (*path, "template")
        try:
            name = TemplateName(text, self.source.place(at), headings)
        except MisfitError as error:
            self.source.report(at, str(error), error.hint)
            return None
        pieces = self.tables.peek(component, path[:-1], name.columns)
        files: dict[str, list[Piece]] = {}
        printed = [piece for piece in pieces if piece.copies]
        faults = sum(not self._note_file(name, piece, files) for piece in printed)
        if len(files) > MAX_TEMPLATES:
            what = f"the rows name {len(files):,} templates"
            self.source.report(at, what, f"at most {MAX_TEMPLATES}")
            return None
        read = {
            file: self._template(file, list(_cells(name, of)), layers, headings)
            for file, of in files.items()
        }
        by_file = {file: template for file, template in read.items() if template is not None}
        is_whole = not faults and len(by_file) == len(read)
        can_be_used = is_whole or (self.tables.is_draft and by_file)
        return ChosenTemplates(self.resources, name, by_file) if can_be_used else None

    def _note_file(self, name: TemplateName, piece: Piece, files: dict[str, list[Piece]]) -> bool:
        """Notes the template of a piece. Returns False if a fault is reported."""
        try:
            files.setdefault(name.file(piece.row), []).append(piece)
        except MisfitError as error:
            (place,) = _cells(name, [piece])
            self.source.add([Problem(place, str(error), error.hint)])
            return False
        return True

    def report_none(self, options: Mapping[str, Any], path: KeyPath) -> None:
        """A side that names neither a template nor a renderer."""
        drawings = ((key, value) for key, value in options.items() if _is_drawing(value))
        key, drawing = next(drawings, ("", f"{path[-1]}.svg"))
        hint = f"write template = {quote(drawing)}" + f" instead of {key}" * bool(key)
        self.source.report((*path, key), "the key 'template' is missing", hint)

    def braced(self) -> Iterator[Problem]:
        """Warnings of unread columns whose names templates have in single braces."""
        unread = dict.fromkeys(
            name for names in self.tables.notes.unread.values() for name in names
        )
        for name in unread:
            if place := self.braces.get(fold(name)):
                what = f"a text has {quote(name)} in single braces, which are printed"
                hint = f"write {{{{ {name} }}}} to read the column"
                yield Problem(place, what, hint, "warning", "column.braces", found=name)

    def _layers(self, table: TemplateTable, path: KeyPath, headings: Headings) -> Layers:
        """The conditions of a template's layers; those of the variant take precedence."""
        from generator.faces.templating.naming import read_expression

        variant = table_of(table_of(self.source.raw, "variant"), self.tables.variant)
        overrides = table_of(variant, "layers")
        layers: dict[str, bool | Expression] = {}
        for name, condition in {**table.layers, **overrides}.items():
            try:
                is_text = isinstance(condition, str)
                layers[name] = read_expression(condition, headings) if is_text else condition
            except MisfitError as error:
                at = ("variant", self.tables.variant) if name in overrides else path
                self.source.report((*at, "layers", name), str(error), error.hint)
        return layers


def _cells(name: TemplateName, pieces: list[Piece]) -> Iterator[Place]:
    """The cells of pieces that name their template."""
    for piece in pieces:
        columns = [column.name.partition(".")[0] for column in name.columns]
        yield piece.place.at_column(columns[0]) if len(columns) == 1 else piece.place


def _is_drawing(value: object) -> bool:
    return isinstance(value, str) and value.lower().endswith(".svg")
