"""The tables [booklet] and [cover] of a game.toml.

They make the Booklet to typeset and the Poster of the cover sheet.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from generator.art.picture import crossed
from generator.basics.errors import Place, quote
from generator.basics.files import decode, one_line, read_within
from generator.basics.keys import After, Before, Custom, KeyPath, Keys, strip
from generator.game.document import BookletTable, raw_words
from generator.game.spec import Source
from generator.model import COVER, LEAFLETS, Art, Booklet, Composition, Poster
from generator.tables.fields import ArtName, Resources
from generator.text import HOUSE_FAMILY

MAX_BYTES = 128 * 1024  # more than the text of any booklet that can be stapled
_MOST_ON_COVER = 100  # the lines of a figure


_Part = Annotated[float, Meta(ge=0.0, le=1.0)]
_Words = Custom[str, Before(strip), Meta(min_length=1, max_length=200), After(one_line)]


def read_booklet(source: Source, folder: Path, resources: Resources) -> Booklet | None:
    """Reads the booklet; None if the game has none, or if faults are reported."""
    raw, path = source.raw.get("booklet"), ("booklet",)
    if not isinstance(raw, dict):
        if "cover" in source.raw:
            what = "the cover is part of the booklet, and the game has none"
            source.report(("cover",), what, "add [booklet] and rules.md, or leave [cover] out")
        return None
    _check_ids(source)
    table = source.validate(BookletTable, raw, path, resources)
    poster = read_poster(source, resources)
    if table is None or poster is None:
        return None
    translation = raw_words(source, resources.language).get("booklet")
    file = table.file
    key: KeyPath = (*path, "file")
    if isinstance(translation, str):
        file, key = translation, ("language", resources.language, "booklet")
    place, spec_place = Place.in_folder(folder, file), source.place(key)
    content = source.collect(partial(read_within, folder, file, MAX_BYTES, spec_place))
    text = None if content is None else source.collect(partial(decode, content, place))
    if text is None:
        return None
    text = resources.notation.to_markdown(text)
    return Booklet(
        place=place,
        text=text,
        title_font=table.title_font.family if table.title_font else HOUSE_FAMILY,
        text_font=table.text_font.family if table.text_font else HOUSE_FAMILY,
        fallback=resources.fallback,
        size=table.text_size,
        accent=table.accent,
        icons={**resources.art, **resources.icons, **_read_pictures(source, text, place, resources)},
        palette=resources.palette,
        has_cover=table.cover,
        poster=poster,
        links=table.links,
    )


def _read_pictures(source: Source, text: str, place: Place, resources: Resources) -> dict[str, Art]:
    """The pictures in the rules by their files; a crossed box for one that cannot be read."""
    if "![" not in text:
        return {}
    from generator.booklet.reading import pictures  # loads a parser

    read = {file: source.collect(partial(resources.read_art, file, at)) for file, at in pictures(text, place).items()}
    return {file: art or Art(file, crossed(file), file) for file, art in read.items()}


def _check_ids(source: Source) -> None:
    """Reports components with the id of the booklet or of its cover."""
    for component, path in source.tables("component"):
        id_ = component.get("id")
        if id_ in LEAFLETS:
            what = f"{id_!r} is the name of the {'cover sheet' if id_ == COVER else 'booklet'}"
            source.report((*path, "id"), what, "give the component another id")


class CoverTable(Keys, frozen=True, kw_only=True):
    """[cover]: the picture on the cover sheet and on the title page of the rules"""

    composition: Composition | None = None
    pieces: Annotated[tuple[_Words, ...], Meta(max_length=_MOST_ON_COVER)] = ()
    overlap: Annotated[float, Meta(ge=-1.0, le=0.95)] | None = None
    fills: bool = False
    rows: Annotated[tuple[Annotated[str, Meta(max_length=_MOST_ON_COVER)], ...], Meta(max_length=_MOST_ON_COVER)] = ()
    art: Mapping[str, ArtName] = {}
    front: _Words | None = None
    front_at: tuple[_Part, _Part] = (0.5, 0.5)


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
    return Poster(place=source.place(path), **asdict(table) | {"front": table.front or ""})


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
