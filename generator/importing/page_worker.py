"""The worker process of reading.py: reads, paints and cuts up the pages of a PDF of any program.

A card is cut out as a page of its own: its operators and fonts as they are, without what lies
outside, words too, so that nobody finds them there.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from ctypes import byref, c_double, c_float
from functools import lru_cache, partial
from hashlib import sha256
from math import sqrt
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree
from msgspec import Struct, msgpack
from numpy.typing import NDArray
from pikepdf import ContentStreamInstruction as Instruction
from pikepdf import Dictionary, Operator
from PIL import Image
from pypdfium2 import PdfPage

from generator.basics.files import MEGABYTE
from generator.basics.geometry import IDENTITY, MM_PER_PT, Affine, Point, Rect, Size, steady
from generator.basics.shapes import Kind, box_of
from generator.basics.workers import serve
from generator.importing.finding import PageInk, find_cards, share_apart
from generator.importing.proposing import propose
from generator.importing.reading import CutFace, FaceRequest, OpenedPdf, PageLook, PageRequest
from generator.importing.scanning import PageShapes, scan_drawing
from generator.pdf.page_worker import STRANGE, open_file

_PIXELS = 4.0  # to a mm, of the picture of a page
_MOST_PIXELS = 6e6
_LARGEST = 14_400 * MM_PER_PT  # of the sides of a page (ISO 32000-1, annex C.2)
_MOST_FACE_PIXELS = 25e6
_MOST_BYTES = 3_500_000  # of a face of pixels; a picture of a game has 4 MB
_PIXELS_OF_PICTURE = re.compile(rb"data:image/\w+;base64,[^\"]*")
_MOST_DRAWN = 48 * MEGABYTE  # of the drawing of a page: reading it takes twenty times as much memory
_WHITE = (255, 255, 255, 255)
_OWN = "pnp"
_ENCODED = 3  # compression of PNG
_MOST_MARKED = 0.004  # of the pixels of a face, that differ from all next to them in the page
_STARK = 48  # levels of grey
_FINE = 1 << 24  # steps of a page
_OUTLINE = frozenset(["m", "l", "c", "v", "y", "h", "re"])
_CLIPS = frozenset(["W", "W*"])
_PAINT = frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"])
_WORDS = frozenset(["Tj", "TJ"])
_MOVES = frozenset(["BT", "ET", "Td", "TD", "Tm", "T*"])  # words after these follow no others
_NOTES = frozenset(["BMC", "BDC", "EMC", "MP", "DP"])  # may repeat words that lie elsewhere
_OF_FORM = frozenset(["/Type", "/Subtype", "/BBox", "/Matrix", "/Group"])
_MOST_OPERATORS = 8 * MEGABYTE  # of a page
_HIDDEN = 0.05  # pt: neighbours that reach no further into a part are not seen
_MOST_SPILT = 1.5  # times the part: a larger picture shows more than it
_MOST_OUTSIDE = 8.5  # pt: words that reach further out go on in another part
_NOWHERE = Rect(-1e9, -1e9, -1e9, -1e9)
_STATE, _WORD, _PATH, _PICTURE, _SHADE, _FORM = (
    pdfium.FPDF_PAGEOBJ_UNKNOWN, pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_PATH,
    pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING, pdfium.FPDF_PAGEOBJ_FORM,
)  # fmt: skip


@lru_cache(maxsize=2)  # a sheet and its backs
def _open_page(path: str, number: int) -> PdfPage:
    return open_file(path).document[number]


def _answer(request: tuple[str, str] | PageRequest | FaceRequest | Sequence[FaceRequest]) -> Iterator[bytes]:
    if isinstance(request, tuple):
        yield msgpack.encode(_describe(*request))
    elif isinstance(request, PageRequest):
        yield msgpack.encode(look(request))
    elif isinstance(request, FaceRequest):
        yield msgpack.encode(_cut(request))
    else:
        yield bind(request)[1]


def _describe(path: str, password: str) -> OpenedPdf:
    try:
        file = open_file(path, password)
    except ValueError as error:
        return OpenedPdf(fault=str(error))
    says = file.document.get_metadata_dict()
    return OpenedPdf(len(file.document), says["Title"], is_own=says["Creator"] == _OWN, is_free=file.pdf.allow.extract)


def look(request: PageRequest) -> PageLook:
    """A page as it is asked for."""
    try:
        shapes, picture = _see(request.path, request.page, request.wanted.shape)
    except STRANGE as error:
        return PageLook(fault=f"it cannot be read: {error}")
    with Image.open(io.BytesIO(picture)) as painted:
        ink = PageInk(np.asarray(painted.convert("L")), shapes.size)

    def see(pixels: float) -> NDArray[np.uint8]:
        whole = Rect(0.0, 0.0, *shapes.size)
        return np.asarray(_paint(_open_page(request.path, request.page), whole, shapes.size, pixels))

    look_at = partial(propose, see, shapes.size, ink, request.wanted)
    found = find_cards(shapes, ink, request.wanted, look_at) if ink.total else []
    return PageLook(shapes.size, found, picture, is_blank=not ink.total)


@lru_cache(maxsize=64)  # it is asked for again with each option that a person tries
def _see(path: str, number: int, kind: Kind) -> tuple[PageShapes, bytes]:
    """The shapes that show where cards are on a page, and a PNG of it. Raises one of STRANGE."""
    page = _open_page(path, number)
    unit = float(open_file(path).pdf.pages[number].get("/UserUnit", 1)) * MM_PER_PT
    size = Size(*(steady(side * unit) for side in page.get_size()))
    if not 0.0 < min(size) <= max(size) <= _LARGEST:  # by its unit
        raise ValueError("its size is not that of a page")
    drawing = _PIXELS_OF_PICTURE.sub(b"", open_file(path).trace(number))
    if len(drawing) > _MOST_DRAWN:
        raise ValueError("too much is drawn on it")
    # typst has written it, so nothing in it is hostile
    root = etree.fromstring(drawing, etree.XMLParser(resolve_entities=False, huge_tree=True))
    shapes = scan_drawing(root, size, _find_trim(page, size, unit), unit, kind)
    pixels = min(_PIXELS, sqrt(_MOST_PIXELS / (size.width * size.height)))
    return shapes, _encode(_paint(page, Rect(0.0, 0.0, *size), size, pixels))


def _find_trim(page: PdfPage, size: Size, unit: float) -> Rect:
    """The page without its bleed (mm), if it is not turned."""
    whole, (left, _, _, top) = Rect(0.0, 0.0, *size), page.get_bbox()
    x0, y0, x1, y1 = page.get_trimbox()
    if page.get_rotation() or (x0, y0, x1, y1) == page.get_mediabox():
        return whole
    return Rect(*(end * unit for end in (x0 - left, top - y1, x1 - left, top - y0))).within(whole)


def _paint(page: PdfPage, box: Rect, size: Size, pixels: float, *, is_turned: bool = False) -> Image.Image:
    """A picture of a box (mm) of a page of a size, with so many pixels to a mm, or upside down."""
    width, height = (max(round(side * pixels), 1) for side in (box.width, box.height))
    painted = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)
    painted.fill_rect(_WHITE, 0, 0, width, height)
    wide, high = page.get_size()  # differs from the size in mm by a user unit
    across, down = width / box.width * size.width / wide, height / box.height * size.height / high
    x, y = -box.x0 * width / box.width, -box.y0 * height / box.height
    matrix = pdfium.FS_MATRIX(across, 0.0, 0.0, down, x, y)
    clip = pdfium.FS_RECTF(0.0, 0.0, width, height)
    flags = pdfium.FPDF_REVERSE_BYTE_ORDER | pdfium.FPDF_ANNOT
    pdfium.FPDF_RenderPageBitmapWithMatrix(painted, page, matrix, clip, flags)
    image: Image.Image = painted.to_pil().convert("RGB")
    return image.transpose(Image.Transpose.ROTATE_180) if is_turned else image


def _encode(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG", compress_level=_ENCODED)
    return stream.getvalue()


def _cut(request: FaceRequest) -> CutFace:
    """A face as a page, or if it cannot be one, as pixels."""
    page = _open_page(request.path, request.page)
    if not request.is_raster:
        with suppress(*STRANGE):
            return _prune(request, page)
    pixels = min(request.pixels, sqrt(_MOST_FACE_PIXELS / (request.box.width * request.box.height)))
    image = _paint(page, request.box, request.size, pixels, is_turned=request.is_turned)
    content = _encode(image)
    if len(content) <= _MOST_BYTES:
        return CutFace(".png", content, content)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=95, subsampling=0)
    return CutFace(".jpg", stream.getvalue(), stream.getvalue())


def _prune(request: FaceRequest, page: PdfPage) -> CutFace:
    """A face as a page. Raises ValueError if that does not print like it."""
    shown, content = bind([request])
    seen = np.asarray(_paint(page, request.box, request.size, _PIXELS, is_turned=request.is_turned))
    with pypdfium2.PdfDocument(content) as alone:
        size = Size(request.box.width, request.box.height)
        printed = np.asarray(_paint(alone[0], Rect(0.0, 0.0, *size), size, _PIXELS))
    if share_apart(seen, printed, _STARK) > _MOST_MARKED:
        raise ValueError("the page does not print like the face")
    return CutFace(".pdf", content, "\n".join((str(seen.shape), *shown)).encode(), seen.tobytes(), seen.shape)


def bind(faces: Sequence[FaceRequest]) -> tuple[list[str], bytes]:
    """A PDF with a page of each face, and what the last shows. Raises ValueError."""
    alone, saved, shown = pikepdf.new(), io.BytesIO(), []
    numbers = list(dict.fromkeys(face.page for face in faces))
    alone.pages.extend(open_file(faces[0].path).pdf.pages[number] for number in numbers)  # whole
    for face in faces:
        marks, box = _read(face.path, face.page), _to_points(_open_page(face.path, face.page), face)
        shown = add_part(alone, alone.pages[numbers.index(face.page)], marks, box, 180 if face.is_turned else 0)
    del alone.pages[: len(numbers)]
    alone.save(saved, static_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return shown, saved.getvalue()


@lru_cache(maxsize=2)
def _read(path: str, page: int) -> list[PageMark]:
    return read_marks(open_file(path).pdf.pages[page], _open_page(path, page))


def _to_points(page: PdfPage, face: FaceRequest) -> Rect:
    """The box of a face in points of its page, upwards."""
    corners = []
    for x, y in face.box.corners():
        across, down = c_double(), c_double()
        at = round(x / face.size.width * _FINE), round(y / face.size.height * _FINE)
        pdfium.FPDF_DeviceToPage(page, 0, 0, _FINE, _FINE, 0, *at, byref(across), byref(down))
        corners.append(Point(across.value, down.value))
    return box_of(corners)


# What is left of a page: pdfium says where the things lie that operators paint; those of a kind come in the same order.


class PageMark(Struct):
    """Operators that paint one thing, or none: its kind, what it looks like, the box around it on the page, in points
    upwards, and what clips leave of that. `instead` stays where it is not shown. After what `moves`, words follow no
    others. `name` is that of a picture or form, and `within` what the form paints."""

    written: bytes
    kind: int = _STATE
    look: str = ""
    whole: Rect = _NOWHERE
    box: Rect = _NOWHERE
    instead: bytes = b""
    moves: bool = False
    name: str = ""
    within: Sequence[PageMark] = ()


def read_marks(page: pikepdf.Page, source: Any) -> list[PageMark]:
    """The marks that a page paints; `source` is pdfium's page. Raises ValueError if that is not clear, or too much."""
    page.contents_coalesce()
    count = pdfium.FPDFPage_CountObjects(source)
    things = [pdfium.FPDFPage_GetObject(source, index) for index in range(count)]
    return _PageMarkReader(things, page.resources, IDENTITY, _MOST_OPERATORS).read(page.obj)


class _PageMarkReader:
    """Reads the operators of a page or form, which paint pdfium's things; `place` maps it to the
    page. `left` are the bytes that may still be read."""

    def __init__(self, things: Iterable[Any], resources: pikepdf.Object, place: Affine, left: int) -> None:
        self._things: dict[int, deque[Any]] = defaultdict(deque)
        for thing in things:
            self._things[pdfium.FPDFPageObj_GetType(thing)].append(thing)
        self._named = resources.get("/XObject", Dictionary())
        self._place, self.left = place, left
        self._marks: list[PageMark] = []
        self._path: list[Any] = []
        self._state: list[Any] = []

    def read(self, holder: pikepdf.Object) -> list[PageMark]:
        """The marks. Raises ValueError."""
        self.left -= len(holder.get("/Contents", holder).read_bytes())
        if self.left < 0:
            raise ValueError("it has too many operators")
        for step in pikepdf.parse_content_stream(holder):
            self._add(step, str(step.operator))
        self._end_state()
        if any(self._things.values()):
            raise ValueError("it has things without operators")
        return self._marks

    def _add(self, step: Any, operator: str) -> None:
        if operator in _OUTLINE or operator in _CLIPS:
            self._path.append(step)
        elif operator in _PAINT:
            self._end_path(step, operator)
        elif operator in _WORDS and (letters := _letters_of(step)):
            self._paint(_WORD, [step], letters)
        elif operator == "'":  # both in one
            self._add(Instruction([], Operator("T*")), "T*")
            self._add(Instruction(step.operands, Operator("Tj")), "Tj")
        elif operator == "INLINE IMAGE":
            self._paint(_PICTURE, [step], sha256(_write([step])).hexdigest())
        elif operator == "sh":
            self._paint(_SHADE, [step], str(step.operands[0]))
        elif operator == "Do":
            self._paint_named(str(step.operands[0]))
        elif operator not in _NOTES:
            self._state.append(step)

    def _end_path(self, step: Any, operator: str) -> None:
        path, self._path = self._path, []
        is_clip = bool(path) and str(path[-1].operator) in _CLIPS
        ending = [*path, Instruction([], Operator("n"))] if is_clip else []
        if operator == "n" or len(path) == is_clip:
            self._state += ending
        else:
            self._paint(_PATH, [*path, step], operator, instead=_write(ending))

    def _paint_named(self, name: str) -> None:
        shown = self._named[name]
        if shown.get("/Subtype") == "/Image":
            self._paint(_PICTURE, [], sha256(shown.read_raw_bytes()).hexdigest(), name=name)
            return
        form, matrix = self._things[_FORM][0], pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(form, byref(matrix))
        place = self._place @ Affine(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        count = pdfium.FPDFFormObj_CountObjects(form)
        things = [pdfium.FPDFFormObj_GetObject(form, index) for index in range(count)]
        within = _PageMarkReader(things, shown.get("/Resources", Dictionary()), place, self.left)
        self._paint(_FORM, [], name=name, within=within.read(shown))
        self.left = within.left

    def _paint(self, kind: int, steps: Sequence[Any], look: str = "", **more: Any) -> None:
        """Add the mark of the next thing of a kind. Raises LookupError if there is none."""
        self._end_state()
        thing, sides = self._things[kind].popleft(), [c_float(side) for side in (-1e6, -1e6, 1e6, 1e6)]
        pdfium.FPDFPageObj_GetBounds(thing, *map(byref, sides))
        whole = Rect(*(side.value for side in sides))
        whole, box = self._place.apply_rect(whole), self._place.apply_rect(_clip(thing, whole))
        self._marks.append(PageMark(_write(steps), kind, look, whole, box, **more))

    def _end_state(self) -> None:
        state, self._state = self._state, []
        if state:
            self._marks.append(PageMark(_write(state), moves=any(str(step.operator) in _MOVES for step in state)))


def _clip(thing: Any, box: Rect) -> Rect:
    """The part of an object's box that its clips leave visible."""
    clips, x, y = pdfium.FPDFPageObj_GetClipPath(thing), c_float(), c_float()
    for path in range(pdfium.FPDFClipPath_CountPaths(clips)):
        points = []
        for index in range(pdfium.FPDFClipPath_CountPathSegments(clips, path)):
            end = pdfium.FPDFClipPath_GetPathSegment(clips, path, index)
            pdfium.FPDFPathSegment_GetPoint(end, byref(x), byref(y))
            points.append(Point(x.value, y.value))
        shown = box_of(points) if points else box
        box = box.within(shown) if box.overlaps(shown) else _NOWHERE
    return box


def _write(steps: Sequence[Any]) -> bytes:
    return pikepdf.unparse_content_stream(steps) + b"\n"


def _letters_of(step: Any) -> str:
    """The letters that an operator shows, as codes of its font."""
    parts = step.operands[-1] if step.operands else ""
    parts = parts if isinstance(parts, pikepdf.Array) else [parts]
    return b"".join(bytes(part) for part in parts if isinstance(part, pikepdf.String)).hex()


def add_part(alone: pikepdf.Pdf, page: pikepdf.Page, marks: Sequence[PageMark], box: Rect, turn: int) -> list[str]:
    """Add a box of a page of a PDF as a further page, turned by some degrees; returns the kinds, letters and
    pictures that it shows. The box is in points, upwards. Raises ValueError for things that go on outside of it."""
    pruner, part = _Pruner(alone, box), alone.add_blank_page()
    part.mediabox = pikepdf.Array([round(side, 4) for side in box])
    part.rotate(page.rotation + turn, relative=False)
    content, part.obj.Resources = pruner.prune(marks, page.resources)
    part.obj.Contents = alone.make_stream(content)
    if "/Group" in page.obj:
        part.obj.Group = page.obj.Group
    part.remove_unreferenced_resources()
    return pruner.shown


class _Pruner:
    """Writes marks as far as a box shows them."""

    def __init__(self, pdf: pikepdf.Pdf, box: Rect) -> None:
        self.shown: list[str] = []
        self._pdf, self._box, self._inner = pdf, box, box.grown(-_HIDDEN)
        self._dropped = 0

    def prune(self, marks: Iterable[PageMark], resources: pikepdf.Object) -> tuple[bytes, Dictionary]:
        """The operators of a page or form that are left, and their resources. Raises ValueError."""
        content, known, named, is_adrift = [], resources.get("/XObject", Dictionary()), Dictionary(), False
        for mark in marks:
            is_adrift &= not mark.moves
            if mark.kind == _STATE:
                content.append(mark.written)
            elif not mark.box.overlaps(self._inner):
                self._dropped += 1
                is_adrift |= mark.kind == _WORD
                content.append(mark.instead)
            else:
                self._check(mark, is_adrift)
                content.append(mark.written)
                if mark.name:
                    name = f"/Part{len(named)}"
                    named[name] = self._prune_form(known[mark.name], mark) if mark.within else known[mark.name]
                    content.append(f"{name} Do\n".encode())
        kept = {key: thing for key, thing in resources.items() if key != "/Properties"}  # of _NOTES
        return b"".join(content), Dictionary({**kept, "/XObject": named})

    def _check(self, mark: PageMark, is_adrift: bool) -> None:
        """Note what is shown. Raises ValueError if the box cannot show it alone."""
        self.shown.append(f"{mark.kind} {mark.look}")
        if mark.kind == _WORD and (is_adrift or not self._box.grown(_MOST_OUTSIDE).encloses(mark.whole)):
            raise ValueError("its words begin or go on outside of it")
        sides = mark.whole.width * mark.whole.height, self._box.width * self._box.height
        if mark.kind == _PICTURE and sides[0] > _MOST_SPILT * sides[1]:
            raise ValueError("a picture is larger than the part")

    def _prune_form(self, form: pikepdf.Object, mark: PageMark) -> pikepdf.Object:
        """A form as the box shows it: itself, if it shows all."""
        before = self._dropped
        content, resources = self.prune(mark.within, form.get("/Resources", Dictionary()))
        if self._dropped == before:
            return form
        entries = {key: form[key] for key in form.keys() & _OF_FORM}
        return self._pdf.make_stream(content, {**entries, "/Resources": resources})


if __name__ == "__main__":
    serve(_answer)
