"""Pictures of a template that are more than a file: a part of a picture, the face of a piece, the QR code of a text."""

import re
from functools import lru_cache
from typing import NamedTuple

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.cascade import make_part, set_frame
from generator.art.drawing import HREFS, SVG, Drawing, put_in_place
from generator.art.measure import box_of, enlarge, is_filled, numbers_in
from generator.basics.errors import MisfitError, quote
from generator.basics.files import xml_parser
from generator.basics.geometry import Rect, Size, decimal
from generator.basics.shapes import Outline
from generator.model import Art, Face
from generator.text.shape import proportion

FACE = "face:"  # before the component and the id of a piece in an href
_MOST_ZOOM = 20.0
_AMOUNT = r"([0-9]{1,3}(?:\.[0-9]{0,6})?)\s*%?"
_FOCUS = re.compile(rf"(?:{_AMOUNT})?(?:(?:\s*[,;]|\s)\s*(?:{_AMOUNT})?)?")
_FRAME = ("x", "y", "width", "height")
LEVELS = ("L", "M", "Q", "H")  # 7, 15, 25, 30 % of the code may be unreadable
_QUIET = 4  # light squares on each side (ISO/IEC 18004)
_LEAST_SQUARE = 0.25  # mm: what telephones read of a print, with nothing to spare
# What a path has no use for.
_OF_BOXES = ("x", "y", "width", "height", "rx", "ry", "preserveAspectRatio", "stroke", *HREFS)


class CropWindow(NamedTuple):
    """The part of a picture that its box shows: the point in its middle, in shares of the picture,
    and how much larger the picture is than at its usual size, at which it covers the box."""

    across: float
    down: float
    zoom: float


def read_window(focus: str = "", zoom: str = "") -> CropWindow:
    """The window of the texts of pnp:focus and pnp:zoom. Raises MisfitError."""
    match, amount = _FOCUS.fullmatch(focus.strip()), re.fullmatch(_AMOUNT, zoom.strip() or "1")
    percents = [float(text or 50.0) for text in match.groups()] if match else []
    is_lone = match is not None and focus.strip() and not re.search(r"[,;\s]", focus)
    if not percents or max(percents) > 100.0 or is_lone:
        hint = "how far across and down the point in the middle is, in percent: 50 20"
        raise MisfitError(f"pnp:focus is {quote(focus.strip())}", hint)
    if amount is None or "%" in zoom or not 1.0 <= float(amount[1]) <= _MOST_ZOOM:
        raise MisfitError(f"pnp:zoom is {quote(zoom.strip())}", f"a number from 1 to {_MOST_ZOOM:g}")
    return CropWindow(percents[0] / 100, percents[1] / 100, float(amount[1]))


def crop_picture(image: etree._Element, art: Art, window: CropWindow) -> None:
    """Puts an <image> into a frame, as large as its box was, that shows a part of its picture.
    Raises MisfitError if the box has no size."""
    box = box_of(image)
    ratio = _proportion(art)
    width = max(box.width, box.height * ratio) * window.zoom
    height = max(box.width / ratio, box.height) * window.zoom
    left = _shift(box.width, width, window.across)
    top = _shift(box.height, height, window.down)
    kept = {n: v for n, v in image.items() if n not in (*_FRAME, *HREFS)}
    group = etree.Element(f"{SVG}g", kept)
    frame = etree.SubElement(group, f"{SVG}svg")
    set_frame(frame, Size(box.width, box.height), (0.0, 0.0, box.width, box.height))
    frame.set("x", decimal(box.x0))
    frame.set("y", decimal(box.y0))
    put_in_place(group, image)
    for name in kept:
        del image.attrib[name]
    for name, length in zip(_FRAME, (left, top, width, height), strict=True):
        image.set(name, decimal(length))
    image.set("preserveAspectRatio", "none")
    frame.append(image)


def _shift(room: float, length: float, share: float) -> float:
    """Where a picture begins in its box: its focus in the middle if that leaves no gap."""
    return max(room - length, min(0.0, room / 2 - share * length))


def _proportion(art: Art) -> float:
    if not art.part:
        return proportion(art)
    _, _, width, height = numbers_in(etree.fromstring(art.part, xml_parser()).get("viewBox", ""))
    return width / height


def show_face(face: Face) -> Art:
    """A face as a picture: cut out, and as it is read. Its texts stay texts."""
    face = face.upright
    trim, id_ = face.trim, f"face-{face.id}"
    root = etree.Element(f"{SVG}svg", nsmap={None: SVG[1:-1]})
    set_frame(root, Size(trim.width, trim.height), (trim.x0, trim.y0, trim.width, trim.height))
    whole = _clip(root, face.cut, id_)
    for number, placed in enumerate(face.cut_out):
        group = whole if placed.clip is None else _clip(whole, placed.clip, f"{id_}-{number}")
        moved = {"transform": f"matrix({placed.place.to_text()})"}
        drawing = etree.fromstring(placed.layer.svg.encode(), xml_parser())
        part = make_part(drawing)
        part.set("width", decimal(placed.layer.size.width))
        part.set("height", decimal(placed.layer.size.height))
        etree.SubElement(group, f"{SVG}g", moved).append(part)
    lacking = dict.fromkeys(words for placed in face.layers for words in placed.layer.lacking)
    part = make_part(root)
    return Art(face.name, "", "", etree.tostring(part, encoding="unicode"), tuple(lacking))


def _clip(holder: etree._Element, outline: Outline, id_: str) -> etree._Element:
    """A group within an element that shows what is in an outline."""
    clip = etree.SubElement(holder, f"{SVG}clipPath", {"id": id_})
    corners = " L".join(f"{decimal(x)} {decimal(y)}" for x, y in outline)
    etree.SubElement(clip, f"{SVG}path", {"d": f"M{corners} Z"})
    return etree.SubElement(holder, f"{SVG}g", {"clip-path": f"url(#{id_})"})


class QrCode(Struct, frozen=True):
    """The dark squares, of one unit, as the `d` of a path, and the squares along a side, quiet zone included."""

    path: str
    squares: int


class SeatedCode(Struct, frozen=True):
    """A code, the path that holds its place, and the box in which it is drawn."""

    element: etree._Element
    code: QrCode
    box: Rect

    def draw(self, drawing: Drawing, unit: float) -> None:
        """Draws the code; `unit` is the mm of the drawing's user unit. Raises MisfitError if no reader could see it."""
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
        f"M{x + _QUIET} {y + _QUIET}h{width}v1h-{width}z" for y, row in enumerate(rows) for x, width in _runs(row)
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
