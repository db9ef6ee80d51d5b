"""Take faces on stdin, make pictures of them on stdout, again and again: a process of its own.

A request is its length in four bytes and a pickled Task; the answer, for each face as soon as it is
painted, the length of a JPEG and the JPEG. A face that cannot be drawn ends the process.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from generator.export import rasterised
from generator.model import Face
from generator.pdf.job import Limits
from generator.pdf.proof import Prover
from generator.pdf.watched import MEMORY, follow_parent, keep_to
from generator.preview.parts import Part, part_of
from generator.preview.watch import traces

HEAD = 4  # bytes of a length
_QUALITY = 94


@dataclass(frozen=True, slots=True)
class Task:
    """Faces to be painted, which part of them, and the folders of their fonts."""

    faces: Sequence[Face]
    part: Part
    font_folders: Sequence[str]
    dpi: float


def main() -> None:
    follow_parent()
    keep_to(Limits(MEMORY, None))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library has to say does not get between the pictures
    while head := sys.stdin.buffer.read(HEAD):
        task = pickle.loads(sys.stdin.buffer.read(int.from_bytes(head)))
        for picture in paint(task):
            answers.write(len(picture).to_bytes(HEAD) + picture)
            answers.flush()


def paint(task: Task) -> Iterator[bytes]:
    """Made in this process, without limits. Raises typst.TypstError."""
    fonts = tuple((folder, *traces(folder)) for folder in task.font_folders)
    document = _prover(tuple(task.font_folders), fonts).proof(
        [part_of(face, task.part) for face in task.faces]
    )
    for image in rasterised(document, task.dpi):
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=_QUALITY, subsampling=0)
        yield buffer.getvalue()


@lru_cache(maxsize=1)
def _prover(font_folders: Sequence[str], _fonts: object) -> Prover:
    """The one for fonts as they are now."""
    return Prover(font_folders)


if __name__ == "__main__":
    main()
