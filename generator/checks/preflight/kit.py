"""Take a booklet's list of the kit, find its faults.

The rules list the contents of the box in a block, which is printed as a list:

    ::: kit
    18 Cards: an order on the front, tiles on the back
    2 reference
    :::

A line is a number and the title or the id of a component, in upper or lower case; text after a
colon is not checked. Every component appears once, with its number; the booklet fills in a missing
number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from generator.basics.errors import Problem, did_you_mean, quote
from generator.basics.place import Place

_OPENS = re.compile(r"\s{0,3}:::+\s*kit\b")
_CLOSES = re.compile(r"\s{0,3}:::+\s*$")
_BULLETS = ("-", "*")


class CountedPart(Struct, frozen=True):
    """A part of a kit: the id and title by which rules may name it, and its number of pieces."""

    id: str
    title: str
    number: int


def contents_agree(text: str, file: Place, parts: Sequence[CountedPart]) -> Iterator[Problem]:
    """The wrong lines of a booklet's `::: kit` lists, and the parts that they leave out."""
    names = {name.casefold(): part for part in parts for name in (part.title, part.id)}
    titles = [part.title for part in parts]
    lines: dict[str, int] = {}
    for number, line in _find_list_lines(text):
        place, (count, name) = file.at_line(number), _read_count(line)
        part = names.get(name.casefold())
        if part is None:
            hint = did_you_mean(name, titles)
            yield Problem(place, f"the kit has no {quote(name)}", hint, rule="kit.unknown")
        else:
            yield from _check_number(part, count, lines.get(part.id), place)
            lines.setdefault(part.id, number)
    yield from (_report_missing(part, file) for part in parts if part.id not in lines)


def _read_count(line: str) -> tuple[int | None, str]:
    """The number of a line, None if there is none, and the name."""
    words = line.partition(":")[0].split()
    if words[:1] and words[0] in _BULLETS:
        del words[0]
    if words[:1] and re.fullmatch(r"[0-9]{1,7}", words[0]):
        return int(words[0]), " ".join(words[1:])
    return None, " ".join(words)


def _check_number(
    part: CountedPart, number: int | None, before: int | None, place: Place
) -> Iterator[Problem]:
    if before is not None:
        what = f"line {before} already lists {part.title}"
        yield Problem(place, what, "list them once", rule="kit.number", on=(part.id,))
    elif number not in (None, part.number):
        what = f"the kit has {part.number} {part.title}, not {number}"
        yield Problem(place, what, rule="kit.number", on=(part.id,))


def _report_missing(part: CountedPart, file: Place) -> Problem:
    what = f"the rules do not say that the kit has {part.number} {part.title}"
    hint = f"add a line '{part.number} {part.title}' between ::: kit and :::"
    return Problem(file, what, hint, "warning", "kit.missing", (part.id,))


def _find_list_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of all lists, and their numbers from 1."""
    is_list = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_list and _CLOSES.match(line):
            is_list = False
        elif is_list and line.strip():
            yield number, line
        elif not is_list:
            is_list = _OPENS.match(line) is not None


def symbols_agree(shown_in: Mapping[str, Place], on_pieces: Collection[str]) -> Iterator[Problem]:
    """A warning for each symbol that is on no piece. `shown_in`: places by the names of art."""
    for name, place in shown_in.items():
        if name not in on_pieces:
            what = f"the symbol {quote(name)} is not on any piece"
            hint = did_you_mean(name, on_pieces)
            yield Problem(place, what, hint, "warning", "kit.symbol")
