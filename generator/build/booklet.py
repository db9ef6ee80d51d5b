"""Take a game and its drawn faces, make the pages of its rule booklet and their sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from generator import layout
from generator.build.game import FaceKey
from generator.errors import PnpError, Problem
from generator.model import Face, Game, Sheet
from generator.text import FontBook

Binding = Literal["fold", "off"]


class Typeset(NamedTuple):
    """The faces of the pages in order, and the sheets that they are printed on."""

    faces: dict[FaceKey, Face]
    sheets: list[Sheet]


def typeset(
    game: Game, drawn: Mapping[FaceKey, Face], printing: layout.Printing, binding: Binding
) -> Typeset:
    """The rule booklet; nothing where the game has none, or the sheet is cut for other pieces.

    Raises PnpError with every fault of its text.
    """
    if game.booklet is None or printing.precut:
        return Typeset({}, [])
    from generator import booklet  # loads a parser and a typesetter: who has no rules waits not
    from generator.layout import booklet as imposing

    size = imposing.page_size(printing.paper)
    faces = booklet.pages(game, game.booklet, drawn, size, printing.margin)
    pages = imposing.Booklet(game.title, tuple(face.id for face in faces), size)
    if binding == "fold" and imposing.can_fold(printing):
        sheets = imposing.folded(pages, printing, FontBook(game.font_folders))
    else:
        sheets = imposing.plain_pages(pages, printing)
    keys: list[FaceKey] = [(imposing.RULES, str(n), "front") for n in range(1, len(faces) + 1)]
    return Typeset(dict(zip(keys, faces, strict=True)), sheets)


def faults(game: Game, drawn: Mapping[FaceKey, Face]) -> tuple[Problem, ...]:
    """What keeps the rules from being set, on the usual paper."""
    try:
        typeset(game, drawn, layout.Printing(layout.paper_size("letter"), "long"), "fold")
    except PnpError as error:
        return error.problems
    return ()
