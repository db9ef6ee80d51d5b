"""Take the sheets of a kit, measure the ink that they take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generator import pdf
from generator.model import Face, FaceKey, Game, Sheet
from generator.pipeline.sheets import Progress, print_sheets

_DPI = 120.0  # thin lines, which are painted at least a pixel wide, have their own width then


def measure_ink(
    game: Game, sheets: Sequence[Sheet], drawn: dict[FaceKey, Face], progress: Progress
) -> float:
    """The mean ink of a sheet, its sides together, in solid layers of one side, as
    `preflight.ink.ink_of` estimates it. A page of text has about 0.06; 0 without sheets."""
    from generator.checks.preflight.ink import ink_of
    from generator.pdf.raster import rasterise_each

    if not sheets:
        return 0.0
    with pdf.Press() as press:
        printed = print_sheets(game, list(sheets), drawn, press, progress)
    pages = (np.asarray(page.convert("RGB")) for page in rasterise_each(printed, _DPI))
    return sum(ink_of(page.reshape(-1, 3)) for page in pages) / len(sheets)
