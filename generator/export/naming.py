"""Take the sheets of a kit, name each: its component, and its number among those of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from generator.model import Sheet


def name_sheets(sheets: Sequence[Sheet]) -> list[tuple[str, Sheet]]:
    """Each sheet with a name of its own: "cards-1", "mixed-2".

    Sheets that components share may belong to several groups, each numbered from 1, so they are
    counted here.
    """
    counts: Counter[str] = Counter()
    named = []
    for sheet in sheets:
        counts[sheet.component] += 1
        named.append((f"{sheet.component}-{counts[sheet.component]}", sheet))
    return named
