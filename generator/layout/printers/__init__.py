"""Take the readings of the calibration sheet, make the profile that corrects the backs."""

from __future__ import annotations

from generator.layout.printers.calibration import calibration_sheet, proof_sheet
from generator.layout.printers.profile import Profile, Store, correct_sheet
from generator.layout.printers.solving import Readings, parse_readings, solve

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
