"""The steps in order: read, check, draw, impose, print, write. Only this room connects them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.lazily import load_lazily

if TYPE_CHECKING:
    from generator.export.shop.shops import shop_names
    from generator.pipeline.checking import check, entries
    from generator.pipeline.collecting import print_games
    from generator.pipeline.exporting import EXPORTERS, export_kit
    from generator.pipeline.game import CHECKS, KINDS, RENDERERS, read, schema
    from generator.pipeline.listing import about, additions, names
    from generator.pipeline.printers import calibration_sheet, measure_printer, proof_sheet
    from generator.pipeline.printing import Plan, PlanRow, PrintedGame, plan, print_game
    from generator.pipeline.request import PrintOptions, Request, parse_request
    from generator.pipeline.sheets import silent
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
    "about",
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
    "shop_names",
    "silent",
    "start",
]

_MODULES = {
    "CHECKS": "generator.pipeline.game",
    "EXPORTERS": "generator.pipeline.exporting",
    "KINDS": "generator.pipeline.game",
    "Plan": "generator.pipeline.printing",
    "PlanRow": "generator.pipeline.printing",
    "PrintOptions": "generator.pipeline.request",
    "PrintedGame": "generator.pipeline.printing",
    "RENDERERS": "generator.pipeline.game",
    "Request": "generator.pipeline.request",
    "about": "generator.pipeline.listing",
    "additions": "generator.pipeline.listing",
    "calibration_sheet": "generator.pipeline.printers",
    "check": "generator.pipeline.checking",
    "entries": "generator.pipeline.checking",
    "export_kit": "generator.pipeline.exporting",
    "measure_printer": "generator.pipeline.printers",
    "names": "generator.pipeline.listing",
    "parse_request": "generator.pipeline.request",
    "plan": "generator.pipeline.printing",
    "print_game": "generator.pipeline.printing",
    "print_games": "generator.pipeline.collecting",
    "proof_sheet": "generator.pipeline.printers",
    "read": "generator.pipeline.game",
    "schema": "generator.pipeline.game",
    "schema_text": "generator.pipeline.starting",
    "shop_names": "generator.export.shop.shops",
    "silent": "generator.pipeline.sheets",
    "start": "generator.pipeline.starting",
}

__getattr__ = load_lazily(__name__, _MODULES)
