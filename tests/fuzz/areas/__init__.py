"""The areas: what is broken of a game, and how many of a hundred cases break that."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fuzz.areas import drawings, fonts, odds, options, pictures, play, rulebooks, spec, tables, templates
from tests.fuzz.cases import Area

AREAS: Mapping[str, Area] = {
    "spec": Area(spec.make, 10),
    "tables": Area(tables.make, 12),
    "drawings": Area(drawings.make, 18),
    "templates": Area(templates.make, 22),
    "rulebooks": Area(rulebooks.make, 10),
    "fonts": Area(fonts.make, 3),
    "options": Area(options.make, 10),
    "pictures": Area(pictures.make, 5),
    "odds": Area(odds.make, 5),
    "play": Area(play.make, 5),
}
