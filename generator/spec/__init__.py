"""Take a game's folder, make a Game; the only reader of templates/."""

from generator.spec.library import NAME, find, holds, names, variants
from generator.spec.reader import Kinds, read
from generator.spec.schema import schema
from generator.spec.tables import SUFFIXES

__all__ = ["NAME", "SUFFIXES", "Kinds", "find", "holds", "names", "read", "schema", "variants"]
