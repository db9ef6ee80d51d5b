"""The worker process that paints pictures of faces one after another.

It reads fonts again when a file of their folders is saved.
"""

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Literal

from msgspec import Struct, msgpack

from generator.basics.workers import serve
from generator.model import Face
from generator.pdf.faces import Typesetter
from generator.pdf.raster import paint_faces, trimmed
from generator.pdf.sheets import prove

Part = Literal["piece", "whole"]  # the cut piece in the box of its trim, or all of the face
Trace = tuple[int, int, int]
_QUALITY = 85  # as sharp as 94 at the size of the screen, and a third less to send


class PictureTask(Struct, frozen=True):
    """Faces to paint, the part of them, and the folders of their fonts."""

    faces: Sequence[Face]
    part: Part
    font_folders: Sequence[str]
    dpi: float


def paint(task: PictureTask) -> list[bytes]:
    """Paints JPEGs in this process, without limits. Raises typst.TypstError."""
    fonts = tuple((folder, *traces(folder)) for folder in task.font_folders)
    faces = task.faces if task.part == "whole" else [trimmed(face) for face in task.faces]
    proof, pages = prove(_find_typesetter(tuple(task.font_folders), fonts), faces)
    files = [io.BytesIO() for _ in faces]
    for file, picture in zip(files, paint_faces(proof, pages, task.dpi), strict=True):
        picture.save(file, "JPEG", quality=_QUALITY, subsampling=0)
    return [file.getvalue() for file in files]


def _answer(task: PictureTask) -> Iterator[bytes]:
    """All pictures in one answer, as each answer interrupts what the machine is at."""
    yield msgpack.encode(paint(task))


@lru_cache(maxsize=1)
def _find_typesetter(font_folders: Sequence[str], _fonts: object) -> Typesetter:
    """Cached until the files of the fonts change."""
    return Typesetter(font_folders)


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


if __name__ == "__main__":
    serve(_answer)
