"""Take faces as they will print, make findings: what a printer's apprentice would hand back.

Knows pictures and what a page holds, no rules of games and no drawing.
"""

from generator.preflight.accepted import STALE, Reasons, entry
from generator.preflight.colours import palette_alike
from generator.preflight.cut import drift_of
from generator.preflight.findings import KINDS, inspect
from generator.preflight.kit import Part, contents_agree, symbols_agree
from generator.preflight.prints import Look, Print

__all__ = [
    "KINDS",
    "STALE",
    "Look",
    "Part",
    "Print",
    "Reasons",
    "contents_agree",
    "drift_of",
    "entry",
    "inspect",
    "palette_alike",
    "symbols_agree",
]
