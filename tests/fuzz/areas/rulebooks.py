"""Broken rulebooks: rules.md and its figures."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from tests.fuzz import havoc, material
from tests.fuzz.cases import Case, with_command
from tests.fuzz.words import words

_WORDS = words("markdown")
_FIGURE_LINES = words("figures")
_NAMED = re.compile(r"^(::: face |)(?:cards|tiles|tokens|huts|towers|temples|pyramids|track)\s+\S+", re.MULTILINE)


@cache
def _chapters() -> list[str]:
    """The sections of the rulebooks there are, their figures showing the tiny game's cards."""
    return [
        _NAMED.sub(r"\1cards 1", chapter)
        for text in material.rulebooks()
        for chapter in re.split(r"(?=^##? )", text, flags=re.MULTILINE)
        if chapter.strip()
    ]


def make(rng: Random) -> Case:
    chapters = [rng.choice(_chapters()) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    chapters += [_figure(rng) for _ in range(rng.choice((0, 0, 1, 2)))]
    rng.shuffle(chapters)
    text = "\n\n".join(chapters)
    if rng.random() < 0.85:
        text = havoc.break_text(rng, text, _WORDS)
    content = havoc.encoded(rng, text)
    if rng.random() < 0.02:
        content = havoc.break_bytes(rng, content)
    spec = material.spec_of(material.TINY)
    spec["component"][0]["back"] = spec["component"][0]["front"]  # which figures show too
    spec["booklet"] = rng.choice(({}, {}, {"cover": False}, {"text_size": "14pt"}, {"title_font": "Abril Fatface"}))
    if rng.random() < 0.3:
        spec["cover"] = _cover(rng)
    return with_command(rng, material.with_spec({**material.TINY, "rules.md": content}, spec))


def _cover(rng: Random) -> dict[str, object]:
    kind = rng.choice(("large", "fan", "row", "wall", "table", "poster"))
    pieces = ["cards 1", "cards 2 back turn 30", "cards 3 at 10 -2000", havoc.odd_text(rng)]
    cover: dict[str, object] = {"composition": kind, "fills": rng.random() < 0.5}
    cover["pieces"] = rng.sample(pieces, rng.randrange(len(pieces)))
    if rng.random() < 0.3:
        cover |= {"rows": ["d ", " d"], "art": {"d": "dot"}, "overlap": rng.choice((-1.0, 0.95, 2))}
    return cover


def _figure(rng: Random) -> str:
    kind = rng.choice(("table", "table", "table", "row", "face cards 1", "kit"))
    lines = [_line(rng) for _ in range(rng.choice((0, 1, 2, 5, 30)))]
    return "\n".join((f"::: {kind}  {havoc.odd_text(rng) if rng.random() < 0.2 else 'A caption'}", *lines, ":::"))


def _line(rng: Random) -> str:
    pattern = rng.choice(_FIGURE_LINES)
    return pattern.format(*(_number(rng) for _ in range(pattern.count("{}"))))


def _number(rng: Random) -> str:
    return havoc.number_text(rng) if rng.random() < 0.2 else str(rng.randrange(-20, 200))
