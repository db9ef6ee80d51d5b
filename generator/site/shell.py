"""Take the content of a page, make a whole HTML document of it that runs and fetches nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from generator.site.content import ShownPicture, TypeFace
from generator.site.contrast import DARK, DARK_PANEL, LIGHT, LIGHT_PANEL, Accent
from generator.site.markup import Markup, element, join


class Head(Struct, frozen=True):
    """What a document says about itself. `url` is its own address, "" if that is unknown; `facts`
    are JSON-LD."""

    title: str
    about: str
    language: str
    picture: ShownPicture
    url: str
    facts: Mapping[str, object]


def write_document(head: Head, style: str, body: Markup) -> bytes:
    """A document with one style sheet, whose policy allows pictures and fonts of its own only."""
    sheet = element("style", Markup(style))
    page = element("html", _write_head(head, style, sheet), body, lang=head.language)
    return f"<!doctype html>\n{page}\n".encode()


def write_style(accent: Accent, faces: Iterable[TypeFace]) -> str:
    """The style sheet of a page with these colours and letters."""
    faces = list(faces)
    weight = next((face.weight for face in faces if face.role == "title"), 700)
    light = f"--weight:{weight};--ground:{LIGHT};--panel:{LIGHT_PANEL};--accent:{accent.light}"
    dark = f"--ground:{DARK};--panel:{DARK_PANEL};--accent:{accent.dark}"
    rules = "".join(map(_write_face, faces))
    schemes = f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return rules + schemes + _house_style()


@cache
def _house_style() -> str:
    """The style sheet of all pages, a rule to a line."""
    text = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    return "".join(line.strip() for line in text.splitlines())


def _write_face(face: TypeFace) -> str:
    slope = "italic" if face.is_italic else "normal"
    font = base64.b64encode(face.font).decode()
    return (
        f'@font-face{{font-family:"{face.role}";font-style:{slope};font-weight:{face.weight};'
        f'font-display:swap;src:url(data:font/ttf;base64,{font}) format("truetype")}}'
    )


def _write_head(head: Head, style: str, sheet: Markup) -> Markup:
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src 'self' file:; font-src data:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        _say("viewport", "width=device-width, initial-scale=1"),
        _say("referrer", "no-referrer"),
        _say("color-scheme", "light dark"),
        element("title", head.title),
        _say("description", head.about),
        _say("generator", "pnp"),
        [element("meta", property=key, content=said) for key, said in _describe(head).items()],
        _say("twitter:card", "summary_large_image"),
        element("link", rel="canonical", href=head.url) if head.url else None,
        element("script", Markup(_to_json(head.facts)), type="application/ld+json"),
        sheet,
    )


def _say(name: str, content: str) -> Markup:
    return element("meta", name=name, content=content)


def _describe(head: Head) -> dict[str, str]:
    """The terms of Open Graph. A picture's address is whole only if that of the page is known."""
    picture = head.picture
    described = {
        "og:type": "website",
        "og:title": head.title,
        "og:description": head.about,
        "og:image": head.url + picture.address,
        "og:image:width": str(picture.width),
        "og:image:height": str(picture.height),
        "og:image:alt": picture.alt,
    }
    return described | ({"og:url": head.url} if head.url else {})


def _to_json(facts: Mapping[str, object]) -> str:
    """JSON in which no text can end the element that holds it."""
    said = json.dumps(facts, ensure_ascii=False, sort_keys=True)
    return said.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def write_body(*children: Markup | None) -> Markup:
    """The visible part of a document."""
    return element("body", join(*children), element("footer", element("p", _MADE)))


_MADE = "Made by pnp from a folder of plain files. This page runs no script and asks nobody."
