"""Take the readings of the calibration sheet, make the profile that corrects the backs."""

from __future__ import annotations

from generator.layout.printers.calibration import calibration_sheet
from generator.layout.printers.profile import Profile, correct_sheet
from generator.layout.printers.proof import proof_sheet
from generator.layout.printers.readings import Readings, parse_readings
from generator.layout.printers.solving import solve
from generator.layout.printers.store import Store

__all__ = [
    "Profile",
    "Readings",
    "Store",
    "calibration_sheet",
    "correct_sheet",
    "parse_readings",
    "proof_sheet",
    "solve",
]
