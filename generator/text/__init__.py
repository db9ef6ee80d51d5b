"""Take text and fonts, make measured and placed text."""

from generator.text.fonts import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook, Lettering

__all__ = ["HOUSE_FAMILY", "HOUSE_FONTS", "Font", "FontBook", "Lettering"]
