"""Take a game's folder and the kinds of faces and rules, make a Game or all its problems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from generator.errors import PnpError, did_you_mean
from generator.fields import HEX_PATTERN, Resources
from generator.files import MEGABYTE, decode, read_within
from generator.geometry import Size
from generator.model import Art, Column, Component, Game, Piece, Renderer, Rule
from generator.spec.art import read_art
from generator.spec.document import ComponentTable, Document
from generator.spec.locate import Path as KeyPath
from generator.spec.source import Source
from generator.spec.tables import read_table
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook

MAX_BYTES = 2 * MEGABYTE
SPEC = "game.toml"


@dataclass(frozen=True, slots=True)
class Kinds:
    """The renderers and rules a spec may name, each a dataclass whose fields are its options."""

    renderers: Mapping[str, type[Renderer]]
    rules: Mapping[str, type[Rule]]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a [[component]] names: None where a fault was reported."""

    front: Renderer | None
    back: Renderer | None
    rules: tuple[Rule, ...]
    pieces: tuple[Piece, ...]


def read(folder: Path, variant: str, kinds: Kinds) -> Game:
    """The game in `folder`, or its variant. Raises PnpError with every problem of its files."""
    name = f"{folder.name}/{SPEC}"
    text = decode(read_within(folder, SPEC, MAX_BYTES, name), name)
    source = Source(name, text)
    raw = source.parse()
    fonts = FontBook([HOUSE_FONTS, *_own_fonts(folder)])
    document = source.validate(Document, raw, (), None)
    resources = _resources(source, folder, raw, fonts)
    other_tables = _table(_table(_table(raw, "variant"), variant), "table")
    reading = _Reading(source, folder, kinds, resources, other_tables)
    components = raw.get("component")
    parts = [
        reading.parts(component, ("component", index))
        for index, component in enumerate(components if isinstance(components, list) else ())
        if isinstance(component, dict)
    ]
    if document is not None:
        _check_document(source, document, fonts)
    if source.problems or document is None:
        raise PnpError(source.problems)
    chosen = document.variant.get(variant)
    return Game(
        name=f"{folder.name}-{variant}" if variant else folder.name,
        title=document.game.title,
        designer=document.game.designer,
        about=chosen.about if chosen else document.game.about,
        components=tuple(
            _component(table, part, source.where(("component", index)))
            for index, (table, part) in enumerate(zip(document.component, parts, strict=True))
        ),
        font_folders=fonts.folders,
    )


def _own_fonts(folder: Path) -> Iterator[Path]:
    fonts = folder / "fonts"
    if fonts.resolve().is_relative_to(folder.resolve()):
        yield fonts


def _table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A sub-table of raw TOML, empty when there is none: faults of shape are the document's."""
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _resources(source: Source, folder: Path, raw: Mapping[str, Any], fonts: FontBook) -> Resources:
    """What names in the spec may refer to. A malformed colour stands in as black: the document
    has reported it, and its users are not at fault."""
    palette = {
        name: value if isinstance(value, str) and re.match(HEX_PATTERN, value) else "#000000"
        for name, value in _table(raw, "palette").items()
    }
    art: dict[str, Art | None] = {}
    for name, file in _table(raw, "art").items():
        where = source.where(("art", name))
        work = partial(read_art, folder, name, file, fonts, where)
        art[name] = source.collect(work) if isinstance(file, str) else None
    return Resources(palette, art, fonts)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Everything needed to read one component after another."""

    source: Source
    folder: Path
    kinds: Kinds
    resources: Resources
    other_tables: Mapping[str, Any]

    def parts(self, raw: Mapping[str, Any], path: KeyPath) -> _Parts:
        front = self._face(raw, path, "front")
        back = self._face(raw, path, "back")
        rules = tuple(self._rules(raw, path))
        is_sound = front and (back or "back" not in raw)
        columns = _merged([front, back, *rules]) if is_sound else None
        return _Parts(front, back, rules, self._pieces(raw, path, columns))

    def _face(self, raw: Mapping[str, Any], path: KeyPath, side: str) -> Renderer | None:
        table = raw.get(side)
        if not isinstance(table, dict):
            return None
        return self.source.validate_tagged(
            "renderer", self.kinds.renderers, table, (*path, side), self.resources
        )

    def _rules(self, raw: Mapping[str, Any], path: KeyPath) -> Iterator[Rule]:
        tables = raw.get("rule")
        for index, table in enumerate(tables if isinstance(tables, list) else ()):
            if isinstance(table, dict):
                rule = self.source.validate_tagged(
                    "kind", self.kinds.rules, table, (*path, "rule", index), self.resources
                )
                if rule is not None:
                    yield rule

    def _pieces(
        self, raw: Mapping[str, Any], path: KeyPath, columns: list[Column] | None
    ) -> tuple[Piece, ...]:
        """The rows of the component's table; none when nobody knows its columns."""
        file = self.other_tables.get(str(raw.get("id")), raw.get("table"))
        if columns is None or not isinstance(file, str):
            return ()
        where = self.source.where((*path, "table"))
        work = partial(read_table, self.folder, file, columns, where)
        pieces = self.source.collect(work)
        if pieces is not None and not any(piece.copies for piece in pieces):
            self.source.report((*path, "table"), f"{file!r} has nothing to print")
        return pieces or ()


def _merged(readers: list[Renderer | Rule | None]) -> list[Column]:
    """The columns that all readers need; where two differ, the narrower range holds."""
    merged: dict[str, Column] = {}
    for column in (column for reader in readers if reader for column in reader.columns()):
        other = merged.get(column.name, column)
        lows = [c.low for c in (column, other) if c.low is not None]
        highs = [c.high for c in (column, other) if c.high is not None]
        merged[column.name] = Column(column.name, max(lows, default=None), min(highs, default=None))
    return list(merged.values())


def _check_document(source: Source, document: Document, fonts: FontBook) -> None:
    """What holds between the keys of a well-formed document."""
    ids = [component.id for component in document.component]
    if not ids:
        source.report(("component",), "there is no [[component]], so nothing to print")
    for index, id_ in enumerate(ids):
        if id_ in ids[:index]:
            source.report(("component", index, "id"), f"the id {id_!r} is taken")
    for name, variant in document.variant.items():
        for id_ in variant.table:
            if id_ not in ids:
                path = ("variant", name, "table", id_)
                source.report(path, f"unknown component {id_!r}", did_you_mean(id_, ids))
    missing = fonts.find(HOUSE_FAMILY).missing(document.game.title)
    if missing:
        source.report(("game", "title"), f"{HOUSE_FAMILY} has no glyph for {missing!r}")


def _component(table: ComponentTable, parts: _Parts, where: str) -> Component:
    assert parts.front is not None, "a fault of the front was reported before"
    return Component(
        id=table.id,
        title=table.title,
        size=Size(*table.size),
        corner_radius=table.corner_radius,
        bleed=table.bleed,
        front=parts.front,
        back=parts.back,
        pieces=parts.pieces,
        rules=parts.rules,
        where=where,
    )
