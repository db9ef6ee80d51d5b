"""Take a game and its faces, make the title page of its booklet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from generator.booklet.design import PageDesign, PageFrame
from generator.booklet.figure import Figure, PlacedFace
from generator.booklet.plates import Plate, make_plate
from generator.faces.canvas import Canvas
from generator.geometry import ORIGIN, Point, Rect, Size, translation, turning
from generator.model import Component, Face, FaceKey, Game, PlacedLayer
from generator.text.flow import Compositor
from generator.text.markup import copy_of
from generator.text.style import Style

_FAN = 11.0  # degrees between the cards of a fan
_SPREAD = 0.52  # of a card's width from one to the next
_LINE, _INNER_LINE, _BETWEEN = 0.5, 0.15, 1.1  # mm of the frame's two lines


def title_page(
    game: Game,
    title: str,
    faces: Mapping[FaceKey, Face],
    design: PageDesign,
    frame: PageFrame,
    compositor: Compositor,
) -> Iterator[PlacedLayer]:
    """The game's title, a line about it, three of its faces and its designer.

    Raises MisfitError if a text does not fit.
    """
    canvas = Canvas(frame.size)
    box = _draw_frame(canvas, design, frame)
    high, x0, x1 = box.height, box.x0, box.x1
    for words, y0, y1, style in (
        (title, 0.05, 0.23, design.title),
        (game.about, 0.25, 0.39, _text_style(design)),
        ("Rules of play", 0.875, 0.92, replace(design.part, align="centre")),
        (game.designer, 0.92, 0.975, _text_style(design)),
    ):
        place = Rect(x0, box.y0 + y0 * high, x1, box.y0 + y1 * high)
        canvas.flow(compositor.set(copy_of(words), place, style).lines)
    rule = (x1 - x0) / 10
    middle = (x0 + x1) / 2
    y = box.y0 + 0.24 * high
    canvas.rect(Rect(middle - rule, y, middle + rule, y + _LINE), design.accent)
    yield PlacedLayer(canvas.layer("title page of the rules"), ORIGIN)
    fan = _plate(game, faces, design, Size(0.94 * box.width, 0.44 * high))
    if fan:
        yield from fan.moved(
            middle - fan.size.width / 2, box.y0 + 0.62 * high - fan.size.height / 2
        )


def _text_style(design: PageDesign) -> Style:
    size = 1.08 * design.body.size
    return replace(
        design.body, size=size, least=0.6 * size, align="centre", valign="middle", leading=1.3
    )


def _draw_frame(canvas: Canvas, design: PageDesign, frame: PageFrame) -> Rect:
    """Draw a frame of two lines, and return the box within."""
    outer = Rect(0.0, 0.0, *frame.size).grown(-0.72 * frame.text.x0)
    canvas.outline(outer, design.accent, _LINE)
    inner = outer.grown(-_BETWEEN)
    canvas.outline(inner, design.accent, _INNER_LINE)
    return inner.grown(-0.45 * frame.text.x0)


def _plate(
    game: Game, faces: Mapping[FaceKey, Face], design: PageDesign, room: Size
) -> Plate | None:
    placed = list(_fan_out(_choose_faces(game.components[0], faces)))
    return make_plate(Figure(placed=placed), room, design.accent, design.bold) if placed else None


def _choose_faces(component: Component, faces: Mapping[FaceKey, Face]) -> list[Face]:
    """Three different faces of a component: its back, if it has one, and two fronts."""
    fronts = [faces[component.id, piece.id, "front"] for piece in component.pieces if piece.copies]
    distinct = list({face.id: face for face in fronts}.values())
    count = len(distinct)
    chosen = [distinct[0], distinct[count // 2], distinct[-1]] if count > 2 else distinct
    backs = (faces.get((component.id, piece.id, "back")) for piece in component.pieces)
    back = next(filter(None, backs), None)
    return [back, *chosen[1:]] if back and count > 1 else chosen


def _fan_out(faces: Sequence[Face]) -> Iterator[PlacedFace]:
    """A fan of cards, or other pieces side by side; the middle one is on top."""
    order = sorted(range(len(faces)), key=lambda index: -abs(index - (len(faces) - 1) / 2))
    for index in order:
        face, step = faces[index], index - (len(faces) - 1) / 2
        trim = face.trim
        is_card = face.corner_radius > 0
        width = trim.width * (_SPREAD if is_card else 0.8)
        below = Point(trim.centre.x, trim.y1 + trim.height)
        turn = turning(_FAN * step, below) if is_card else translation(0.0, 0.0)
        shift = translation(width * step * (0.4 if is_card else 1.0), 0.0)
        yield PlacedFace(face, shift @ turn)
