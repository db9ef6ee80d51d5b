"""Take colours of a screen, mix the inks of a press: profiles, the limit of ink, black."""

from generator.inks.mixing import Mixer, lessen, limit_inks, open_rgb
from generator.inks.profile import Profile, built_in_profile, read_profile

__all__ = ["Mixer", "Profile", "built_in_profile", "lessen", "limit_inks", "open_rgb", "read_profile"]
