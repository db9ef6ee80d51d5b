"""Take [cover] of a game.toml, make the Poster of its cover sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from generator.basics.errors import quote
from generator.basics.files import one_line
from generator.basics.keys import After, Before, Custom, Keys, describe, strip
from generator.game.source import Source
from generator.model import Composition, Poster
from generator.tables.fields import ArtName, Resources

_MOST_ON_COVER = 100  # the lines of a figure


_Part = Annotated[float, Meta(ge=0.0, le=1.0)]
_Words = Custom[str, Before(strip), Meta(min_length=1, max_length=200), After(one_line)]


class CoverTable(Keys, frozen=True, kw_only=True):
    """[cover]: the picture on the cover sheet and on the title page of the rules"""

    composition: Annotated[
        Composition | None,
        describe(
            "'large': one piece; 'fan'; 'row'; 'wall': edge to edge; 'table': each at its place"
        ),
    ] = None
    pieces: Annotated[
        tuple[_Words, ...],
        Meta(max_length=_MOST_ON_COVER),
        describe("as in figures: ['cards 3 turn 10', 'cards 7 back']; table: 'cards 3 at 10 20'"),
    ] = ()
    overlap: Annotated[
        Annotated[float, Meta(ge=-1.0, le=0.95)] | None,
        describe("fan, row: the part of a piece that the next one covers; negative: a gap"),
    ] = None
    fills: Annotated[
        bool, describe("true: the pieces fill the picture and are cut at its edges")
    ] = False
    rows: Annotated[
        tuple[Annotated[str, Meta(max_length=_MOST_ON_COVER)], ...],
        Meta(max_length=_MOST_ON_COVER),
        describe("wall: squares of art, a letter for each: ['y  ', 'yr ', 'yrs']"),
    ] = ()
    art: Annotated[
        Mapping[str, ArtName], describe("[cover.art]: letter = a name in [art], for rows")
    ] = {}
    front: Annotated[_Words | None, describe("a piece in front, large: 'cards 3 turn -8'")] = None
    front_at: Annotated[
        tuple[_Part, _Part],
        describe("its middle, in parts of the picture's width and height"),
    ] = (0.5, 0.5)


def read_poster(source: Source, resources: Resources) -> Poster | None:
    """The picture of the cover, the usual one by default; None if faults are reported."""
    raw, path = source.raw.get("cover", {}), ("cover",)
    if not isinstance(raw, dict):
        return None
    table = source.validate(CoverTable, raw, path, resources)
    if table is None:
        return None
    faults = list(_disagreements(table))
    for key, what, hint in faults:
        source.report((*path, key), what, hint)
    if faults:
        return None
    return Poster(
        place=source.place(path),
        composition=table.composition,
        pieces=table.pieces,
        front=table.front or "",
        front_at=table.front_at,
        rows=table.rows,
        art=table.art,
        overlap=table.overlap,
        fills=table.fills,
    )


def _disagreements(table: CoverTable) -> Iterator[tuple[str, str, str]]:
    """Keys that need each other: each fault with its key and a hint."""
    if table.rows and table.composition != "wall":
        yield "rows", "rows are for a wall", "write composition = 'wall'"
    if table.composition == "table" and not table.pieces:
        yield "composition", "a table needs pieces", "write pieces = ['cards 3 at 0 0']"
    if table.rows and not any(row.strip() for row in table.rows):
        yield "rows", "the rows are empty", "write a letter for each square of art"
    for letter in sorted({*"".join(table.rows)} - {" ", *table.art}):
        yield "rows", f"the letter {quote(letter)} has no art", "give it one in [cover.art]"
    for name in table.art:
        if len(name) != 1:
            yield "art", f"{quote(name)} is not one letter", "rows have one letter for each square"
