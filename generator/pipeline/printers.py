"""Sheets that measure and test a printer, from readings and profiles."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from generator import pdf
from generator.basics import papers
from generator.basics.errors import MisfitError, Place, fail, quote
from generator.basics.geometry import parse_length
from generator.basics.phrases import Phrases, read_phrases
from generator.basics.writing import write_whole
from generator.layout import printers
from generator.layout.printers import Profile
from generator.layout.slug import RULE
from generator.model import FLIPS, Flip, Imprint, Sheet
from generator.pipeline.request import Request
from generator.text import HOUSE_FONTS, FontBook, Lettering


def calibration_sheet(paper: str, flip: Flip, output: Path, press: pdf.Press, language: str = "") -> None:
    """Write the two-sided sheet that shows how far a printer's backs are off. Raises PnpError."""
    lettering = Lettering.of(FontBook([HOUSE_FONTS]), read_phrases(language))
    sheet = printers.calibration_sheet(papers.parse_paper(paper).size, flip, lettering, paper)
    _write_sheet(sheet, output, press, lettering.phrases)


def measure_printer(
    name: str, flip: Flip, paper: str, readings: Sequence[str], margin: str = "", *, pins: bool
) -> Profile:
    """The profile of a printer from its readings, with its unprintable margin if given. Raises PnpError."""
    edges, bottom = papers.parse_margin(margin) if margin else (0.0, 0.0)
    numbers = printers.parse_readings(readings, pins=pins)
    return replace(printers.solve(name, flip, numbers, papers.parse_paper(paper).size), margin=edges, bottom=bottom)


def measure_size(ruler: str) -> float:
    """How many times too large a printer prints, from the length of the ruler that it printed. Raises PnpError."""
    place, hint = Place(f"ruler {quote(ruler)}"), f"what the printed ruler of {RULE:g} mm measures: 49.2mm"
    try:
        size = parse_length(ruler) / RULE
    except MisfitError as error:
        raise fail(place, str(error), hint) from None
    if not 0.9 <= size <= 1.1:
        raise fail(place, f"that is {size:.0%} of its length, and 90 % to 110 % can be corrected", hint)
    return size


def proof_sheet(paper: str, printer: Profile, output: Path, press: pdf.Press, language: str = "") -> None:
    """Write the sheet that tests a profile. Raises PnpError."""
    lettering = Lettering.of(FontBook([HOUSE_FONTS]), read_phrases(language))
    sheet = printers.proof_sheet(papers.parse_paper(paper).size, printer, lettering)
    _write_sheet(sheet, output, press, lettering.phrases)


def print_test_sheet(request: Request, output: Path, press: pdf.Press) -> None:
    """Write the sheet that shows whether a printer prints what is requested in its size, and the
    backs behind the fronts. Raises PnpError."""
    flip = FLIPS.get(request.way)
    if flip is None:
        hint = "measure the ruler of any sheet: 50 mm"
        raise fail(Place("--test-sheet"), "what is printed on one side has no backs to test", hint)
    lettering = Lettering.of(FontBook([HOUSE_FONTS]), read_phrases(request.language))
    printer = request.printer or Profile("", flip)
    sheet = printers.proof_sheet(request.printing.paper, printer, lettering, flip)
    _write_sheet(sheet, output, press, lettering.phrases)


def _write_sheet(sheet: Sheet, output: Path, press: pdf.Press, phrases: Phrases) -> None:
    imprint = Imprint(sheet.title, "pnp", sheet.title, phrases)
    write_whole(output, press.print(pdf.Job([sheet], [], imprint, [str(HOUSE_FONTS)])))
