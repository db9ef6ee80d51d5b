"""Take text and fonts, make measured and placed text."""

from generator.text.fontbook import HOUSE_FAMILY, HOUSE_FONTS, ChosenFamilies, FontBook
from generator.text.fonts import Font
from generator.text.lettering import Lettering

__all__ = ["HOUSE_FAMILY", "HOUSE_FONTS", "ChosenFamilies", "Font", "FontBook", "Lettering"]
