"""Write TOML, and break what it says: a tree of tables, lists and values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from datetime import date, datetime, time
from random import Random
from typing import Any

from tests.fuzz import havoc

Tree = Any  # a dict, a list, or a value that TOML can hold
Place = tuple["dict[str, Tree] | list[Tree]", Any]  # what holds a value, and its key there
_DATES = (date(2024, 2, 29), datetime(2024, 1, 1, 12), time(7, 30))
_DEEPEST = 60


def written(spec: Mapping[str, Tree]) -> str:
    """A spec as TOML, every table but the topmost inline."""
    lines: list[str] = []
    for key, value in spec.items():
        if isinstance(value, dict):
            lines += [f"[{_key(key)}]", *_pairs(value)]
        elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
            for part in value:
                lines += [f"[[{_key(key)}]]", *_pairs(part)]
        else:
            lines.insert(0, f"{_key(key)} = {value_text(value)}")
    return "\n".join(lines) + "\n"


def _pairs(table: Mapping[str, Tree]) -> list[str]:
    return [f"{_key(key)} = {value_text(value)}" for key, value in table.items()]


def _key(key: str) -> str:
    return _text(key)


def _text(text: str) -> str:
    """As JSON writes it, which TOML reads too; what is no character stays one that is refused."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.replace("\x7f", "\\u007f")


def value_text(value: Tree) -> str:
    """A value as it stands in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {value_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return value.isoformat() if isinstance(value, date | time) else repr(value)


def break_tree(rng: Random, tree: dict[str, Tree], others: Sequence[Tree]) -> None:
    """Edit a spec in a few places; subtrees of `others` may come into it."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        places = list(_places(tree))
        if places:
            holder, key = rng.choice(places)
            rng.choice(_EDITS)(rng, holder, key, others)


def _places(tree: Tree, depth: int = 0) -> list[Place]:
    """Every place where a value stands. Those of equal trees are not told apart."""
    if depth > _DEEPEST or not isinstance(tree, dict | list):
        return []
    keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
    own: list[Place] = [(tree, key) for key in keys]
    return own + [place for key in keys for place in _places(tree[key], depth + 1)]


def odd_value(rng: Random) -> Tree:
    chance = rng.random()
    if chance < 0.35:
        return havoc.odd_text(rng)
    if chance < 0.55:
        return havoc.odd_number(rng)
    if chance < 0.7:
        return havoc.length(rng)
    if chance < 0.75:
        return rng.choice(_DATES)
    if chance < 0.8:
        return rng.random() < 0.5
    inner = [odd_value(rng) for _ in range(rng.choice((0, 0, 1, 2, 3)))]
    return inner if chance < 0.9 else {havoc.odd_text(rng): value for value in inner}


def _set_odd(rng: Random, holder: Tree, key: Any, _: Sequence[Tree]) -> None:
    holder[key] = odd_value(rng)


def _set_alike(rng: Random, holder: Tree, key: Any, _: Sequence[Tree]) -> None:
    """Another value of the same type."""
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int | float):
        holder[key] = havoc.odd_number(rng)
    elif isinstance(value, str):
        is_length = value[:1].isdigit()
        holder[key] = havoc.length(rng) if is_length else havoc.break_text(rng, value)
    elif isinstance(value, list):
        rng.shuffle(value)
        holder[key] = value * rng.choice((0, 1, 2, 2, 50)) if len(value) < 9 else value[:1]
    elif isinstance(value, dict):
        holder[key] = dict(rng.sample(sorted(value.items(), key=str), rng.randint(0, len(value))))


def _delete(_rng: Random, holder: Tree, key: Any, _: Sequence[Tree]) -> None:
    del holder[key]


def _wrap(rng: Random, holder: Tree, key: Any, _: Sequence[Tree]) -> None:
    value = holder[key]
    for _times in range(rng.choice((1, 1, 1, 2, 30))):
        value = [value] if rng.random() < 0.5 else {str(key): value}
    holder[key] = value


def _rename(rng: Random, holder: Tree, key: Any, others: Sequence[Tree]) -> None:
    """The value under another key: a misspelt one, an odd one, one that is known elsewhere."""
    if isinstance(holder, dict):
        known = [name for tree in others for _, name in _places(tree) if isinstance(name, str)]
        chance = rng.random()
        new = havoc.break_text(rng, key) if chance < 0.4 else havoc.odd_text(rng)
        holder[rng.choice(known) if known and chance > 0.6 else new] = holder[key]
        if rng.random() < 0.7:
            holder.pop(key)


def _copy(rng: Random, holder: Tree, key: Any, _: Sequence[Tree]) -> None:
    """Beside itself, perhaps many times."""
    if isinstance(holder, list) and len(holder) < 200:
        holder[:] = holder + [holder[key]] * rng.choice((1, 1, 2, 10, 400))
    elif isinstance(holder, dict):
        holder[f"{key}2"] = holder[key]


def _splice(rng: Random, holder: Tree, key: Any, others: Sequence[Tree]) -> None:
    """A subtree of another spec in its place, of the same key where there is one."""
    places = _places(rng.choice(others)) if others else []
    alike = [place for place in places if place[1] == key]
    if places:
        other, name = rng.choice(alike if alike and rng.random() < 0.8 else places)
        holder[key] = deepcopy(other[name])  # the others stay as they are


_EDITS: tuple[Callable[[Random, Tree, Any, Sequence[Tree]], None], ...] = (
    _set_odd, _set_odd, _set_alike, _set_alike, _set_alike, _delete, _wrap, _rename, _copy, _splice,
    _splice,
)  # fmt: skip
