"""The picture of what was found: every page, each card in a numbered outline, backs with the
numbers of their fronts."""

import io
from collections.abc import Iterable, Sequence
from math import ceil, sqrt

from PIL import Image, ImageDraw, ImageFont

from generator.importing.choosing import CardPage, CardPlace, FoundCard

_MOST_PIXELS = 30e6  # of the picture
_MOST_SCALE = 3.0  # pixels to a mm
_GAP, _HEAD, _LINE, _TYPE = 6.0, 7.0, 0.7, 6.0  # mm
_GROUND, _GREY, _INK = (238, 236, 231), (205, 203, 198), (40, 38, 34)
_FRONTS = ((216, 30, 44), (20, 99, 165), (22, 120, 60), (140, 60, 150))  # by their group
_BACK = (90, 88, 84)


def draw_found(pages: Sequence[CardPage], cards: Iterable[FoundCard]) -> bytes:
    """A PNG of pages with their cards."""
    labels: dict[CardPlace, str] = {}
    for number, card in enumerate(cards, 1):
        labels.setdefault(card.front, str(number))
        if card.back:
            known = labels.get(card.back)
            labels[card.back] = f"{known}, {number}" if known else f"back of {number}"
    wide = max(page.size.width for page in pages) + _GAP
    high = max(page.size.height for page in pages) + _GAP + _HEAD
    columns = min(len(pages), max(ceil(sqrt(len(pages) * 1.5 * high / wide)), 1))
    rows = ceil(len(pages) / columns)
    area = wide * columns * high * rows
    scale = min(_MOST_SCALE, sqrt(_MOST_PIXELS / area))
    size = ceil((wide * columns + _GAP) * scale), ceil((high * rows + _GAP) * scale)
    sheet = Image.new("RGB", size, _GROUND)
    font = ImageFont.load_default(_TYPE * scale)
    for index, page in enumerate(pages):
        row, column = divmod(index, columns)
        corner = round((_GAP + column * wide) * scale), round((_GAP + row * high) * scale)
        reason = f": {page.reason}" if page.reason else ""
        ImageDraw.Draw(sheet).text(corner, f"page {page.number}{reason}", _INK, font)
        picture = _draw_page(page, labels, scale, font)
        sheet.paste(picture, (corner[0], corner[1] + round(_HEAD * scale)))
    stream = io.BytesIO()
    sheet.quantize(128).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _draw_page(
    page: CardPage, labels: dict[CardPlace, str], scale: float, font: ImageFont.FreeTypeFont | ImageFont.ImageFont
) -> Image.Image:
    wide, high = (max(round(side * scale), 1) for side in page.size)
    if not page.picture:
        return Image.new("RGB", (wide, high), _GREY)
    with Image.open(io.BytesIO(page.picture)) as painted:
        picture = painted.convert("RGB").resize((wide, high), Image.Resampling.BOX)
    if page.reason:
        return Image.blend(picture, Image.new("RGB", picture.size, _GREY), 0.6)
    draw = ImageDraw.Draw(picture)
    for number, group in enumerate(page.groups):
        for card in group:
            label = labels.get(card, "")
            colour = _FRONTS[number % len(_FRONTS)] if label.isdecimal() else _BACK
            box = [side * scale for side in card.cell]
            draw.rectangle(box, outline=colour, width=max(round(_LINE * scale), 1))
            middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            edges = draw.textbbox(middle, label, font=font, anchor="mm")
            draw.rectangle([edges[0] - 3, edges[1] - 3, edges[2] + 3, edges[3] + 3], fill=colour)
            draw.text(middle, label, "white", font, anchor="mm")
    return picture
