"""Pictures by resvg, in place of the parts of a drawing that the engine (typst 0.15) draws wrong.

Only these parts become pixels.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from math import ceil, floor, inf

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.cascade import extent_of, inline_styles, write_view
from generator.art.drawing import SVG, Drawing, Fault, local, put_in_place
from generator.art.families import TEXT, find_form
from generator.art.filters import ELSEWHERE, ENGINE_DPI, HUGE, LIGHTS, Filters, part_windows, raise_relief
from generator.art.measure import Extents, enlarge, numbers_in, transform_of, transforms_of
from generator.art.mending import GRADIENTS, find_inherited
from generator.art.pixels import MAX_PIXELS
from generator.art.svg import count_windows
from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect, decimal
from generator.basics.workers import Limits, WorkerError, WorkerProcess
from generator.text import FontBook

PIXELS = "art.pixels"  # the kind of a finding
DPI = 600.0
_LIT = "a filter with a light"
_LIT_DPI = 300.0  # of a relief: in finer pixels the 256 levels of its height show as steps
_PICTURE_WIDTH = 4.0  # inches, of the long side: the size on paper is not known yet
_INK_PIXELS = 500.0  # of the longer side of a drawing, and then of its ink, to find that
_FAR = 50.0  # times its longer side: ink in so large a drawing is looked for once more
_WORKER = "generator.art.render_worker"
_SECONDS = 20.0
_MEMORY = 1024 * 1024 * 1024
_BLEND = "mix-blend-mode"
_REPEATED = ("reflect", "repeat")
_NO_RADIUS = re.compile(r"\+?0*+\.?0*+%?|-.*+|[^\d.+-].*+|")  # 0, or a text that counts as 0
_CONTEXT = ("context-fill", "context-stroke")
_PAINTS = ("fill", "stroke")
_GROWN = 0.5  # of its sides, for the lines around a shape
_ZERO = re.compile(r"0*\.?0*[a-z%]*")
_COARSE = {
    "feConvolveMatrix": "counts in pixels, so its lines are thinner the finer it is drawn",
    "feMorphology": "has a radius of whole pixels, so it is a little wider or thinner",
}
_FADING = dict.fromkeys(LIGHTS, "has a relief that fades as the picture grows")

# Steps of a filter that keep the edges sharp, so that the engine's 288 dpi show.
_COLOURING = {"feColorMatrix", "feComponentTransfer"}
_SHARP = _COLOURING | {"feFlood", "feOffset", "feMerge", "feBlend", "feComposite"}
_MOST_DASHES = 400  # characters
_MOST_WORK = 5.0  # blurs of the drawing, of a filter that is drawn at 600 dpi
_MOST_WINDOWS = 1e8  # pixels times a radius in pixels, of all feMorphology: about 2 s
_FEW_PIXELS = 4.0  # for a unit; of more, whole ones keep tiles and edges at whole units sharp


# Attributes that act on a group as a whole, and so are not inherited.
_EFFECTS = (
    "id", "transform", "transform-origin", "opacity", "clip-path", "mask", "filter", "isolation",
    "mix-blend-mode",
)  # fmt: skip


class RenderRequest(Struct, frozen=True):
    """A drawing to render as a PNG, the folders of its fonts, and the PNG's width and height in
    pixels; by default, the drawing's own size is in pixels."""

    svg: str
    font_folders: tuple[str, ...]
    size: tuple[int, int] | None = None


def render_misdrawn(drawing: Drawing, fonts: FontBook, pixels: float | None = None) -> Iterator[Fault]:
    """Replace misdrawn parts by pictures; yields a note for each, or the fault that prevents it.

    `pixels` is the number for a user unit; by default, for a picture and not a template, 600 dpi
    on a card 4 inches high.
    """
    misdrawn = list(find_misdrawn(drawing, fonts if pixels is None else None))
    if misdrawn:
        inline_styles(drawing.root)
        drawing.forget_styles()
    kinds = _COARSE | _FADING if pixels is None else _COARSE
    yield from _replace_misdrawn(drawing, misdrawn, fonts, pixels or _count_pixels(drawing, DPI))
    for filter_, what in _find_coarse(drawing, kinds):
        yield drawing.fault(filter_, what, "look at it in the preview, or put in a picture of it", rule=PIXELS)


def _count_pixels(drawing: Drawing, dpi: float) -> float:
    """The pixels of a user unit of a picture."""
    return _PICTURE_WIDTH * dpi / max(extent_of(drawing.root)[1][2:])


def _replace_misdrawn(
    drawing: Drawing, misdrawn: Iterable[Misdrawn], fonts: FontBook, pixels: float
) -> Iterator[Fault]:
    for part in misdrawn:
        hint = "draw it in another way, or put in a picture of it"
        fineness = min(pixels, part.most_pixels)
        try:
            image = _render(drawing, part, fonts, fineness)
        except MisfitError as error:
            yield drawing.fault(part.element, f"{part.what} is drawn wrong, and cannot become pixels: {error}", hint)
            continue
        line = drawing.line(part.element)
        _replace(part.element, image)
        what = f"{part.what} is printed as pixels ({DPI * fineness / pixels:.0f} dpi)"
        yield Fault(line, what, "everything else stays sharp at any size", PIXELS)


def _render(drawing: Drawing, misdrawn: Misdrawn, fonts: FontBook, pixels: float) -> etree._Element | None:
    """The picture of an element; None if it shows nothing. Raises MisfitError."""
    parent = misdrawn.element.getparent()
    if misdrawn.box is None or parent is None:
        raise MisfitError("its size is not known")
    pixels *= enlarge(parent)
    box = misdrawn.box
    pixels = min(pixels, (MAX_PIXELS / (box.width * box.height)) ** 0.5)
    across, down = (max(ceil(side * pixels), 1) for side in (box.width, box.height))
    view = f"{box.x0:.9g} {box.y0:.9g} {across / pixels:.9g} {down / pixels:.9g}"
    root = etree.Element(
        f"{SVG}svg",
        {"viewBox": view},  # resvg misplaces context paints if a width enlarges it
        nsmap={None: SVG[1:-1], "xlink": "http://www.w3.org/1999/xlink"},
    )
    copies = map(deepcopy, drawing.referred(misdrawn.element))
    etree.SubElement(root, f"{SVG}defs").extend(copies)
    holder = root
    for around in reversed(list(misdrawn.element.iterancestors())):
        holder = etree.SubElement(holder, f"{SVG}g", dict(_inherited(around)))
    copy = deepcopy(misdrawn.element)
    copy.tail = None
    _pop_blend(copy)
    holder.append(copy)
    height = pixels * enlarge(misdrawn.element) / enlarge(parent)
    for filter_ in root.iter(f"{SVG}filter"):
        part_windows(filter_)
        raise_relief(filter_, height if misdrawn.is_picture else DPI / ENGINE_DPI)
    folders = fonts.sources if misdrawn.has_form else fonts.folders
    svg = etree.tostring(root, encoding="unicode")
    return _crop(_draw(RenderRequest(svg, tuple(map(str, folders)), (across, down))), box, pixels)


def find_ink(drawing: Drawing, fonts: FontBook) -> Rect | None:
    """The box around the ink of a proven drawing, in its units, if any. Raises MisfitError."""
    _, (x, y, width, height) = extent_of(drawing.root)
    has_texts = next(drawing.elements("text"), None) is not None
    folders = tuple(map(str, fonts.folders)) if has_texts else ()
    with _start() as worker:
        rough = _find_ink_within(worker, drawing, Rect(x, y, x + width, y + height), folders)
        if rough is None:
            return None
        around = rough.grown(max(width, height) / _INK_PIXELS)
        ink = _find_ink_within(worker, drawing, around, folders)
        if ink and max(width, height) > _FAR * max(around.width, around.height):
            pixel = max(around.width, around.height) / _INK_PIXELS
            return _find_ink_within(worker, drawing, ink.grown(pixel), folders)
        return ink


def _find_ink_within(worker: WorkerProcess, drawing: Drawing, view: Rect, folders: tuple[str, ...]) -> Rect | None:
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
            kept = {name: style[name] for name in style if name not in _EFFECTS}
            yield "style", css.write_declarations(kept)
        elif name not in (*_EFFECTS, "viewBox", "x", "y", "width", "height"):
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
    if image is None:
        image = etree.Element(f"{SVG}g")
    if blend := _pop_blend(element):
        image.set("style", f"{_BLEND}:{blend}")
    if id_ := element.get("id"):
        image.set("id", id_)
    put_in_place(image, element)


class Misdrawn(Struct, frozen=True):
    """An element, the kind of its fault, and a box that holds it, in units of its parent; None if that is not known;
    whether it needs a form of a font that the engine's copy lacks; the most pixels for a unit of the drawing; and
    whether its drawing is a picture, not a template, whose size on paper is known."""

    element: etree._Element
    what: str
    box: Rect | None
    has_form: bool = False
    most_pixels: float = inf
    is_picture: bool = False


def find_misdrawn(drawing: Drawing, fonts: FontBook | None = None) -> Iterator[Misdrawn]:
    """The elements that another engine must draw; none of them is within another.

    With `fonts`, for a picture, also the texts in a form of their font that the engine lacks, and
    filters that the engine draws more coarsely.
    """
    wrong, filters = dict(_find_definitions(drawing)), Filters(drawing)
    most_pixels = _find_most_pixels(drawing) if fonts else inf
    lit_pixels = _count_pixels(drawing, _LIT_DPI)
    with_context = set(_find_context(drawing))
    elements: set[etree._Element] = set()
    for element in drawing.elements():
        if element.tag in GRADIENTS or not elements.isdisjoint(element.iterancestors()):
            continue
        what = (
            _reason(drawing, element, wrong, with_context)
            or _find_wrong_line(drawing, element)
            or _find_wrong_filter(drawing, element, filters)
        )
        form = find_form(drawing, element, fonts) if fonts and not what else ""
        coarse = _find_coarse_filter(drawing, element, filters) if fonts and not form else ""
        whole = _whole(element)
        if not (what or form or coarse) or whole is None or whole in elements:
            continue
        box = _box(drawing, whole)
        if what or form or box is not None:
            elements.add(whole)
            most = min(most_pixels, lit_pixels) if coarse == _LIT else most_pixels
            yield Misdrawn(whole, what or form or coarse, box, bool(form), most, bool(fonts))


def _find_most_pixels(drawing: Drawing) -> float:
    """The most pixels for a unit of the drawing with which resvg thins and widens soon enough."""
    windows = count_windows(drawing)
    most = (_MOST_WINDOWS / windows) ** (1 / 3) if windows else inf
    return floor(most) if _FEW_PIXELS < most < inf else most


def _find_coarse(drawing: Drawing, kinds: Mapping[str, str]) -> Iterator[tuple[etree._Element, str]]:
    """The filters in use that depend on the pixels of the engine (288 dpi), and how."""
    used = {link for element in drawing.elements() for link in drawing.references(element)}
    _, (_, _, across, down) = extent_of(drawing.root)
    for filter_ in drawing.elements("filter"):
        if ("filter", filter_.get("id", "")) not in used:
            continue
        names = [local(step) for step in filter_ if isinstance(step.tag, str)]
        if found := next((name for name in names if name in kinds), ""):
            yield filter_, f"{found} {kinds[found]}"
        elif filter_.get("filterUnits") == "userSpaceOnUse":
            sides = [numbers_in(filter_.get(side, "")) for side in ("width", "height")]
            if max((side[0] for side in sides if side), default=0.0) > HUGE * max(across, down):
                yield filter_, "a filter with a huge region is drawn coarsely, with dark edges"


def _find_definitions(drawing: Drawing) -> Iterator[tuple[str, str]]:
    """The ids of gradients and filters that are drawn wrong, with the reason."""
    for gradient in drawing.elements("radialGradient"):
        if find_inherited(drawing, gradient, "spreadMethod") in _REPEATED:
            yield gradient.get("id", ""), "a radial gradient that repeats"
        elif not _NO_RADIUS.fullmatch(find_inherited(drawing, gradient, "fr")):
            yield gradient.get("id", ""), "a radial gradient with an inner radius"
    for mask in drawing.elements("mask"):
        if any("mask" in dict(drawing.references(part)) for part in mask.iter(etree.Element)):
            yield mask.get("id", ""), "a mask within a mask"
    for filter_ in drawing.elements("filter"):
        steps = {local(step): step for step in filter_.iterdescendants(etree.Element)}
        if "feTile" in steps:
            yield filter_.get("id", ""), "a filter with tiles"
        elif any(step.get("stitchTiles") == "stitch" for step in steps.values()):
            yield filter_.get("id", ""), "a filter with a stitched turbulence"


def _find_context(drawing: Drawing) -> Iterator[etree._Element]:
    """The elements painted like the <use> or marker that shows them, and those around them."""
    for element in drawing.elements():
        properties = drawing.styles.of(element)
        if any(properties.get(name) in _CONTEXT for name in _PAINTS):
            yield element
            yield from element.iterancestors()


def _reason(drawing: Drawing, element: etree._Element, wrong: dict[str, str], with_context: set[etree._Element]) -> str:
    links = dict(drawing.references(element))
    if local(element) in TEXT and any(name in links for name in _PAINTS):
        strokes = (drawing.styles.of(ancestor).get("stroke") for ancestor in (element, *element.iterancestors()))
        if next(filter(None, strokes), "none") != "none":  # pdfium draws the line too wide
            return "an outlined text with a gradient or pattern"
    for name in (*_PAINTS, "filter", "mask"):
        if links.get(name) in wrong:
            return wrong[links[name]]
    is_painted = any(name in links for name in _PAINTS)
    shown = drawing.by_id.get(links.get("href", ""), ()) if element.tag == f"{SVG}use" else ()
    if is_painted and any(paint in with_context for paint in shown):
        return "a clone in the gradient or pattern of its original"
    return ""


def _find_wrong_line(drawing: Drawing, element: etree._Element) -> str:
    if _lacks_gaps(drawing.find_own(element, "stroke-dasharray")[:_MOST_DASHES]):
        return "a line whose dashes have no gaps"  # viewers show seams
    if drawing.find_own(element, "stroke-linejoin") == "miter-clip":
        return "a line with clipped corners (miter-clip)"  # a PDF has none
    return ""


def _lacks_gaps(dashes: str) -> bool:
    """Whether each dash is followed by a gap of 0. An odd number of lengths repeats, and then its
    dashes are gaps too."""
    lengths = dashes.replace(",", " ").split()
    return bool(lengths) and len(lengths) % 2 == 0 and all(map(_ZERO.fullmatch, lengths[1::2]))


def _find_wrong_filter(drawing: Drawing, element: etree._Element, filters: Filters) -> str:
    is_wrong = "feImage" in _steps(drawing, element) and filters.work(element) < _MOST_WORK
    return "a filter with a picture" if is_wrong else ""


def _find_coarse_filter(drawing: Drawing, element: etree._Element, filters: Filters) -> str:
    """A filter that the engine draws with fewer pixels than resvg, or whose relief fades there."""
    steps = _steps(drawing, element)
    if not steps.isdisjoint(LIGHTS):
        return _LIT
    if "feMorphology" in steps:
        what, work = "a filter that widens or thins", filters.work(element, without="feMorphology")
    elif steps <= _SHARP and not steps.isdisjoint(_COLOURING):
        what, work = "a filter of colours", filters.work(element)
    else:
        return ""
    return what if work < _MOST_WORK else ""


def _steps(drawing: Drawing, element: etree._Element) -> set[str]:
    """The kinds of the steps of its filter."""
    parts = [step for filter_ in drawing.targets(element, "filter") for step in filter_]
    return {local(step) for step in parts if isinstance(step.tag, str)}


def _whole(element: etree._Element) -> etree._Element | None:
    """The element to draw: of a part of a text, the text; of a part of a clip, nothing."""
    holders = [element, *element.iterancestors()]
    if any(local(holder) == "clipPath" for holder in holders):
        return None
    return next((holder for holder in holders if local(holder) == "text"), element)


def _box(drawing: Drawing, element: etree._Element) -> Rect | None:
    parent = element.getparent()
    if parent is None:
        return None
    holders = [ancestor for ancestor in element.iterancestors() if ancestor is not drawing.root]
    if not any(local(holder) in ELSEWHERE for holder in holders):
        _, (x, y, width, height) = extent_of(drawing.root)
        motion = transform_of(" ".join(transforms_of(parent)))
        if abs(motion.a * motion.d - motion.b * motion.c) < 1e-9:
            return None
        return motion.inverse().apply_rect(Rect(x, y, x + width, y + height))
    if element.get("transform"):
        return None
    box = Extents().of(element)
    if box is None or not box.width or not box.height:
        return None
    return box.grown(box.width * _GROWN, box.height * _GROWN)
