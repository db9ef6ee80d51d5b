"""From a sheet of paper to backs that lie true: every step of a person's, none taken on trust.

The calibration sheet is printed to pixels, its back spoilt as a printer would, its scales read
from the pixels. The profile then corrects other marks, whose back is spoilt in the same way: what
is left between fronts and backs is measured, again from the pixels.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from generator.basics.geometry import Point, Rect, Size
from generator.layout.printers import Readings, calibration_sheet, correct_sheet, parse_readings, solve
from generator.layout.printers.gauge import STEP
from generator.model import Flip, Imprint, MarkLine, Page, Sheet, Side
from generator.pdf import Job, press_worker
from generator.text import HOUSE_FONTS, Lettering
from tests.layout.printers.eye import DPI, MM, Front, Misprint, read, through
from tests.layout.printers.test_solve import misreadings, worst_corner
from tests.support.paper import hand_turn
from tests.support.printing import FONTS

LETTERING = Lettering.of(FONTS)
PAPERS = {"letter": Size(215.9, 279.4), "a4": Size(210.0, 297.0)}
IMPRINT = Imprint("Test", "Nobody", "About")
ALLOWED = 0.1  # mm, anywhere on the sheet
DOT = 1.4

# The worst that is promised: 4 mm, 1 degree, 1 %; and a common printer, and a true one.
MISPRINTS = [
    Misprint(4.0, -4.0, 1.0, 1.01, 0.99),
    Misprint(-4.0, 4.0, -1.0, 0.99, 1.01),
    Misprint(3.87, 3.91, -1.0, 1.01, 1.01),
    Misprint(1.33, -0.78, 0.21, 1.003, 0.998),
    Misprint(0.0, 0.0, 0.0, 1.0, 1.0),
]
CASES = [
    (paper, flip, misprint)
    for (paper, flip), misprint in zip(
        [*product(PAPERS, ("long", "short")), ("letter", "long")], MISPRINTS, strict=True
    )
]


def printed(sheet: Sheet) -> bytes:
    return press_worker.print_job(Job([sheet], [], IMPRINT, [str(HOUSE_FONTS)]))


@cache
def calibration(paper: str, flip: Flip) -> Front:
    return Front(printed(calibration_sheet(PAPERS[paper], flip, LETTERING)))


@cache
def held_up(paper: str, flip: Flip, misprint: Misprint) -> Image.Image:
    """What is seen through the calibration sheet of a printer."""
    sheet = calibration(paper, flip)
    return through(sheet.image, misprint.printed(sheet.back, PAPERS[paper]), flip)


@pytest.mark.parametrize(("paper", "flip", "misprint"), CASES)
def test_a_calibrated_printer_lays_the_backs_behind_the_fronts(paper: str, flip: Flip, misprint: Misprint) -> None:
    size = PAPERS[paper]
    sheet = calibration(paper, flip)
    seen = held_up(paper, flip, misprint)
    readings = [read(scale, seen) for scale in sheet.scales]
    profile = solve("test", flip, parse_readings(readings), size)
    marks = marked_sheet(size, flip)
    assert left_over(correct_sheet(marks, profile), misprint, flip) <= ALLOWED
    if misprint != MISPRINTS[-1]:
        assert left_over(marks, misprint, flip) > 10 * ALLOWED


@pytest.mark.parametrize(("paper", "flip", "misprint"), CASES)
def test_an_eye_a_step_off_in_every_other_reading_still_suffices(paper: str, flip: Flip, misprint: Misprint) -> None:
    """In those four of the eight readings, and in the way, that do the most harm."""
    size = PAPERS[paper]
    sheet = calibration(paper, flip)
    seen = held_up(paper, flip, misprint)
    true = parse_readings([read(scale, seen) for scale in sheet.scales])
    steps = most_harmful(true, flip, size)
    assert sum(map(abs, steps)) == 4
    readings = [read(scale, seen, off) for scale, off in zip(sheet.scales, steps, strict=True)]
    profile = solve("test", flip, parse_readings(readings), size)
    marks = marked_sheet(size, flip)
    assert 0.3 * ALLOWED < left_over(correct_sheet(marks, profile), misprint, flip) <= ALLOWED


def most_harmful(true: Readings, flip: Flip, paper: Size) -> list[int]:
    """The steps by which four readings are off that spoil the correction most."""
    profile = solve("test", flip, true, paper)
    worst = max(misreadings(true.values), key=lambda read: worst_corner(read, profile, paper))
    return [round((a - b) / STEP) for a, b in zip(worst, true.values, strict=True)]


def marked_sheet(paper: Size, flip: Flip) -> Sheet:
    """Square dots all over the front, and on the back where a hand turning the sheet has them."""
    turn = hand_turn(paper, flip)
    fronts = [Point(x, y) for x in _stops(paper.width) for y in _stops(paper.height)]
    backs = []
    for x, y in fronts:
        flat = (x - paper.width / 2, y - paper.height / 2, 0.0)
        u, v, _ = (sum(a * b for a, b in zip(row, flat, strict=True)) for row in turn)
        backs.append(Point(u + paper.width / 2, v + paper.height / 2))
    pages = (_dots("front", fronts, paper), _dots("back", backs, paper))
    return Sheet("dots", "Dots", 1, 1, paper, flip, pages)


def _stops(length: float) -> list[float]:
    inset, count = 10.0, 6  # further out the printer would cut off what is corrected by 9 mm
    return [inset + (length - 2 * inset) * step / (count - 1) for step in range(count)]


def _dots(side: Side, places: list[Point], paper: Size) -> Page:
    half = DOT / 2
    lines = (MarkLine(Point(x - half, y), Point(x + half, y), DOT) for x, y in places)
    whole = Rect(0.0, 0.0, *paper)
    return Page(side, (), tuple(lines), (), whole, whole)


def left_over(sheet: Sheet, misprint: Misprint, flip: Flip) -> float:
    """How far a front and its back are apart at the worst place of the sheet (mm).

    The dots tell it near the edges; a straight continuation tells it in the corners.
    """
    pdf = printed(sheet)
    with pypdfium2.PdfDocument(pdf) as document:
        front, back = (page.render(scale=DPI / 72, grayscale=True).to_pil().convert("L") for page in document)
    way = Image.Transpose.FLIP_LEFT_RIGHT if flip == "long" else Image.Transpose.FLIP_TOP_BOTTOM
    spoilt = misprint.printed(back, sheet.paper).transpose(way)
    places = [(line.start.x + DOT / 2, line.start.y) for line in sheet.pages[0].marks]
    before, behind = ([_dot(image, place) for place in places] for image in (front, spoilt))
    drift = np.array(behind) - np.array(before)
    spots = np.array([(1.0, x, y) for x, y in places])
    trend = np.linalg.lstsq(spots, drift, rcond=None)[0]
    width, height = sheet.paper
    corners = np.array([(1.0, x, y) for x in (0.0, width) for y in (0.0, height)])
    far = np.concatenate([drift, corners @ trend])
    return float(np.hypot(far[:, 0], far[:, 1]).max())


def _dot(image: Image.Image, place: tuple[float, float]) -> tuple[float, float]:
    """The middle of the ink around a place (mm)."""
    per_mm, reach = DPI / MM, 8.0
    box = [round(v * per_mm) for v in (place[0] - reach, place[1] - reach, place[0] + reach, place[1] + reach)]
    ink = 255.0 - np.asarray(image.crop((box[0], box[1], box[2], box[3])), dtype=np.float64)
    ink = np.where(ink > 254.5, 0.0, ink)  # beyond the sheet
    ys, xs = np.mgrid[box[1] : box[3], box[0] : box[2]] + 0.5
    total = ink.sum()
    return float((ink * xs).sum() / total / per_mm), float((ink * ys).sum() / total / per_mm)
