"""Take the readings of the sheet, such as "K4", make millimetres."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generator.errors import PnpError, Problem, fail, quote
from generator.place import Place
from generator.printers.gauge import LETTERS, ZERO

COUNT = 8
_READING = re.compile(rf"([{LETTERS}])([0-9]{{1,2}})")


@dataclass(frozen=True, slots=True)
class Readings:
    """The eight readings in mm, in the order of the sheet: top left, top right, bottom left and
    bottom right, each across and down.

    Positive: the back is further right, or lower, seen from the front. `pins`: the readings are
    from pin holes, which are at other places of the sheet than the scales.
    """

    values: tuple[float, ...]
    pins: bool = False


def parse_readings(texts: Sequence[str], *, pins: bool = False) -> Readings:
    """Read "K4" (column K, row 4) or "K45" (between rows 4 and 5), eight of them.

    Raises PnpError naming every text that is not a reading.
    """
    if len(texts) != COUNT:
        what = f"{len(texts)} readings where the sheet has {COUNT}"
        hint = "give the numbers 1 to 8 on the sheet, in that order: K1 L4 K0 ..."
        raise fail(Place("readings"), what, hint)
    values: list[float] = []
    problems: list[Problem] = []
    for number, text in enumerate(texts, 1):
        match = _READING.fullmatch(text.strip().upper())
        if match:
            values.append(LETTERS.index(match[1]) - ZERO + float(f"0.{match[2]}"))
        else:
            problems.append(_fault(number, text))
    if problems:
        raise PnpError(problems)
    return Readings(tuple(values), pins)


def _fault(number: int, text: str) -> Problem:
    hint = f"give the letter of a column ({LETTERS}) and the figure of a row: K4, or K45 for 4 to 5"
    if text.strip().upper()[:1] in ("I", "J", "O", "Q"):
        hint = "the sheet has no columns I, J, O and Q: " + hint
    return Problem(Place(f"scale {number}"), f"{quote(text)} is not a reading", hint)
