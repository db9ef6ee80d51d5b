"""Take Markdown and a game's drawn faces, make the pages of its rule booklet."""

from generator.booklet.typesetting import pages

__all__ = ["pages"]
