"""Faults of a drawing: what is not safe, or differs on paper from the screen.

Drawing it must not be too much work: clones of clones, huge pictures. The drawings in its data URIs become parts of it.
"""

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from urllib.parse import unquote_to_bytes

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art import drawing as drawings
from generator.art.cascade import inline_styles, make_part, seat_part
from generator.art.drawing import PLAIN, SVG, Drawing, Fault, link_of, local, namespace, read_drawing
from generator.art.families import TEXT, families_of, find_missing, own_words
from generator.art.filters import Filters
from generator.art.mending import EFFECTS, MENDED, is_lost_effect
from generator.art.pixels import MAX_PIXELS, count_embedded, read_embedded
from generator.basics.errors import MisfitError, Place, PnpError, quote
from generator.basics.files import MEGABYTE
from generator.basics.recent import remembered
from generator.tables.fields import font_hint
from generator.text import FontBook

_MIN_UNITS, _MAX_UNITS = 0.001, 1_000_000.0  # of a viewBox; far outside them the engine crashes
MAX_DRAWN = 50_000  # elements of one drawing, counted as often as they are drawn
_MAX_STYLE = 10_000  # characters: for some properties the engine's time is the square
_MAX_ATTRIBUTES = 500  # of one element: a search for one reads all of them

_XHTML = "http://www.w3.org/1999/xhtml"
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_EMBED = "embed the picture in the drawing, as PNG or JPEG"
_SCRIPT = "a script never runs here: delete it"
_REFUSED = {
    "script": _SCRIPT,
    "handler": _SCRIPT,
    "foreignObject": f"HTML inside SVG is not printed: {PLAIN}",
    **dict.fromkeys(("animate", "animateColor", "animateMotion", "animateTransform", "set"), "paper does not move"),
    **dict.fromkeys(("audio", "video", "iframe", "canvas"), "paper shows pictures only"),
    "flowRoot": "in Inkscape: Text > Convert to Text",
    "meshgradient": "turn the mesh into a bitmap in the drawing",
    "hatch": "use a pattern instead",
}
_PICTURES = ("image", "feImage")
_PAINTS = ("fill", "stroke")
_XMLNS = 'write <svg xmlns="http://www.w3.org/2000/svg" …>'
_UNREAD = ("desc", "foreignObject", "metadata", "title")
REFERENCE = "art.reference"  # the kind of a finding
_NEVER_FETCHED = ("linearGradient", "radialGradient", "textPath")  # their words are ids
_WORD = re.compile(r"[\w-]{1,100}")
_ICON_SLIP = re.compile(r"(?:icons?:\s*|:)(?P<name>[\w-]{1,40}):?")
_PART_OF_FILE = re.compile(r"[^:#?]{1,300}\.svgz?#[^#]{1,60}", re.IGNORECASE)
_MAX_RULES = 2_000  # the engine's time grows with their square
_TOO_LONG = (f"a style has more than {_MAX_STYLE:,} characters", PLAIN)
MAX_FILTERED = 250  # blurs of the whole drawing: 20 s for one as large as a card
MAX_DRAWN_PIXELS = 4 * MAX_PIXELS  # clones counted: the engine takes about 2 s for them
MAX_SPANS = 2_000  # of a text: the engine's time grows with their square, 2.5 s for so many
_MAX_DEPTH = 100
_COORDINATE = re.compile(r"[\d.]+")
_DEEPEST = 3  # drawings within each other
_Costs = Sequence[float]  # of one element, each of another kind
_DRAWING = re.compile(r"\s*+data:(?:image/svg\+xml|(?=[;,]))((?:;[^,;]{0,60}+)*+),(.*+)", re.IGNORECASE | re.DOTALL)
_OPENINGS = (b"<", b"\x1f\x8b", b"\xef\xbb\xbf<")  # of an SVG, also a compressed one


def document_faults(drawing: Drawing) -> list[Fault]:
    """The faults that refuse the file as a whole; its parts are then not checked."""
    root = drawing.root
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(dtd.iterelements()):
        return [Fault(1, "the file declares elements", PLAIN)]
    if root.tag != f"{SVG}svg":
        return [drawing.fault(root, f"the file holds <{local(root)}>, not <svg>", PLAIN)]
    if next(islice(root.iter(), MAX_DRAWN, None), None) is not None:
        return [drawing.fault(root, "the drawing has too many elements", f"at most {MAX_DRAWN:,}: simplify it")]
    for element in root.iter(etree.Element):
        if len(element.attrib) > _MAX_ATTRIBUTES:
            what = f"<{local(element)[:40]}> has {len(element.attrib):,} attributes"
            return [drawing.fault(element, what, f"at most {_MAX_ATTRIBUTES}: {PLAIN}")]
    sheets = ["".join(sheet.itertext()) for sheet in drawing.elements("style")]
    rules = sum(sheet.count("{") for sheet in sheets)
    if rules > _MAX_RULES:
        return [drawing.fault(root, f"its style sheets have {rules:,} rules", f"at most {_MAX_RULES:,}: {PLAIN}")]
    size = sum(map(len, sheets))
    if size > css.MOST_CHARACTERS:
        what = f"its style sheets have {size:,} characters"
        return [drawing.fault(root, what, f"at most {css.MOST_CHARACTERS:,}: {PLAIN}")]
    return []


def frame_faults(drawing: Drawing) -> Iterator[Fault]:
    """The faults around the drawing proper. Call it before `strip`."""
    if drawing.is_bare:
        what, hint = "the file does not declare the namespace of SVG: it gets it", _XMLNS
        yield drawing.fault(drawing.root, what, hint, rule=MENDED)
    yield from _stylesheets(drawing)
    yield from _foreign_faults(drawing)


def _stylesheets(drawing: Drawing) -> Iterator[Fault]:
    before = drawing.root.itersiblings(preceding=True)
    for node in chain(before, drawing.root.iter(etree.ProcessingInstruction)):
        if isinstance(node, etree._ProcessingInstruction) and "stylesheet" in node.target:
            what = f"<?{node.target}?> points outside the file"
            yield Fault(int(node.sourceline or 1), what, "put the style into a <style>")


def _foreign_faults(drawing: Drawing) -> Iterator[Fault]:
    """Elements and attributes that are not SVG, but must be refused and not just dropped."""
    for element in drawing.root.iter(etree.Element):
        if namespace(element) == _XHTML and not any(map(_is_unread, element.iterancestors())):
            yield drawing.fault(element, f"<{local(element)}> of HTML is not printed", "delete it")
        elif element.get(_XML_BASE) is not None:
            yield drawing.fault(element, "xml:base makes the drawing point outside the file", "delete it", "base")


def _is_unread(holder: etree._Element) -> bool:
    """Whether nobody draws what is in an element, or another finding is about it."""
    return namespace(holder) != SVG[1:-1] or local(holder) in _UNREAD


def size_faults(drawing: Drawing) -> Iterator[Fault]:
    """The fault of the size of a drawing, if it has none to print."""
    root = drawing.root
    hint = "set the size of the page in the document settings"
    view_box = root.get("viewBox")
    sides = [drawings.LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    if any(side and not _MIN_UNITS <= float(side[1]) <= _MAX_UNITS for side in sides):
        yield drawing.fault(root, "the drawing's width or height is too small or too large", hint)
    elif view_box is None and None in sides:
        yield drawing.fault(root, "the drawing has no viewBox, so it has no size", hint)
    elif view_box is not None and not _is_box(view_box):
        what = f"the viewBox is {quote(view_box)}, not four numbers with a size to print"
        yield drawing.fault(root, what, hint, "viewBox")


def _is_box(text: str) -> bool:
    numbers = re.split(r"[\s,]+", text.strip())
    if len(numbers) != 4 or not all(re.fullmatch(drawings.NUMBER, number) for number in numbers):
        return False
    values = [float(number) for number in numbers]
    return max(map(abs, values)) <= _MAX_UNITS and min(values[2:]) >= _MIN_UNITS


def element_faults(drawing: Drawing, fonts: FontBook) -> Iterator[Fault]:
    """Elements that are unsafe, or refer to nothing, or have texts that cannot be set."""
    for element in drawing.elements():
        name = local(element)
        yield from _find_forbidden(drawing, element, name)
        yield from _links(drawing, element, name)
        yield from _references(drawing, element, name)
        yield from _styles(drawing, element, name)
        if name == "svg" and element is not drawing.root and drawing.find_own(element, "transform"):
            yield drawing.fault(element, "a nested <svg> with a transform is drawn wrong", "use a group <g> instead")
        if name in TEXT:
            yield from _text(drawing, element, fonts)


def _find_forbidden(drawing: Drawing, element: etree._Element, name: str) -> Iterator[Fault]:
    if name in _REFUSED:
        yield drawing.fault(element, f"<{name}> is not printed", _REFUSED[name])
    for attribute in map(str, element.attrib):
        if attribute.lower().startswith("on"):
            yield drawing.fault(element, f"the attribute {quote(attribute)} is a script", _SCRIPT, attribute)


def _links(drawing: Drawing, element: etree._Element, name: str) -> Iterator[Fault]:
    """Links to anything but the drawing itself and embedded pictures."""
    for attribute in (*drawings.HREFS, "src"):
        target, plain = element.get(attribute), attribute.rpartition("}")[2]
        if target is None or (name in _PICTURES and css.picture_of(target)):
            continue
        target = target.strip()
        unreadable = _find_fault(target) if name in _PICTURES else None
        if unreadable:
            yield drawing.fault(element, str(unreadable), unreadable.hint, plain)
        elif name == "image" and target[:1] in ("", "#"):
            yield drawing.fault(element, f"<image> shows {quote(target)}, which is not a picture", _EMBED, plain)
        elif name in _NEVER_FETCHED and _WORD.fullmatch(target):
            what = f"<{name}> refers to {quote(target)}, which is no reference"
            yield drawing.fault(element, what, "write # before an id", plain, REFERENCE)
        elif target and not target.startswith("#"):
            what = f"<{name}> points outside the file: {quote(target)}"
            yield drawing.fault(element, what, _link_hint(name, target), plain)


def _link_hint(name: str, target: str) -> str:
    icon = _ICON_SLIP.fullmatch(target) if name == "image" else None
    if icon:
        return f"write icon:{icon['name']} for an icon"
    if name == "use" and _PART_OF_FILE.fullmatch(target):
        return f'copy it into this drawing; a template shows it as <image href="{target}" …/>'
    return "copy what it refers to into this drawing" if name == "use" else _EMBED


def _find_fault(uri: str) -> MisfitError | None:
    """The fault of an embedded picture of a known format."""
    try:
        read_embedded(uri)
    except MisfitError as error:
        return error
    return None


def _references(drawing: Drawing, element: etree._Element, name: str) -> Iterator[Fault]:
    """References to nothing or to another kind of element, which are not drawn, or to one of
    several: the first is drawn."""
    for attribute, id_ in drawing.references(element):
        targets = drawing.by_id.get(id_, ())
        if not targets and not _has_fallback(drawing, element, attribute):
            what = f"<{name}> refers to {quote('#' + id_)}, which does not exist"
            yield drawing.fault(element, what, "delete it, or draw what it refers to", attribute, REFERENCE)
        elif targets and is_lost_effect(drawing, attribute, id_):
            what = f"<{name}> refers to {quote('#' + id_)}, which is no <{EFFECTS[attribute]}>"
            yield drawing.fault(element, what, "delete the reference", attribute, REFERENCE)
        elif len(targets) > 1:
            lines = " and ".join(str(drawing.line(holder, "id")) for holder in targets[:2])
            what = f"<{name}> refers to {quote('#' + id_)}, which is on lines {lines}"
            yield drawing.fault(element, what, "the first is drawn: give each a different id", attribute, REFERENCE)


def _has_fallback(drawing: Drawing, element: etree._Element, attribute: str) -> bool:
    """Whether a paint has another one to fall back on: `url(#gone) #666`."""
    if attribute not in _PAINTS:
        return False
    return not drawing.styles.of(element).get(attribute, "").rstrip().endswith(")")


def _styles(drawing: Drawing, element: etree._Element, name: str) -> Iterator[Fault]:
    if name == "style":
        yield from _sheet_faults(drawing, element)
    for attribute in ("style", *css.PRESENTATION):
        style = element.get(attribute, "")
        if len(style) > _MAX_STYLE:
            yield drawing.fault(element, *_TOO_LONG, attribute)
        elif style:
            is_escaped = attribute == "style" and css.has_escape(style)
            for what, hint in _css_faults(css.links(style), is_escaped):
                yield drawing.fault(element, what, hint, attribute)


def _sheet_faults(drawing: Drawing, element: etree._Element) -> Iterator[Fault]:
    sheet = "".join(element.itertext())
    found = css.at_rules(sheet)
    refused = [rule for rule in ("import", "font-face") if rule in found]
    for rule in refused:
        hint = "put the font into the game's fonts folder, and delete the rule"
        yield drawing.fault(element, f"@{rule} is not printed", hint)
    is_escaped = not refused and css.has_escape(sheet)
    for what, hint in _css_faults(css.links_but_of(sheet, refused), is_escaped):
        yield drawing.fault(element, what, hint)
    for style in css.rules(sheet):
        if sum(len(name) + len(value) for name, value, _ in style.declarations) > _MAX_STYLE:
            yield drawing.fault(element, *_TOO_LONG)
            break


def _css_faults(links: Iterable[str], is_escaped: bool) -> Iterator[tuple[str, str]]:
    """The faults of a style or a property that points outside the drawing."""
    if is_escaped:
        yield "a style contains a backslash", "write the character itself"
    for target in links:
        if not target.startswith("#"):
            yield f"a style points outside the file: {quote(target)}", _EMBED


def _text(drawing: Drawing, element: etree._Element, fonts: FontBook) -> Iterator[Fault]:
    """A text in a missing font, or with characters that it lacks: the engine would take another."""
    if not own_words(element):
        return
    families = families_of(drawing, element)
    choice = fonts.choose(families)
    if not families:  # a part outside every text, which nothing draws
        return
    if choice is None:
        yield drawing.fault(element, f"there is no font family {quote(families[0])}", font_hint(families[0], fonts))
    else:
        if missing := find_missing(drawing, element, fonts):
            family = fonts.find(choice.families[0]).title
            what = f"the font {family} has no glyph for {quote(missing)}"
            hint = "put a font that has it into fonts/, and name its family in [game] fallback"
            yield drawing.fault(element, what, hint)


class _TooDeepError(Exception):
    pass


def depth_faults(drawing: Drawing) -> Iterator[Fault]:
    """Parts nested too deeply. Call it before any recursion through the elements."""
    depth = 0
    for event, element in etree.iterwalk(drawing.root, ("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _MAX_DEPTH:
            yield drawing.fault(element, f"parts are nested more than {_MAX_DEPTH} deep", "ungroup some of them")
            return


def effort_faults(drawing: Drawing) -> Iterator[Fault]:
    """Too many elements, pixels or filters. Call it on a drawing without other faults."""
    pixels: dict[etree._Element, int] = {}
    for image in chain(drawing.elements("image"), drawing.elements("feImage")):
        try:
            pixels[image] = count_embedded(link_of(image))
        except MisfitError as error:
            yield drawing.fault(image, str(error), error.hint, "href")
        if sum(pixels.values()) > MAX_PIXELS:
            what = "the pictures in the drawing have too many pixels"
            yield drawing.fault(image, what, f"at most {MAX_PIXELS:,}", "href")
            return
    filters = Filters(drawing)

    def weigh(element: etree._Element) -> _Costs:
        spans = sum(1 for _ in element.iterdescendants(etree.Element)) if local(element) == "text" else 0
        return 1, pixels.get(element, 0), filters.work(element), float(spans**2)

    try:
        drawn, drawn_pixels, filtered, squared = _EffortCount(drawing, weigh).of(drawing.root)
    except _TooDeepError:
        what = f"parts are nested more than {_MAX_DEPTH} deep, or a clone contains itself"
        yield drawing.fault(drawing.root, what, "ungroup parts, and unlink clones")
        return
    if filtered > MAX_FILTERED:
        what = f"its filters take as long as {_format_count(filtered)} blurs of the whole drawing"
        yield drawing.fault(drawing.root, what, f"at most {MAX_FILTERED}: simplify them")
    spans = squared**0.5  # of one text that takes as long
    if spans > MAX_SPANS:
        what = f"its texts have as many parts (<tspan>) as one text of {_format_count(spans)}"
        yield drawing.fault(drawing.root, what, f"at most {MAX_SPANS:,}: join them")
    for number, most, things in ((drawn, MAX_DRAWN, "elements"), (drawn_pixels, MAX_DRAWN_PIXELS, "pixels")):
        if number > most:
            what = f"the drawing has {_format_count(number)} {things}, clones counted each time"
            yield drawing.fault(drawing.root, what, f"at most {most:,}: simplify it")


def count_windows(drawing: Drawing) -> float:
    """The work of every feMorphology as resvg draws it, see `Filters.windows`. Call it on a drawing
    without faults of effort."""
    filters = Filters(drawing)
    (windows,) = _EffortCount(drawing, lambda element: (filters.windows(element),)).of(drawing.root)
    return windows


def _format_count(number: float) -> str:
    return f"{number:,.0f}" if number < 1e12 else "far too many"


class _EffortCount(Struct, dict=True):
    """The sums of the costs of elements, as often as clones, patterns and markers draw them. `_own`
    are the costs of one element without its parts."""

    _drawing: Drawing
    _own: Callable[[etree._Element], _Costs]
    _counts: dict[etree._Element, tuple[_Costs, int]] = {}

    def of(self, element: etree._Element) -> _Costs:
        return self._count(element, 0)[0]

    def _count(self, element: etree._Element, depth: int) -> tuple[_Costs, int]:
        """The sums for an element with its parts, and the levels of parts within it."""
        if depth > _MAX_DEPTH:
            raise _TooDeepError
        if element not in self._counts:
            sums, height = self._own(element), 0
            for part, times in self._parts(element):
                costs, part_height = self._count(part, depth + 1)
                sums = [total + times * cost for total, cost in zip(sums, costs, strict=True)]
                height = max(height, part_height + 1)
            if height > _MAX_DEPTH:
                raise _TooDeepError
            self._counts[element] = sums, height
        return self._counts[element]

    def _parts(self, element: etree._Element) -> Iterator[tuple[etree._Element, int]]:
        """The elements that are drawn for an element, and how often."""
        yield from ((child, 1) for child in element)
        for name, id_ in self._drawing.references(element):
            times = 1 + self._vertices(element) if name.startswith("marker") else 1
            yield from ((target, times) for target in self._drawing.by_id.get(id_, ())[:1])

    @remembered
    def _vertices(self, element: etree._Element) -> int:
        """An upper bound of the vertices of a line; the markers of a group are on its parts."""
        line = element.get("d", "") + element.get("points", "")
        parts = element if local(element) == "g" else ()
        return sum(1 for _ in _COORDINATE.finditer(line)) + sum(map(self._vertices, parts))


def embed_drawings(drawing: Drawing) -> Iterator[Fault]:
    """Replace each <image> of an SVG by a part, which is checked with the whole drawing. Yields the
    faults of those that cannot be parts."""
    if any(_read_content(image) is not None for image in drawing.elements("image")):
        inline_styles(drawing.root)  # the parts must not get its style sheets
        yield from _Embedding().embed(drawing, 1)


class _Embedding:
    """The work on one drawing, within a total size."""

    def __init__(self) -> None:
        self._left = drawings.MAX_BYTES

    def embed(self, drawing: Drawing, depth: int) -> Iterator[Fault]:
        for image in list(drawing.elements("image")):
            content = _read_content(image)
            if content is None:
                continue
            line = drawing.line(image)
            for _, what, hint, rule in self._replace(image, content, depth):
                yield Fault(line, f"in an embedded drawing: {what}", hint, rule)

    def _replace(self, image: etree._Element, content: bytes, depth: int) -> Iterator[Fault]:
        try:
            inner = read_drawing(content, Place(""))
        except PnpError as error:
            yield from (Fault(1, problem.what, problem.hint) for problem in error.problems)
            return
        self._left -= len(inner.content)
        if self._left < 0 or depth > _DEEPEST:
            most = f"{drawings.MAX_BYTES // MEGABYTE} MB of embedded drawings"
            what = f"it is nested more than {_DEEPEST} deep, or there are more than {most}"
            yield Fault(1, what, "save it as a separate picture")
            return
        faults = document_faults(inner) or [*frame_faults(inner), *size_faults(inner)]
        yield from faults
        if not all(fault.rule for fault in faults):
            return
        inner.strip()
        yield from self.embed(inner, depth + 1)
        for element in inner.root.iter():
            element.sourceline = image.sourceline
        try:
            seat_part(image, make_part(inner.root))
        except MisfitError as error:
            yield Fault(1, str(error), error.hint)


def _read_content(image: etree._Element) -> bytes | None:
    """The SVG in the data URI of an <image>; None if it holds none."""
    uri = link_of(image)
    match = _DRAWING.match(uri)
    if match is None:
        return None
    content = unquote_to_bytes(match[2])
    if match[1].lower().replace(" ", "").endswith(";base64"):
        letters = re.sub(rb"\s+", b"", content)
        try:
            content = base64.b64decode(letters + b"=" * (-len(letters) % 4), validate=True)
        except ValueError:
            return None
    content = content.lstrip()
    return content if content.startswith(_OPENINGS) else None
