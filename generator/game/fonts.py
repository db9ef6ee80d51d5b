"""Take a game's folder, read its fonts: the built-in ones and those in its folder fonts/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator.basics.errors import PnpError, Problem, quote
from generator.basics.place import Place
from generator.game.source import Source
from generator.game.spec import table_of
from generator.tables.fields import font_hint
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from generator.text.standins import StandIns, find_stand_in

STAND_IN = "font.replaced"  # the kind of a finding


def read_fonts(source: Source, folder: Path, *, is_draft: bool = False) -> FontBook:
    """Reads fonts; only the built-in ones if the game's own have faults, which are reported. In a
    draft, one of the house stands in for each family that is not there."""
    aliases = table_of(table_of(source.raw, "font"), "alias")
    families = {name: family for name, family in aliases.items() if isinstance(family, str)}
    last_resort = HOUSE_FAMILY if is_draft else ""
    try:
        fonts = FontBook([HOUSE_FONTS, folder / "fonts"], families, last_resort)
    except PnpError as error:
        source.add(error.problems)
        return FontBook([HOUSE_FONTS], families, last_resort)
    for name, family in families.items():
        if fonts.known(family) is None:
            what = f"there is no font family {quote(family)}"
            source.report(("font", "alias", name), what, font_hint(family, fonts))
    return fonts


def note_stand_ins(stand_ins: StandIns, spec: Place) -> Iterator[Problem]:
    """A note for each missing family, with the family that replaces it in texts at these places, an
    error if only a draft does that; without places, the note is at `spec`."""
    for (missing, family), text_places in stand_ins.items():
        places = list(text_places) or [spec]
        times = f", in {len(places)} texts" if len(places) > 1 else ""
        found = f"{missing}: {family}"
        if not missing:
            what = f"the text names no font family: {quote(family)} sets it{times}"
            hint = "give it a font-family, or choose one in [font.alias]: 'sans-serif' = …"
            yield Problem(places[0], what, hint, "note", STAND_IN, found=found)
            continue
        yield Problem(
            places[0],
            f"there is no font family {quote(missing)}: {quote(family)} stands in for it{times}",
            f"put that font into fonts/, or choose a family in [font.alias]: {quote(missing)} = …",
            "note" if find_stand_in(missing) else "error",
            STAND_IN,
            found=found,
        )
