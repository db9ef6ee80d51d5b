"""Take a game's folder, make a Game; the only reader of templates/."""

from generator.gamefile.faults import faults
from generator.gamefile.library import GAMES, NAME, find, holds, names, variants
from generator.gamefile.reader import Kinds, read
from generator.gamefile.schema import schema
from generator.gamefile.unread import Unread
from generator.tables.table import SUFFIXES

__all__ = [
    "GAMES",
    "NAME",
    "SUFFIXES",
    "Kinds",
    "Unread",
    "faults",
    "find",
    "holds",
    "names",
    "read",
    "schema",
    "variants",
]
