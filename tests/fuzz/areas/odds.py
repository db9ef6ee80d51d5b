"""Broken questions about cards: [[odds]], and the options of `pnp odds`."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.fuzz import grown, havoc, material, toml
from tests.fuzz.areas.options import Value, of, options, passable
from tests.fuzz.cases import GAME, Case
from tests.fuzz.words import words

_WORDS = (*words("names"), *words("operators"), *words("wild"))
_CELLS = ("0", "1", "2", "7", "1.50", "-1", "land", "spell", "red, blue", "", "no")
_FORMULAS = ("cost", "gives", "kind", "cost + gives", "kind == 'land'", "1 / cost", "id", "[cost]")
_FACTS = ("kind.kinds == 1", "cost.sum > 2", "cost.most == 2", "cost.max - cost.min", "kind.min")
_NUMBERS = ("1", "2", "3", "7", "40", "101")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "draw": ("draw", "want", "mulligans", "fewer", "plus", "put_back"),
    "hand": ("draw", "sum", "by", "classes", "plus", "put_back"),
    "copies": ("draw", "want", "chance"),
    "deal": ("seats", "draw", "want"),
    "market": ("row", "want", "taken", "turns"),
    "deck": ("by",),
    "curve": ("cost", "worth", "name"),
    "compare": ("better", "name"),
    "goldfish": ("cost", "hand", "draw", "draws_first", "income", "growth", "turns"),
    "resources": ("cost", "gives", "hand", "draw", "lays", "income", "growth", "turns"),
}


def make(rng: Random) -> Case:
    spec = material.spec_of(material.TINY)
    files = {**material.TINY, "cards.csv": _table(rng)}
    if rng.random() < 0.5:
        spec["odds"] = [_question(rng) for _ in range(rng.choice((1, 1, 2, 5)))]
        if rng.random() < 0.2:
            _, spec["odds"] = grown.table(rng, "odds")
        if rng.random() < 0.3:
            toml.break_tree(rng, spec["odds"], [])
    chance = rng.random()
    asked = ["--ask", _ask(rng)] if chance < 0.4 else []
    if chance > 0.7:
        asked = ["--draw", rng.choice(_NUMBERS), *options(rng, _OPTIONS)]
    arguments = ["odds", GAME, *asked, "--format", rng.choice(("text", "json"))]
    return Case(material.with_spec(files, spec), tuple(map(passable, arguments)))


def _table(rng: Random) -> bytes:
    """Cards of every kind of cell; now and then many."""
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(["id", "dot", "count", "cost", "gives", "kind", "rank", "said"])
    for number in range(rng.choice((1, 2, 6, 6, 6, 30, 300))):
        cells = (rng.choice(_CELLS) if rng.random() < 0.2 else str(number % 5) for _ in "1234")
        odd = havoc.odd_text(rng) if rng.random() < 0.01 else ""
        rows.writerow([number, 1, rng.choice((1, 1, 2, 4)), *cells, odd or "t"])
    return written.getvalue().encode("utf-8", "replace")


def _question(rng: Random) -> dict[str, Any]:
    kind = rng.choice(list(_KEYS))
    asked: dict[str, Any] = {"kind": kind}
    for key in _KEYS[kind]:
        if rng.random() < 0.85:
            asked[key] = _VALUES.get(key, _count)(rng)
    if kind == "hand":
        own = [key for key in ("sum", "by", "classes") if key in asked]
        asked = {key: value for key, value in asked.items() if key not in own[1:]}
    return asked


def _count(rng: Random) -> Any:
    return rng.choice((0, 1, 1, 2, 2, 3, 5, 60)) if rng.random() < 0.97 else havoc.odd_number(rng)


def _formula(rng: Random) -> str:
    text = rng.choice(_FORMULAS)
    return text if rng.random() < 0.85 else havoc.break_text(rng, text, _WORDS)


def _wanted(rng: Random) -> str:
    text = f"{rng.choice(('0', '1+', '2-3', '9'))} of {rng.choice(_FORMULAS[4:])}"
    return text if rng.random() < 0.85 else havoc.break_text(rng, text, _WORDS)


def _classes(rng: Random) -> dict[str, str]:
    return {f"class {n}": rng.choice(_FACTS) for n in range(rng.choice((1, 2, 3)))}


def _better(rng: Random) -> dict[str, str]:
    return {_formula(rng): rng.choice(("more", "less")) for _ in range(rng.choice((1, 2, 3)))}


def _ask(rng: Random) -> str:
    pairs = (f"{key} = {toml.value_text(value)}" for key, value in _question(rng).items())
    text = ", ".join(pairs)
    return text if rng.random() < 0.8 else havoc.break_text(rng, text, _WORDS)


_VALUES: Mapping[str, Any] = {
    "want": lambda rng: [_wanted(rng) for _ in range(rng.choice((1, 1, 2, 4)))],
    "classes": _classes,
    "better": _better,
    "draws_first": lambda rng: rng.random() < 0.5,
    "put_back": lambda rng: rng.random() < 0.5,
    "plus": lambda rng: {} if rng.random() < 0.8 else {rng.choice(("cards", "box")): _count(rng)},
    "chance": lambda rng: f"{_count(rng)}%",
    **dict.fromkeys(("sum", "by", "cost", "worth", "gives", "name"), _formula),
}
_OPTIONS: Mapping[str, Value] = {
    "--of": of("cards", "box"),
    "--want": _wanted,
    "--mulligans": of(*_NUMBERS),
    "--copies-for": of("80%", "100 %", "0%", "x"),
    "--sum": _formula,
    "--by": _formula,
    "--ask": _ask,
    "--lang": of("de", "en"),
}
