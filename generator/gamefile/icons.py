"""Take a game's folder, make the pictures that its texts may name: those of its icons folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePosixPath

from generator.art.picture import read_art
from generator.errors import Problem
from generator.files import list_within
from generator.gamefile.source import Source
from generator.model import Art
from generator.place import Place
from generator.text import FontBook

_FOLDER = "icons"
_MAX_ICONS = 200


def read_icons(source: Source, folder: Path, fonts: FontBook) -> dict[str, Art]:
    """Each by the name of its file, whether a text names it or not. A picture at fault stands in
    as none: it was reported, and its users are not at fault."""
    listed = source.collect(partial(list_within, folder, _FOLDER, (".svg",))) or ()
    files = [file for file in map(PurePosixPath, listed) if file.parent.name == _FOLDER]
    if len(files) > _MAX_ICONS:
        what = f"the folder holds {len(files)} icons"
        source.add([Problem(Place(f"{folder.name}/{_FOLDER}"), what, f"at most {_MAX_ICONS}")])
        return {}
    icons = {}
    for file in files:
        place = Place(f"{folder.name}/{file}")
        uri = source.collect(partial(read_art, folder, str(file), fonts, place))
        icons[file.stem] = Art(file.stem, uri or "")
    return icons
