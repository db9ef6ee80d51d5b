"""Take a template of page/ and values, make a whole HTML document of them that runs and fetches
nothing. A text never becomes markup: only what is made as `Markup` is not escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from generator.web.contrast import DARK, DARK_PANEL, LIGHT, LIGHT_PANEL, Accent


class TypeFace(Struct, frozen=True):
    """Letters for a page: a font file with only those that it shows."""

    role: str  # "title" or "text"
    weight: int
    is_italic: bool
    font: bytes


_FOLDER = Path(__file__).with_name("page")


def write_document(
    template: str, *, title: str, language: str, style: str, **values: object
) -> bytes:
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
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return "".join(line.strip() for line in text.splitlines())


def _write_face(face: TypeFace) -> str:
    slope = "italic" if face.is_italic else "normal"
    font = base64.b64encode(face.font).decode()
    return (
        f'@font-face{{font-family:"{face.role}";font-style:{slope};font-weight:{face.weight};'
        f'font-display:swap;src:url(data:font/ttf;base64,{font}) format("truetype")}}'
    )
