"""Take a game's folder, read the pictures in its folder icons/, which its texts may name."""

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
    """The icons by the names of their files, used or not. An icon with a fault becomes empty: it is
    reported once, not wherever it is used."""
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
