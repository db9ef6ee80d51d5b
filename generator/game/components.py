"""Designs of components, read from their raw tables.

In a draft, a placeholder stands for a side of a component whose template or renderer has faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from generator import model
from generator.basics.errors import Place, PnpError, Problem, nearest, quote
from generator.basics.keys import KeyPath, Keys
from generator.basics.papers import Paper, parse_paper
from generator.basics.shapes import Shape
from generator.game.boxes import RENDERER, TITLING, BoxTable, WantedBox
from generator.game.component_keys import ComponentTable, RowMeasures, SideTable, largest, read_shape
from generator.game.document import Document, find_paper, raw_words
from generator.game.pieces import Tables, TemplateReader
from generator.game.shapes import SHARING
from generator.game.spec import Raw, Source, table_of, walk
from generator.layout.forme import find_tiling
from generator.tables.fields import Resources
from generator.tables.schema import NUMBERS, OWN, REMARK, fold, is_translation
from generator.text import HOUSE_FAMILY

if TYPE_CHECKING:
    from generator.faces.templating.choosing import Templates

_OF_SIDE = SideTable.__struct_fields__
_TILED = "triangles, convex quadrilaterals, and hexagons whose opposite sides are equal do"
T = TypeVar("T")
Headings = Callable[[Raw, KeyPath], Sequence[str]]


class RoomTable(Struct, Generic[T], frozen=True):
    """A table of game.toml that another room reads: [play], [[odds]], [scene].

    kinds: its class of keys; of an array of tables, the classes by the `kind` that each names.
    read: makes its value when the components are read; None after it has reported the faults.
    columns: those that it reads, by the id of the component, before any rows are read; it is told
        what gives the headings of a component's table.
    """

    name: str
    kinds: type[Keys] | Mapping[str, type[Keys]]
    read: Callable[[Source, Sequence[model.Component], Resources], T | None]
    columns: Callable[[Source, Headings], Mapping[str, Sequence[model.Column]]] = lambda _, __: {}

    def of(self, game: model.Game) -> T | None:
        """The value in a game; None if it has no such table."""
        return cast("T | None", game.tables.get(self.name))


class Kinds(Struct, frozen=True):
    """The renderers and checks that a spec may name, each a class of keys: its options; and the
    tables of it that other rooms read."""

    renderers: Mapping[str, type[model.Renderer]]
    checks: Mapping[str, type[model.Check]]
    of_template: Callable[[Templates], model.Renderer]
    tables: Mapping[str, RoomTable[Any]]


class ComponentParts(Struct, frozen=True):
    """The parts of a [[component]]; None where a fault was reported."""

    shape: Shape | None
    front: model.Renderer | None
    back: model.Renderer | None
    sides: Mapping[model.Side, SideTable]
    places: Mapping[str, Place]
    checks: tuple[model.PlacedCheck, ...]
    pieces: tuple[model.Piece, ...]
    merged: model.Merged | None
    paper: Paper | None


class ComponentReader(Struct, frozen=True):
    """Reads the components and boxes of a spec, one after another."""

    source: Source
    kinds: Kinds
    resources: Resources
    tables: Tables
    templates: TemplateReader
    asked: Mapping[str, Sequence[model.Column]]  # columns that tables of other rooms read
    reads_all: bool  # every column is read

    def parts(self, raw: Raw, path: KeyPath) -> ComponentParts:
        front = self._face(raw, path, "front")
        back = self._face(raw, path, "back")
        is_whole = not any(isinstance(side, Unread) for side in (front, back))
        checks = tuple(self._checks(raw, path)) if is_whole else ()
        sides = {side: self._side(raw, path, side) for side in model.SIDES if side in raw}
        readers = [check for check in (front, back, *(placed.check for placed in checks)) if check]
        declared = 1 + ("back" in raw) + len(list(_rules(raw, path)))
        drawn = (column for side in (front, back) if side for column in side.columns())
        place = self.source.place(path)  # of what a text in the options of a side reads
        read = [replace(column, reader=place) if column.reader == Place("") else column for column in drawn]
        read += [column for placed in checks for column in placed.check.columns()]
        read += [model.Column(side.turn_by) for side in sides.values() if side.turn_by]
        read += self.asked.get(str(raw.get("id")), ())
        if self.reads_all:
            read += _name_columns(self.tables.headings(raw, path), self.source.place(path))
        is_all = is_whole and len(readers) == declared
        headings = partial(self.tables.headings, raw, path)
        measures = RowMeasures.of(self.source, self.resources, raw, path, headings)
        read += measures.columns() if measures else ()
        pieces, merged = self.tables.read(raw, path, read, is_all=is_all)
        places = dict(self._places(raw, path))
        if measures:
            pieces = measures.measure(pieces)
        shape = largest(pieces) if measures else read_shape(self.source, self.resources, raw, path)
        paper = self._paper(raw, path)
        return ComponentParts(shape, front, back, sides, places, checks, pieces, merged, paper)

    def _paper(self, raw: Raw, path: KeyPath) -> Paper | None:
        """The paper that a component names, which may be one of the game's own; None without one,
        and if a fault is reported."""
        name = raw.get("paper")
        if not isinstance(name, str):
            return None
        if name in table_of(self.source.raw, "paper"):
            return self.source.collect(lambda: find_paper(self.source, name))
        try:
            return parse_paper(name)
        except PnpError as error:
            (problem,) = error.problems
            self.source.report((*path, "paper"), f"{problem.place}: {problem.what}", problem.hint)
            return None

    def _places(self, raw: Raw, path: KeyPath) -> Iterator[tuple[str, Place]]:
        """The options of both sides and all art, each with its line."""
        tables = [(side, (*path, side), raw.get(side)) for side in model.SIDES]
        for name, key, value in (*tables, ("art", ("art",), self.source.raw.get("art"))):
            for inner, _ in walk(value):
                yield ".".join(map(str, (name, *inner))), self.source.place((*key, *inner))

    def box(self, raw: Raw, path: KeyPath) -> WantedBox | None:
        """A [[box]], by default with the game's title; None if a fault is reported. An empty title is none."""
        keys = BoxTable.__struct_fields__
        own = {key: value for key, value in raw.items() if key in keys}
        table = self.source.validate(BoxTable, own, path, self.resources)
        words = raw_words(self.source, self.resources.language)
        variant = table_of(table_of(self.source.raw, "variant"), self.tables.variant)
        title = words.get("title") or variant.get("title") or table_of(self.source.raw, "game").get("title")
        title = title if isinstance(title, str) else ""
        on = "top" if raw.get("kind") == "lid" else "front"
        options: dict[str, Any] = {"renderer": RENDERER, "titles": {on: 0.5}, "title": title}
        options["title_font"] = self._family_for(raw.get("title", title))
        options = {key: value for key, value in options.items() if value}
        options |= {key: value for key, value in raw.items() if key not in own}
        if raw.get("title") == "":
            options = {key: value for key, value in options.items() if key not in TITLING}
        kinds = self.kinds.renderers
        face = self.source.validate_tagged("renderer", kinds, options, path, self.resources, keys)
        if face is not None and face.columns():
            name = face.columns()[0].name
            what = f"a box has no table, and so no column {quote(name)}"
            self.source.report(path, what, "leave out the keys that end in _by, and '{{'")
            return None
        paper = self._paper(own, path)
        return WantedBox(table, face, path, paper) if table and face else None

    def _family_for(self, title: object) -> str:
        """The font of the sheets; where it cannot set a title, one of the game's that can."""
        fonts, text = self.resources.fonts, str(title)
        families = (HOUSE_FAMILY, *fonts.own_families)
        able = (family for family in families if not fonts.find(family).missing(text))
        return next(able, HOUSE_FAMILY)

    def _side(self, raw: Raw, path: KeyPath, side: model.Side) -> SideTable:
        own = {key: value for key, value in table_of(raw, side).items() if key in _OF_SIDE}
        return self.source.validate(SideTable, own, (*path, side), self.resources) or SideTable()

    def _face(self, raw: Raw, path: KeyPath, side: str) -> model.Renderer | None:
        """The renderer of a side; None without one, and if it has faults, except in a draft."""
        table = raw.get(side)
        if not isinstance(table, dict):
            return None
        before = set(self.source.problems)
        renderer = self._renderer(table, raw, path, side)
        if renderer is not None or not self.tables.is_draft:
            return renderer
        file = f"/{table.get('template')}"
        found = (problem for problem in self.source.problems if problem not in before or file in problem.place.file)
        return Unread(frozenset(found))

    def _renderer(self, table: Raw, raw: Raw, path: KeyPath, side: str) -> model.Renderer | None:
        options = {key: value for key, value in table.items() if key not in _OF_SIDE}
        if "template" in options or "layout" in options:
            templates = self.templates.read(options, (*path, side), raw)
            return self.kinds.of_template(templates) if templates else None
        if not any(nearest(key, ["renderer"]) for key in options):
            self.templates.report_none(options, (*path, side), self._likely(options))
            return None
        return self.source.validate_tagged(
            "renderer", self.kinds.renderers, options, (*path, side), self.resources, SideTable.__struct_fields__
        )

    def _likely(self, options: Raw) -> str:
        """The renderer that has the most of some options, "" if none has any."""
        kinds: Mapping[str, type[Any]] = self.kinds.renderers
        shared = {name: len(options.keys() & set(kinds[name].__struct_fields__)) for name in sorted(kinds)}
        return max((name for name in shared if shared[name]), key=shared.__getitem__, default="")

    def _checks(self, raw: Raw, path: KeyPath) -> Iterator[model.PlacedCheck]:
        kinds = self.kinds.checks
        for rule, place in _rules(raw, path):
            check = self.source.validate_tagged("kind", kinds, rule, place, self.resources)
            if check is not None:
                yield model.PlacedCheck(check, self.source.place(place))


def _name_columns(headings: Sequence[str], reader: Place) -> list[model.Column]:
    """The columns of a table, as expressions name them. Two of one name are left out: neither is meant."""
    names = [name for name in headings if not name.startswith(REMARK) and not is_translation(name)]
    folded = [fold(name) for name in names]
    return [
        model.Column(name, reader=reader)
        for name in dict.fromkeys(folded)
        if name and folded.count(name) == 1 and name not in (*OWN, *NUMBERS)
    ]


def _rules(raw: Raw, path: KeyPath) -> Iterator[tuple[Raw, KeyPath]]:
    rules = raw.get("rule")
    for index, rule in enumerate(rules if isinstance(rules, list) else ()):
        if isinstance(rule, dict):
            yield rule, (*path, "rule", index)


def make_designs(source: Source, document: Document, parts: Sequence[ComponentParts]) -> Iterator[model.Design]:
    """The components without those that have a fault, or the id of another part."""
    ids = set(model.LEAFLETS) if document.booklet is not None else set()
    tables = source.tables("component")
    for table, part, (raw, path) in zip(document.component, parts, tables, strict=True):
        is_faced = part.front and (part.back or "back" not in raw)
        _check_corners(source, table, part.pieces)
        _check_sharing(source, table, part, path)
        is_whole = is_faced and part.shape and any(piece.copies for piece in part.pieces)
        if is_whole and table.id not in ids:
            ids.add(table.id)
            yield _design(table, part, source.place(path))


def _check_corners(source: Source, table: ComponentTable, pieces: Sequence[model.Piece]) -> None:
    """Reports the rows whose own size is too small for the rounded corners."""
    for piece in pieces:
        most = min(piece.shape.size) / 2 if piece.shape else table.corner_radius
        if table.corner_radius > most:
            what = f"a corner_radius of {table.corner_radius:g} mm is more than half the piece"
            source.add([Problem(piece.place, what, f"at most {most:g}mm")])


def _check_sharing(source: Source, table: ComponentTable, part: ComponentParts, path: KeyPath) -> None:
    """Reports polygons that are to share their cuts and cannot."""
    if table.cuts not in ("shared", "auto") or part.shape is None:
        return
    own = {piece.shape: piece.place for piece in part.pieces if piece.shape}
    shapes = own or {part.shape: source.place((*path, "cuts"))}
    for shape, place in shapes.items():
        if shape.kind == "outline" or (shape.kind == "polygon" and not find_tiling(shape)):
            source.add([Problem(place, "pieces of this outline cannot share cuts", f"{_TILED}; leave out cuts")])


def _design(table: ComponentTable, parts: ComponentParts, place: Place) -> model.Design:
    assert parts.front is not None, "its fault was reported before"
    assert parts.shape is not None, "so was this one"
    renderers: dict[model.Side, model.Renderer | None] = {"front": parts.front, "back": parts.back}
    bleed = table.bleed_length
    component = model.Component(
        id=table.id,
        title=table.title,
        shape=parts.shape,
        corner_radius=table.corner_radius,
        bleed=bleed,
        back_bleed=bleed if table.back_bleed is None else table.back_bleed,
        least_bleed=table.least_bleed,
        tile=_tile(table.tile),
        safe=table.safe,
        cuts=_cuts(table, parts.shape),
        edges={side: table.edge for side, table in parts.sides.items()},
        turns={side: own.turned for side, own in parts.sides.items() if own.turned is not None},
        places=parts.places,
        columns={side: _names(own, parts.sides[side]) for side, own in renderers.items() if own},
        pieces=parts.pieces,
        merged=parts.merged,
        place=place,
        paper=parts.paper,
    )
    return model.Design(component, parts.front, parts.back, parts.checks, parts.pieces)


def _names(renderer: model.Renderer, table: SideTable) -> tuple[str, ...]:
    names = [column.name for column in renderer.columns()]
    return tuple(dict.fromkeys([*names, table.turn_by] if table.turn_by else names))


def _tile(given: bool | model.Joint | None) -> model.Joint | Literal["auto"] | None:
    if given is None:
        return "auto"
    return given if isinstance(given, str) else "butt" if given else None


def _cuts(table: ComponentTable, shape: Shape) -> model.Cuts:
    """Pieces that are not rectangles are by default cut out one by one."""
    is_box = shape.kind == "rectangle"
    if table.bleed == "auto" and (is_box or (table.shape or {}).get("kind") in SHARING):
        return "auto"
    return table.cuts or ("shared" if is_box else "double")


class Unread(Struct, frozen=True):
    """Implements Renderer; its faces are empty. `problems` are the faults of the side."""

    problems: frozenset[Problem]

    def columns(self) -> Sequence[model.Column]:
        return ()

    def draw(self, _piece: model.Piece, _component: model.Component) -> Sequence[model.PlacedLayer]:
        return ()

    def features(self, _piece: model.Piece, _component: model.Component) -> Iterable[model.Feature]:
        return ()


def name_faces(problems: Iterable[Problem], designs: Sequence[model.Design]) -> Iterator[Problem]:
    """The problems; those of unread sides with the faces that they prevent."""
    unread = [
        (
            renderer.problems,
            [(design.component.id, piece.id, side) for piece in design.component.pieces if piece.is_drawn],
        )
        for design in designs
        for side in model.SIDES
        if isinstance(renderer := design.renderer(side), Unread)
    ]
    for problem in problems:
        faces = [face for faults, of_side in unread if problem in faults for face in of_side]
        yield replace(problem, faces=(*problem.faces, *faces)) if faces else problem
