"""Take sheets in printing order, number their pages as a print dialog counts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, groupby

from msgspec import Struct

from generator.model import Page, Sheet, Way


class NumberedPage(Struct, frozen=True):
    """A page of a sheet and its number, from 1."""

    number: int
    sheet: Sheet
    page: Page


def number_pages(sheets: Sequence[Sheet], way: Way, before: int = 0) -> list[NumberedPage]:
    """The pages after `before` others; of backs in a file of their own, only the fronts."""
    printed = (
        (sheet, page)
        for sheet in sheets
        for page in sheet.pages
        if page.side == "front" or way != "separate"
    )
    numbers = count(before + 1)
    return [NumberedPage(number, *one) for number, one in zip(numbers, printed, strict=False)]


def describe_pages(numbers: Iterable[int]) -> str:
    """As a print dialog takes them: "page 3", "pages 3–6, 9"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(set(numbers))), lambda one: one[1] - one[0])
    ]
    words = ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return f"page{'s' if len(runs) > 1 or len(runs[0]) > 1 else ''} {words}"
