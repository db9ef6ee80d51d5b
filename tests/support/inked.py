"""Files for a press: made of what the tests print, read back, and painted ink by ink."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
from numpy.typing import NDArray
from PIL import Image

from generator.pdf.inking.inking_worker import make
from generator.pdf.inks import PressColour, Standard, built_in_profile
from tests.support import oracles
from tests.support.once import once
from tests.support.printing import kit

GAMES = ["advaya", "talavera"]  # hexagons and a board; cards and a box
_FOREIGN = {"/DeviceRGB", "/CalRGB", "/CalGray", "/ICCBased", "/Lab", "/Indexed", "/Separation"}
_COLOURED = {"rg", "RG", "sc", "SC"}
_PATTERNED = {"scn", "SCN", "cs", "CS"}
_READ = " ".join(sorted(_COLOURED | _PATTERNED | {"BI", "ID", "EI"}))  # all others are passed over


def inked(pdf: bytes, limit: float = 2.4, standard: Standard = "PDF/X-4") -> bytes:
    content, _ = make(pdf, PressColour(built_in_profile(), limit, standard))
    return content


def inked_kit(game: str) -> bytes:
    """The whole of a game for a press, made once a run."""
    return once(f"{game} in inks", lambda: inked(kit(game)))


def find_colours(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Every operator and every colour space that is not of inks, of all objects of a file."""
    for thing in pdf.objects:
        yield from _find_spaces(thing)
        if _has_operators(thing):
            content = pikepdf.Page(thing) if not isinstance(thing, pikepdf.Stream) else thing
            yield from _find_operators(content)


def _has_operators(thing: Any) -> bool:
    if not isinstance(thing, pikepdf.Stream):
        return isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == "/Page"
    return thing.get("/Subtype") == "/Form" or thing.get("/PatternType") == 1


def _find_operators(content: Any) -> Iterator[str]:
    for instruction in pikepdf.parse_content_stream(content, _READ):
        operator, operands = str(instruction.operator), list(instruction.operands)
        is_pattern = operator in _PATTERNED and isinstance(operands[0], pikepdf.Name)
        if operator in _COLOURED | _PATTERNED and not is_pattern:
            yield operator
        assert operator != "INLINE IMAGE"


def _find_spaces(thing: Any) -> Iterator[str]:
    """The colour spaces in an object and in what it holds; others are objects of their own."""
    if isinstance(thing, pikepdf.Name) and str(thing) in _FOREIGN:
        yield str(thing)
    parts: list[Any] = []
    if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
        parts = [value for name, value in thing.items() if name != "/Parent"]
    elif isinstance(thing, pikepdf.Array):
        parts = list(thing)
    for part in parts:
        if not isinstance(part, pikepdf.Object) or part.objgen == (0, 0):
            yield from _find_spaces(part)


def separations(pdf: bytes, folder: Path, dpi: int = 72) -> Iterator[NDArray[np.uint8]]:
    """The inks of each page, (height, width, 4) from 0 to 255, as Ghostscript separates them."""
    path = folder / "press.pdf"
    path.write_bytes(pdf)
    options = ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=tiff32nc", f"-r{dpi}"]
    command = [oracles.need("gs"), *options, f"-sOutputFile={folder}/%03d.tif", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    for page in sorted(folder.glob("*.tif")):
        with Image.open(page) as picture:
            yield np.asarray(picture)
        page.unlink()


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))
