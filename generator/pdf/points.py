"""Take millimetres, y down, make PDF points, y up: the only place where one becomes the other."""

from __future__ import annotations

from generator.geometry import Affine, Size
from generator.units import PT_PER_MM


def to_page(paper: Size) -> Affine:
    """Millimetres on a page, or on a face, to its points."""
    return Affine(PT_PER_MM, 0.0, 0.0, -PT_PER_MM, 0.0, paper.height * PT_PER_MM)


def from_form(drawing: Size) -> Affine:
    """Points of a form to the millimetres of the drawing in it: `to_page` turned back."""
    return Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, drawing.height)


def points(size: Size) -> tuple[float, float]:
    return size.width * PT_PER_MM, size.height * PT_PER_MM
