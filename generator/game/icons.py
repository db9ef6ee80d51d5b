"""Take a game's folder, read the pictures in its folder icons/, which its texts may name."""

from __future__ import annotations

from functools import partial
from pathlib import PurePosixPath

from msgspec.structs import replace

from generator.art.missing import crossed
from generator.art.picture import ArtReader
from generator.basics.errors import Problem
from generator.basics.files import list_within
from generator.basics.place import Place
from generator.game.source import Source
from generator.model import Art

_FOLDER = "icons"
_MAX_ICONS = 200


def read_icons(source: Source, reader: ArtReader) -> dict[str, Art]:
    """The icons by the names of their files, used or not. An icon with a fault becomes a crossed
    box: it is reported once, not wherever it is used."""
    folder = reader.folder
    listed = source.collect(partial(list_within, folder, _FOLDER, (".svg",))) or ()
    files = [file for file in map(PurePosixPath, listed) if file.parent.name == _FOLDER]
    if len(files) > _MAX_ICONS:
        what = f"the folder holds {len(files)} icons"
        place = Place.in_folder(folder, _FOLDER)
        source.add([Problem(place, what, f"at most {_MAX_ICONS}")])
        return {}
    icons = {}
    for file in files:
        place = Place.in_folder(folder, str(file))
        icon = source.collect(partial(reader.read, str(file), place, has_texts=False))
        icon = icon or Art(file.stem, crossed(str(file)))
        icons[file.stem] = replace(icon, name=file.stem)
    return icons
