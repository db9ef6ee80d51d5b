"""Take a paper and a piece, find a template that silhouette-card-maker has for them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from generator.basics.geometry import Affine, Point, Size, lattice, quarter_turn, translation
from generator.basics.outlines import Shape
from generator.basics.units import MM_PER_INCH, parse_length
from generator.layout.registration import LONGEST, USUAL_INSET
from generator.model import Orientation

BLEED = 0.6  # mm; pieces are 1.25 mm apart, rounded to pixels
_GAP = 1.25  # mm
_PIXEL = MM_PER_INCH / 300  # its lengths are whole pixels
_SAME = 0.05  # mm by which a piece or a paper may differ


class CutTemplate(Struct, frozen=True):
    """A template: the paper as it lies, the `length` (mm) of the marks, the places of pieces."""

    name: str
    paper: Size
    length: float
    places: tuple[Affine, ...]


def find_template(paper: Size, shape: Shape, orientation: Orientation) -> CutTemplate | None:
    """The template for pieces of a shape, if there is one for the paper and its orientation."""
    if shape.kind not in ("rectangle", "circle"):
        return None
    found = (one for one in _entries() if one.suits(paper, shape, orientation))
    return next((one.template(shape.size) for one in found), None)


class _Entry(Struct, frozen=True):
    """A line of templates.toml. The piece is as it lies on the paper."""

    name: str
    paper: Size
    orientation: str
    piece: Size
    is_round: bool
    columns: int
    rows: int

    def suits(self, paper: Size, shape: Shape, orientation: Orientation) -> bool:
        is_near = _is_same(paper, self.paper) or _is_same(paper.turned(), self.paper)
        is_shape = self.is_round == (shape.kind == "circle")
        fits = _is_same(shape.size, self.piece) or _is_same(shape.size.turned(), self.piece)
        return is_near and is_shape and fits and orientation in ("auto", self.orientation)

    def template(self, size: Size) -> CutTemplate:
        """The template for pieces of a size, which may lie turned.

        The block is in the middle of the paper, as near as whole pixels allow; the marks end a gap
        away from it. Source: page_manager.py of silhouette-card-maker.
        """
        paper = self.paper.turned() if self.orientation == "landscape" else self.paper
        inset, gap = _pixels(USUAL_INSET), _pixels(_GAP)
        counts = self.columns, self.rows
        steps = [_pixels(side) + gap for side in self.piece]
        corner = [
            round((_pixels(whole) - count * step - gap) / 2 + gap)
            for whole, count, step in zip(paper, counts, steps, strict=True)
        ]
        length = round((max(corner) - inset - gap) * _PIXEL, 2)
        first = Point(corner[0] * _PIXEL, corner[1] * _PIXEL)
        turn = translation(0.0, 0.0) if _is_same(size, self.piece) else quarter_turn(size)
        pitch = Size(steps[0] * _PIXEL, steps[1] * _PIXEL)
        spots = lattice(first, pitch, *counts)
        places = tuple(translation(x, y) @ turn for x, y in spots)
        return CutTemplate(self.name, paper, min(length, LONGEST), places)


def _pixels(length: float) -> int:
    return round(length / _PIXEL)


def _is_same(one: Size, other: Size) -> bool:
    return max(abs(one.width - other.width), abs(one.height - other.height)) <= _SAME


@cache
def _entries() -> tuple[_Entry, ...]:
    text = Path(__file__).with_name("templates.toml").read_text("utf-8")
    return tuple(_read(tomllib.loads(text)))


def _read(table: dict[str, Any]) -> Iterator[_Entry]:
    for paper, templates in table["paper"].items():
        size = _size(templates.pop("size"))
        for piece, (orientation, columns, rows, version) in templates.items():
            name, is_round = f"{paper}-{piece}-v{version}", piece.endswith("circle")
            sides = _size(table["piece"][piece])
            yield _Entry(name, size, orientation, sides, is_round, columns, rows)


def _size(sides: tuple[str, str]) -> Size:
    width, height = sides
    return Size(parse_length(width), parse_length(height))
