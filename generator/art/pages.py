"""Pages of PDFs as art: `cards.pdf#3` is the third page.

All that draws takes the drawing of a page, whose letters are outlines. A comment before it holds
the page itself, which the press prints, with its words and fonts, where it shows the drawing as it
is. What changes a drawing loses the comment. A worker reads the file, as it may be hostile.
"""

import re
from base64 import b64decode, b64encode
from functools import lru_cache

from msgspec import Struct, msgpack

from generator.basics.files import MEGABYTE
from generator.basics.workers import Limits, WorkerError, WorkerProcess
from generator.basics.writing import scratch

MOST_BYTES = 64 * MEGABYTE  # of a PDF
_WORKER = "generator.pdf.page_worker"
_MEMORY, _SECONDS = 2048 * MEGABYTE, 20.0
_AT_ONCE = 16  # pages
_NUMBER = re.compile(r"[1-9]\d{0,3}")
_URI = "data:image/svg+xml;base64,"
_OPEN, _CLOSE = b"<!--page:", b"-->"  # three bytes are four letters of base64


class PageArt(Struct, frozen=True):
    """The drawing of a page, an SVG, and a PDF of that page alone; or why it cannot be read. The PDF is empty if only
    the drawing looks alike everywhere, or can be printed in inks. `is_pixels`: so the page is printed as pixels."""

    svg: bytes = b""
    pdf: bytes = b""
    is_pixels: bool = False
    fault: str = ""


def read_page(content: bytes, number: str) -> PageArt:
    """The page with a number, from 1, of a PDF."""
    if not _NUMBER.fullmatch(number):
        return PageArt(fault="a page has a number, as in cards.pdf#3")
    group, index = divmod(int(number) - 1, _AT_ONCE)
    return _read_pages(content, group * _AT_ONCE)[index]


@lru_cache(maxsize=8)
def _read_pages(content: bytes, first: int) -> list[PageArt]:
    """Some pages of a file, which one worker reads."""
    pages = []
    with scratch() as folder, WorkerProcess(_WORKER, Limits(_MEMORY)) as worker:
        path = folder / "pages.pdf"
        path.write_bytes(content)
        for number in range(first, first + _AT_ONCE):
            try:
                (answer,) = worker.ask((str(path), number), 1, _SECONDS)
                pages.append(msgpack.decode(answer, type=PageArt))
            except WorkerError as error:
                pages.append(PageArt(fault=error.ending.problem.what))
    return pages


def hold_page(uri: str, page: bytes) -> str:
    """The `data:` URI of a drawing that holds its page."""
    held = _OPEN + b64encode(page) + _CLOSE + b64decode(uri.removeprefix(_URI))
    return _URI + b64encode(held).decode() if page else uri


def split_page(uri: str) -> tuple[str, bytes]:
    """The `data:` URI of a drawing without its page, and that page; empty if it holds none."""
    if not uri.startswith(_URI + b64encode(_OPEN).decode()):
        return uri, b""
    page, _, drawing = b64decode(uri.removeprefix(_URI)).partition(_CLOSE)
    return _URI + b64encode(drawing).decode(), b64decode(page.removeprefix(_OPEN))
