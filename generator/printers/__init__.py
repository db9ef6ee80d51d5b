"""Take the readings of the calibration sheet, make the profile that corrects the backs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.lazily import load_lazily

if TYPE_CHECKING:
    from generator.printers.calibration import calibration_sheet
    from generator.printers.profile import Profile, correct_sheet
    from generator.printers.proof import proof_sheet
    from generator.printers.readings import Readings, parse_readings
    from generator.printers.solving import solve
    from generator.printers.store import Store

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

_MODULES = {
    "Profile": "generator.printers.profile",
    "Readings": "generator.printers.readings",
    "Store": "generator.printers.store",
    "calibration_sheet": "generator.printers.calibration",
    "correct_sheet": "generator.printers.profile",
    "parse_readings": "generator.printers.readings",
    "proof_sheet": "generator.printers.proof",
    "solve": "generator.printers.solving",
}

__getattr__ = load_lazily(__name__, _MODULES)
