"""Take a game's folder, make a Game; the only reader of templates/."""

from generator.spec.library import find, holds, names
from generator.spec.reader import Kinds, read
from generator.spec.schema import schema

__all__ = ["Kinds", "find", "holds", "names", "read", "schema"]
