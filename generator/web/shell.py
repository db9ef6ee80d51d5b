"""Whole HTML documents that run and fetch nothing, from templates of page/ and values.

A text never becomes markup: only what is made as `Markup` is not escaped. A report is a single HTML
file, with its style, its charts and its pictures within it.

The accent is a colour of the game that stands out on light and on dark pages (WCAG 2.2).
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from generator.basics.colours import channels, contrast
from generator.basics.phrases import read_phrases

LIGHT, DARK = "#fbf8f2", "#161412"  # the grounds of a page
LIGHT_PANEL, DARK_PANEL = "#f1ebdf", "#23201c"  # the grounds of its panels
LEAST = 4.5  # level AA, for text of any size
_STEPS = 40
_GREY = 24  # of 255: the least spread of the channels of a colour that is not a grey


class TypeFace(Struct, frozen=True):
    """Letters for a page: a font file with only those that it shows."""

    role: str  # "title" or "text"
    weight: int
    is_italic: bool
    font: bytes


_FOLDER = Path(__file__).with_name("page")


def write_document(template: str, *, title: str, language: str, style: str, **values: object) -> bytes:
    """The document that a template of page/ makes of these values. Its policy names the digest of
    its one style sheet. Raises UndefinedError if a value is missing."""
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    values |= {"title": title, "language": language, "style": Markup(style), "digest": digest}
    return _templates().get_template(template).render(values).encode()


@cache
def _templates() -> Environment:
    """The templates of the pages; they can read no other file."""
    templates = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    del templates.filters["safe"]  # which would make markup of a text
    templates.filters["unbroken"] = lambda text: text.replace(" %", "\N{NO-BREAK SPACE}%")
    return templates


def write_style(accent: Accent, faces: Iterable[TypeFace]) -> str:
    """The style sheet of a page with these colours and letters."""
    faces = list(faces)
    weight = next((face.weight for face in faces if face.role == "title"), 700)
    light = f"--weight:{weight};--ground:{LIGHT};--panel:{LIGHT_PANEL};--accent:{accent.light}"
    dark = f"--ground:{DARK};--panel:{DARK_PANEL};--accent:{accent.dark}"
    rules = "".join(map(_write_face, faces))
    schemes = f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return rules + schemes + read_style("style.css")


@cache
def read_style(name: str) -> str:
    """A style sheet of page/, a rule to a line, without its line breaks."""
    return "".join(line.strip() for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines())


def _write_face(face: TypeFace) -> str:
    slope = "italic" if face.is_italic else "normal"
    font = base64.b64encode(face.font).decode()
    return (
        f'@font-face{{font-family:"{face.role}";font-style:{slope};font-weight:{face.weight};'
        f'font-display:swap;src:url(data:font/ttf;base64,{font}) format("truetype")}}'
    )


class Accent(Struct, frozen=True):
    """A hue on both grounds, each "#rrggbb" with a contrast of at least LEAST."""

    light: str
    dark: str


def choose_accent(colours: Iterable[str]) -> Accent:
    """The first colour that is not a grey, made darker or lighter as far as a ground needs."""
    several = list(colours) or ["#333333"]
    chosen = next((colour for colour in several if max(parts := channels(colour)) - min(parts) >= _GREY), several[0])
    on_dark = _move(chosen, "#ffffff", (DARK, DARK_PANEL))
    return Accent(_move(chosen, "#000000", (LIGHT, LIGHT_PANEL)), on_dark)


def _move(colour: str, towards: str, grounds: Iterable[str]) -> str:
    """The colour itself, or the nearest on the way to `towards` that is readable on each ground."""
    steps = (_mix(colour, towards, step / _STEPS) for step in range(_STEPS + 1))
    return next(it for it in steps if all(contrast(it, ground) >= LEAST for ground in grounds))


def _mix(one: str, other: str, share: float) -> str:
    pairs = zip(channels(one), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


class ShownChart(Struct, frozen=True):
    """A chart with its heading, and what it says in words."""

    title: str
    note: str
    chart: Markup


class Report(Struct, frozen=True):
    """The parts that every report has: its title, what it is about in a line, the numbers that matter most (words
    by their number), the letters that it shows, if they are not the browser's. The language is that of the game's
    words ("en")."""

    title: str
    lead: str
    language: str
    accent: Accent
    figures: Sequence[tuple[str, str]]
    type_faces: Sequence[TypeFace] = ()


def write_report(template: str, report: Report, **values: object) -> bytes:
    """The page that a template of page/ makes of a report and these values. The same report gives the same bytes."""
    return write_document(
        template,
        title=report.title,
        language=report.language,
        style=write_style(report.accent, report.type_faces) + read_style("report.css"),
        lead=report.lead,
        figures=report.figures,
        phrase=read_phrases().say,
        **values,
    )
