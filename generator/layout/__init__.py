"""Take shapes and counts, make Sheets of Placements; never sees a face's content."""

from generator.layout.dressing import USUAL_MARKS, Item, Marking, parse_marks
from generator.layout.imposition import Printing, Run, impose
from generator.layout.packing import Stock
from generator.layout.papers import (
    USUAL_MARGIN,
    margin_width,
    paper_name,
    paper_size,
    precut_sheet,
)

__all__ = [
    "USUAL_MARGIN",
    "USUAL_MARKS",
    "Item",
    "Marking",
    "Printing",
    "Run",
    "Stock",
    "impose",
    "margin_width",
    "paper_name",
    "paper_size",
    "parse_marks",
    "precut_sheet",
]
