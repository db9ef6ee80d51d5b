"""Say how text is set: fonts, sizes, lines."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Align = Literal["start", "left", "right", "centre", "justified"]  # start: by its direction
Valign = Literal["top", "middle", "bottom"]


class Style(Struct, frozen=True, kw_only=True):
    """How a text is set. Sizes are mm; measures in ems are multiples of the size."""

    family: str
    size: float
    least: float = 0.0  # the least size that text may shrink to; 0: it does not shrink
    weight: int = 400
    bold: int = 700  # the weight of bold words
    italic: bool = False  # the words in italics are then upright
    fallback: tuple[str, ...] = ()  # families for characters that the first one lacks, in order
    colour: str = "#000000"
    leading: float = 1.25  # ems from baseline to baseline
    gap: float = 0.5  # extra ems between paragraphs
    align: Align = "start"
    valign: Valign = "top"
    hyphens: str = ""  # the language of hyphenation ("de", "en_GB"); "" for none
    bullet: str = "•"  # before an item of a list
    icon: float = 1.1  # the height of an icon, in ems
    sink: float = 0.2  # how far an icon goes below the baseline, in ems
