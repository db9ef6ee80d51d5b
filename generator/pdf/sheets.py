"""Take Sheets, write their pages: the places of faces, marks, slug."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import get_args

from generator.geometry import Affine, Size, decimal, steady
from generator.model import Label, Mark, MarkLine, Page, Sheet
from generator.namedtuples import NamedTuple
from generator.pdf.assembly import Assembler
from generator.pdf.job import FACE
from generator.pdf.points import points, seat, steady_points, to_page
from generator.pdf.syntax import write_array, write_dictionary
from generator.pdf.tagging import role_of
from generator.pdf.words import WordWriter
from generator.pdf.writing import PdfWriter
from generator.text import Lettering
from generator.text.glyphs import Segment, set_line
from generator.units import PT_PER_MM

MARKS: tuple[Mark, ...] = get_args(Mark)  # each a separate form; equal ones share it
_MOST_STROKES = 200  # forms that are known by the marks of their page
_INK = "0.13 0.13 0.13"
_BLACK = "0 0 0"  # machines find what is darkest
_PAPER = "1 1 1"


class _PointStroke(NamedTuple):
    """A line on the page, in points."""

    ends: tuple[float, ...]
    width: float
    colour: str


class _PointLabel(NamedTuple):
    """A label on the page: its size in points, and the matrix of its place."""

    text: str
    size: float
    bold: bool
    place: str


_Ends = tuple[float, float]
# the name of a form and its reference, by the marks or the label that it draws, and the paper
_Forms = dict[tuple[tuple[_PointStroke, ...] | _PointLabel, Size], tuple[str, str]]


class PagePrinter:
    """Writes pages. Equal marks of several pages are one form. `switch` gives the reference to the
    switch of a kind of marks."""

    def __init__(
        self,
        writer: PdfWriter,
        assembler: Assembler,
        words: WordWriter,
        lettering: Lettering,
        switch: Callable[[Mark], str],
    ) -> None:
        self._writer, self._assembler, self._words = writer, assembler, words
        self._lettering, self._switch = lettering, switch
        self._marks: _Forms = {}
        # by the id of the marks, which take long to map and to hash and are kept here
        self._strokes: dict[
            tuple[int, Mark, Affine, Size], tuple[dict[str, str], Sequence[MarkLine]]
        ] = {}

    def write(self, sheet: Sheet, page: Page, entries: Mapping[str, object]) -> str:
        """The reference to a page, with further entries."""
        page_map = to_page(sheet.paper)
        trim, bleed = (
            write_array(map(decimal, steady_points(page_map.apply_rect(box))))
            for box in (page.trim, page.bleed)
        )
        operators, forms = self._draw(sheet, page)
        content = self._writer.add_stream({}, "\n".join(operators).encode("ascii"))
        whole = {
            "/Type": "/Page",
            "/MediaBox": write_array((0, 0, *map(decimal, points(sheet.paper)))),
            "/TrimBox": trim,
            "/BleedBox": bleed,
            "/Resources": write_dictionary({"/XObject": write_dictionary(forms)}),
            "/Contents": content,
        }
        return self._writer.add(write_dictionary(whole | dict(entries)))

    def _draw(self, sheet: Sheet, page: Page) -> tuple[list[str], dict[str, str]]:
        """The operators of a page, and the forms that it shows."""
        role, page_map = role_of(sheet), to_page(sheet.paper) @ page.correction
        operators: list[str] = []
        forms: dict[str, str] = {}
        for number, placement in enumerate(page.placements):
            size, name = self._assembler.size(placement.face), f"{FACE}{placement.face}"
            place = seat(page_map, placement.clip, placement.affine, size)
            operators.append(f"/{role} <</MCID {number}>> BDC q {place} {name} Do Q EMC")
            forms[name] = self._assembler.form(placement.face)
        for kind in MARKS:
            shown = self._find_strokes(kind, page.marks, page_map, sheet.paper)
            if kind == "slug":
                labels = _words(page.labels, page_map)
                shown = shown | dict(self._form(kind, label, sheet.paper) for label in labels)
            if shown:
                operators += ["/Artifact BMC", *(f"{name} Do" for name in shown), "EMC"]
                forms |= shown
        return operators, forms

    def _find_strokes(
        self, kind: Mark, marks: Sequence[MarkLine], page_map: Affine, paper: Size
    ) -> dict[str, str]:
        """The form of the lines of a kind, by its name; none without such lines."""
        key = id(marks), kind, page_map, paper
        if key not in self._strokes:
            if len(self._strokes) > _MOST_STROKES:
                self._strokes.clear()
            strokes = tuple(_strokes(marks, kind, page_map))
            self._strokes[key] = dict([self._form(kind, strokes, paper)] if strokes else ()), marks
        return self._strokes[key][0]

    def _form(
        self, kind: Mark, drawing: tuple[_PointStroke, ...] | _PointLabel, paper: Size
    ) -> tuple[str, str]:
        """The name of the form of some marks or of a label, and its reference."""
        known = self._marks.get((drawing, paper))
        if known is None:
            entries: dict[str, object] = {
                "/Type": "/XObject",
                "/Subtype": "/Form",
                "/BBox": write_array((0, 0, *map(decimal, points(paper)))),
                "/OC": self._switch(kind),
            }
            if isinstance(drawing, _PointLabel):
                operators, resources = self._write_label(drawing)
            else:
                operators, resources = list(_write_strokes(drawing)), {}
            entries["/Resources"] = write_dictionary(resources)
            reference = self._writer.add_stream(entries, "\n".join(operators).encode("ascii"))
            known = self._marks[drawing, paper] = f"/Mark.{kind}-{len(self._marks)}", reference
        return known

    def _write_label(self, label: _PointLabel) -> tuple[list[str], dict[str, str]]:
        """The operators of a label, and its resources."""
        before = [f"{_INK} rg", f"{label.place} cm"]
        outlined = self._lettering.outlined(label.text, bold=label.bold)
        if outlined:
            return [*before, *_write_outline(outlined.segments, label.size)], {}
        line = set_line(self._lettering.font(bold=label.bold), label.text, rtl=False)
        assert line, "a text that the font lacks is outlined"
        name, operators, used = self._words.write_line(line)
        fonts = self._assembler.fonts
        fonts.use([used])
        shown = ["BT", f"{name} {decimal(label.size)} Tf", *operators, "ET"]
        return [*before, *shown], {"/Font": fonts.reference}


def _strokes(lines: Sequence[MarkLine], kind: Mark, page_map: Affine) -> Iterator[_PointStroke]:
    """The lines of a kind, with the paper-white ones beneath all others."""
    chosen = [line for line in lines if line.kind == kind]
    halos = ((line, line.halo, _PAPER) for line in chosen if line.halo)
    ink = _BLACK if kind == "cutter" else _INK
    inks = ((line, line.width, ink) for line in chosen if line.width)
    for line, width, colour in (*halos, *inks):
        ends = (*page_map.apply(line.start), *page_map.apply(line.end))
        yield _PointStroke(steady_points(ends), steady(width * PT_PER_MM), colour)


def _words(labels: Sequence[Label], page_map: Affine) -> Iterator[_PointLabel]:
    upright = Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, 0.0)
    for label in labels:
        place = (page_map @ label.affine @ upright).to_text()
        yield _PointLabel(label.text, steady(label.size * PT_PER_MM), label.bold, place)


def _write_strokes(strokes: Sequence[_PointStroke]) -> Iterator[str]:
    """The operators of lines, those of one colour and width as one path; lines that meet are
    joined."""
    for (width, colour), lines in groupby(strokes, lambda stroke: (stroke.width, stroke.colour)):
        yield f"{colour} RG"
        yield f"{decimal(width)} w"
        last = None
        for x0, y0, x1, y1 in (line.ends for line in lines):
            if last != (x0, y0):
                yield f"{decimal(x0)} {decimal(y0)} m"
            yield f"{decimal(x1)} {decimal(y1)} l"
            last = x1, y1
        yield "S"


def _write_outline(segments: Sequence[Segment], size: float) -> Iterator[str]:
    """The operators of letters that the font of the sheets lacks."""
    last = (0.0, 0.0)
    for command, ems in segments:
        ends = [(steady(x * size), steady(-y * size)) for x, y in ems]
        if command == "Q":
            yield _write_points(_cubic(last, *ends), "c")
        else:
            yield _write_points((side for end in ends for side in end), _DRAWN[command])
        last = ends[-1] if ends else last
    yield "f"


_DRAWN = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def _write_points(sides: Iterator[float], operator: str) -> str:
    return " ".join([*map(decimal, sides), operator])


def _cubic(start: _Ends, bend: _Ends, end: _Ends) -> Iterator[float]:
    """The points of a quadratic curve as those of a cubic one: a third nearer to its ends."""
    for near in (start, end):
        yield from (steady(p + (q - p) * 2 / 3) for p, q in zip(near, bend, strict=True))
    yield from end
