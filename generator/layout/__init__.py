"""Take shapes and counts, make Sheets of Placements. No module here sees what a face shows."""

from generator.layout.cutters import MACHINES, NO_CUTTER, parse_cutter
from generator.layout.dressing import USUAL_MARKS, Item, Marking, parse_marks
from generator.layout.forme import Blank
from generator.layout.imposition import impose
from generator.layout.joining import MIXED
from generator.layout.registration import Cutter, Machine
from generator.layout.runs import Printing, PrintRun
from generator.layout.slug import describe_scale

__all__ = [
    "MACHINES",
    "MIXED",
    "NO_CUTTER",
    "USUAL_MARKS",
    "Blank",
    "Cutter",
    "Item",
    "Machine",
    "Marking",
    "PrintRun",
    "Printing",
    "describe_scale",
    "impose",
    "parse_cutter",
    "parse_marks",
]
