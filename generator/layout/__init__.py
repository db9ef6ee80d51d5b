"""Take shapes and counts, make Sheets of Placements. No module here sees what a face shows."""

from generator.layout.dressing import USUAL_MARKS, Item, Marking, parse_marks
from generator.layout.forme import Blank
from generator.layout.imposition import Printing, PrintRun, impose
from generator.layout.slug import describe_scale

__all__ = [
    "USUAL_MARKS",
    "Blank",
    "Item",
    "Marking",
    "PrintRun",
    "Printing",
    "describe_scale",
    "impose",
    "parse_marks",
]
