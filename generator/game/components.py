"""Take the raw tables of components and boxes, read their parts, make a Design of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from generator.basics.errors import MisfitError, nearest, quote
from generator.basics.geometry import Size
from generator.basics.keys import KeyPath
from generator.basics.outlines import Shape, rectangle
from generator.basics.place import Place
from generator.game.box import RENDERER, BoxTable, box
from generator.game.component_table import ComponentTable, EdgeTable
from generator.game.document import Document
from generator.game.languages import raw_words
from generator.game.odds import Inquiry, name_columns
from generator.game.pieces import Tables
from generator.game.shapes import SHAPES, SHARING
from generator.game.source import Source
from generator.game.spec import table_of
from generator.game.templates import TemplateReader
from generator.game.unread import Unread
from generator.model import (
    DRAWN,
    LEAFLETS,
    SIDES,
    Check,
    Component,
    Cuts,
    Design,
    Merged,
    Piece,
    PlacedCheck,
    Renderer,
    Side,
)
from generator.tables.fields import Resources
from generator.tables.filled import Templates
from generator.text import HOUSE_FAMILY


class Kinds(Struct, frozen=True):
    """The renderers and checks that a spec may name, each a class of keys: its options."""

    renderers: Mapping[str, type[Renderer]]
    checks: Mapping[str, type[Check]]
    of_template: Callable[[Templates], Renderer]


class ComponentParts(Struct, frozen=True):
    """The parts of a [[component]]; None where a fault was reported."""

    shape: Shape | None  # also None for a rectangle
    front: Renderer | None
    back: Renderer | None
    edges: Mapping[Side, str]
    places: Mapping[str, Place]
    checks: tuple[PlacedCheck, ...]
    pieces: tuple[Piece, ...]
    merged: Merged | None


class _Box(Struct, frozen=True):
    """A validated [[box]]."""

    table: BoxTable
    face: Renderer
    path: KeyPath


class ComponentReader(Struct, frozen=True):
    """Reads the components and boxes of a spec, one after another."""

    source: Source
    kinds: Kinds
    resources: Resources
    tables: Tables
    templates: TemplateReader
    inquiry: Inquiry

    def parts(self, raw: Mapping[str, Any], path: KeyPath) -> ComponentParts:
        front = self._face(raw, path, "front")
        back = self._face(raw, path, "back")
        is_whole = not any(isinstance(side, Unread) for side in (front, back))
        checks = tuple(self._checks(raw, path)) if is_whole else ()
        readers = [one for one in (front, back, *(placed.check for placed in checks)) if one]
        declared = 1 + ("back" in raw) + len(list(_rules(raw, path)))
        read = [column for reader in readers for column in reader.columns()]
        read += self.inquiry.columns_of(raw.get("id"))
        if self.inquiry.reads_all:
            read += name_columns(self.tables.headings(raw, path), self.source.place(path))
        is_all = is_whole and len(readers) == declared
        pieces, merged = self.tables.read(raw, path, read, is_all=is_all)
        edges = {side: self._edge(raw, path, side) for side in SIDES if side in raw}
        places = dict(self._places(raw, path))
        shape = self._shape(raw, path)
        return ComponentParts(shape, front, back, edges, places, checks, pieces, merged)

    def _places(self, raw: Mapping[str, Any], path: KeyPath) -> Iterator[tuple[str, Place]]:
        """The options of both sides and all art, each with its line."""
        tables = [(side, (*path, side), raw.get(side)) for side in SIDES]
        for name, key, value in (*tables, ("art", ("art",), self.source.raw.get("art"))):
            yield from self._places_within(name, key, value)

    def _places_within(
        self, name: str, path: KeyPath, value: object
    ) -> Iterator[tuple[str, Place]]:
        yield name, self.source.place(path)
        items = value.items() if isinstance(value, dict) else ()
        for key, inner in enumerate(value) if isinstance(value, list) else items:
            yield from self._places_within(f"{name}.{key}", (*path, key), inner)

    def box(self, raw: Mapping[str, Any], path: KeyPath) -> _Box | None:
        """A [[box]], by default with the game's title; None if a fault is reported."""
        own = {key: value for key, value in raw.items() if key in BoxTable.__struct_fields__}
        table = self.source.validate(BoxTable, own, path, self.resources)
        words = raw_words(self.source, self.resources.language)
        title = words.get("title") or table_of(self.source.raw, "game").get("title")
        title = title if isinstance(title, str) else ""
        options = {"renderer": RENDERER, "titles": {"front": 0.5}, "title": title}
        options["title_font"] = self._family_for(raw.get("title", title))
        options = {key: value for key, value in options.items() if value}
        options |= {key: value for key, value in raw.items() if key not in own}
        kinds = self.kinds.renderers
        face = self.source.validate_tagged("renderer", kinds, options, path, self.resources)
        if face is not None and face.columns():
            name = face.columns()[0].name
            what = f"a box has no table, and so no column {quote(name)}"
            self.source.report(path, what, "leave out the keys that end in _by")
            return None
        return _Box(table, face, path) if table and face else None

    def _family_for(self, title: object) -> str:
        """The font of the sheets; where it cannot set a title, one of the game's that can."""
        fonts, text = self.resources.fonts, str(title)
        families = (HOUSE_FAMILY, *fonts.own_families())
        able = (family for family in families if not fonts.find(family).missing(text))
        return next(able, HOUSE_FAMILY)

    def _edge(self, raw: Mapping[str, Any], path: KeyPath, side: Side) -> str:
        options = {key: value for key, value in table_of(raw, side).items() if key == "edge"}
        table = self.source.validate(EdgeTable, options, (*path, side), self.resources)
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
        """The renderer of a side; None without one, and if it has faults, except in a draft."""
        table = raw.get(side)
        if not isinstance(table, dict):
            return None
        before = set(self.source.problems)
        renderer = self._renderer(table, raw, path, side)
        if renderer is not None or not self.tables.is_draft:
            return renderer
        file = f"/{table.get('template')}"
        found = (one for one in self.source.problems if one not in before or file in one.place.file)
        return Unread(frozenset(found))

    def _renderer(
        self, table: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, side: str
    ) -> Renderer | None:
        options = {key: value for key, value in table.items() if key != "edge"}
        if "template" in options:
            templates = self.templates.read(options, (*path, side), raw)
            return self.kinds.of_template(templates) if templates else None
        if not any(nearest(key, ["renderer"]) for key in options):
            self.templates.report_none(options, (*path, side))
            return None
        return self.source.validate_tagged(
            "renderer", self.kinds.renderers, options, (*path, side), self.resources
        )

    def _checks(self, raw: Mapping[str, Any], path: KeyPath) -> Iterator[PlacedCheck]:
        kinds = self.kinds.checks
        for rule, place in _rules(raw, path):
            check = self.source.validate_tagged("kind", kinds, rule, place, self.resources)
            if check is not None:
                yield PlacedCheck(check, self.source.place(place))


def _rules(raw: Mapping[str, Any], path: KeyPath) -> Iterator[tuple[Mapping[str, Any], KeyPath]]:
    rules = raw.get("rule")
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if isinstance(rule, dict):
            yield rule, (*path, "rule", index)


def make_boxes(
    source: Source, boxes: Sequence[_Box], components: Sequence[Component]
) -> list[Design]:
    """The boxes around components. Reports every box that cannot be made."""
    designs: list[Design] = []
    taken = {component.id for component in components}
    for one in boxes:
        if one.table.id in taken:
            continue  # reported before
        taken.add(one.table.id)
        try:
            designs.append(Design(box(one.table, components, source.place(one.path)), one.face))
        except MisfitError as error:
            source.report(one.path, str(error), error.hint)
    return designs


def make_designs(
    source: Source, document: Document, parts: Sequence[ComponentParts]
) -> Iterator[Design]:
    """The components without those that have a fault, or the id of another part."""
    ids = set(LEAFLETS) if document.booklet is not None else set()
    tables = source.tables("component")
    for table, part, (raw, path) in zip(document.component, parts, tables, strict=True):
        is_faced = part.front and (part.back or "back" not in raw)
        is_shaped = part.shape or (table.size and "shape" not in raw)
        is_whole = is_faced and is_shaped and any(piece.copies for piece in part.pieces)
        if is_whole and table.id not in ids:
            ids.add(table.id)
            yield _design(table, part, source.place(path))


def _design(table: ComponentTable, parts: ComponentParts, place: Place) -> Design:
    assert parts.front is not None, "a fault of the front was reported before"
    columns: dict[Side, tuple[str, ...]] = {"front": _names(parts.front)}
    if parts.back is not None:
        columns["back"] = _names(parts.back)
    component = _component(table, parts, columns, place)
    return Design(component, parts.front, parts.back, parts.checks)


def _names(renderer: Renderer) -> tuple[str, ...]:
    return tuple(column.name for column in renderer.columns())


def _component(
    table: ComponentTable,
    parts: ComponentParts,
    columns: Mapping[Side, tuple[str, ...]],
    place: Place,
) -> Component:
    shape = parts.shape or rectangle(Size(*(table.size or ())))
    bleed = table.bleed_length
    return Component(
        id=table.id,
        title=table.title,
        shape=shape,
        corner_radius=table.corner_radius,
        bleed=bleed,
        back_bleed=bleed if table.back_bleed is None else table.back_bleed,
        least_bleed=table.least_bleed,
        safe=table.safe,
        cuts=_cuts(table),
        edges=parts.edges,
        places=parts.places,
        columns=columns,
        pieces=parts.pieces,
        merged=parts.merged,
        place=place,
    )


def _cuts(table: ComponentTable) -> Cuts:
    """Pieces that are not rectangles are by default cut out one by one."""
    can_share = not table.shape or table.shape.get("kind") in SHARING
    if table.bleed == "auto" and can_share:
        return "auto"
    return table.cuts or ("double" if table.shape else "shared")
