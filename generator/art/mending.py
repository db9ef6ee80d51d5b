"""Repairs of a drawing, where the engine (typst 0.15, usvg) would draw it wrong.

Lines without a length get a minimal length, so that their caps print. An editor's own notations become plain SVG.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise

from lxml import etree
from msgspec.structs import replace

from generator.art import css
from generator.art.cascade import extent_of, write_view
from generator.art.drawing import HREFS, NUMBER, SVG, XLINK_HREF, Drawing, Fault, local, put_in_place
from generator.art.families import StandIn, name_families, number_weights
from generator.art.filters import cut_regions
from generator.art.measure import box_of, numbers_in, strokes_of, style_of
from generator.art.pixels import read_embedded, sharpen
from generator.basics.errors import MisfitError
from generator.basics.geometry import Rect, decimal
from generator.text import Font, FontBook
from generator.text.flow import Compositor, OverfullError
from generator.text.markup import Span, TextBlock, WordLook
from generator.text.shape import Style

_DOTS = re.compile(rf"\s*+0(?:\.0*)?[\s,]++(?P<gap>{NUMBER})\s*+")
EFFECTS = {"filter": "filter", "clip-path": "clipPath", "mask": "mask"}  # what each refers to
_MOVED = ("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "overflow")
MENDED = "art.mended"  # the kind of a finding
_FEATURES = "feature#Extensibility"  # of a program that shows HTML in a <foreignObject>
HAIR = 0.001  # user units
_NUMBERS = re.compile(NUMBER)
_NUMBER = re.compile(rf"\s*+{NUMBER}\s*+")
_SUBPATH = re.compile("(?=[Mm])")
_ABSOLUTE = re.compile("[LHVCSQT]")

# no arc, no placeholder
_PLAIN = re.compile(r"[Mm][\d\s.,+-][MmLlHhVvCcSsQqTtZz\d\s.,eE+-]{2,200}+")
_PAIRS = re.compile(r"[\d\s.,eE+-]{,200}+")
_SHARP = ("pixelated", "crisp-edges", "optimizeSpeed")  # of image-rendering
_PICTURES = (f"{SVG}image", f"{SVG}feImage")
_FAMILY = re.compile(r"font-family\s*:\s*([^;{}]+)")
GRADIENTS = (f"{SVG}radialGradient", f"{SVG}linearGradient")
_MOST_CHAINED = 20  # gradients, each of which refers to the next
_TRANSFORM = "gradientTransform"


def mend(drawing: Drawing) -> None:
    """Rewrite these: a missing viewBox, links, the older of two references, transforms of nested drawings and of
    gradients, dots, dashes without a length, huge regions of filters, relative weights."""
    if "viewBox" not in drawing.root.attrib:
        drawing.root.set("viewBox", write_view(extent_of(drawing.root)[1]))
    for element in list(drawing.elements()):
        if element.tag == f"{SVG}a":
            for name in HREFS:  # a link has no use on paper
                element.attrib.pop(name, None)
        elif all(name in element.attrib for name in HREFS):
            del element.attrib[XLINK_HREF]
        lengthen_dots(element)
        _lengthen_dashes(drawing, element)
        if element.tag == f"{SVG}svg" and drawing.find_own(element, "transform"):
            _wrap(element)
    inherit_transforms(drawing)
    cut_regions(drawing)
    number_weights(drawing)
    drawing.forget_styles()


def drop_lost_effects(drawing: Drawing) -> None:
    """Drop the filters, clips and masks that refer to nothing or to another kind of element, as
    browsers do: the engine would not draw the elements."""
    for element in drawing.elements():
        for name, id_ in list(drawing.references(element)):
            is_whole = drawing.styles.of(element).get(name, "").count("(") == 1  # not with blur(1)
            if is_whole and is_lost_effect(drawing, name, id_):
                element.attrib.pop(name, None)
                css.set_properties(element, {name: "none"})
    drawing.forget_styles()


def is_lost_effect(drawing: Drawing, name: str, id_: str) -> bool:
    """Whether a property is an effect, and no element of its kind has that id first."""
    kind, first = EFFECTS.get(name), drawing.by_id.get(id_, ())[:1]
    return kind is not None and all(local(element) != kind for element in first)


def _lengthen_dashes(drawing: Drawing, element: etree._Element) -> None:
    """Give dashes of length 0 a hair of length: pdfium makes them 0.1 long, and they drift."""
    dots = _DOTS.fullmatch(drawing.find_own(element, "stroke-dasharray")[:100])
    if dots and (gap := float(dots["gap"]) - HAIR) > 0:
        css.set_properties(element, {"stroke-dasharray": f"{HAIR} {gap:.6g}"})


def _wrap(nested: etree._Element) -> None:
    """Put a nested <svg> with a transform into a group that has it, and the effects after it."""
    if nested.getparent() is None:
        return
    group = etree.Element(f"{SVG}g", {n: v for n, v in nested.items() if n not in _MOVED})
    for name in group.attrib:
        del nested.attrib[name]
    put_in_place(group, nested)
    group.append(nested)


def lengthen_dots(element: etree._Element) -> None:
    """Lengthen a line, a polyline, or parts of a path, that have no length."""
    match local(element):
        case "path" if path := element.get("d"):
            element.set("d", _lengthen_parts(path))
        case "polyline" if _PAIRS.fullmatch(text := element.get("points", "")):
            points = numbers_in(text)
            if len(points) > 2 and points == points[:2] * (len(points) // 2):
                x, y = points[:2]
                element.set("points", f"{x:.9g} {y:.9g} {x + HAIR:.9g} {y:.9g}")
        case "line":
            x1, y1, x2, y2 = (element.get(name, "0") for name in ("x1", "y1", "x2", "y2"))
            if (x1, y1) == (x2, y2) and _NUMBER.fullmatch(x1):
                element.set("x2", f"{float(x1) + HAIR:.9g}")


def _lengthen_parts(path: str) -> str:
    parts = _SUBPATH.split(path)
    for number, (part, after) in enumerate(pairwise([*parts, ""])):
        if _PLAIN.fullmatch(part) and _is_dot(part, is_first=number == 1):
            x, y = _NUMBERS.findall(part)[:2]
            back = f"m-{HAIR} 0" if after.startswith("m") else ""  # it begins here
            parts[number] = f"{part[0]}{x} {y}h{HAIR}{back}"
    return "".join(parts)


def _is_dot(part: str, *, is_first: bool) -> bool:
    """Whether a subpath has lines, and all end where it begins."""
    if part[0] == "m" and not is_first and _ABSOLUTE.search(part):
        return False  # where it begins is not known
    strokes = strokes_of(part)
    has_lines = any(name not in ("moveTo", "endPath") for name, _ in strokes)
    return has_lines and len({point for _, points in strokes for point in points}) == 1


def drop_html(drawing: Drawing) -> Iterator[Fault]:
    """Drop the HTML of a <switch> that has something else for programs without HTML, and the words that it has for them
    beside nothing: draw.io's warning. Yields a note on the first; none for Illustrator's own copy of the drawing."""
    dropped: list[etree._Element] = []
    for switch in drawing.elements("switch"):
        parts = list(switch.iterchildren(etree.Element))
        html = [part for part in parts if local(part) == "foreignObject"]
        if len(html) < len(parts):
            dropped += html
        if len(parts) > 1 and _FEATURES in parts[0].get("requiredFeatures", "") and not html:
            dropped += parts if not len(parts[0]) else ()
    noted = [part for part in dropped if not part.get("requiredExtensions")]
    if noted:
        what = "HTML is not printed: what the drawing has for programs without it is"
        hint = "look at it in the preview; in draw.io, switch off Word Wrap and Formatted Text"
        yield drawing.fault(noted[0], what, hint, rule=MENDED)
    drawing.drop(dropped)


def set_flowed(drawing: Drawing, fonts: FontBook) -> Iterator[Fault]:
    """Replace the flowed texts of Inkscape 0.9 by texts with lines; yields a note for each. Leaves
    those that cannot be set, such as one in a frame that is no plain rectangle."""
    for flowed in list(drawing.elements("flowRoot")):
        paragraphs = list(flowed.iter(f"{SVG}flowPara", f"{SVG}flowDiv"))
        words = "".join(word for line in paragraphs for word in line.itertext())
        if not words.strip():
            drawing.drop([flowed])
            continue
        if "{{" in words:  # a template must be told the box
            continue
        with suppress(MisfitError, StopIteration):
            frame = box_of(next(flowed.iter(f"{SVG}rect")))
            style = replace(style_of(drawing, flowed, fonts, (), 1.0), gap=0.0)
            read = partial(_look_of, drawing, fonts, style)
            rows = tuple(tuple(_join_spans(paragraph, read)) for paragraph in paragraphs)
            text = _set_lines(flowed, rows, frame, style, fonts)
            line = drawing.line(flowed)
            put_in_place(text, flowed)
            hint = "look at it in the preview; in Inkscape, Text > Convert to Text keeps its lines"
            yield Fault(line, "a flowed text is set in lines anew", hint, MENDED)


def _look_of(drawing: Drawing, fonts: FontBook, style: Style, part: etree._Element) -> WordLook:
    """How a part of a text of a style looks. Raises MisfitError."""
    own = style_of(drawing, part, fonts, (), 1.0)
    colour = own.colour if own.colour != style.colour else ""
    is_bold, is_italic = own.weight > style.weight, own.italic > style.italic
    return WordLook(is_bold, is_italic, colour, size=own.size / style.size)


def _join_spans(paragraph: etree._Element, read: Callable[[etree._Element], WordLook]) -> Iterator[Span]:
    """The words of a paragraph with the looks of their parts; white space is one space."""
    before = " "
    for text in paragraph.xpath(".//text()"):
        words = re.sub(r"\s+", " ", text)
        if words := words.lstrip() if before.endswith(" ") else words:
            before = words
            holder = text.getparent()
            yield Span(words, read(holder.getparent() if text.is_tail else holder))
    if before == " ":
        yield Span("\xa0", WordLook())


def _set_lines(
    flowed: etree._Element, rows: tuple[tuple[Span, ...], ...], frame: Rect, style: Style, fonts: FontBook
) -> etree._Element:
    """The text, each of its lines in its place, in user units. Raises MisfitError."""
    block = TextBlock(lines=rows, is_item=False, apart=False)
    try:
        flow = Compositor(fonts).set([block], frame, style)
    except OverfullError as error:
        flow = error.flow
    text = etree.Element(f"{SVG}text", dict(flowed.attrib))
    css.set_properties(text, {"text-anchor": "start"})
    usual = _properties(style.colour, style.size, style)
    for run in (run for line in flow.lines for run in line.stretches):
        place = {"x": decimal(run.x, 6), "y": decimal(run.y, 6)}
        own = _properties(run.colour, run.size, run.font)
        looks = {name: value for name, value in own.items() if value != usual[name]}
        etree.SubElement(text, f"{SVG}tspan", place | looks).text = run.text
    return text


def _properties(colour: str, size: float, font: Font | Style) -> dict[str, str]:
    slope = "italic" if font.italic else "normal"
    values = (colour, decimal(size, 6), slope, str(font.weight))
    return dict(zip(("fill", "font-size", "font-style", "font-weight"), values, strict=True))


def say_plainly(drawing: Drawing, fonts: FontBook) -> list[StandIn]:
    """Turn Illustrator's names of fonts into families, embed pictures in formats that the engine
    prints, and replace families that are missing.

    Returns the texts whose families were replaced.
    """
    for element in drawing.elements():
        if element.tag == f"{SVG}style" and element.text:
            element.text = _in_families(element.text, fonts)
        if "font-family" in element.get("style", ""):
            element.set("style", _in_families(element.get("style", ""), fonts))
        if font := _find_by_full_name(element.get("font-family", ""), fonts):
            element.set("font-family", font.family)
            element.set("font-weight", str(font.weight))
            element.set("font-style", "italic" if font.italic else "normal")
        if element.tag in _PICTURES:
            _embed_printable(drawing, element)
    return name_families(drawing, fonts)


def _embed_printable(drawing: Drawing, element: etree._Element) -> None:
    """Leaves a picture that cannot be printed: `effort_faults` reports it later."""
    for name in HREFS:
        uri = element.get(name, "")
        with suppress(MisfitError):
            if picture := read_embedded(uri):
                uri = sharpen(picture.uri) if is_sharp(drawing, element) else picture.uri
                element.set(name, uri)


def is_sharp(drawing: Drawing, image: etree._Element) -> bool:
    """Whether an <image> shows its pixels as squares."""
    return drawing.find_own(image, "image-rendering") in _SHARP


def _in_families(style: str, fonts: FontBook) -> str:
    def write(match: re.Match[str]) -> str:
        font = _find_by_full_name(match[1], fonts)
        if font is None:
            return match[0]
        slope = "italic" if font.italic else "normal"
        return f"font-family:'{font.family}';font-weight:{font.weight};font-style:{slope}"

    return _FAMILY.sub(write, style)


def _find_by_full_name(names: str, fonts: FontBook) -> Font | None:
    """The font of the first known name; None if that is the name of a family."""
    for name in css.families({"font-family": names}):
        if fonts.known(name):
            return None
        if font := fonts.find_called(name):
            return font
    return None


def find_chain(drawing: Drawing, gradient: etree._Element) -> Iterator[etree._Element]:
    """A gradient, and those whose attributes and stops it inherits, the nearest first."""
    element: etree._Element | None = gradient
    for _ in range(_MOST_CHAINED):
        if element is None or element.tag not in GRADIENTS:
            break
        yield element
        element = next(iter(drawing.targets(element, "href")), None)


def find_inherited(drawing: Drawing, gradient: etree._Element, name: str) -> str:
    """An attribute of a gradient, or else of the next in its chain that has it."""
    having = (link for link in find_chain(drawing, gradient) if name in link.attrib)
    return next((str(link.get(name)).strip() for link in having), "")


def inherit_transforms(drawing: Drawing) -> None:
    """Give each gradient the transform that it inherits: the engine takes only its own."""
    for gradient in drawing.elements():
        if gradient.tag in GRADIENTS and (map_ := find_inherited(drawing, gradient, _TRANSFORM)):
            gradient.set(_TRANSFORM, map_)
