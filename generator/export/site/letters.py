"""Take finished pages, add the letters that they show, as parts of the games' own fonts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape

from msgspec.structs import replace

from generator.export import site
from generator.model import Game
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook
from generator.text.glyphs import subset

_TAG = re.compile("<[^<>]*>")
_HEADING = re.compile(r"<(h[1-3])\b[^>]*>(.*?)</\1>", re.DOTALL)
_BOLD = 700
_DISPLAY = "Fraunces"  # of the first page


def letter_page(page: site.GamePage, game: Game) -> site.GamePage:
    """The page with the fonts of the game's rules, or those of the house."""
    fonts = FontBook(game.font_folders or (HOUSE_FONTS,))
    design = game.booklet
    title = design.title_font if design else HOUSE_FAMILY
    text = design.text_font if design else HOUSE_FAMILY
    html = site.write_game(page).decode()
    heads = " ".join(match[2] for match in _HEADING.finditer(html))
    faces = [_cut("title", fonts.find(title, _BOLD), _list_letters(heads))]
    faces += _text_faces(fonts, text, _list_letters(html))
    return replace(page, type_faces=faces)


def write_index(pages: Sequence[site.GamePage], url: str) -> bytes:
    """The first page, in the fonts of the house; each title in that of its own page."""
    house = FontBook([HOUSE_FONTS])
    letters = _list_letters(site.write_index(pages, [], url).decode())
    own = [_cut("title", house.find(_DISPLAY, _BOLD), letters)]
    own += _text_faces(house, HOUSE_FAMILY, letters)
    return site.write_index(pages, own, url)


def _text_faces(fonts: FontBook, family: str, letters: str) -> Iterator[site.TypeFace]:
    """The regular, bold and italic letters of a text, as far as the family has them."""
    seen = set()
    for weight, is_italic in ((400, False), (_BOLD, False), (400, True)):
        font = fonts.find(family, weight, italic=is_italic)
        if (font.path, font.weight) not in seen and font.italic == is_italic:
            seen.add((font.path, font.weight))
            yield _cut("text", font, letters)


def _cut(role: str, font: Font, letters: str) -> site.TypeFace:
    content = subset(font, (letter for letter in letters if font.has(letter)))
    return site.TypeFace(role, font.weight, font.italic, content)


def _list_letters(html: str) -> str:
    """The characters that people read, in order."""
    return "".join(sorted(set(unescape(_TAG.sub(" ", html)))))
