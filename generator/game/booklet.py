"""Take [booklet] of a game.toml, make the Booklet to typeset."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from generator.basics.files import decode, read_within
from generator.basics.keys import KeyPath
from generator.basics.place import Place
from generator.game.cover import read_poster
from generator.game.document import BookletTable
from generator.game.languages import raw_words
from generator.game.source import Source
from generator.model import COVER, LEAFLETS, Booklet
from generator.tables.fields import Resources
from generator.text import HOUSE_FAMILY

MAX_BYTES = 128 * 1024  # more than the text of any booklet that can be stapled


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
    return Booklet(
        place=place,
        text=text,
        title_font=table.title_font.family if table.title_font else HOUSE_FAMILY,
        text_font=table.text_font.family if table.text_font else HOUSE_FAMILY,
        fallback=resources.fallback,
        size=table.text_size,
        accent=table.accent,
        icons={**resources.art, **resources.icons},
        palette=resources.palette,
        has_cover=table.cover,
        poster=poster,
    )


def _check_ids(source: Source) -> None:
    """Reports components with the id of the booklet or of its cover."""
    for component, path in source.tables("component"):
        id_ = component.get("id")
        if id_ in LEAFLETS:
            what = f"{id_!r} is the name of the {'cover sheet' if id_ == COVER else 'booklet'}"
            source.report((*path, "id"), what, "give the component another id")
