"""Take a drawing, replace the parts that the press's engine would draw wrong by pictures of resvg.

Only these parts become pixels.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from copy import deepcopy
from functools import lru_cache
from math import ceil

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.cascade import inline_styles
from generator.art.drawing import SVG, Drawing, Fault
from generator.art.filters import part_windows
from generator.art.gradients import EFFECTS
from generator.art.measure import enlarge
from generator.art.misdrawn import Misdrawn, find_coarse, find_misdrawn
from generator.art.parts import extent_of, write_view
from generator.art.pixels import MAX_PIXELS
from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect, decimal
from generator.basics.workers import Limits, WorkerError, WorkerProcess
from generator.text import FontBook

PIXELS = "art.pixels"  # the kind of a finding
DPI = 600.0
_PICTURE_WIDTH = 4.0  # inches, of the long side: the size on paper is not known yet
_INK_PIXELS = 500.0  # of the longer side of a drawing, and then of its ink, to find that
_WORKER = "generator.art.render_worker"
_SECONDS = 20.0
_MEMORY = 1024 * 1024 * 1024
_BLEND = "mix-blend-mode"


class RenderRequest(Struct, frozen=True):
    """A drawing to render as a PNG, the folders of its fonts, and the PNG's width and height in
    pixels; by default, the drawing's own size is in pixels."""

    svg: str
    font_folders: tuple[str, ...]
    size: tuple[int, int] | None = None


def render_misdrawn(
    drawing: Drawing, fonts: FontBook, pixels: float | None = None
) -> Iterator[Fault]:
    """Replace misdrawn parts by pictures; yields a note for each, or the fault that prevents it.

    `pixels` is the number for a user unit; by default, for a picture and not a template, 600 dpi
    on a card 4 inches high.
    """
    misdrawn = list(find_misdrawn(drawing, fonts if pixels is None else None))
    if misdrawn:
        inline_styles(drawing.root)
        drawing.forget_styles()
    if pixels is None:
        pixels = _PICTURE_WIDTH * DPI / max(extent_of(drawing.root)[1][2:])
    yield from _replace_misdrawn(drawing, misdrawn, fonts, pixels)
    for filter_, what in find_coarse(drawing):
        hint = "look at it in the preview, or put in a picture of it"
        yield drawing.fault(filter_, what, hint, rule=PIXELS)


def _replace_misdrawn(
    drawing: Drawing, misdrawn: Iterable[Misdrawn], fonts: FontBook, pixels: float
) -> Iterator[Fault]:
    for one in misdrawn:
        hint = "draw it in another way, or put in a picture of it"
        fineness = min(pixels, one.most_pixels)
        try:
            image = _render(drawing, one, fonts, fineness)
        except MisfitError as error:
            what = f"{one.what} is drawn wrong, and cannot become pixels: {error}"
            yield drawing.fault(one.element, what, hint)
            continue
        line = drawing.line(one.element)
        _replace(one.element, image)
        what = f"{one.what} is printed as pixels ({DPI * fineness / pixels:.0f} dpi)"
        yield Fault(line, what, "everything else stays sharp at any size", PIXELS)


def _render(
    drawing: Drawing, one: Misdrawn, fonts: FontBook, pixels: float
) -> etree._Element | None:
    """The picture of an element; None if it shows nothing. Raises MisfitError."""
    parent = one.element.getparent()
    if one.box is None or parent is None:
        raise MisfitError("its size is not known")
    pixels *= enlarge(parent)
    box = one.box
    pixels = min(pixels, (MAX_PIXELS / (box.width * box.height)) ** 0.5)
    across, down = (max(ceil(side * pixels), 1) for side in (box.width, box.height))
    view = f"{box.x0:.9g} {box.y0:.9g} {across / pixels:.9g} {down / pixels:.9g}"
    root = etree.Element(
        f"{SVG}svg",
        {"viewBox": view},  # resvg misplaces context paints if a width enlarges it
        nsmap={None: SVG[1:-1], "xlink": "http://www.w3.org/1999/xlink"},
    )
    copies = map(deepcopy, drawing.referred(one.element))
    etree.SubElement(root, f"{SVG}defs").extend(copies)
    holder = root
    for around in reversed(list(one.element.iterancestors())):
        holder = etree.SubElement(holder, f"{SVG}g", dict(_inherited(around)))
    copy = deepcopy(one.element)
    copy.tail = None
    _pop_blend(copy)
    holder.append(copy)
    for filter_ in root.iter(f"{SVG}filter"):
        part_windows(filter_)
    folders = fonts.sources if one.has_form else fonts.folders
    svg = etree.tostring(root, encoding="unicode")
    picture = _draw(RenderRequest(svg, tuple(map(str, folders)), (across, down)))
    return _crop(picture, box, pixels)


def find_ink(drawing: Drawing, fonts: FontBook) -> Rect | None:
    """The box around the ink of a proven drawing, in its units; None if it has none. Raises
    MisfitError."""
    _, (x, y, width, height) = extent_of(drawing.root)
    has_texts = next(drawing.elements("text"), None) is not None
    folders = tuple(map(str, fonts.folders)) if has_texts else ()
    with _start() as worker:
        rough = _find_ink_within(worker, drawing, Rect(x, y, x + width, y + height), folders)
        if rough is None:
            return None
        around = rough.grown(max(width, height) / _INK_PIXELS)
        return _find_ink_within(worker, drawing, around, folders)


def _find_ink_within(
    worker: WorkerProcess, drawing: Drawing, view: Rect, folders: tuple[str, ...]
) -> Rect | None:
    from PIL import Image

    root = deepcopy(drawing.root)
    pixels = _INK_PIXELS / max(view.width, view.height)
    root.set("viewBox", write_view((view.x0, view.y0, view.width, view.height)))
    root.set("width", str(max(ceil(view.width * pixels), 1)))
    root.set("height", str(max(ceil(view.height * pixels), 1)))
    root.set("preserveAspectRatio", "none")
    picture = _ask(worker, RenderRequest(etree.tostring(root, encoding="unicode"), folders))
    with Image.open(io.BytesIO(picture)) as image:
        ink = image.convert("RGBA").getchannel("A").getbbox()
        across, down = view.width / image.width, view.height / image.height
    if ink is None:
        return None
    left, top, right, bottom = ink
    x, y = view.x0, view.y0
    return Rect(x + left * across, y + top * down, x + right * across, y + bottom * down)


def _inherited(element: etree._Element) -> Iterator[tuple[str, str]]:
    for name, value in element.items():
        if name == "style":
            style = css.declarations(value)
            kept = {name: style[name] for name in style if name not in EFFECTS}
            yield "style", css.write_declarations(kept)
        elif name not in (*EFFECTS, "viewBox", "x", "y", "width", "height"):
            yield str(name), str(value)


def _pop_blend(element: etree._Element) -> str:
    own = str(element.attrib.pop(_BLEND, ""))
    return css.pop_property(element, _BLEND) or own


@lru_cache(maxsize=32)  # a part that all rows of a table share is drawn once
def _draw(request: RenderRequest) -> bytes:
    """A PNG. Raises MisfitError."""
    with _start() as worker:
        return _ask(worker, request)


def _start() -> WorkerProcess:
    return WorkerProcess(_WORKER, Limits(_MEMORY, round(_SECONDS)))


def _ask(worker: WorkerProcess, request: RenderRequest) -> bytes:
    try:
        (picture,) = worker.ask(request, 1, _SECONDS)
    except WorkerError as error:
        raise MisfitError(error.ending.problem.what) from None
    return picture


def _crop(picture: bytes, box: Rect, pixels: float) -> etree._Element | None:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        ink = image.convert("RGBA").getchannel("A").getbbox()
        if ink is None:
            return None
        stream = io.BytesIO()
        image.crop(ink).save(stream, "PNG", compress_level=6)
    left, top, right, bottom = ink
    return etree.Element(
        f"{SVG}image",
        {
            "x": decimal(box.x0 + left / pixels, 6),
            "y": decimal(box.y0 + top / pixels, 6),
            "width": decimal((right - left) / pixels, 6),
            "height": decimal((bottom - top) / pixels, 6),
            "preserveAspectRatio": "none",
            "href": f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}",
        },
    )


def _replace(element: etree._Element, image: etree._Element | None) -> None:
    parent = element.getparent()
    assert parent is not None, "the root is not replaced"
    if image is None:
        image = etree.Element(f"{SVG}g")
    if blend := _pop_blend(element):
        image.set("style", f"{_BLEND}:{blend}")
    if id_ := element.get("id"):
        image.set("id", id_)
    image.tail = element.tail
    parent.replace(element, image)
