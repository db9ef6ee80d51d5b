"""PDF points, y up, from millimetres, y down. Only this module converts between them."""

from collections.abc import Iterable
from functools import lru_cache

from generator.basics.geometry import PT_PER_MM, Affine, Size, decimal, steady
from generator.basics.shapes import Outline


def to_page(paper: Size) -> Affine:
    """Map millimetres on a page, or on a face, to its points."""
    return Affine(PT_PER_MM, 0.0, 0.0, -PT_PER_MM, 0.0, paper.height * PT_PER_MM)


def from_form(drawing: Size) -> Affine:
    """Map points of a form to the millimetres of its drawing: the inverse of `to_page`."""
    return Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, drawing.height)


def points(size: Size) -> tuple[float, float]:
    width, height = size
    return steady(width * PT_PER_MM), steady(height * PT_PER_MM)


def steady_points(lengths: Iterable[float]) -> tuple[float, ...]:
    """Lengths in points, steady."""
    return tuple(map(steady, lengths))


@lru_cache(maxsize=1024)  # most sheets of a game have the same places, and so do its faces
def seat(page: Affine, clip: Outline | None, place: Affine, drawing: Size) -> str:
    """The operators before a form is drawn: its clip and its place, which maps the drawing, both in
    millimetres. `page` maps these to points."""
    return f"{_clip(page, clip)}{(page @ place @ from_form(drawing)).to_text()} cm"


def _clip(page: Affine, outline: Outline | None) -> str:
    if outline is None:
        return ""
    corners = [f"{decimal(x)} {decimal(y)}" for x, y in map(page.apply, outline)]
    return f"{corners[0]} m {' l '.join(corners[1:])} l h W n "
