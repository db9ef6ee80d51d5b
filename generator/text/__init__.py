"""Text set in fonts: measured and placed."""

from generator.text.fontbook import HOUSE_FAMILY, ChosenFamilies, FontBook
from generator.text.fontfiles import HOUSE_FONTS
from generator.text.fonts import Font
from generator.text.lettering import Lettering
