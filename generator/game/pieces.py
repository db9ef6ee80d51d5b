"""Pieces of a [[component]], from its tables.

Also the templates of its sides, or those that rows choose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import is_one_line
from generator.basics.keys import KeyPath
from generator.game.component_keys import LayoutTable, TemplateTable
from generator.game.spec import Raw, Source, table_of
from generator.model import Column, Component, Merged, Piece, Side
from generator.tables.fields import Resources, TableRows
from generator.tables.rows import cell_of, read_values
from generator.tables.schema import NUMBERS, Condition, Lookup, Notes, TableSchema, find_name, fold, is_row_name
from generator.tables.table import Order, count_merged, extend, number, read_header, read_rows, read_table, sort
from generator.text.markup import find_unread_marks

if TYPE_CHECKING:
    from generator.faces.templating.choosing import ChosenTemplates, RowText, Templates
    from generator.faces.templating.nodes import Headings
    from generator.faces.templating.sandbox import Expression
    from generator.faces.templating.template import SvgTemplate


MAX_ROWS = 2000  # of a table over which a template repeats an element
_MOST_MARKS = 5  # in a warning
_CHOICE = re.compile(r"\s*([^\s/]+)\s+where\b(.*)", re.DOTALL)
_BRACES = re.compile(r"(?<!\{)\{\s*(\w[\w ]{0,59}?)\s*\}(?!\})")
Layers = Mapping[str, "bool | Expression"]


def split_choice(name: str) -> tuple[str, str]:
    """The component and the condition of "cards where cost > 3"; "" twice for a name without one."""
    match = _CHOICE.fullmatch(name)
    return (match[1], match[2].strip()) if match else ("", "")


class Tables(Struct, frozen=True):
    """The tables of a game, or of its variant, in a language. `only` has the requested parts: a
    piece tells which of their conditions it meets."""

    source: Source
    folder: Path
    variant: str
    language: str
    is_draft: bool = False
    only: Sequence[str] = ()
    notes: Notes = field(default_factory=Notes)
    whole: dict[str, TableRows] = field(default_factory=dict)  # the tables that are read whole

    def read(
        self, raw: Raw, path: KeyPath, read: Sequence[Column], is_all: bool
    ) -> tuple[tuple[Piece, ...], Merged | None]:
        """Reads the columns `read` of a component's table, and counts the changes by an expansion.
        `is_all`: nothing else reads columns of it."""
        conditions = dict(self._read_conditions(raw, path))
        order = self._read_order(raw, path)
        chosen = [Column(name, reader=condition.place) for condition in conditions.values() for name in condition.names]
        chosen += (column for column, _ in order)
        numbers = {column.name for column in read if column.reader} & set(NUMBERS)
        columns, of_lookups = _divide(_merge([*chosen, *read]), table_of(raw, "lookup"))
        lookups = {
            name: self._lookup(name, table, (*path, "lookup", name), of_lookups[name])
            for name, table in table_of(raw, "lookup").items()
        }
        schema = TableSchema(
            columns,
            is_all,
            language=self.language,
            lookups=lookups,
            optional=frozenset(numbers).difference(column.name for column in chosen),
            is_draft=self.is_draft,
            conditions=conditions,
        )
        schema = replace(schema, default=self._defaults(raw, path, schema))
        schema = replace(schema, every=self._read_every(raw, path, schema))
        variant = table_of(table_of(self.source.raw, "variant"), self.variant)
        id_, file, at = raw.get("id"), raw.get("table"), (*path, "table")
        other = table_of(variant, "table").get(id_) if isinstance(id_, str) else None
        there = ("variant", self.variant, "table", str(id_))
        is_more = variant.get("extends") is True
        if other is not None and not is_more:
            file, at = other, there
        base = self._own_pieces(raw, path, file, at, schema)
        kept = base
        if is_more and isinstance(other, str):
            kept = self._extend(base, other, there, replace(schema, is_extension=True))
        rows = f"the table {quote(file)}" if isinstance(file, str) else "the component"
        unmet = [
            each
            for name, each in conditions.items()
            if kept is not None and each.seen
            if not any(name in piece.meets for piece in kept)
        ]
        self.source.add(condition.say_unmet(rows) for condition in unmet)
        if kept is not None and not unmet and not any(piece.copies for piece in kept):
            hint = "give it a row for each piece" if not kept else "a count of 0 prints nothing"
            what = f"the table {quote(file)} has" if isinstance(file, str) else "the rows have"
            self.source.report(at, f"{what} nothing to print", hint)
        merged = count_merged(base, kept) if base and kept and kept is not base else None
        return self.source.collect(number, sort(kept or (), order), numbers) or (), merged

    def peek(self, raw: Raw, path: KeyPath, read: Sequence[Column]) -> tuple[Piece, ...]:
        """The pieces with only some columns; none if there is a fault, which `read` will report."""
        aside = replace(self, source=self.source.aside(), notes=Notes(), only=())
        pieces, _ = aside.read(raw, path, read, is_all=False)
        return () if aside.source.problems else pieces

    def headings(self, raw: Raw, path: KeyPath) -> tuple[str, ...]:
        """The headings of a component's table, and those of its lookups as "name.heading"; none of
        a table with a fault, which `read` will report."""
        found = list(self._headings(raw, path))
        for name, table in table_of(raw, "lookup").items():
            if isinstance(table, dict):
                there = self._headings(table, (*path, "lookup", name))
                found += (f"{name}.{heading}" for heading in there)
        return tuple(filter(None, found))

    def read_whole(self, file: str, place: Place) -> TableRows:
        """All cells of a table in the folder, in the language of the game; a file is read once.
        `place` names it. Raises PnpError."""
        if file not in self.whole:
            from generator.faces.templating.sandbox import RowCells, value_of

            headings = filter(is_row_name, read_header(self.folder, file, place))
            columns = [Column(heading, reader=place) for heading in headings]
            schema = TableSchema(columns, is_all=False, language=self.language)
            pieces = read_table(self.folder, file, schema, place, self.notes)
            if len(pieces) > MAX_ROWS:
                raise fail(place, f"{quote(file)} has {len(pieces):,} rows", f"a template repeats at most {MAX_ROWS:,}")
            names = [column.name for column in columns]
            rows = [RowCells({name: value_of(piece.row[name]) for name in names}) for piece in pieces]
            digest = blake2b(repr(rows).encode(), digest_size=16).hexdigest()
            self.whole[file] = TableRows(tuple(map(fold, names)), rows, digest)
        return self.whole[file]

    def _headings(self, raw: Raw, path: KeyPath) -> Sequence[str]:
        file, rows = raw.get("table"), raw.get("row")
        if isinstance(file, str) and is_one_line(file):
            aside = self.source.aside()
            header = aside.collect(read_header, self.folder, file, aside.place((*path, "table"))) or ()
            return [*header, *table_of(raw, "every")]
        rows = rows if isinstance(rows, list) else []
        keys = (key for row in rows if isinstance(row, dict) for key in row)
        return list(dict.fromkeys((*keys, *table_of(raw, "every"))))

    def _extend(
        self, base: tuple[Piece, ...] | None, file: str, at: KeyPath, schema: TableSchema
    ) -> tuple[Piece, ...] | None:
        more = self._read_file(file, at, schema)
        if base is None or more is None:
            return base
        return self.source.collect(extend, base, more) or base

    def _lookup(self, name: str, raw: object, path: KeyPath, columns: Sequence[Column]) -> Lookup:
        """The table with the rows that the cells of a column name."""
        raw = raw if isinstance(raw, dict) else {}
        key = raw.get("key", "id")
        key = key if isinstance(key, str) else "id"
        own = [column for column in columns if column.name != key]
        schema = TableSchema([Column(key), *own], is_all=False, language=self.language, key=key)
        pieces = self._own_pieces(raw, path, raw.get("table"), (*path, "table"), schema)
        rows = {piece.id.casefold(): piece for piece in pieces} if pieces else None
        label = str(raw.get("table") or f"[[component.lookup.{name}.row]]")
        return Lookup(name, label, columns, rows)

    def _own_pieces(
        self, raw: Raw, path: KeyPath, file: object, at: KeyPath, schema: TableSchema
    ) -> tuple[Piece, ...] | None:
        """The pieces from a file or from rows in the spec; None if a fault is reported."""
        if isinstance(file, str):
            if not is_one_line(file):
                return None  # reported as a value
            return self._read_file(file, at, schema)
        if raw.get("row") and isinstance(raw["row"], list):
            return self._read_rows(raw["row"], (*path, "row"), schema)
        if schema.every and "table" not in raw:
            return self._read_rows([{}], (*path, "every"), schema)
        if "table" not in raw and raw.get("row", []) == []:
            hint = "the file with a row for each piece: 'cards.csv', or [[component.row]] tables"
            self.source.report(at, "the key 'table' is missing", hint)
        return None

    def _read_file(self, file: str, at: KeyPath, schema: TableSchema) -> tuple[Piece, ...] | None:
        return self.source.collect(read_table, self.folder, file, schema, self.source.place(at), self.notes)

    def _read_rows(self, rows: Sequence[object], path: KeyPath, schema: TableSchema) -> tuple[Piece, ...] | None:
        tables = [row if isinstance(row, dict) else {} for row in rows]  # Document reports others

        def line_of(index: int, key: str) -> int:
            return self.source.line((*path, index, key) if key else (*path, index))

        return self.source.collect(read_rows, tables, self.source.spec, line_of, schema, self.notes)

    def _read_conditions(self, raw: Raw, path: KeyPath) -> Iterator[tuple[str, Condition]]:
        """The conditions of a component by their names, as in TableSchema."""
        headings = cache(partial(self.headings, raw, path))
        where = self.source.place((*path, "where"))
        asked: list[tuple[str, object, Place]] = [("", raw.get("where"), where)]
        for name in self.only:
            id_, written = split_choice(name)
            asked += [(name, written, Place("--only"))] * (id_ == raw.get("id"))
        for name, text, place in asked:
            if isinstance(text, str) and (condition := self._condition(text, place, headings)):
                yield name, condition

    def _condition(self, text: str, place: Place, headings: Headings) -> Condition | None:
        """A condition that rows must meet; None if a fault is reported."""
        from generator.faces.templating.nodes import read_expression
        from generator.faces.templating.sandbox import value_of

        expression = self.source.collect(read_expression, text, headings, at=place)
        if expression is None:
            return None
        names = sorted(expression.names)

        def holds(cells: Mapping[str, str]) -> bool:
            return bool(expression.value({name: value_of(cells[name]) for name in names}))

        return Condition(text, place, names, holds)

    def _read_order(self, raw: Raw, path: KeyPath) -> Order:
        order, place = raw.get("sort"), self.source.place((*path, "sort"))
        texts = [name.strip() for name in order.split(",")] if isinstance(order, str) else []
        names = [name.removeprefix("-").strip() for name in texts]
        if not all(names):
            what = f"{quote(order)} names no column before or after a comma"
            self.source.report((*path, "sort"), what, "for example: 'cost, -name'")
        return [
            (Column(name, reader=place), text.startswith("-")) for name, text in zip(names, texts, strict=True) if name
        ]

    def _read_every(self, raw: Raw, path: KeyPath, schema: TableSchema) -> dict[str, list[str]]:
        """The cells of [component.every] by column. A faulty one is reported, and replaced."""
        every: dict[str, list[str]] = {}
        for name, value in table_of(raw, "every").items():
            every[name] = [schema.stand_in(name).get(name) or "1"]
            try:
                if schema.is_unread(name):
                    every[name] = [cell_of(cell) for cell in read_values(value)]
                    self.notes.warnings.append(self._note_unread((*path, "every", name), name))
                    continue
                every[name] = [schema.default_of(name, cell) for cell in read_values(value)]
            except MisfitError as error:
                self.source.report((*path, "every", name), f"every.{name}: {error}", error.hint)
        return every

    def _note_unread(self, path: KeyPath, name: str) -> Problem:
        what = f"every.{name}: nothing reads the column {quote(name)}, so its pieces are alike"
        hint = f"show it on the face: {{{{ {name} }}}}"
        return Problem(self.source.place(path), what, hint, "note", "column.unread", found=name)

    def _defaults(self, raw: Raw, path: KeyPath, schema: TableSchema) -> dict[str, str]:
        defaults: dict[str, str] = {}
        for name, value in table_of(raw, "default").items():
            try:
                column = find_name(name, schema.columns_by_name) or name
                defaults[column] = schema.default_of(name, value)
            except MisfitError as error:
                defaults |= schema.stand_in(name)  # so that its rows have no fault
                self.source.report((*path, "default", name), f"{name}: {error}", error.hint)
        return defaults


def _merge(read: Sequence[Column]) -> list[Column]:
    """The columns that several readers need, each with the range that all of them accept."""
    columns: dict[str, Column] = {}
    for column in read:
        other = columns.get(column.name, column)
        lows = [c.low for c in (column, other) if c.low is not None]
        highs = [c.high for c in (column, other) if c.high is not None]
        place = other.reader or column.reader
        low, high = max(lows, default=None), min(highs, default=None)
        columns[column.name] = Column(column.name, low, high, place)
    return list(columns.values())


def _divide(columns: Sequence[Column], lookups: Mapping[str, object]) -> tuple[list[Column], dict[str, list[Column]]]:
    """The columns of a component's own table, and those of each lookup."""
    own = {name: Column(name) for name in lookups}
    elsewhere: dict[str, list[Column]] = {name: [] for name in lookups}
    for column in columns:
        name, _, part = column.name.partition(".")
        if part and name in lookups:
            elsewhere[name].append(replace(column, name=part))
        else:
            own[column.name] = column
    return list(own.values()), elsewhere


class TemplateReader(Struct, frozen=True):
    """Reads the templates of a game, one side after another."""

    source: Source
    folder: Path
    resources: Resources
    tables: Tables
    layers: set[str] = field(default_factory=set)  # of all templates so far
    braces: dict[str, Place] = field(default_factory=dict)  # the words in single ones, likewise
    texts: dict[str, bool] = field(default_factory=dict)  # the columns in texts: only in boxes?

    def read(self, options: Raw, path: KeyPath, component: Raw) -> Templates | None:
        """The templates of a side; None if a fault is reported. `options` are those of the side, at
        `path`, `component` the table around it."""
        headings = cache(partial(self.tables.headings, component, path[:-1]))
        if "layout" in options:
            return self._read_layout(options, path, headings)
        if "renderer" in options:
            self.source.report(path, "both template and renderer are given: keep one", "a template needs no renderer")
            return None
        table = self.source.validate(TemplateTable, options, path, self.resources, ("edge",))
        if table is None:
            return None
        from generator.faces.templating.template import SvgTemplate

        layers = self._layers(table, path, headings)
        if match := _BRACES.search(table.template):
            what = f"the name of the template has {quote(match[1])} in single braces"
            self.source.report((*path, "template"), what, f"write {{{{ {match[1]} }}}} to read the column")
            return None
        if "{{" in table.template:
            found: Templates | None = self._choose(table.template, path, component, layers, headings)
        else:
            found = self._template(table.template, [self.source.place((*path, "template"))], layers, headings)
        if found is None:
            return None
        is_known = isinstance(found, SvgTemplate) or found.by_file  # else the table is at fault
        for name in table.layers.keys() - found.layers if is_known else ():
            what = f"{table.template} has no layer {quote(name)}"
            self.source.report((*path, "layers", name), what, did_you_mean(name, found.layers))
        self.layers.update(found.layers)
        if isinstance(found, SvgTemplate):
            return self._fill(found, table.columns, path, headings)
        names = [column.name for column in found.columns()]
        filled = {
            file: self._fill(template, table.columns, path, headings, names) for file, template in found.by_file.items()
        }
        by_file = {file: template for file, template in filled.items() if template}
        return replace(found, by_file=by_file) if len(by_file) == len(filled) else None

    def _read_layout(self, options: Raw, path: KeyPath, headings: Headings) -> SvgTemplate | None:
        """The drawing of a layout, filled by the columns that the spec names, or else by those with
        usual headings; None if a fault is reported."""
        from generator.faces.templating.template import read_template
        from generator.game.house_layouts import LAYOUTS, colours, find_columns, layouts

        table = self.source.validate(LayoutTable, options, path, self.resources, ("edge",))
        if table is None:
            return None
        at = (*path, "layout")
        side: Side = "front" if path[-1] == "front" else "back"
        layout = layouts().get(table.layout)
        if layout is None or not layout.has(side):
            able = [name for name, each in layouts().items() if each.has(side)]
            what = f"there is no layout {quote(table.layout)} of a {side}"
            self.source.report(at, what, did_you_mean(table.layout, able))
            return None
        resources = replace(self.resources, palette={**colours(), **self.resources.palette})
        template = read_template(LAYOUTS, layout.file(side), resources, self.source.place(at), {})
        names = [name for name in template.by_name if not name.endswith("_heading")]
        free = [heading for heading in headings() if heading not in table.columns.values()]
        found = {**dict.fromkeys(names, ""), **find_columns(names, free), **table.columns}
        return self._fill(template, found, path, headings)

    def _fill(
        self,
        template: SvgTemplate,
        columns: Mapping[str, str],
        path: KeyPath,
        headings: Headings,
        known: Collection[str] = (),
    ) -> SvgTemplate | None:
        """A template whose names read other columns; None if a fault is reported. `known` are the
        names of other templates of the side."""
        known = {*known, *template.by_name}
        for name in columns:
            if name not in known:
                what = f"{template.file} has no name {quote(name)}"
                self.source.report((*path, "columns", name), what, did_you_mean(name, known))
        place = self.source.place((*path, "columns"))
        filled = self.source.collect(template.with_columns, columns, place, headings, at=place) if columns else template
        if filled is None:
            return None
        for name, is_boxed in filled.shown_columns():
            self.texts[fold(name)] = self.texts.get(fold(name), True) and is_boxed
        return filled

    def _template(self, file: str, places: list[Place], layers: Layers, headings: Headings) -> SvgTemplate | None:
        """The template that the spec names at some places; each is at fault if there is none."""
        from generator.faces.templating.template import read_template

        try:
            read = read_template(self.folder, file, self.resources, places[0], layers, headings)
            for words, line in read.braces.items():
                self.braces.setdefault(fold(words), read.lines.at_line(line))
            return read
        except PnpError as error:
            for problem in error.problems:
                found = places if problem.place == places[0] else [problem.place]
                self.source.add(replace(problem, place=place) for place in found)
            return None

    def _choose(
        self, text: str, path: KeyPath, component: Raw, layers: Layers, headings: Headings
    ) -> ChosenTemplates | None:
        """The templates that occur in the rows."""
        from generator.faces.templating.choosing import ChosenTemplates, RowText
        from generator.faces.templating.template import MAX_TEMPLATES

        at = (*path, "template")
        name = self.source.collect(RowText, text, self.source.place(at), headings, "template", at=at)
        if name is None:
            return None
        pieces = self.tables.peek(component, path[:-1], name.columns)
        files: dict[str, list[Piece]] = {}
        printed = [piece for piece in pieces if piece.is_drawn]
        is_back = path[-1] == "back"
        faults = sum(not self._note_file(name, piece, files, is_back) for piece in printed)
        if printed and not faults and not files:
            what = "no row names a template: every back would stay blank"
            self.source.report(at, what, "leave out [component.back], or fill the cells")
        drawings = sum(map(_is_drawing, files))
        if drawings > MAX_TEMPLATES:
            self.source.report(at, f"the rows name {drawings:,} templates", f"at most {MAX_TEMPLATES}")
            return None
        read = {
            file: self._template(file, [name.cell(piece) for piece in of], layers, headings)
            for file, of in files.items()
        }
        by_file = {file: template for file, template in read.items() if template is not None}
        is_whole = not faults and len(by_file) == len(read)
        can_be_used = is_whole or (self.tables.is_draft and by_file)
        return ChosenTemplates(self.resources, name, by_file, is_back) if can_be_used else None

    def _note_file(self, name: RowText, piece: Piece, files: dict[str, list[Piece]], is_back: bool) -> bool:
        """Notes the template of a piece; a back may have none. Returns False if a fault is reported."""
        try:
            is_none = is_back and name.says_none(piece.row)
            file = "" if is_none and name.is_empty(piece.row) else name.text(piece.row)
            if not is_none or (file and (self.folder / file).is_file()):
                files.setdefault(file, []).append(piece)
        except MisfitError as error:
            self.source.add([Problem(name.cell(piece), str(error), error.hint)])
            return False
        return True

    def report_none(self, options: Raw, path: KeyPath, likely: str) -> None:
        """A side that names neither a template nor a renderer. `likely`: the renderer that has its
        options, "" if there is none."""
        drawings = ((key, value) for key, value in options.items() if _is_drawing(value))
        key, drawing = next(drawings, ("", f"{path[-1]}.svg"))
        if likely and not key:
            hint = f"the other keys are those of renderer = {quote(likely)}"
            self.source.report(path, "the key 'renderer' is missing", hint)
            return
        hint = f"write template = {quote(drawing)}" + f" instead of {key}" * bool(key)
        self.source.report((*path, key), "the key 'template' is missing", hint)

    def braced(self) -> Iterator[Problem]:
        """Warnings of unread columns whose names templates have in single braces."""
        for name in dict.fromkeys(chain.from_iterable(self.tables.notes.unread.values())):
            if place := self.braces.get(fold(name)):
                what = f"a text has {quote(name)} in single braces, which are printed"
                hint = f"write {{{{ {name} }}}} to read the column"
                yield Problem(place, what, hint, "warning", "column.braces", found=name)

    def find_unread_marks(self, component: Component) -> Iterator[Problem]:
        """One warning for the cells that are printed with marks that no text reads."""
        found = [
            (piece.place.at_column(name), marks)
            for piece in component.pieces
            for name, cell in piece.row.items()
            if isinstance(cell, str) and (is_boxed := self.texts.get(fold(name))) is not None
            if (marks := find_unread_marks(cell, self.resources.notation, is_boxed=is_boxed))
        ]
        if found:
            each = dict.fromkeys(mark for _, marks in found for mark in marks)
            named = ", ".join(map(quote, islice(each, _MOST_MARKS)))
            many = "a text holds" if len(found) == 1 else f"{len(found):,} texts hold"
            what = f"{many} marks that are printed as they are: {named}"
            hint = "a text in a box reads **bold**, <b>, [words]{red}, - item, | cell | and :coin:"
            hint += "; [symbols] of game.toml reads signs such as {T}"
            place, on = found[0][0], (component.id,)
            yield Problem(place, what, hint, "warning", "text.marks", on, found=named)

    def _layers(self, table: TemplateTable, path: KeyPath, headings: Headings) -> Layers:
        """The conditions of a template's layers; those of the variant take precedence."""
        from generator.faces.templating.nodes import read_expression

        variant = table_of(table_of(self.source.raw, "variant"), self.tables.variant)
        overrides = table_of(variant, "layers")
        layers: dict[str, bool | Expression] = {}
        for name, condition in {**table.layers, **overrides}.items():
            of = ("variant", self.tables.variant) if name in overrides else path
            at, is_text = (*of, "layers", name), isinstance(condition, str)
            read = self.source.collect(read_expression, condition, headings, at=at) if is_text else condition
            if read is not None:
                layers[name] = read
        return layers


def _is_drawing(value: object) -> bool:
    return isinstance(value, str) and value.lower().endswith(".svg")
