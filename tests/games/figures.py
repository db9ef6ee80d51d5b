"""Take the rules of a game, read the tables and figures out of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from tests.games.conftest import TEMPLATES

Row = Mapping[str, str]
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Point = tuple[float, float]  # mm, y down

_AT = r"at ([-\d.]+) ([-\d.]+)"
_PIECE = re.compile(rf"(\w+) (\S+?)( back)? {_AT}(?: turn (\d+))?(?: level (\d))?( faded)?")
_MARK = re.compile(rf'(?:(?:number|layers) (\S+)|note "([^"]*)") {_AT}(?: level (\d))?')
_SIGN = re.compile(rf"(cross|tick) {_AT}(?: level (\d))?")
_AREA = re.compile(r"area ((?:[-\d.]+ [-\d.]+(?:, )?)+)")
_NO_PIECES = ("number", "note", "arrow", "picture", "cross", "tick", "layers")
_PICTURE = re.compile(rf"picture (\S+) {_AT} ([\d.]+)")
_ARROW = re.compile(r"arrow ([-\d.]+) ([-\d.]+) to ([-\d.]+) ([-\d.]+)(?: level \d)?")
_HEXAGON = re.compile(r"hexagon ([-\d.]+) ([-\d.]+) ([\d.]+)(?: level (\d))?")


class Laid(NamedTuple):
    """A piece in a figure, in the order in which they are laid: where the box around it has its
    top left corner (mm), and by how many degrees it is turned clockwise."""

    piece: str
    is_back: bool
    x: float
    y: float
    turn: int
    is_faded: bool
    component: str
    level: int = 0  # as the figure draws it


class Figure(Struct, frozen=True):
    """What a table shows. Marks are what is written, and where; hexagons their middles; arrows
    start and end; areas are shaded. `levels` are those at which the marks and the hexagons are
    drawn."""

    caption: str
    laid: list[Laid]
    marks: list[tuple[str, Point]]
    hexagons: list[Point]
    pictures: list[tuple[str, Point, float]]  # their names, middles and widths
    signs: list[tuple[str, Point]]
    levels: list[tuple[Point, int]]
    arrows: list[tuple[Point, Point]]
    areas: list[list[Point]]  # the corners of each

    def of(self, component: str) -> list[Laid]:
        return [lying for lying in self.laid if lying.component == component]


def rules_of(game: str) -> str:
    return (TEMPLATES / game / "rules.md").read_text("utf-8")


def in_a_line(rules: str) -> str:
    """The words of a rulebook, without the ends of lines and the signs of asides."""
    return " ".join(re.sub(r"^> ?", "", rules, flags=re.M).split())


def tables(text: str, *columns: str) -> Iterator[list[Row]]:
    """The tables that have these columns."""
    for found in re.finditer(r"^\|.*\n\|[-|: ]+\n((?:\|.*\n)+)", text, re.M):
        head, _, *rows = found[0].splitlines()
        names = [cell.strip() for cell in head.strip("|").split("|")]
        if set(columns) <= set(names):
            cells = ([cell.strip() for cell in row[1:-1].split("|")] for row in rows)
            yield [dict(zip(names, row, strict=True)) for row in cells]


def figure(text: str, caption: str) -> Figure:
    """The table whose caption begins so."""
    found = re.search(rf"^::: table +({re.escape(caption)}.*)\n((?:.+\n)+?):::$", text, re.M)
    assert found, f"no figure {caption!r}"
    return _read(found[1], found[2].splitlines())


def figure_without_caption(text: str, first: str) -> Figure:
    """The table whose first line begins so."""
    (body,) = re.findall(rf"^::: table\n({re.escape(first)}.*\n(?:.+\n)*?):::$", text, re.M)
    return _read("", body.splitlines())


def _read(caption: str, lines: list[str]) -> Figure:
    pieces = [_PIECE.fullmatch(line) for line in lines if " at " in line and _is_piece(line)]
    marks = [match for match in map(_MARK.fullmatch, lines) if match]
    pictures = [match for match in map(_PICTURE.fullmatch, lines) if match]
    hexagons = [match for match in map(_HEXAGON.fullmatch, lines) if match]
    signs = [match for match in map(_SIGN.fullmatch, lines) if match]
    arrows = [tuple(map(float, match.groups())) for match in map(_ARROW.fullmatch, lines) if match]
    return Figure(
        caption,
        [
            Laid(*(p[2], bool(p[3]), float(p[4]), float(p[5])), *(int(p[6] or 0), bool(p[8]), p[1], int(p[7] or 0)))
            for p in pieces
            if p is not None
        ],
        [(mark[1] or mark[2], (float(mark[3]), float(mark[4]))) for mark in marks],
        [(float(hexagon[1]), float(hexagon[2])) for hexagon in hexagons],
        [(picture[1], (float(picture[2]), float(picture[3])), float(picture[4])) for picture in pictures],
        [(sign[1], (float(sign[2]), float(sign[3]))) for sign in signs],
        [
            *(((float(mark[3]), float(mark[4])), int(mark[5] or 1)) for mark in marks),
            *(((float(hexagon[1]), float(hexagon[2])), int(hexagon[4] or 1)) for hexagon in hexagons),
            *(((float(sign[2]), float(sign[3])), int(sign[4] or 1)) for sign in signs),
        ],
        [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in arrows],
        [_corners(match[1]) for match in map(_AREA.fullmatch, lines) if match],
    )


def _corners(text: str) -> list[Point]:
    pairs = (pair.split() for pair in text.split(", "))
    return [(float(x), float(y)) for x, y in pairs]


def _is_piece(line: str) -> bool:
    return line.partition(" ")[0] not in _NO_PIECES
