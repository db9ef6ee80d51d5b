"""Take colours of a screen, mix the inks of a press: profiles, the limit of ink, black."""

from typing import TYPE_CHECKING

from generator.lazily import load_lazily

if TYPE_CHECKING:
    from generator.inks.colour import USUAL_LIMIT, PressColour, Standard
    from generator.inks.mixing import Mixer, is_grey, lessen, limit_inks, open_rgb
    from generator.inks.profile import PressProfile, built_in_profile, read_profile

__all__ = [
    "USUAL_LIMIT",
    "Mixer",
    "PressColour",
    "PressProfile",
    "Standard",
    "built_in_profile",
    "is_grey",
    "lessen",
    "limit_inks",
    "open_rgb",
    "read_profile",
]

_MODULES = {
    "USUAL_LIMIT": "generator.inks.colour",
    "Mixer": "generator.inks.mixing",
    "PressColour": "generator.inks.colour",
    "PressProfile": "generator.inks.profile",
    "Standard": "generator.inks.colour",
    "built_in_profile": "generator.inks.profile",
    "is_grey": "generator.inks.mixing",
    "lessen": "generator.inks.mixing",
    "limit_inks": "generator.inks.mixing",
    "open_rgb": "generator.inks.mixing",
    "read_profile": "generator.inks.profile",
}

__getattr__ = load_lazily(__name__, _MODULES)
