"""How a file is printed on a press: the profile, the limit of ink, the standard of the file."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from generator.pdf.inks.profile import PressProfile

Standard = Literal["PDF/X-4", "PDF/X-1a:2003"]
USUAL_LIMIT = 2.4  # of ink: shops that print cards on demand ask for 240 %


class PressColour(Struct, frozen=True):
    """Colours as inks of a profile, at most `limit` of them at a place: 2.4 is 240 %."""

    profile: PressProfile
    limit: float = USUAL_LIMIT
    standard: Standard = "PDF/X-4"
