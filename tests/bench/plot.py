"""Take what decks of several sizes cost, draw three small curves, as an SVG (svgwrite)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from pathlib import Path
from typing import NamedTuple

import svgwrite

_WIDE, _HIGH, _GAP, _EDGE = 180, 110, 60, 40
_INK, _ACCENT, _PALE = "#333333", "#1f5f8b", "#dddddd"


class Growth(NamedTuple):
    """The costs of a deck."""

    cards: int
    cpu: float  # s
    memory: float  # MB of all processes
    size: float  # KB of the file


def draw_growth(rows: Sequence[Growth], path: Path) -> None:
    """Curves of time, memory and size over the number of cards; all axes are logarithmic."""
    titles = ("CPU, s", "memory, MB", "file, KB")
    whole = (3 * _WIDE + 2 * _GAP + 2 * _EDGE, _HIGH + 2 * _EDGE)
    drawing = svgwrite.Drawing(str(path), size=whole, viewBox=f"0 0 {whole[0]} {whole[1]}")
    drawing.add(drawing.rect((0, 0), whole, fill="#ffffff"))
    for index, title in enumerate(titles):
        values = [row[index + 1] for row in rows]
        corner = (_EDGE + index * (_WIDE + _GAP), _EDGE)
        _draw_curve(drawing, title, [row.cards for row in rows], values, corner)
    drawing.save(pretty=True)


def _draw_curve(
    drawing: svgwrite.Drawing, title: str, cards: Sequence[int], values: Sequence[float], corner: tuple[int, int]
) -> None:
    x0, y0 = corner
    text = {"font_family": "sans-serif", "font_size": 10, "fill": _INK}
    xs = _scaled(cards, x0, x0 + _WIDE)
    ys = _scaled(values, y0 + _HIGH, y0)
    drawing.add(drawing.rect((x0, y0), (_WIDE, _HIGH), fill="none", stroke=_PALE))
    drawing.add(drawing.text(title, (x0, y0 - 10), font_weight="bold", **text))
    points = list(zip(xs, ys, strict=True))
    drawing.add(drawing.polyline(points, fill="none", stroke=_ACCENT, stroke_width=2))
    for (x, y), value, number in zip(points, values, cards, strict=True):
        drawing.add(drawing.circle((x, y), 3, fill=_ACCENT))
        drawing.add(drawing.text(f"{value:,.{int(value < 100)}f}", (x - 4, y - 6), text_anchor="end", **text))
        place = (x, y0 + _HIGH + 14)
        drawing.add(drawing.text(f"{number:,}", place, text_anchor="middle", **text))


def _scaled(values: Sequence[float], low: float, high: float) -> list[float]:
    first, last = log10(values[0]), log10(values[-1])
    shares = ((log10(value) - first) / (last - first) for value in values)
    return [round(low + (0.08 + 0.84 * share) * (high - low), 1) for share in shares]
