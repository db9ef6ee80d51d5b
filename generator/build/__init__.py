"""The only wiring: read, check, draw, impose, print, write."""

from generator.build.checking import check
from generator.build.game import KINDS, names, read, schema
from generator.build.kit import parse_only
from generator.build.pictures import export_png
from generator.build.printers import calibration_sheet, measured, proof_sheet
from generator.build.printing import Built, Plan, PlanRow, Request, build, plan

__all__ = [
    "KINDS",
    "Built",
    "Plan",
    "PlanRow",
    "Request",
    "build",
    "calibration_sheet",
    "check",
    "export_png",
    "measured",
    "names",
    "parse_only",
    "plan",
    "proof_sheet",
    "read",
    "schema",
]
