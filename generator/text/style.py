"""Say how text is set: fonts, sizes, lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Align = Literal["start", "left", "right", "centre", "justified"]  # start: where its language begins
Valign = Literal["top", "middle", "bottom"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a text is set. Sizes are mm, what is measured in ems grows and shrinks with them."""

    family: str
    size: float
    least: float = 0.0  # how far text may shrink to fit; 0: not at all
    weight: int = 400
    bold: int = 700  # the weight of bold words
    fallback: tuple[str, ...] = ()  # families that give the signs the first one lacks, in order
    colour: str = "#000000"
    leading: float = 1.25  # ems from baseline to baseline
    gap: float = 0.5  # ems more between paragraphs
    align: Align = "start"
    valign: Valign = "top"
    hyphens: str = ""  # the language to part words in ("de", "en_GB"); "" for never
    bullet: str = "•"  # what stands before an item of a list
    icon: float = 1.1  # the height of an icon, in ems
    sink: float = 0.2  # how far an icon goes below the baseline, in ems
