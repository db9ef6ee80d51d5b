"""Take a game's folder and the kinds of faces and checks, make a Game or report every problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from generator.art.lightening import lighten_art
from generator.art.missing import crossed
from generator.art.picture import ArtReader
from generator.colours import read_colour
from generator.errors import MisfitError, PnpError, Problem, did_you_mean, fail, nearest, quote
from generator.fields import Resources, font_hint
from generator.files import is_one_line
from generator.filled import Templates
from generator.gamefile.accepts import check_accepts, read_accepts
from generator.gamefile.booklet import read_booklet
from generator.gamefile.box import RENDERER, BoxTable, box
from generator.gamefile.document import (
    ComponentTable,
    Document,
    EdgeTable,
    LanguageTable,
    without_strays,
)
from generator.gamefile.fonts import note_stand_ins, read_fonts
from generator.gamefile.icons import read_icons
from generator.gamefile.ink import check_low_ink, put_low_ink, read_low_ink
from generator.gamefile.languages import check_languages, raw_words, translate
from generator.gamefile.locate import Path as KeyPath
from generator.gamefile.odds import Inquiry, name_columns, read_questions
from generator.gamefile.pieces import Tables
from generator.gamefile.play import read_play
from generator.gamefile.references import check_ids, check_layers
from generator.gamefile.scene import read_scene
from generator.gamefile.shapes import SHAPES, SHARING
from generator.gamefile.source import Source
from generator.gamefile.spec import table_of
from generator.gamefile.templates import TemplateReader
from generator.gamefile.unread import Unread, name_faces
from generator.geometry import Size
from generator.model import (
    DRAWN,
    LEAFLETS,
    SIDES,
    Art,
    Check,
    Component,
    Cuts,
    Design,
    Game,
    LoadedGame,
    Merged,
    Piece,
    PlacedCheck,
    Renderer,
    Side,
)
from generator.outlines import Shape, rectangle
from generator.place import Place
from generator.text import HOUSE_FAMILY, FontBook


@dataclass(frozen=True, slots=True)
class Kinds:
    """The renderers and checks that a spec may name: dataclasses, their fields the options."""

    renderers: Mapping[str, type[Renderer]]
    checks: Mapping[str, type[Check]]
    of_template: Callable[[Templates], Renderer]


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a [[component]]; None where a fault was reported."""

    shape: Shape | None  # also None for a rectangle
    front: Renderer | None
    back: Renderer | None
    edges: Mapping[Side, str]
    places: Mapping[str, Place]
    checks: tuple[PlacedCheck, ...]
    pieces: tuple[Piece, ...]
    merged: Merged | None


def read(
    folder: Path,
    variant: str,
    kinds: Kinds,
    language: str = "",
    *,
    is_draft: bool = False,
    is_low_ink: bool = False,
    reads_all: bool = False,
) -> LoadedGame:
    """Reads the game in `folder`, or its variant, in a language of its tables ("" for the
    original), as it prints with its usual ink or with little. Raises PnpError with every problem of
    its files.

    For a draft, it leaves out each component, box and booklet that cannot be read, and what stands
    in for a picture or a cell at fault is kept. The problems are then among the findings; PnpError
    is raised if no component is left. With `reads_all`, the pieces have every column of their
    tables, as text where no renderer or check reads it.
    """
    source = Source(folder)
    document = source.validate(Document, without_strays(source.raw), (), None)
    check_low_ink(source)
    if is_low_ink:
        put_low_ink(source)
    fonts = read_fonts(source, folder, is_draft=is_draft)
    resources = _resources(source, folder, fonts, language)
    tables = Tables(source, folder, variant, language, is_draft)
    templates = TemplateReader(source, folder, resources, tables)
    inquiry = read_questions(source, reads_all=reads_all)
    reading = _SpecReader(source, kinds, resources, tables, templates, inquiry)
    parts = [reading.parts(component, path) for component, path in source.tables("component")]
    booklet = read_booklet(source, folder, resources)
    boxes = [one for raw, path in source.tables("box") if (one := reading.box(raw, path))]
    low_ink = read_low_ink(source, resources) if is_low_ink else None
    if booklet and low_ink:
        arts = {name: lighten_art(art, low_ink) for name, art in booklet.poster.art.items()}
        booklet = replace(booklet, poster=replace(booklet.poster, art=arts))
    check_ids(source)
    if not source.problems:
        check_layers(source, templates.layers)
    check_languages(source, fonts, [one.table.id for one in boxes])
    check_accepts(source)
    if document is None or (source.problems and not is_draft):
        raise PnpError([*source.problems, *fonts.findings])
    designs = list(_designs(source, document, parts))
    if not designs:
        raise PnpError([*source.problems, *tables.notes.problems, *fonts.findings])
    designs += _make_boxes(source, boxes, [design.component for design in designs])
    components = tuple(design.component for design in designs)
    scene = read_scene(source, components, resources)
    play = read_play(source, resources)
    if source.problems and not is_draft:
        raise PnpError(source.problems)
    chosen = document.variant.get(variant)
    game = Game(
        name="-".join(part for part in (folder.name, variant, language) if part),
        title=document.game.title,
        designer=document.game.designer,
        about=chosen.about if chosen else document.game.about,
        components=components,
        font_folders=fonts.folders,
        booklet=booklet,
        language=language,
        palette=document.palette,
        accepts=tuple(read_accepts(source, document, variant, components)),
        title_languages=tuple(document.language),
        low_ink=low_ink,
        scene=scene,
        play=play,
    )
    if language and language not in game.languages:
        hint = did_you_mean(language, game.languages)
        hint = hint or "a translation of `name` is a column 'name.de'"
        raise fail(source.spec, f"the game has nothing in the language {quote(language)}", hint)
    game = translate(game, document.language.get(language, LanguageTable()))
    titled = zip(designs, game.components, strict=True)
    designs = [replace(one, component=component) for one, component in titled]
    find = partial(_find, source, designs, resources, tables, templates)
    return LoadedGame(game, tuple(designs), find, inquiry.placed)


def _find(
    source: Source,
    designs: Sequence[Design],
    resources: Resources,
    tables: Tables,
    templates: TemplateReader,
) -> Iterator[Problem]:
    """What the reader has found so far."""
    yield from name_faces(source.problems, designs)
    yield from resources.fonts.findings
    yield from note_stand_ins(resources.stand_ins, source.spec)
    yield from resources.findings
    yield from tables.notes.problems
    yield from templates.braced()


def _resources(source: Source, folder: Path, fonts: FontBook, language: str) -> Resources:
    """The colours, art, icons and fonts that the spec may name. A malformed colour becomes black
    and unreadable art a crossed box: they are reported once, not wherever they are used."""
    palette = {
        name: _colour_or_black(value) for name, value in table_of(source.raw, "palette").items()
    }
    reader = ArtReader(folder, fonts, tuple(_fallback(source, fonts)))
    art: dict[str, Art] = {}
    for name, file in table_of(source.raw, "art").items():
        file = file if isinstance(file, str) and is_one_line(file) else ""
        place = source.place(("art", name))
        read = source.collect(partial(reader.read, file, place)) if file else None
        art[name] = replace(read, name=name) if read else Art(name, crossed(file), file)
    icons = read_icons(source, reader)
    return Resources(
        palette,
        art,
        icons,
        fonts,
        reader.fallback,
        language,
        reader.read,
        reader.stand_ins,
        reader.findings,
    )


def _colour_or_black(value: object) -> str:
    try:
        return read_colour(value)
    except MisfitError:
        return "#000000"


def _fallback(source: Source, fonts: FontBook) -> Iterator[str]:
    """The families that exist. Document reports a value that is not a list of texts."""
    families = table_of(source.raw, "game").get("fallback")
    for index, family in enumerate(families if isinstance(families, list) else ()):
        choice = fonts.choose([family]) if isinstance(family, str) else None
        if choice and not choice.stands_for:
            yield choice.families[0]
        elif isinstance(family, str):
            what = f"there is no font family {quote(family)}"
            source.report(("game", "fallback", index), what, font_hint(family, fonts))


class _Box(NamedTuple):
    """A validated [[box]]."""

    table: BoxTable
    face: Renderer
    path: KeyPath


@dataclass(frozen=True, slots=True)
class _SpecReader:
    """Reads the components and boxes of a spec, one after another."""

    source: Source
    kinds: Kinds
    resources: Resources
    tables: Tables
    templates: TemplateReader
    inquiry: Inquiry

    def parts(self, raw: Mapping[str, Any], path: KeyPath) -> _Parts:
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
        return _Parts(shape, front, back, edges, places, checks, pieces, merged)

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
        own = {key: value for key, value in raw.items() if key in BoxTable.model_fields}
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


def _make_boxes(
    source: Source, boxes: Sequence[_Box], components: Sequence[Component]
) -> list[Design]:
    """The boxes around components. Reports every box that cannot be made."""
    designs: list[Design] = []
    taken = {component.id for component in components}
    for table, face, path in boxes:
        if table.id in taken:
            continue  # reported before
        taken.add(table.id)
        try:
            designs.append(Design(box(table, components, source.place(path)), face))
        except MisfitError as error:
            source.report(path, str(error), error.hint)
    return designs


def _designs(source: Source, document: Document, parts: Sequence[_Parts]) -> Iterator[Design]:
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


def _design(table: ComponentTable, parts: _Parts, place: Place) -> Design:
    assert parts.front is not None, "a fault of the front was reported before"
    columns: dict[Side, tuple[str, ...]] = {"front": _names(parts.front)}
    if parts.back is not None:
        columns["back"] = _names(parts.back)
    component = _component(table, parts, columns, place)
    return Design(component, parts.front, parts.back, parts.checks)


def _names(renderer: Renderer) -> tuple[str, ...]:
    return tuple(column.name for column in renderer.columns())


def _component(
    table: ComponentTable, parts: _Parts, columns: Mapping[Side, tuple[str, ...]], place: Place
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
