"""Broken plays: [play], the numbers of a deck, the options of `pnp playtest` and `pnp table`, parts
of a playtest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from generator.play.batches import TALLIES
from tests.fuzz import grown, havoc, material, toml
from tests.fuzz.areas.options import Value, of, options, passable
from tests.fuzz.cases import GAME, TAKEN_PORT, Case
from tests.fuzz.words import words

_WORDS = words("options")
_BOTS = ("random", "greedy", "search:2", "exact:3", "random,greedy", "greedy,random", "search")
_RULES = ("players=1", "players=2", "placing=round", "placing=free", "players=3", "x=y", "players")
_ENGINES = ("advaya", "atreya", "taluva", "talavera", "toripoka", "chess")
_FIGURES = ("seat 1 wins", "margin", "lead changes", "lift of 3", "pick rate of 4", "wins", "")


def make(rng: Random) -> Case:
    chance = rng.random()
    if chance < 0.2:
        return _merge(rng)
    files = _game(rng)
    if chance < 0.25:
        known = {"--against": _BOT_NAMES, "--rule": _RULE_NAMES, "--lang": of("de")}
        port = str(TAKEN_PORT)
        arguments = ["table", GAME, *options(rng, known), "--no-open", "--port", port]
    else:
        odd = rng.choice(("0", "-1", "1e3", "999999999"))
        games = odd if rng.random() < 0.1 else rng.choice("123")
        chosen = options(rng, _OPTIONS) if rng.random() < 0.5 else []
        arguments = ["playtest", GAME, *chosen, "--games", games]
        if rng.random() < 0.3:
            arguments += ["--format", "json"]
    return Case(files, tuple(map(passable, arguments)))


def _game(rng: Random) -> material.Files:
    files, chance = dict(material.playable()), rng.random()
    spec = material.spec_of(files)
    if chance < 0.3:
        spec["play"] = _play(rng)
    elif chance < 0.35:
        _, spec["play"] = grown.table(rng, "play")
    elif chance < 0.55:
        toml.break_tree(rng, spec["play"], [])
    if chance > 0.85:
        table = havoc.break_text(rng, files["cards.csv"].decode(), _WORDS)
        files["cards.csv"] = havoc.encoded(rng, table)
    return material.with_spec(files, spec)


def _play(rng: Random) -> dict[str, Any]:
    engine = rng.choice(_ENGINES) if rng.random() < 0.3 else "talavera"
    bounds = [
        {"figure": rng.choice(_FIGURES), rng.choice(("least", "most")): rng.randint(-9, 120)}
        for _ in range(rng.choice((0, 1, 3)))
    ]
    rules = dict(rule.split("=") for rule in rng.sample(_RULES[:-1], rng.choice((0, 1, 2))))
    return {"engine": engine, "bots": [rng.choice(_BOTS)], "rules": rules, "bound": bounds}


def _merge(rng: Random) -> Case:
    """Parts of a playtest of another program, or of a person."""
    files = dict(material.playable())
    names = [f"part-{number}.json" for number in range(rng.choice((1, 1, 2, 3)))]
    for number, name in enumerate(names, 1):
        part = json.loads(_part())
        part["shards"] = [f"{number}/{len(names)}"]
        if rng.random() < 0.4:
            toml.break_tree(rng, part, [])
        text = json.dumps(part, default=str)
        if rng.random() < 0.1:
            text = havoc.break_text(rng, text, _WORDS)
        files[name] = havoc.encoded(rng, text)
    arguments = ["playtest", "merge", *(f"{GAME}/{name}" for name in names)]
    return Case(files, tuple(map(passable, arguments)))


@cache
def _part() -> str:
    """A part of a series of Talavera."""
    counts: dict[str, Any] = {"games": 2, "watched": 1, **{name: [] for name in TALLIES}}
    counts |= {"winners": [[0, 1], [0, 1, 1]], "scores": [[0, 12, 2], [1, 9, 2]]}
    counts |= {"bots": [[0, 1, 2]], "margins": [[3, 2]], "moves": [[20, 2]], "held": [["3", 0, 1, 2]]}
    counts |= {"choices": [[0, 4, 1]], "offered": [["3", 4, 1]], "chosen": [["3", 1]]}
    series = {"game": "game", "deck": "0" * 16, "seats": 2, "score": ["point"]}
    asked = {"bots": ["random"], "rules": {}, "seed": 1, "games": 6}
    return json.dumps({"form": "pnp playtest 1", **series, **asked, "counts": counts})


_BOT_NAMES, _RULE_NAMES = of(*_BOTS), of(*_RULES)
_OPTIONS: Mapping[str, Value] = {
    "--bots": _BOT_NAMES,
    "--rule": _RULE_NAMES,
    "--seed": of("1", "7", "9007199254740992", "-1"),
    "--shard": of("1/2", "2/2", "3/20", "0/1", "1/0"),
    "--since": of("HEAD", "v1"),
}
