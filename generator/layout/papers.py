"""Take the name of a paper or "210x297mm", make its size."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from generator.errors import did_you_mean, fail
from generator.geometry import Size
from generator.units import parse_length

_MEASURES = re.compile(r"([0-9.]+)(mm|cm|in|pt)?x([0-9.]+)(mm|cm|in|pt)", re.IGNORECASE)
_SMALLEST_MM = 50.0


def paper_names() -> list[str]:
    return list(_papers())


def paper_size(text: str) -> Size:
    """The size of a paper by name ("a4") or measure ("210x297mm", "8.5inx11in").

    Raises PnpError: no such name, no unit, smaller than 50 mm, longer than 2 m.
    """
    papers = _papers()
    if text.lower() in papers:
        return papers[text.lower()]
    match = _MEASURES.fullmatch(text)
    if match is None:
        hint = did_you_mean(text.lower(), papers) + " Or give a size: 210x297mm."
        raise fail(f"paper {text!r}", "there is no such paper", hint)
    width, unit, height, last_unit = match.groups()
    try:
        size = Size(
            parse_length(width + (unit or last_unit).lower()),
            parse_length(height + last_unit.lower()),
        )
    except ValueError as error:
        raise fail(f"paper {text!r}", str(error)) from None
    if min(size) < _SMALLEST_MM:
        raise fail(f"paper {text!r}", f"a side is shorter than {_SMALLEST_MM:g} mm")
    return size


def _papers() -> dict[str, Size]:
    table = tomllib.loads(files(__package__).joinpath("papers.toml").read_text("utf-8"))
    return {
        name: Size(parse_length(width), parse_length(height))
        for name, (width, height) in table.items()
    }
