"""Take shapes and counts, make Sheets of Placements; never sees a face's content."""

from generator.layout.imposition import Item, Printing, Run, impose
from generator.layout.papers import USUAL_MARGIN, margin_width, paper_size

__all__ = ["USUAL_MARGIN", "Item", "Printing", "Run", "impose", "margin_width", "paper_size"]
