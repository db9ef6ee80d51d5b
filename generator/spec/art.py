"""Take a designer's picture, make Art, or say what in it cannot be printed or is not safe."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lxml import etree

from generator.errors import PnpError, Problem, fail
from generator.files import MEGABYTE, read_within
from generator.model import Art
from generator.text import FontBook

MAX_BYTES = 4 * MEGABYTE
MAX_PIXELS = 50_000_000
MAX_DRAWN = 20_000  # elements of one picture, clones counted each time

_SVG = "{http://www.w3.org/2000/svg}"
_MIME = {".svg": "svg+xml", ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}
_SAFE_DATA = re.compile(r"data:image/(png|jpeg);base64,", re.IGNORECASE)
_CSS_URL = re.compile(r"url\(\s*['\"]?\s*([^'\")]*)", re.IGNORECASE)
_FAMILY = re.compile(r"font-family\s*:\s*([^;}]+)", re.IGNORECASE)
_REFUSED = {
    "script": "a script never runs here",
    "foreignObject": "HTML inside SVG is not printed; convert it to SVG text",
    **dict.fromkeys(("animate", "animateMotion", "animateTransform", "set"), "paper does not move"),
    **dict.fromkeys(("audio", "video", "iframe", "handler"), "paper shows pictures only"),
}


def read_art(folder: Path, name: str, file: str, fonts: FontBook, where: str) -> Art:
    """The picture in `file`. Raises PnpError with every fault of it.

    `where` is the line of the spec that asks for the file.
    """
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in _MIME:
        raise fail(where, f"art {file!r} is no picture we print", f"known: {', '.join(_MIME)}")
    content = read_within(folder, file, MAX_BYTES, where)
    place = f"{folder.name}/{file}"
    if suffix == ".svg":
        content = _clean_svg(content, place, fonts)
    else:
        _check_pixels(content, _MIME[suffix], place)
    return Art(name, f"data:image/{_MIME[suffix]};base64,{base64.b64encode(content).decode()}")


def _check_pixels(content: bytes, format_: str, place: str) -> None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=[format_]) as image:
            pixels = image.width * image.height
            if pixels <= MAX_PIXELS:
                image.load()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise fail(place, f"this is no readable {format_.upper()} picture") from None
    if pixels > MAX_PIXELS:
        raise fail(place, f"the picture has {pixels:,} pixels", f"at most {MAX_PIXELS:,}")


def _clean_svg(content: bytes, place: str, fonts: FontBook) -> bytes:
    """The SVG without comments and processing instructions. Raises PnpError."""
    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        what = (error.msg or "empty").split(", line ")[0]
        raise fail(f"{place}:{error.lineno or 1}", f"not valid XML: {what}") from None
    problems = [Problem(f"{place}:{line}", what, hint) for line, what, hint in _faults(root, fonts)]
    if problems:
        raise PnpError(problems)
    return bytes(etree.tostring(root, encoding="utf-8"))


_Fault = tuple[int, str, str]


def _faults(root: etree._Element, fonts: FontBook) -> Iterator[_Fault]:
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and len(dtd.entities()):
        yield 1, "the file declares entities", "save it as plain SVG"
        return
    if root.tag != f"{_SVG}svg":
        yield 1, f"the root is <{_local(root)}>, not <svg> of SVG", "save it as plain SVG"
        return
    if not root.get("viewBox") and not (root.get("width") and root.get("height")):
        yield 1, "the drawing has no viewBox, so it has no size", "set it in the document settings"
    for element in root.iter(etree.Element):
        for what, hint in _element_faults(element, fonts):
            yield int(element.sourceline or 1), what, hint
    drawn = _drawn(root)
    if drawn > MAX_DRAWN:
        hint = f"at most {MAX_DRAWN:,}, clones counted each time"
        yield 1, "the drawing has too many elements", hint


def _element_faults(element: etree._Element, fonts: FontBook) -> Iterator[tuple[str, str]]:
    name = _local(element)
    if name in _REFUSED:
        yield f"<{name}> is not allowed", _REFUSED[name]
    for attribute, value in element.items():
        local = etree.QName(attribute).localname
        if local.lower().startswith("on"):
            yield f"the attribute {local!r} is a script", _REFUSED["script"]
        elif local in ("href", "src") and not _is_inside(value):
            yield f"<{name}> points outside the file: {value[:60]!r}", "embed the picture instead"
        else:
            yield from _css_faults(value)
    if name == "style":
        yield from _css_faults(element.text or "")
    yield from _engine_faults(element, name)
    yield from _font_faults(element, name, fonts)


def _is_inside(reference: str) -> bool:
    return reference.startswith("#") or _SAFE_DATA.match(reference) is not None


def _css_faults(css: str) -> Iterator[tuple[str, str]]:
    for target in _CSS_URL.findall(css):
        if not _is_inside(target):
            yield f"a style points outside the file: {target[:60]!r}", "embed the picture instead"
    for rule in ("@import", "@font-face"):
        if rule in css.lower():
            yield f"{rule} is not printed", "put the font into the game's fonts folder"


def _engine_faults(element: etree._Element, name: str) -> Iterator[tuple[str, str]]:
    """What the engine (typst 0.15, usvg) would draw wrong without a word."""
    if name == "svg" and element.getparent() is not None and element.get("transform"):
        yield "a nested <svg> with a transform is drawn wrong", "use a group <g> instead"
    if name == "radialGradient":
        if element.get("spreadMethod", "pad") != "pad":
            yield "a radial gradient that repeats is drawn wrong", "use spreadMethod='pad'"
        if element.get("fr", "0").rstrip("%") not in ("0", "0.0"):
            yield "a radial gradient with an inner radius is drawn wrong", "set fr to 0"


def _font_faults(element: etree._Element, name: str, fonts: FontBook) -> Iterator[tuple[str, str]]:
    declared = [element.get("font-family"), *_FAMILY.findall(element.get("style", ""))]
    if name == "style":
        declared += _FAMILY.findall(element.text or "")
    for value in filter(None, declared):
        family = value.split(",")[0].strip().strip("'\"")
        if family not in fonts.families():
            known = ", ".join(fonts.families())
            yield (
                f"there is no font family {family!r}",
                f"put its TTF into the game's fonts folder, or use one of: {known}",
            )


def _drawn(root: etree._Element) -> int:
    """How many elements are drawn once every clone is counted; stops counting past the limit."""
    by_id = {element.get("id"): element for element in root.iter(etree.Element)}
    stack: list[tuple[etree._Element, int]] = [(root, 0)]
    drawn = 0
    while stack and drawn <= MAX_DRAWN:
        element, depth = stack.pop()
        drawn += 1
        stack += [(child, depth) for child in element.iterchildren(etree.Element)]
        if _local(element) == "use" and depth < 100:
            href = element.get("href") or element.get("{http://www.w3.org/1999/xlink}href") or ""
            target = by_id.get(href.removeprefix("#"))
            if target is not None:
                stack.append((target, depth + 1))
    return drawn


def _local(element: etree._Element) -> str:
    return str(etree.QName(element).localname)
