"""The steps in order: read, check, draw, impose, print, write. Only this room connects them."""

from generator.pipeline.checking import check, entries
from generator.pipeline.collecting import print_games
from generator.pipeline.exporting import EXPORTERS, additions, export_kit
from generator.pipeline.game import CHECKS, KINDS, RENDERERS, names, read, schema, silent
from generator.pipeline.printers import calibration_sheet, measure_printer, proof_sheet
from generator.pipeline.printing import Plan, PlanRow, PrintedGame, plan, print_game
from generator.pipeline.request import PrintOptions, Request, parse_request
from generator.pipeline.starting import schema_text, start

__all__ = [
    "CHECKS",
    "EXPORTERS",
    "KINDS",
    "RENDERERS",
    "Plan",
    "PlanRow",
    "PrintOptions",
    "PrintedGame",
    "Request",
    "additions",
    "calibration_sheet",
    "check",
    "entries",
    "export_kit",
    "measure_printer",
    "names",
    "parse_request",
    "plan",
    "print_game",
    "print_games",
    "proof_sheet",
    "read",
    "schema",
    "schema_text",
    "silent",
    "start",
]
