"""The worker process that paints pictures of faces one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct, msgpack

from generator.basics.workers import serve
from generator.model import Face
from generator.pdf.pictures.parts import Part, part_of, traces
from generator.pdf.proof import Prover
from generator.pdf.raster import rasterise_as_jpegs

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
    document = _prover(tuple(task.font_folders), fonts).proof(
        [part_of(face, task.part) for face in task.faces]
    )
    return list(rasterise_as_jpegs(document, task.dpi, _QUALITY))


def _answer(task: PictureTask) -> Iterator[bytes]:
    """All pictures in one answer, as each answer interrupts what the machine is at."""
    yield write_pictures(paint(task))


def write_pictures(pictures: Sequence[bytes]) -> bytes:
    """Pictures as one answer."""
    return msgpack.encode(pictures)


def read_pictures(answer: bytes) -> list[bytes]:
    """The pictures of an answer."""
    return msgpack.decode(answer, type=list[bytes])


@lru_cache(maxsize=1)
def _prover(font_folders: Sequence[str], _fonts: object) -> Prover:
    """Cached until the files of the fonts change."""
    return Prover(font_folders)


if __name__ == "__main__":
    serve(_answer)
