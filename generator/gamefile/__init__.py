"""Take a game's folder, make a Game; the only reader of templates/."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.lazily import load_lazily

if TYPE_CHECKING:
    from generator.gamefile.components import Kinds
    from generator.gamefile.json_schema import schema
    from generator.gamefile.library import GAMES, NAME, about, find, holds, names, variants
    from generator.gamefile.reader import read
    from generator.gamefile.unread import Unread
    from generator.tables.table import SUFFIXES

__all__ = [
    "GAMES",
    "NAME",
    "SUFFIXES",
    "Kinds",
    "Unread",
    "about",
    "faults",
    "find",
    "holds",
    "names",
    "read",
    "schema",
    "variants",
]

_MODULES = {
    "GAMES": "generator.gamefile.library",
    "Kinds": "generator.gamefile.components",
    "NAME": "generator.gamefile.library",
    "SUFFIXES": "generator.tables.table",
    "Unread": "generator.gamefile.unread",
    "about": "generator.gamefile.library",
    "find": "generator.gamefile.library",
    "holds": "generator.gamefile.library",
    "names": "generator.gamefile.library",
    "read": "generator.gamefile.reader",
    "schema": "generator.gamefile.json_schema",
    "variants": "generator.gamefile.library",
}

__getattr__ = load_lazily(__name__, _MODULES)
