"""Take a drawing and the name of a part of it, keep that part: `icons.svg#heart`."""

from __future__ import annotations

from copy import deepcopy

from lxml import etree

from generator.art.drawing import SVG, Drawing, local, names_of
from generator.art.families import find_own
from generator.art.mending import set_own
from generator.art.parts import FRAME, write_view
from generator.art.rendering import find_ink
from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.text import FontBook

_NEVER_SHOWN = ("defs", "symbol", "pattern", "marker", "mask", "clipPath")


def select_part(drawing: Drawing, name: str) -> bool:
    """Keep one element of a drawing, what is around it, and everything it refers to. It is shown,
    even if its layer is hidden; what is hidden within it stays hidden.

    Returns whether the part has a size: a layer, a group directly within the drawing, has that of
    the drawing, and a symbol that of its viewBox. Raises MisfitError if no part has that name.
    """
    parts = {one: part for part in drawing.elements() for one in reversed(names_of(part))}
    part = parts.get(name)
    if part is None or part is drawing.root:
        what = f"the drawing has no part {quote(name)}"
        raise MisfitError(what, did_you_mean(name, parts) or "a layer's name, or an object's id")
    is_layer = local(part) == "g" and part.getparent() is drawing.root
    _show(drawing, part)
    referred = [deepcopy(one) for one in drawing.referred(part)]
    styles = [deepcopy(one) for one in drawing.elements("style")]
    holder = drawing.root
    chain = [one for one in reversed(list(part.iterancestors())) if local(one) not in _NEVER_SHOWN]
    kept = deepcopy(part)
    for child in list(holder):
        holder.remove(child)
    holder.extend(styles)
    etree.SubElement(holder, f"{SVG}defs").extend(referred)
    for around in chain[1:]:
        holder = etree.SubElement(holder, around.tag, dict(around.attrib))
    holder.append(kept)
    drawing.forget_styles()
    drawing.__dict__.pop("by_id", None)
    if local(kept) == "symbol":
        return _show_symbol(drawing, kept)
    return is_layer


def _show(drawing: Drawing, part: etree._Element) -> None:
    holders = [part, *part.iterancestors()]
    visibilities = filter(None, (find_own(drawing, one, "visibility") for one in holders))
    if next(visibilities, "") in ("hidden", "collapse"):
        set_own(part, "visibility", "visible")
    for one in holders:
        if find_own(drawing, one, "display") == "none":
            set_own(one, "display", "inline")


def _show_symbol(drawing: Drawing, symbol: etree._Element) -> bool:
    view = symbol.get("viewBox")
    symbol.tag = f"{SVG}g"
    for name in FRAME:
        symbol.attrib.pop(name, None)
        if view:
            drawing.root.attrib.pop(name, None)
    if view:
        drawing.root.set("viewBox", view)
    return bool(view)


def crop(drawing: Drawing, fonts: FontBook) -> None:
    """Crop a proven drawing to its ink. Raises MisfitError if it shows nothing."""
    ink = find_ink(drawing, fonts)
    if ink is None:
        raise MisfitError("this part of the drawing shows nothing", "draw it within the page")
    for name in FRAME:
        drawing.root.attrib.pop(name, None)
    drawing.root.set("viewBox", write_view((ink.x0, ink.y0, ink.width, ink.height)))
