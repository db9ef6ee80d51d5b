"""A PDF of any program, read page by page in a worker with limits of time and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np
from msgspec import Struct, msgpack
from msgspec.structs import replace

from generator.basics.errors import Place, fail, quote
from generator.basics.files import MEGABYTE, read_within
from generator.basics.geometry import Rect, Size
from generator.basics.workers import Limits, WorkerError, WorkerProcess, find_fault_of_machine
from generator.basics.writing import scratch
from generator.importing.finding import FoundCards, Wanted, share_apart

MOST_BYTES = 512 * MEGABYTE
MOST_PAGES = 500
_WORKER = "generator.importing.page_worker"
_MEMORY = 2048 * MEGABYTE
_SECONDS_A_PAGE = 20.0
_APART = 24  # levels of red, green or blue in equal faces
_Answer = TypeVar("_Answer")


class OpenedPdf(Struct, frozen=True):
    """The pages and the title of a PDF, or why it cannot be read. `is_own`: pnp made it. `is_free`: its owner lets
    everybody take content out of it."""

    pages: int = 0
    title: str = ""
    fault: str = ""
    is_own: bool = False
    is_free: bool = True


class PageRequest(Struct, frozen=True):
    """Asks for a `PageLook`; pages count from 0."""

    path: str
    page: int
    wanted: Wanted


class PageLook(Struct, frozen=True):
    """A page: its size (mm), what may be its cards, and its picture, a PNG; or why it cannot be read."""

    size: Size = Size(0.0, 0.0)
    found: list[FoundCards] = []
    picture: bytes = b""
    fault: str = ""
    is_blank: bool = False


class FaceRequest(Struct, frozen=True):
    """Asks for the `CutFace` of a box (mm) of a page of a size, with so many pixels to a mm where
    it becomes pixels; upside down if it `is_turned`."""

    path: str
    page: int
    box: Rect
    size: Size
    pixels: float
    is_turned: bool = False
    is_raster: bool = False


class CutFace(Struct, frozen=True):
    """The file of a face, and its ending; what is equal for faces that look alike, and of one that
    is a page, its pixels in RGB, and their shape."""

    ending: str
    content: bytes
    key: bytes
    pixels: bytes = b""
    shape: tuple[int, ...] = ()

    def is_like(self, other: CutFace) -> bool:
        """Whether a face with the same key looks like this."""
        if not self.pixels:
            return True
        seen, also = (np.frombuffer(face.pixels, np.uint8).reshape(face.shape) for face in (self, other))
        return share_apart(seen, also, _APART) == 0


class PdfPages:
    """The pages of a PDF, read by a worker."""

    def __init__(self, path: str, worker: WorkerProcess, place: Place) -> None:
        self.path, self._worker, self._place = path, worker, place

    def describe(self, ask_password: Callable[[str], str] | None = None) -> OpenedPdf:
        """The pages and title of the file; `ask_password` is called with its name. Raises PnpError if that fails."""
        opened = self._open("")
        if ask_password and "password" in opened.fault:
            opened = self._open(ask_password(self._place.file))
        if opened.fault:
            hint = "open it where you may, and save a copy without a password"
            hint = hint if "password" in opened.fault else "open it in a viewer and save it again"
            raise fail(self._place, opened.fault, hint)
        return opened

    def look(self, page: int, wanted: Wanted) -> PageLook:
        """A page; one that meets the limits has a fault."""
        try:
            return self._ask(PageRequest(self.path, page, wanted), PageLook)
        except WorkerError as error:
            if find_fault_of_machine(error.ending):
                raise self._refuse(error) from None
            return PageLook(fault=error.ending.problem.what)

    def cut(self, request: FaceRequest) -> CutFace:
        """A face. Raises PnpError if the page meets the limits as pixels, too."""
        try:
            return self._ask(request, CutFace)
        except WorkerError as error:
            if request.is_raster or find_fault_of_machine(error.ending):
                raise self._refuse(error) from None
            return self.cut(replace(request, is_raster=True))

    def bind(self, faces: Sequence[FaceRequest]) -> bytes:
        """A PDF with a page of each face. Raises PnpError if that meets the limits."""
        try:
            (content,) = self._worker.ask(faces, 1, _SECONDS_A_PAGE * len(faces))
        except WorkerError as error:
            raise self._refuse(error) from None
        return content

    def _open(self, password: str) -> OpenedPdf:
        try:
            return self._ask((self.path, password), OpenedPdf)
        except WorkerError as error:
            raise self._refuse(error) from None

    def _ask(self, request: object, kind: type[_Answer]) -> _Answer:
        (answer,) = self._worker.ask(request, 1, _SECONDS_A_PAGE)
        return msgpack.decode(answer, type=kind)

    def _refuse(self, error: WorkerError) -> Exception:
        problem = find_fault_of_machine(error.ending) or error.ending.problem
        return fail(self._place, problem.what, problem.hint)


@contextmanager
def open_pages(path: Path) -> Iterator[tuple[bytes, PdfPages]]:
    """The content of a PDF, and its pages. The worker reads a copy, which nothing changes.

    Raises PnpError if there is no such file, or if it is too large.
    """
    place = Place(quote(str(path)))
    content = read_within(path.parent, path.name, MOST_BYTES, place)
    with scratch() as folder:
        copy = folder / "pages.pdf"
        copy.write_bytes(content)
        with WorkerProcess(_WORKER, Limits(_MEMORY)) as worker:
            yield content, PdfPages(str(copy), worker, place)
