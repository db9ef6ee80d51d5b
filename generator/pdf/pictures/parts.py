"""The part of a face that a picture shows: all of it, or only the cut piece.

Also the files of a folder, with data that change when a file is saved.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

from msgspec.structs import replace

from generator.basics.geometry import Size, translation
from generator.basics.shapes import carried
from generator.model import Face

Part = Literal["piece", "whole"]  # the box of the trim, the box of the bleed
Trace = tuple[int, int, int]


def part_of(face: Face, part: Part) -> Face:
    """The face, reduced to the part. A cut piece leaves out the art of the bleed: with mirrored
    edges, that is most of the work."""
    if part == "whole":
        return face
    trim = face.trim
    away = translation(-trim.x0, -trim.y0)
    layers = (
        placed._replace(
            motion=away @ placed.motion,
            clip=None if placed.clip is None else carried(placed.clip, away),
        )
        for placed in face.cut_out
    )
    return replace(
        face,
        layers=tuple(layers),
        size=Size(trim.width, trim.height),
        outline=carried(face.outline, away),
        holes=tuple(carried(hole, away) for hole in face.holes),
    )


def traces(folder: str, within: str = "") -> Iterator[tuple[str, Trace]]:
    """The path of each file that is not hidden, with data that change when it is saved. Includes
    folders and broken links, because they may be faults of the game."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    yield f"{within}{entry.name}/", (0, 0, 0)
                    yield from traces(entry.path, f"{within}{entry.name}/")
                else:
                    stat = _stat(entry)
                    yield f"{within}{entry.name}", (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def _stat(entry: os.DirEntry[str]) -> os.stat_result:
    try:
        return entry.stat()
    except OSError:  # a broken or circular link
        return entry.stat(follow_symlinks=False)
