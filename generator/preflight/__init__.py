"""Take faces as they will print, make findings: what a printer's apprentice would hand back.

Knows pictures and what a page holds, no rules of games and no drawing.
"""

from generator.preflight.accepted import STALE, Reasons, entry
from generator.preflight.colours import palette_alike
from generator.preflight.cut import drift_of
from generator.preflight.findings import KINDS, inspect
from generator.preflight.kit import CountedPart, contents_agree, symbols_agree
from generator.preflight.prints import FaceLook, Print

__all__ = [
    "KINDS",
    "STALE",
    "CountedPart",
    "FaceLook",
    "Print",
    "Reasons",
    "contents_agree",
    "drift_of",
    "entry",
    "inspect",
    "palette_alike",
    "symbols_agree",
]
