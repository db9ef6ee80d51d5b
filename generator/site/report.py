"""Take the sections of a report, make one HTML file of them that runs and fetches nothing: with its
style, its charts and its pictures within it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from generator.site.contrast import Accent
from generator.site.markup import Child, Markup, element
from generator.site.shell import write_style

_MADE = "Made by pnp from a folder of plain files. This page runs no script and asks nobody."


class ReportSection(Struct, frozen=True):
    """A part of a report with its heading. The id is its address within the page."""

    id: str
    title: str
    content: Child


class ShownChart(Struct, frozen=True):
    """A chart with its heading, and what it says in words."""

    title: str
    note: str
    chart: Markup


class Report(Struct, frozen=True):
    """A page: its title, who it is by or what it is about in a line, the numbers that matter most
    (words by their number), and its sections. The language is that of the game's words ("en")."""

    title: str
    lead: str
    language: str
    accent: Accent
    figures: Sequence[tuple[str, str]]
    sections: Sequence[ReportSection]


def write_report(report: Report) -> bytes:
    """The page as HTML. The same report gives the same bytes."""
    style = write_style(report.accent, ()) + _report_style()
    lead = element("p", report.lead, class_="lead") if report.lead else None
    header = element("header", element("h1", report.title), lead, _show_figures(report.figures))
    main = element("main", header, map(_show_section, report.sections))
    body = element("body", main, element("footer", element("p", _MADE)))
    page = element("html", _write_head(report.title, style), body, lang=report.language)
    return f"<!doctype html>\n{page}\n".encode()


def show_charts(charts: Iterable[ShownChart]) -> Markup:
    """Charts, side by side where there is room."""
    return element("div", map(_show_chart, charts), class_="charts")


def show_table(
    heads: Sequence[str], rows: Iterable[Sequence[Child]], numbers: Sequence[int] = ()
) -> Markup:
    """A table that scrolls where it is wider than the page. `numbers` are its columns of figures,
    from 0."""

    def cells(name: str, row: Sequence[Child], scope: str | None = None) -> list[Markup]:
        return [
            element(name, cell, class_="number" if column in numbers else None, scope=scope)
            for column, cell in enumerate(row)
        ]

    head = element("thead", element("tr", cells("th", heads, "col")))
    body = element("tbody", [element("tr", cells("td", row)) for row in rows])
    table = element("table", head, body)
    return element("div", table, class_="wide", tabindex=0, role="group", aria_label="Table")


def _show_section(section: ReportSection) -> Markup:
    return element("section", element("h2", section.title), section.content, id=section.id)


def _show_figures(figures: Sequence[tuple[str, str]]) -> Markup | None:
    items = [element("li", element("b", number), words) for number, words in figures]
    return element("ul", items, class_="figures") if items else None


def _show_chart(shown: ShownChart) -> Markup:
    note = element("span", shown.note) if shown.note else None
    return element("figure", element("figcaption", shown.title, note), shown.chart)


def _write_head(title: str, style: str) -> Markup:
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content="pnp"),
        element("title", title),
        element("style", Markup(style)),
    )


@cache
def _report_style() -> str:
    text = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return "".join(line.strip() for line in text.splitlines())
