"""Find the colours of a palette that the inks of a press cannot print.

The press is the usual one, offset on coated paper; others differ less from it than from a screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.basics.errors import Problem
from generator.basics.place import Place
from generator.checks.preflight import eyes
from generator.pdf.inks import USUAL_LIMIT, built_in_profile
from generator.pdf.inks.mixing import Mixer

# CIEDE2000: more than a press may differ from its own standard (ISO 12647-2: 5)
_DULL = 6


def palette_dull(palette: Mapping[str, str], place: Place) -> Iterator[Problem]:
    """A note on the colours ("#1f3f8c") of a palette that turn dull on a press; greys do not."""
    colours = {name: eyes.parse_colour(colour) for name, colour in palette.items()}
    colourful = {name: colour for name, colour in colours.items() if len(set(colour)) > 1}
    if not colourful:
        return
    mixer = Mixer(built_in_profile(), USUAL_LIMIT, is_of_few=True)
    descriptions, names = [], []
    for name, colour in colourful.items():
        printed = mixer.show(mixer.mix_flat(colour))
        difference = eyes.differences(eyes.coordinates([colour, printed]))[0, 1]
        if difference >= _DULL:
            shown = f"{eyes.format_colour(printed)}, a difference of {difference:.0f}"
            descriptions.append(f"{name} {palette[name]} (about {shown})")
            names.append(name)
    if names:
        what = f"a press prints these colours of the palette duller: {', '.join(descriptions)}"
        hint = "choose less bright colours if the game goes to a press"
        yield Problem(place, what, hint, "note", "colour.dull", found=", ".join(names))
