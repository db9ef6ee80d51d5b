"""Take the readings of the sheet, such as "E14", make millimetres."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from generator.basics.errors import PnpError, Problem, fail, quote
from generator.basics.place import Place
from generator.layout.printers.gauge import COLUMN, LETTERS, ROWS, STEP, ZERO
from generator.layout.printers.pins import PIN_ZERO

COUNT = 8
_BY_LIGHT = re.compile(rf"([{LETTERS}])([0-9]{{1,2}}(?:\.5)?)")
_BY_PIN = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,2})?")


class Readings(Struct, frozen=True):
    """The eight readings in mm, in the order of the sheet: top left, top right, bottom left and
    bottom right, each across and down.

    Positive: the back is further right, or lower, seen from the front. `pins`: the readings are
    from pin holes, which are at other places of the sheet than the scales.
    """

    values: tuple[float, ...]
    pins: bool = False


def parse_readings(texts: Sequence[str], *, pins: bool = False) -> Readings:
    """Read "E14" (column E, number 14) or "E14.5" (between 14 and 15), eight of them; from pin
    holes, millimetres such as "8.3".

    Raises PnpError naming every text that is not a reading.
    """
    if len(texts) != COUNT:
        what = f"{len(texts)} readings where the sheet has {COUNT}"
        hint = f"give the readings 1 to 8 of the sheet, in that order: {_example(pins=pins)} ..."
        raise fail(Place("readings"), what, hint)
    parse = _parse_pin if pins else _parse_light
    values = [parse(text.strip().upper()) for text in texts]
    faults = [
        _fault(number, text, pins=pins)
        for number, (text, value) in enumerate(zip(texts, values, strict=True), 1)
        if value is None
    ]
    if faults:
        raise PnpError(faults)
    return Readings(tuple(value for value in values if value is not None), pins)


def _parse_light(text: str) -> float | None:
    match = _BY_LIGHT.fullmatch(text)
    if match is None or float(match[2]) >= ROWS:
        return None
    return (LETTERS.index(match[1]) - ZERO) * COLUMN + float(match[2]) * STEP


def _parse_pin(text: str) -> float | None:
    return float(text) - PIN_ZERO if _BY_PIN.fullmatch(text) else None


def _example(*, pins: bool) -> str:
    return "8.3 7.9 8" if pins else "E14 E2 D57"


def _fault(number: int, text: str, *, pins: bool) -> Problem:
    hint = (
        f"give the millimetres on the ruler of the pin hole: {PIN_ZERO} or 8.3"
        if pins
        else f"give a letter from {LETTERS[0]} to {LETTERS[-1]} and a number from 0 to {ROWS - 1}:"
        " E14, or E14.5 for between 14 and 15"
    )
    return Problem(Place(f"scale {number}"), f"{quote(text)} is not a reading", hint)
