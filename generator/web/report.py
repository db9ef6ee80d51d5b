"""Take the values of a report, make one HTML file of them that runs and fetches nothing: with its
style, its charts and its pictures within it."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from generator.web.contrast import Accent
from generator.web.shell import read_style, write_document, write_style


class ShownChart(Struct, frozen=True):
    """A chart with its heading, and what it says in words."""

    title: str
    note: str
    chart: Markup


class ShownTable(Struct, frozen=True):
    """A table. `numbers` are its columns of figures, from 0; the first cell is bold in so many
    rows from the top."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()
    bold: int = 0


class Report(Struct, frozen=True):
    """What every report has: its title, what it is about in a line, the numbers that matter most
    (words by their number). The language is that of the game's words ("en")."""

    title: str
    lead: str
    language: str
    accent: Accent
    figures: Sequence[tuple[str, str]]


def write_report(template: str, report: Report, **values: object) -> bytes:
    """The page that a template of page/ makes of a report and these values. The same report gives
    the same bytes."""
    return write_document(
        template,
        title=report.title,
        language=report.language,
        style=write_style(report.accent, ()) + read_style("report.css"),
        lead=report.lead,
        figures=report.figures,
        **values,
    )
