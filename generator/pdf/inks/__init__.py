"""Take colours of a screen, mix the inks of a press: profiles, the limit of ink, black."""

from generator.pdf.inks.colour import USUAL_LIMIT, PressColour, Standard
from generator.pdf.inks.profile import PressProfile, built_in_profile, read_profile

__all__ = [
    "USUAL_LIMIT",
    "PressColour",
    "PressProfile",
    "Standard",
    "built_in_profile",
    "read_profile",
]
