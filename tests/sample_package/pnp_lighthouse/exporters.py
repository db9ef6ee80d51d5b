"""Lists of a kit."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Literal

from generator.plugins import LEAFLETS, ExportedFile, Keys, Kit, Place, fail


class Contents(Keys, frozen=True, kw_only=True):
    """contents.csv: the pieces on each sheet, as one cuts them."""

    separator: Literal[",", ";"] = ","

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        rows = [
            (sheet.title, sheet.number, placement.piece)
            for sheet in kit.sheets
            if sheet.component not in LEAFLETS
            for placement in sheet.pages[0].placements
        ]
        if not rows:
            raise fail(Place("--to contents"), "there is no sheet of pieces", "leave out --only")
        text = StringIO()
        writer = csv.writer(text, delimiter=self.separator, lineterminator="\n")
        writer.writerows([("sheet", "number", "piece"), *rows])
        yield ExportedFile("contents.csv", text.getvalue().encode())
