"""Take faces as they will print, make findings: what does not stand a back laid off, a cut astray.

Knows pictures and the boxes of letters, no rules of games and no drawing.
"""

from generator.preflight.findings import Look, Print, drift_of, inspect

__all__ = ["Look", "Print", "drift_of", "inspect"]
