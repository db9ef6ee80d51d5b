"""Papers by name or size ("210x297mm"), and margins by name, in millimetres."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from generator.basics.errors import Place, did_you_mean, fail, locate, nearest, quote
from generator.basics.geometry import HAIR, Point, Size, lattice, parse_length, split_size

_SMALLEST_MM = 50.0
_NUMBER = re.compile(r"[0-9]{4,5}$")  # of a product
_WIDEST_MARGIN_MM = 50.0
USUAL_MARGIN = 6.35  # mm, a quarter of an inch


class Precut(Struct, frozen=True):
    """A sheet that is already cut into pieces in a grid, each of the size `piece` in mm, or discs of that diameter."""

    name: str
    piece: Size
    columns: int
    rows: int
    corner: Point
    pitch: Size
    is_round: bool = False

    @property
    def end(self) -> Point:
        """The bottom right of the last piece."""
        x, y = (self.columns - 1) * self.pitch.width, (self.rows - 1) * self.pitch.height
        return Point(self.corner.x + x + self.piece.width, self.corner.y + y + self.piece.height)

    def corners(self) -> Iterator[Point]:
        """The top left of each piece, in reading order."""
        yield from lattice(self.corner, self.pitch, self.columns, self.rows)


class Paper(Struct, frozen=True):
    """A paper: its written name ("A4", "Arch B", "210x297mm"), its size in mm, and its grid if it is precut."""

    name: str
    size: Size
    precut: Precut | None = None


def parse_paper(text: str) -> Paper:
    """A paper by name ("a4", "Arch B") or measure ("210x297mm", "8.5inx11in").

    Raises PnpError if there is no such name or no unit, or if a side is shorter than 50 mm or longer than 2 m.
    """
    named = _papers().get(fold_name(text))
    return named or Paper(text.replace(" ", "").replace("×", "x"), _parse_size(text))


def _parse_size(text: str) -> Size:
    place = Place(f"paper {quote(text)}")
    sides = locate(place, split_size, text)
    if sides is None:
        raise fail(place, "there is no such paper", _hint(text))
    size = Size(*(locate(place, parse_length, side) for side in sides))
    if min(size) < _SMALLEST_MM:
        raise fail(place, f"a side is shorter than {_SMALLEST_MM:g} mm")
    return size


def _hint(text: str) -> str:
    """The paper that may be meant. Sheets of labels differ by their number alone."""
    if number := _NUMBER.search(text):
        alike = [name for name in _papers() if name.endswith(number[0])]
        measured = f"give its measures in game.toml: [paper.{fold_name(text)}] (docs/sheets.md)"
        return f"did you mean {quote(alike[0])}?" if alike else measured
    near = nearest(fold_name(text), _papers())
    known = "a name such as letter, tabloid, a4 or a3; or a size: 210x297mm"
    return f"did you mean {quote(near)}?" if near else known


def fold_name(name: str) -> str:
    """The name of a paper as an option takes it: "arch-b"."""
    return name.strip().lower().replace(" ", "-")


@cache
def _papers() -> dict[str, Paper]:
    """Every paper that has a name."""
    named = {
        fold_name(name): Paper(name, Size(*map(parse_length, sides)))
        for series in _table()["paper"].values()
        for name, sides in series.items()
    }
    precut = {
        name: Paper(name.replace("-", " ").title(), named[sheet["paper"]].size, _precut(name, sheet))
        for first, sheet in _table()["sheet"].items()
        for name in (first, *sheet.get("also", ()))
    }
    return named | precut


def _precut(name: str, sheet: Mapping[str, Any]) -> Precut:
    pairs = (sheet[key] for key in ("piece", "corner", "pitch"))
    piece, corner, pitch = (tuple(map(parse_length, pair)) for pair in pairs)
    columns, rows = sheet["grid"]
    where = Point(*corner), Size(*pitch)
    return Precut(name, Size(*piece), columns, rows, *where, sheet.get("round", False))


def list_larger(size: Size) -> list[tuple[str, Paper]]:
    """The uncut papers that are longer or wider than a paper, by the names that options take: first
    those of its series, then all others, each from the smallest."""
    found: list[tuple[bool, float, str, Paper]] = []
    for series in _table()["paper"].values():
        papers = {fold_name(name): _papers()[fold_name(name)] for name in series}
        is_other = all(sorted(paper.size) != sorted(size) for paper in papers.values())
        for name, paper in papers.items():
            if min(paper.size) > min(size) + HAIR or max(paper.size) > max(size) + HAIR:
                found.append((is_other, paper.size.width * paper.size.height, name, paper))
    return [(name, paper) for *_, name, paper in sorted(found, key=itemgetter(0, 1))]


class Margin(NamedTuple):
    """The mm that a printer leaves bare at the edges of a page, and at its bottom, where most leave more."""

    edges: float
    bottom: float

    @property
    def text(self) -> str:
        """The margin as `parse_margin` reads it."""
        return ",".join(f"{side:g}mm" for side in dict.fromkeys(self))


def parse_margin(text: str) -> Margin:
    """Reads a margin: "tight", "usual", "safe", or a length ("8mm"); after a comma, the margin of the bottom
    ("3mm,14mm").

    Raises PnpError if there is no such name or no unit, if it is wider than 50 mm, and for a bottom that is narrower.
    """
    first, comma, last = text.partition(",")
    margin = Margin(_parse_width(first), _parse_width(last if comma else first))
    if margin.bottom < margin.edges:
        hint = "first the narrower one: 3mm,14mm"
        raise fail(Place(f"margin {quote(text)}"), "the margin at the bottom is narrower", hint)
    return margin


def _parse_width(text: str) -> float:
    by_name, text = margins(), text.strip()
    if text.lower() in by_name:
        return by_name[text.lower()]
    try:
        width = parse_length(text)
    except ValueError:
        hint = f"{did_you_mean(text.lower(), by_name)}; or a length: 8mm; with that of the bottom: 3mm,14mm"
        raise fail(Place(f"margin {quote(text)}"), "there is no such margin", hint) from None
    if width > _WIDEST_MARGIN_MM:
        raise fail(Place(f"margin {quote(text)}"), f"the margin is wider than {_WIDEST_MARGIN_MM:g} mm")
    return width


def paper_names() -> list[str]:
    """Every name that `parse_paper` knows."""
    return [*_papers()]


def letter_countries() -> list[str]:
    """The countries (ISO 3166) whose usual paper is Letter."""
    countries: list[str] = _table()["usual"]["letter"]
    return countries


def margins() -> dict[str, float]:
    """Every margin that has a name, in mm."""
    return {name: parse_length(length) for name, length in _table()["margin"].items()}


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("papers.toml").read_text("utf-8"))
