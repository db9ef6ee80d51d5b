"""Take a game's folder and the kinds of faces and rules, make a Game or all its problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import MisfitError, PnpError, did_you_mean, fail, shown
from generator.fields import HEX_PATTERN, Resources
from generator.filled import Template
from generator.geometry import Size
from generator.model import DRAWN, Art, Column, Component, Cuts, Game, Piece, Renderer, Rule, Side
from generator.outlines import Shape, rectangle
from generator.spec.art import read_art
from generator.spec.box import RENDERER, BoxTable, box
from generator.spec.document import ComponentTable, Document, EdgeTable, TemplateTable
from generator.spec.fonts import read_fonts
from generator.spec.locate import Path as KeyPath
from generator.spec.shapes import SHAPES, SHARING
from generator.spec.source import Source
from generator.spec.tables import Wanted, extended, read_rows, read_table
from generator.text import HOUSE_FAMILY, FontBook

SIDES: tuple[Side, Side] = ("front", "back")


@dataclass(frozen=True, slots=True)
class Kinds:
    """The renderers and rules a spec may name, each a dataclass whose fields are its options."""

    renderers: Mapping[str, type[Renderer]]
    rules: Mapping[str, type[Rule]]
    of_template: Callable[[Template], Renderer]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a [[component]] names: None where a fault was reported."""

    shape: Shape | None  # None for a rectangle too
    front: Renderer | None
    back: Renderer | None
    edges: Mapping[Side, str]
    rules: tuple[Rule, ...]
    pieces: tuple[Piece, ...]


def read(folder: Path, variant: str, kinds: Kinds, language: str = "") -> Game:
    """The game in `folder`, or its variant, in a language that its tables have ("" for the plain
    one). Raises PnpError with every problem of its files."""
    source = Source(folder)
    document = source.validate(Document, source.raw, (), None)
    fonts = read_fonts(source, folder)
    resources = _resources(source, folder, fonts)
    reading = _Reading(source, folder, kinds, resources, variant, language)
    parts = [reading.parts(component, path) for component, path in _components(source.raw)]
    boxes = [reading.box(raw, path) for raw, path in _tables(source.raw, "box")]
    _check_ids(source)
    _check_titles(source, fonts)
    pieces = [piece for part in parts for piece in part.pieces]
    known = {tongue for piece in pieces for text in piece.texts for tongue in text.languages}
    if language and language not in known and not source.problems:
        hint = did_you_mean(language, known) or "a translation of `name` is a column 'name.de'"
        raise fail(source.name, f"no table has a column in the language {shown(language)}", hint)
    if source.problems or document is None:
        raise PnpError(source.problems)
    chosen = document.variant.get(variant)
    components = [
        _component(table, part, source.where(("component", index)))
        for index, (table, part) in enumerate(zip(document.component, parts, strict=True))
    ]
    components += _boxed(source, [one for one in boxes if one], components)
    return Game(
        name="-".join(part for part in (folder.name, variant, language) if part),
        title=document.game.title,
        designer=document.game.designer,
        about=chosen.about if chosen else document.game.about,
        components=tuple(components),
        font_folders=fonts.folders,
    )


def _table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A sub-table of raw TOML, empty when there is none: faults of shape are the document's."""
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _components(raw: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], KeyPath]]:
    """The raw [[component]] tables and where they stand."""
    yield from _tables(raw, "component")


def _tables(raw: Mapping[str, Any], key: str) -> Iterator[tuple[Mapping[str, Any], KeyPath]]:
    """Raw tables in double brackets and where they stand; other shapes are the document's."""
    tables = raw.get(key)
    for index, table in enumerate(tables if isinstance(tables, list) else ()):
        if isinstance(table, dict):
            yield table, (key, index)


def _resources(source: Source, folder: Path, fonts: FontBook) -> Resources:
    """What names in the spec may refer to. A malformed colour stands in as black and
    art that cannot be read as none: they were reported, and their users are not at fault."""
    palette = {
        name: value if isinstance(value, str) and re.fullmatch(HEX_PATTERN, value) else "#000000"
        for name, value in _table(source.raw, "palette").items()
    }
    uris: dict[str, str] = {}  # several names may share a file
    art: dict[str, Art] = {}
    for name, file in _table(source.raw, "art").items():
        file = file if isinstance(file, str) else ""
        if file and file not in uris:
            where = source.where(("art", name))
            uris[file] = source.collect(partial(read_art, folder, file, fonts, where)) or ""
        art[name] = Art(name, uris.get(file, ""))
    return Resources(palette, art, fonts)


class _Box(NamedTuple):
    """What a [[box]] says."""

    table: BoxTable
    face: Renderer
    path: KeyPath


@dataclass(frozen=True, slots=True)
class _Reading:
    """Everything needed to read one component after another."""

    source: Source
    folder: Path
    kinds: Kinds
    resources: Resources
    variant: str
    language: str

    def parts(self, raw: Mapping[str, Any], path: KeyPath) -> _Parts:
        front = self._face(raw, path, "front")
        back = self._face(raw, path, "back")
        rules = [self._rule(rule, rule_path) for rule, rule_path in _rules(raw, path)]
        readers = [reader for reader in (front, back, *rules) if reader is not None]
        declared = 1 + ("back" in raw) + len(rules)
        pieces = self._pieces(raw, path, _merged(readers), len(readers) == declared)
        kept = tuple(rule for rule in rules if rule is not None)
        edges = {side: self._edge(raw, path, side) for side in SIDES if side in raw}
        return _Parts(self._shape(raw, path), front, back, edges, kept, pieces)

    def box(self, raw: Mapping[str, Any], path: KeyPath) -> _Box | None:
        """A [[box]], whose title is the game's unless told; None when a fault was reported."""
        known = {key: value for key, value in raw.items() if key in BoxTable.model_fields}
        table = self.source.validate(BoxTable, known, path, self.resources)
        options = {"renderer": RENDERER, "title_font": HOUSE_FAMILY, "titles": {"front": 0.5}}
        title = _table(self.source.raw, "game").get("title")
        options |= {"title": title} if isinstance(title, str) else {}
        options |= {key: value for key, value in raw.items() if key not in known}
        kinds = self.kinds.renderers
        face = self.source.validate_tagged("renderer", kinds, options, path, self.resources)
        if face is not None and face.columns():
            name = face.columns()[0].name
            what = f"a box has no table, and so no column {shown(name)}"
            self.source.report(path, what, "leave out the keys that end in _by")
        return _Box(table, face, path) if table and face else None

    def _edge(self, raw: Mapping[str, Any], path: KeyPath, side: Side) -> str:
        told = {key: value for key, value in _table(raw, side).items() if key == "edge"}
        table = self.source.validate(EdgeTable, told, (*path, side), self.resources)
        return table.edge if table else DRAWN

    def _shape(self, raw: Mapping[str, Any], path: KeyPath) -> Shape | None:
        table = raw.get("shape")
        if not isinstance(table, dict):
            if "size" not in raw and "shape" not in raw:
                hint = "width and height of a cut piece, or a [component.shape]"
                self.source.report((*path, "size"), "the key 'size' is missing", hint)
            return None
        path = (*path, "shape")
        kind = self.source.validate_tagged("kind", SHAPES, table, path, self.resources)
        try:
            return kind.shape() if kind else None
        except MisfitError as error:
            self.source.report(path, str(error), error.hint)
            return None

    def _face(self, raw: Mapping[str, Any], path: KeyPath, side: str) -> Renderer | None:
        table = raw.get(side)
        if not isinstance(table, dict):
            return None
        options = {key: value for key, value in table.items() if key != "edge"}
        if "template" in options:
            return self._template(options, (*path, side))
        return self.source.validate_tagged(
            "renderer", self.kinds.renderers, options, (*path, side), self.resources
        )

    def _template(self, options: Mapping[str, Any], path: KeyPath) -> Renderer | None:
        if "renderer" in options:
            hint = "a template is drawn as it stands, without a renderer"
            self.source.report(path, "both template and renderer are given: keep one", hint)
            return None
        table = self.source.validate(TemplateTable, options, path, self.resources)
        if table is None:
            return None
        from generator.spec.template import (
            read_template,
        )  # it loads Jinja: who needs none waits not

        where = self.source.where((*path, "template"))
        work = partial(read_template, self.folder, table.template, self.resources, where)
        template = self.source.collect(work)
        return self.kinds.of_template(template) if template else None

    def _rule(self, raw: Mapping[str, Any], path: KeyPath) -> Rule | None:
        return self.source.validate_tagged("kind", self.kinds.rules, raw, path, self.resources)

    def _pieces(
        self, raw: Mapping[str, Any], path: KeyPath, columns: list[Column], is_all: bool
    ) -> tuple[Piece, ...]:
        """The rows of the component's table. `is_all`: nobody reads a column but these."""
        wanted = Wanted(columns, is_all, language=self.language)
        wanted = replace(wanted, default=self._defaults(raw, path, wanted))
        variant = _table(_table(self.source.raw, "variant"), self.variant)
        id_, file, at = raw.get("id"), raw.get("table"), (*path, "table")
        other = _table(variant, "table").get(id_) if isinstance(id_, str) else None
        there = ("variant", self.variant, "table", str(id_))
        is_more = variant.get("extends") is True
        if other is not None and not is_more:
            file, at = other, there
        pieces = self._own_pieces(raw, path, file, at, wanted)
        if is_more and isinstance(other, str):
            where = self.source.where(there)
            more = partial(
                read_table, self.folder, other, replace(wanted, is_extension=True), where
            )
            added = self.source.collect(more)
            if pieces is not None and added is not None:
                pieces = self.source.collect(partial(extended, pieces, added))
        if pieces is not None and not any(piece.copies for piece in pieces):
            hint = "give it a row for each piece" if not pieces else "a count of 0 prints nothing"
            what = f"the table {shown(file)} has" if isinstance(file, str) else "the rows have"
            self.source.report(at, f"{what} nothing to print", hint)
        return pieces or ()

    def _own_pieces(
        self, raw: Mapping[str, Any], path: KeyPath, file: object, at: KeyPath, wanted: Wanted
    ) -> tuple[Piece, ...] | None:
        """Those of a file or of the rows in the spec; None when a fault was reported."""
        if isinstance(file, str):
            where = self.source.where(at)
            return self.source.collect(partial(read_table, self.folder, file, wanted, where))
        if raw.get("row") and isinstance(raw["row"], list):
            return self.source.collect(self._rows(raw, (*path, "row"), wanted))
        if "table" not in raw and raw.get("row", []) == []:
            hint = "the file with a row for each piece: 'cards.csv', or [[component.row]] tables"
            self.source.report(at, "the key 'table' is missing", hint)
        return None

    def _rows(
        self, raw: Mapping[str, Any], path: KeyPath, wanted: Wanted
    ) -> Callable[[], tuple[Piece, ...]]:
        rows = [row if isinstance(row, dict) else {} for row in raw["row"]]  # told by the document

        def line_of(index: int, key: str) -> int:
            return self.source.line((*path, index, key) if key else (*path, index))

        return partial(read_rows, rows, self.source.name, line_of, wanted)

    def _defaults(self, raw: Mapping[str, Any], path: KeyPath, wanted: Wanted) -> dict[str, str]:
        defaults: dict[str, str] = {}
        for name, value in _table(raw, "default").items():
            try:
                defaults[name] = wanted.default_of(name, value)
            except MisfitError as error:
                defaults |= wanted.stand_in(name)  # so that no row is at fault
                self.source.report((*path, "default", name), f"{name}: {error}", error.hint)
        return defaults


def _rules(raw: Mapping[str, Any], path: KeyPath) -> Iterator[tuple[Mapping[str, Any], KeyPath]]:
    rules = raw.get("rule")
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if isinstance(rule, dict):
            yield rule, (*path, "rule", index)


def _merged(readers: Sequence[Renderer | Rule]) -> list[Column]:
    """The columns that all readers need; where two differ, the narrower range holds."""
    merged: dict[str, Column] = {}
    for column in (column for reader in readers for column in reader.columns()):
        other = merged.get(column.name, column)
        lows = [c.low for c in (column, other) if c.low is not None]
        highs = [c.high for c in (column, other) if c.high is not None]
        asked = other.asked or column.asked
        low, high = max(lows, default=None), min(highs, default=None)
        merged[column.name] = Column(column.name, low, high, asked)
    return list(merged.values())


def _check_ids(source: Source) -> None:
    """No component's id is taken, and every variant knows the ids it names."""
    lines: dict[object, str] = {}
    boxes = ((table.get("id", "box"), path) for table, path in _tables(source.raw, "box"))
    components = ((table.get("id"), path) for table, path in _components(source.raw))
    for id_, path in (*components, *boxes):
        where = source.where((*path, "id"))
        if isinstance(id_, str) and id_ in lines:
            hint = "every component has an id of its own"
            what = f"the id {shown(id_)} is taken by line {lines[id_].rpartition(':')[2]}"
            source.report((*path, "id"), what, hint)
        lines.setdefault(id_ if isinstance(id_, str) else None, where)
    if source.raw.get("component") == []:
        source.report(("component",), "there is no [[component]], so nothing to print")
    known = [id_ for id_ in lines if isinstance(id_, str)]
    for name, variant in _table(source.raw, "variant").items():
        for id_ in _table(variant, "table") if isinstance(variant, dict) else ():
            if id_ not in lines:
                path = ("variant", name, "table", id_)
                source.report(path, f"unknown component {shown(id_)}", did_you_mean(id_, known))


def _check_titles(source: Source, fonts: FontBook) -> None:
    """The font of the sheets can set every title."""
    tables = [(_table(source.raw, "game"), ("game",)), *_components(source.raw)]
    for table, path in tables:
        title = table.get("title")
        missing = fonts.find(HOUSE_FAMILY).missing(title) if isinstance(title, str) else ""
        if missing and missing.isprintable():
            what = f"title: the font of the sheets, {HOUSE_FAMILY}, has no sign for {missing!r}"
            source.report((*path, "title"), what, "spell it with other letters")


def _boxed(
    source: Source, boxes: Sequence[_Box], components: Sequence[Component]
) -> list[Component]:
    """The boxes around components. Raises PnpError for each that cannot be made."""
    made = []
    for table, face, path in boxes:
        try:
            made.append(box(table, face, components, source.where(path)))
        except MisfitError as error:
            source.report(path, str(error), error.hint)
    if source.problems:
        raise PnpError(source.problems)
    return made


def _component(table: ComponentTable, parts: _Parts, where: str) -> Component:
    assert parts.front is not None, "a fault of the front was reported before"
    shape = parts.shape or rectangle(Size(*(table.size or ())))
    bleed = table.bleed_length
    return Component(
        id=table.id,
        title=table.title,
        shape=shape,
        corner_radius=table.corner_radius,
        bleed=bleed,
        back_bleed=bleed if table.back_bleed is None else table.back_bleed,
        safe=table.safe,
        cuts=_cuts(table),
        edges=parts.edges,
        front=parts.front,
        back=parts.back,
        pieces=parts.pieces,
        rules=parts.rules,
        where=where,
    )


def _cuts(table: ComponentTable) -> Cuts:
    """What is not a rectangle is cut out by itself unless told."""
    can_share = not table.shape or table.shape.get("kind") in SHARING
    if table.bleed == "auto" and can_share:
        return "auto"
    return table.cuts or ("double" if table.shape else "shared")
