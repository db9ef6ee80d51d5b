"""Take millimetres, y down, make PDF points, y up: the only place where one becomes the other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from generator.geometry import Affine, Size, decimal, steady
from generator.outlines import Outline
from generator.units import PT_PER_MM


def to_page(paper: Size) -> Affine:
    """Millimetres on a page, or on a face, to its points."""
    return Affine(PT_PER_MM, 0.0, 0.0, -PT_PER_MM, 0.0, paper.height * PT_PER_MM)


def from_form(drawing: Size) -> Affine:
    """Points of a form to the millimetres of the drawing in it: `to_page` turned back."""
    return Affine(1 / PT_PER_MM, 0.0, 0.0, -1 / PT_PER_MM, 0.0, drawing.height)


def points(size: Size) -> tuple[float, float]:
    width, height = size
    return steady(width * PT_PER_MM), steady(height * PT_PER_MM)


def steady_points(lengths: Iterable[float]) -> tuple[float, ...]:
    """Points of which no more is kept than can be seen."""
    return tuple(map(steady, lengths))


@lru_cache(maxsize=1024)  # most sheets of a game are laid out alike, and its faces put together
def seat(page: Affine, clip: Outline | None, place: Affine, drawing: Size) -> str:
    """What is said before a form is drawn: where it shows, and how it lies.

    `page` maps millimetres to points; `clip` and `place`, which maps the drawing, are in
    millimetres.
    """
    return f"{_clip(page, clip)}{(page @ place @ from_form(drawing)).to_text()} cm"


def _clip(page: Affine, outline: Outline | None) -> str:
    if outline is None:
        return ""
    corners = [f"{decimal(x)} {decimal(y)}" for x, y in map(page.apply, outline)]
    return f"{corners[0]} m {' l '.join(corners[1:])} l h W n "
