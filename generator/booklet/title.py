"""Take a game and its faces, make the title page of its booklet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from msgspec.structs import replace

from generator.basics.geometry import ORIGIN, Rect, Size
from generator.booklet.design import PageDesign, PageFrame
from generator.booklet.figure import FaceIndex
from generator.booklet.poster import make_poster
from generator.faces.canvas import Canvas
from generator.model import Booklet, Game, PlacedLayer
from generator.text.flow import Compositor, Flow, TextLine
from generator.text.markup import copy_of
from generator.text.style import Style

_TITLE, _ABOUT = 0.3, 0.14  # the most of the page's height for the title, the line about the game
_GAP = 5.0  # mm between the parts of the page


def title_page(
    game: Game,
    booklet: Booklet,
    title: str,
    index: FaceIndex,
    design: PageDesign,
    frame: PageFrame,
    compositor: Compositor,
) -> Iterator[PlacedLayer]:
    """The game's title across the page, a line about it, its picture and its designer.

    Raises MisfitError if a text does not fit, PnpError if the picture has unknown pieces.
    """
    canvas, box = Canvas(frame.size), frame.text
    head = set_title(title, Size(box.width, _TITLE * box.height), design, compositor)
    canvas.flow(head.moved(box.x0, box.y0).lines)
    low = box.y0 + head.height + _GAP
    place = Rect(box.x0, low, box.x1, low + _ABOUT * box.height)
    about = compositor.set(copy_of(game.about), place, _shrinking(design.lead))
    canvas.flow(about.lines)
    high = frame.foot - 2 * design.line
    middle = (box.x0 + box.x1) / 2
    part = _shrinking(replace(design.part, valign="bottom"))
    for words, foot, style in (
        ("Rules of play", Rect(box.x0, high, middle, frame.foot), part),
        (game.designer, Rect(middle, high, box.x1, frame.foot), _by(design)),
    ):
        canvas.flow(compositor.set(copy_of(words), foot, style).lines)
    yield PlacedLayer(canvas.layer("title page of the rules"), ORIGIN)
    top, room = low + about.height + _GAP, Size(box.width, high - 2 * _GAP - low - about.height)
    poster = make_poster(game, booklet.poster, index, room) if room.height > 0 else None
    if poster:
        yield from poster.moved(box.x0, top + (room.height - poster.size.height) / 2)


def set_title(words: str, room: Size, design: PageDesign, compositor: Compositor) -> Flow:
    """A title as large as its room (mm) allows, the ink of its first line at the top of it.

    Raises MisfitError if it does not fit at its least size.
    """
    style = replace(design.title, size=room.height, align="start", valign="top", leading=1.0)
    flow = compositor.set(copy_of(words), Rect(0.0, 0.0, *room), style)
    if not flow.lines or not flow.lines[0].runs:
        return flow
    first, last = _ink(flow.lines[0]), _ink(flow.lines[-1])
    is_rtl = flow.lines[0].runs[-1].is_rtl
    aside = room.width - first.x1 if is_rtl else -first.x0
    return replace(flow.moved(aside, -first.y0), height=last.y1 - first.y0)


def _ink(line: TextLine) -> Rect:
    """The box around the letters of a line."""
    inks = [run.font.ink(run.text, run.size).moved(run.x, run.y) for run in line.runs]
    return reduce(Rect.around, inks)


def _shrinking(style: Style) -> Style:
    return replace(style, least=0.6 * style.size)


def _by(design: PageDesign) -> Style:
    return _shrinking(replace(design.body, weight=700, align="right", valign="bottom"))
