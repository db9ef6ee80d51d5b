"""Take faces, paint pictures of them one after another, in a worker process."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from generator.model import Face
from generator.pdf.proof import Prover
from generator.pictures.parts import Part, part_of
from generator.pictures.traces import traces
from generator.raster import rasterise_each
from generator.workers import serve

_QUALITY = 85  # as sharp as 94 at the size of the screen, and a third less to send


class PictureTask(Struct, frozen=True):
    """Faces to paint, the part of them, and the folders of their fonts."""

    faces: Sequence[Face]
    part: Part
    font_folders: Sequence[str]
    dpi: float


def paint(task: PictureTask) -> Iterator[bytes]:
    """Paints JPEGs in this process, without limits. Raises typst.TypstError."""
    fonts = tuple((folder, *traces(folder)) for folder in task.font_folders)
    document = _prover(tuple(task.font_folders), fonts).proof(
        [part_of(face, task.part) for face in task.faces]
    )
    for image in rasterise_each(document, task.dpi):
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=_QUALITY, subsampling=0)
        yield buffer.getvalue()


@lru_cache(maxsize=1)
def _prover(font_folders: Sequence[str], _fonts: object) -> Prover:
    """Cached until the files of the fonts change."""
    return Prover(font_folders)


if __name__ == "__main__":
    serve(paint)
