"""Take a text, make its QR code, a path of squares of one unit within the quiet zone."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from generator.errors import MisfitError

LEVELS = ("L", "M", "Q", "H")  # 7, 15, 25, 30 % of the code may be unreadable
_QUIET = 4  # light squares on each side (ISO/IEC 18004)


class QrCode(NamedTuple):
    """The dark squares as the `d` of a path, and the squares along a side, quiet zone included."""

    path: str
    squares: int


@lru_cache(maxsize=1000)
def make_code(text: str, level: str) -> QrCode:
    """The QR code of a text, at that level, or at a better one if the code stays as small. Raises
    MisfitError if the text is empty or too long."""
    import segno  # only templates with codes need it

    if not text:
        raise MisfitError("the text of the QR code is empty", 'leave it out with pnp:if="url"')
    try:
        # scanners read bytes as UTF-8, against the standard
        encoding = None if text.isascii() else "utf-8"
        code = segno.make_qr(text, error=level, encoding=encoding)
    except segno.DataOverflowError:
        what = f"{len(text):,} characters are too many for a QR code"
        raise MisfitError(what, "shorten the text; one of 100 is easy to scan") from None
    rows = [bytes(row) for row in code.matrix]
    path = "".join(
        f"M{x + _QUIET} {y + _QUIET}h{width}v1h-{width}z"
        for y, row in enumerate(rows)
        for x, width in _runs(row)
    )
    return QrCode(path, len(rows) + 2 * _QUIET)


def _runs(row: bytes) -> list[tuple[int, int]]:
    """The dark squares of a row: the start and the length of each run."""
    runs, start = [], 0
    for part in row.split(b"\0"):
        if part:
            runs.append((start, len(part)))
        start += len(part) + 1
    return runs
