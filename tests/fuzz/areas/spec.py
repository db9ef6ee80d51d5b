"""Broken specs: game.toml, all the way to the plan."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from tests.fuzz import grown, havoc, material, toml
from tests.fuzz.cases import Case, with_command
from tests.fuzz.words import words

_WORDS = words("specs")


@cache
def _specs() -> list[Any]:
    return [material.spec_of(game) for game in (*material.small_games(), *material.large_games())]


def make(rng: Random) -> Case:
    is_large = rng.random() < 0.02
    game = rng.choice(material.large_games() if is_large else material.small_games())
    chance = rng.random()
    if chance < 0.2:
        text = havoc.break_text(rng, game["game.toml"].decode(), _WORDS)
        return with_command(rng, {**game, "game.toml": havoc.encoded(rng, text)})
    if chance < 0.23:
        return with_command(rng, {**game, "game.toml": havoc.break_bytes(rng, game["game.toml"])})
    spec = material.spec_of(game)
    if chance < 0.5:
        game, spec = _grow(rng)
    if chance > 0.3:
        toml.break_tree(rng, spec, _specs())
    return with_command(rng, material.with_spec(game, spec))


def _grow(rng: Random) -> tuple[material.Files, dict[str, Any]]:
    """The tiny game with tables that the schema allows."""
    spec = material.spec_of(material.TINY)
    chance = rng.random()
    if chance < 0.5:
        component = spec["component"][0]
        component.pop("rule")
        component[rng.choice(("front", "back"))] = grown.face(rng)
        own = grown.component(rng)
        kept = [key for key in own if key not in ("id", "table", "front", "row") and rng.random() < 0.4]
        component.update({key: own[key] for key in kept})
        if "shape" in component:
            component.pop("size", None)
    elif chance < 0.7:
        spec["component"].append(grown.component(rng))
    else:
        key, value = grown.table(rng)
        spec[key] = value
    return material.TINY, spec
