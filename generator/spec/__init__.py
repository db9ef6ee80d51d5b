"""Take a game's folder, make a Game; the only reader of templates/."""

from generator.spec.library import NAME, find, names
from generator.spec.reader import Kinds, read
from generator.spec.schema import schema

__all__ = ["NAME", "Kinds", "find", "names", "read", "schema"]
