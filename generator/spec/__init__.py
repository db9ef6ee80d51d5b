"""Take a game's folder, make a Game; the only reader of templates/."""

from generator.spec.library import find, holds, names, variants
from generator.spec.reader import Kinds, read
from generator.spec.schema import schema
from generator.spec.tables import SUFFIXES

__all__ = ["SUFFIXES", "Kinds", "find", "holds", "names", "read", "schema", "variants"]
