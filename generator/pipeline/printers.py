"""Sheets that measure and test a printer, from readings and profiles."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from generator import pdf
from generator.basics import papers
from generator.basics.writing import write_whole
from generator.layout import printers
from generator.layout.printers import Profile
from generator.model import Flip, Imprint, Sheet
from generator.text import HOUSE_FONTS, FontBook


def calibration_sheet(paper: str, flip: Flip, output: Path, press: pdf.Press) -> None:
    """Write the two-sided sheet that shows how far a printer's backs are off. Raises PnpError."""
    fonts = FontBook([HOUSE_FONTS])
    sheet = printers.calibration_sheet(papers.parse_paper(paper).size, flip, fonts, paper)
    _write_sheet(sheet, output, press)


def measure_printer(
    name: str, flip: Flip, paper: str, readings: Sequence[str], margin: str = "", *, pins: bool
) -> Profile:
    """The profile of a printer from its readings, with its unprintable margin if given. Raises
    PnpError."""
    bare = papers.parse_margin(margin) if margin else 0.0
    numbers = printers.parse_readings(readings, pins=pins)
    return replace(printers.solve(name, flip, numbers, papers.parse_paper(paper).size), margin=bare)


def proof_sheet(paper: str, printer: Profile, output: Path, press: pdf.Press) -> None:
    """Write the sheet that tests a profile. Raises PnpError."""
    sheet = printers.proof_sheet(papers.parse_paper(paper).size, printer, FontBook([HOUSE_FONTS]))
    _write_sheet(sheet, output, press)


def _write_sheet(sheet: Sheet, output: Path, press: pdf.Press) -> None:
    imprint = Imprint(sheet.title, "pnp", sheet.title)
    write_whole(output, press.print(pdf.Job([sheet], [], imprint, [str(HOUSE_FONTS)])))
