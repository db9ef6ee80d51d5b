"""QR codes of texts, drawn in the place of an element."""

from __future__ import annotations

from functools import lru_cache

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.drawing import HREFS, SVG, Drawing
from generator.art.measure import enlarge, is_filled
from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect, decimal

LEVELS = ("L", "M", "Q", "H")  # 7, 15, 25, 30 % of the code may be unreadable
_QUIET = 4  # light squares on each side (ISO/IEC 18004)
_LEAST_SQUARE = 0.25  # mm: what telephones read of a print, with nothing to spare
# What a path has no use for.
_OF_BOXES = ("x", "y", "width", "height", "rx", "ry", "preserveAspectRatio", "stroke", *HREFS)


class QrCode(Struct, frozen=True):
    """The dark squares, of one unit, as the `d` of a path, and the squares along a side, quiet zone
    included."""

    path: str
    squares: int


class SeatedCode(Struct, frozen=True):
    """A code, the path that holds its place, and the box in which it is drawn."""

    element: etree._Element
    code: QrCode
    box: Rect

    def draw(self, drawing: Drawing, unit: float) -> None:
        """Draws the code; `unit` is the mm of the drawing's user unit. Raises MisfitError if no
        reader could see it."""
        element, box, squares = self.element, self.box, self.code.squares
        if not is_filled(drawing, element):
            raise MisfitError("the QR code has no fill", 'give it a dark one: fill="#000000"')
        side = min(box.width, box.height)
        square = side / squares * unit * enlarge(element)
        if square < _LEAST_SQUARE:
            what = f"the squares of the QR code are {square:.2f} mm wide, too small to scan"
            least = _LEAST_SQUARE * squares
            raise MisfitError(what, f"make it {least:.1f} mm wide, or shorten the text")
        x, y = box.x0 + (box.width - side) / 2, box.y0 + (box.height - side) / 2
        moved = f"translate({decimal(x)} {decimal(y)}) scale({side / squares:.9g})"
        element.set("transform", f"{element.get('transform', '')} {moved}".strip())
        element.set("d", self.code.path)


def make_holder(element: etree._Element) -> None:
    """Make an element a path that holds the place of a code."""
    element.tag = f"{SVG}path"
    for name in _OF_BOXES:
        element.attrib.pop(name, None)
    css.pop_property(element, "stroke")
    element.set("style", f"{element.get('style', '')};stroke:none".removeprefix(";"))
    element.set("d", "M0 0h1v1h-1z")


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
