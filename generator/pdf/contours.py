"""Take a finished PDF and lines, draw them in spot colours that a print shop's cutter follows."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence

import pikepdf
from msgspec import Struct
from pikepdf import Array, Dictionary, Name

from generator.basics.geometry import Affine, Point, Size, decimal
from generator.basics.units import MM_PER_PT
from generator.pdf.points import to_page

# the usual names for lines to cut through and to crease; the alternates are for screens
_ALTERNATES = {"CutContour": (0, 1, 0, 0), "Crease": (1, 0, 0, 0)}
_WIDTH = 0.25  # pt; a cutter follows the middle of a line


class Contour(Struct, frozen=True):
    """A line in mm of a page: a start, and for each step the points of a line (one) or of a cubic
    curve (three)."""

    start: Point
    steps: Sequence[Sequence[Point]]
    is_closed: bool


def add_contours(content: bytes, pages: Sequence[Mapping[str, Sequence[Contour]]]) -> bytes:
    """The PDF with lines on its pages, by the name of their spot colour.

    A spot colour is a Separation (ISO 32000-1, 8.6.6.4) and overprints, so that it leaves no gap in
    the art below. The version of the PDF stays.
    """
    with pikepdf.open(io.BytesIO(content)) as pdf:
        spots = {name: _separation(pdf, name) for name in _ALTERNATES}
        overprint = pdf.make_indirect(Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1))
        for page, lines in zip(pdf.pages, pages, strict=True):
            drawn = {name: some for name, some in lines.items() if some}
            if drawn:
                _add(page, drawn, spots, overprint)
        buffer = io.BytesIO()
        pdf.save(buffer, deterministic_id=True, compress_streams=True)
        return buffer.getvalue()


def _separation(pdf: pikepdf.Pdf, name: str) -> pikepdf.Object:
    tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[*_ALTERNATES[name]], N=1)
    space = Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, tint])
    return pdf.make_indirect(space)


def _add(
    page: pikepdf.Page,
    lines: Mapping[str, Sequence[Contour]],
    spots: Mapping[str, pikepdf.Object],
    overprint: pikepdf.Object,
) -> None:
    _, _, width, height = (float(side) for side in page.mediabox)
    place = to_page(Size(width * MM_PER_PT, height * MM_PER_PT))
    page.add_resource(overprint, Name.ExtGState, Name.CutOverprint)
    operators = ["/Artifact BMC q /CutOverprint gs", f"{_WIDTH} w"]
    for name, contours in lines.items():
        page.add_resource(spots[name], Name.ColorSpace, Name(f"/{name}"))
        operators.append(f"/{name} CS 1 SCN")
        operators += [step for contour in contours for step in _describe(contour, place)]
    page.contents_add("\n".join([*operators, "Q EMC"]).encode(), prepend=False)


def _describe(contour: Contour, place: Affine) -> Iterator[str]:
    yield f"{_write(contour.start, place)} m"
    for step in contour.steps:
        yield f"{' '.join(_write(point, place) for point in step)} {'l' if len(step) == 1 else 'c'}"
    yield "s" if contour.is_closed else "S"


def _write(point: Point, place: Affine) -> str:
    x, y = place.apply(point)
    return f"{decimal(x)} {decimal(y)}"
