"""Take runs of pieces and a Printing, make Sheets with each back behind its front."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from generator.basics.errors import PnpError, Problem
from generator.layout.dressing import DUPLEX, SharedValues, Sides
from generator.layout.joining import Joining
from generator.layout.runs import Printing, PrintRun, RunLayout, SheetGroup, has_backs
from generator.model import Sheet
from generator.text import FontBook, Lettering


def impose(
    game: str,
    runs: Iterable[PrintRun],
    printing: Printing,
    fonts: FontBook,
    *,
    is_duplex: bool = False,
) -> list[Sheet]:
    """Put every piece on a sheet, each back behind its front.

    A sheet without backs gets an empty back when other sheets of the file have backs: a duplex
    printer would print the next front there. `is_duplex`: sheets of the file outside these runs
    have backs. Raises PnpError naming each run whose piece does not fit the paper.
    """
    layout = RunLayout(game, printing, Lettering.of(fonts))
    runs = [run.scaled(printing.scale) for run in runs]
    groups: list[SheetGroup] = []
    problems: list[Problem] = []
    for run in runs:
        try:
            groups.append(layout.lay_out(run))
        except PnpError as error:
            problems += error.problems
    if problems:
        raise PnpError(problems)
    if printing.is_mixed and not printing.precut:
        groups = Joining(layout).join(runs, groups)
    are_backed = is_duplex or any(has_backs(run.items) for run in runs)
    is_duplex = printing.way in DUPLEX and are_backed
    return [sheet for group in groups for sheet in _sheets(layout, group, is_duplex=is_duplex)]


def _sheets(layout: RunLayout, group: SheetGroup, *, is_duplex: bool) -> list[Sheet]:
    items = [item for filling in group.fillings for item in filling.items]
    forme = group.fillings[0].dressed.forme
    heading = layout.heading(group.title, len(group.fillings), items, forme)
    on_backs = layout.printing.marking.on_backs
    sheets, shared = [], SharedValues()
    for number, filling in enumerate(group.fillings, 1):
        forme = filling.dressed.forme
        named = replace(heading, cutter=layout.describe_cutter(forme))
        sides = Sides(filling.dressed, named, filling.items, number, on_backs, shared)
        sheets.append(
            Sheet(
                component=group.component,
                title=group.title,
                number=number,
                total=heading.total,
                paper=forme.area.paper,
                flip=DUPLEX.get(heading.way),
                seats=len(forme.seats),
                cuts=forme.cuts,
                bleed=heading.bleed,
                layout=forme.layout if layout.printing.cutter else "",
                pages=tuple(sides.pages(is_duplex=is_duplex)),
            )
        )
    return sheets
