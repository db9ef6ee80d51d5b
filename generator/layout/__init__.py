"""Sheets of Placements, from shapes and counts. No module here sees what a face shows."""

from generator.layout.dressing import USUAL_MARKS, Item, Marking, parse_marks
from generator.layout.forme import Blank
from generator.layout.imposition import MIXED, impose
from generator.layout.registration import MACHINES, NO_CUTTER, Cutter, Machine, parse_cutter
from generator.layout.runs import Printing, PrintRun
from generator.layout.slug import describe_scale
from generator.layout.tiling import COST_STEP, OVERLAP, JointCosts, Joints
