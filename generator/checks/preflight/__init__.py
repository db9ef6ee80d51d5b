"""Faults of faces as they will print, as a print shop would report them.

Works on pictures and the contents of pages; knows no rules of games and draws nothing.
"""

from generator.checks.preflight.colours import lines_alike, palette_alike
from generator.checks.preflight.cut import drift_of
from generator.checks.preflight.eyes import palette_dull
from generator.checks.preflight.findings import (
    KINDS,
    SHOP_KINDS,
    CountedPart,
    InspectedFace,
    SideInspector,
    conclude,
    contents_agree,
    symbols_agree,
)
from generator.checks.preflight.prints import FaceLook, Print, ShopLimits
from generator.checks.preflight.reading import styles_lacking
from generator.checks.preflight.shop import REPLACED

__all__ = [
    "KINDS",
    "REPLACED",
    "SHOP_KINDS",
    "CountedPart",
    "FaceLook",
    "InspectedFace",
    "Print",
    "ShopLimits",
    "SideInspector",
    "conclude",
    "contents_agree",
    "drift_of",
    "lines_alike",
    "palette_alike",
    "palette_dull",
    "styles_lacking",
    "symbols_agree",
]
