"""The only wiring: read, check, draw, impose, print, write."""

from generator.pipeline.checking import check, entries
from generator.pipeline.exporting import EXPORTERS, export_kit
from generator.pipeline.game import KINDS, names, read, schema
from generator.pipeline.kit import parse_only
from generator.pipeline.printers import calibration_sheet, measured, proof_sheet
from generator.pipeline.printing import Built, Plan, PlanRow, Request, build, plan
from generator.pipeline.starting import schema_text, start

__all__ = [
    "EXPORTERS",
    "KINDS",
    "Built",
    "Plan",
    "PlanRow",
    "Request",
    "build",
    "calibration_sheet",
    "check",
    "entries",
    "export_kit",
    "measured",
    "names",
    "parse_only",
    "plan",
    "proof_sheet",
    "read",
    "schema",
    "schema_text",
    "start",
]
