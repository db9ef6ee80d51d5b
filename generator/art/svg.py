"""Take a drawing, find faults: what is not safe, or differs on paper from the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from lxml import etree

from generator.art import css
from generator.art.drawing import HREFS, LENGTH, NUMBER, SVG, Drawing, Fault, local, namespace
from generator.art.families import TEXT, families_of, find_missing
from generator.art.mending import EFFECTS, find_transform, is_lost_effect
from generator.art.parsing import PLAIN
from generator.art.pixels import read_embedded
from generator.basics.errors import MisfitError, quote
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
    **dict.fromkeys(
        ("animate", "animateColor", "animateMotion", "animateTransform", "set"),
        "paper does not move",
    ),
    **dict.fromkeys(("audio", "video", "iframe", "canvas"), "paper shows pictures only"),
    "flowRoot": "in Inkscape: Text > Convert to Text",
    "meshgradient": "turn the mesh into a bitmap in the drawing",
    "hatch": "use a pattern instead",
}
_PICTURES = ("image", "feImage")
_PAINTS = ("fill", "stroke")
REFERENCE = "art.reference"  # the kind of a finding
_LINK_HINTS = {
    "use": "copy what it refers to into this drawing",
}
_NEVER_FETCHED = ("linearGradient", "radialGradient", "textPath")  # their words are ids
_WORD = re.compile(r"[\w-]{1,100}")
_ICON_SLIP = re.compile(r"(?:icons?:\s*|:)(?P<name>[\w-]{1,40}):?")
_PART_OF_FILE = re.compile(r"[^:#?]{1,300}\.svgz?#[^#]{1,60}", re.IGNORECASE)
_MAX_RULES = 2_000  # the engine's time grows with their square
_TOO_LONG = (f"a style has more than {_MAX_STYLE:,} characters", PLAIN)


def document_faults(drawing: Drawing) -> list[Fault]:
    """The faults that refuse the file as a whole; its parts are then not checked."""
    root = drawing.root
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(chain(dtd.iterentities(), dtd.iterelements())):
        return [Fault(1, "the file declares entities", PLAIN)]
    if local(root) == "svg" and not namespace(root):
        hint = 'write <svg xmlns="http://www.w3.org/2000/svg" …>'
        return [drawing.fault(root, "the file does not declare the namespace of SVG", hint)]
    if root.tag != f"{SVG}svg":
        return [drawing.fault(root, f"the file holds <{local(root)}>, not <svg>", PLAIN)]
    if next(islice(root.iter(), MAX_DRAWN, None), None) is not None:
        hint = f"at most {MAX_DRAWN:,}: simplify it"
        return [drawing.fault(root, "the drawing has too many elements", hint)]
    for element in root.iter(etree.Element):
        if len(element.attrib) > _MAX_ATTRIBUTES:
            what = f"<{local(element)[:40]}> has {len(element.attrib):,} attributes"
            return [drawing.fault(element, what, f"at most {_MAX_ATTRIBUTES}: {PLAIN}")]
    sheets = ["".join(sheet.itertext()) for sheet in drawing.elements("style")]
    rules = sum(sheet.count("{") for sheet in sheets)
    if rules > _MAX_RULES:
        what = f"its style sheets have {rules:,} rules"
        return [drawing.fault(root, what, f"at most {_MAX_RULES:,}: {PLAIN}")]
    size = sum(map(len, sheets))
    if size > css.MOST_CHARACTERS:
        what = f"its style sheets have {size:,} characters"
        return [drawing.fault(root, what, f"at most {css.MOST_CHARACTERS:,}: {PLAIN}")]
    return []


def frame_faults(drawing: Drawing) -> Iterator[Fault]:
    """The faults around the drawing proper. Call it before `strip`."""
    yield from _stylesheets(drawing)
    yield from _foreign_faults(drawing)
    yield from _size_faults(drawing)


def _stylesheets(drawing: Drawing) -> Iterator[Fault]:
    before = drawing.root.itersiblings(preceding=True)
    for node in chain(before, drawing.root.iter(etree.ProcessingInstruction)):
        if isinstance(node, etree._ProcessingInstruction) and "stylesheet" in node.target:
            what = f"<?{node.target}?> points outside the file"
            yield Fault(int(node.sourceline or 1), what, "put the style into a <style>")


def _foreign_faults(drawing: Drawing) -> Iterator[Fault]:
    """Elements and attributes that are not SVG, but must be refused and not just dropped."""
    for element in drawing.root.iter(etree.Element):
        holders = map(local, element.iterancestors())
        if namespace(element) == _XHTML and "foreignObject" not in holders:
            yield drawing.fault(element, f"<{local(element)}> of HTML is not printed", "delete it")
        elif element.get(_XML_BASE) is not None:
            what = "xml:base makes the drawing point outside the file"
            yield drawing.fault(element, what, "delete it", "base")


def _size_faults(drawing: Drawing) -> Iterator[Fault]:
    root = drawing.root
    hint = "set the size of the page in the document settings"
    view_box = root.get("viewBox")
    sides = [LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    if any(side and not _MIN_UNITS <= float(side[1]) <= _MAX_UNITS for side in sides):
        yield drawing.fault(root, "the drawing's width or height is too small or too large", hint)
    elif view_box is None and None in sides:
        yield drawing.fault(root, "the drawing has no viewBox, so it has no size", hint)
    elif view_box is not None and not _is_box(view_box):
        what = f"the viewBox is {quote(view_box)}, not four numbers with a size to print"
        yield drawing.fault(root, what, hint, "viewBox")


def _is_box(text: str) -> bool:
    numbers = re.split(r"[\s,]+", text.strip())
    if len(numbers) != 4 or not all(re.fullmatch(NUMBER, number) for number in numbers):
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
        if name == "svg" and element is not drawing.root and find_transform(drawing, element):
            what = "a nested <svg> with a transform is drawn wrong"
            yield drawing.fault(element, what, "use a group <g> instead")
        if name in TEXT:
            yield from _text(drawing, element, fonts)


def _find_forbidden(drawing: Drawing, element: etree._Element, name: str) -> Iterator[Fault]:
    if name in _REFUSED:
        yield drawing.fault(element, f"<{name}> is not printed", _REFUSED[name])
    for attribute in map(str, element.attrib):
        if attribute.lower().startswith("on"):
            what = f"the attribute {quote(attribute)} is a script"
            yield drawing.fault(element, what, _SCRIPT, attribute)


def _links(drawing: Drawing, element: etree._Element, name: str) -> Iterator[Fault]:
    """Links to anything but the drawing itself and embedded pictures."""
    for attribute in (*HREFS, "src"):
        target, plain = element.get(attribute), attribute.rpartition("}")[2]
        if target is None or (name in _PICTURES and css.picture_of(target)):
            continue
        target = target.strip()
        unreadable = _find_fault(target) if name in _PICTURES else None
        if unreadable:
            yield drawing.fault(element, str(unreadable), unreadable.hint, plain)
        elif name == "image" and target[:1] in ("", "#"):
            what = f"<image> shows {quote(target)}, which is not a picture"
            yield drawing.fault(element, what, _EMBED, plain)
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
    return _LINK_HINTS.get(name, _EMBED)


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
            hint = "delete it, or draw what it refers to"
            yield drawing.fault(element, what, hint, attribute, REFERENCE)
        elif targets and is_lost_effect(drawing, attribute, id_):
            what = f"<{name}> refers to {quote('#' + id_)}, which is no <{EFFECTS[attribute]}>"
            yield drawing.fault(element, what, "delete the reference", attribute, REFERENCE)
        elif len(targets) > 1:
            lines = " and ".join(str(drawing.line(holder, "id")) for holder in targets[:2])
            what = f"<{name}> refers to {quote('#' + id_)}, which is on lines {lines}"
            hint = "the first is drawn: give each a different id"
            yield drawing.fault(element, what, hint, attribute, REFERENCE)


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
    if any(_length(rule) > _MAX_STYLE for rule in css.rules(sheet)):
        yield drawing.fault(element, *_TOO_LONG)


def _length(rule: css.Rule) -> int:
    return sum(len(name) + len(value) for name, value, _ in rule.declarations)


def _css_faults(links: Iterable[str], is_escaped: bool) -> Iterator[tuple[str, str]]:
    """The faults of a style or a property that points outside the drawing."""
    if is_escaped:
        yield "a style contains a backslash", "write the character itself"
    for target in links:
        if not target.startswith("#"):
            yield f"a style points outside the file: {quote(target)}", _EMBED


def _text(drawing: Drawing, element: etree._Element, fonts: FontBook) -> Iterator[Fault]:
    """A text in a missing font, or with characters that it lacks: the engine would take another."""
    words = (element.text or "") + "".join(child.tail or "" for child in element)
    if not words.strip():
        return
    families = families_of(drawing, element)
    choice = fonts.choose(families)
    if not families:  # a part outside every text, which nothing draws
        return
    if choice is None:
        what = f"there is no font family {quote(families[0])}"
        yield drawing.fault(element, what, font_hint(families[0], fonts))
    else:
        if missing := find_missing(drawing, element, fonts):
            family = fonts.find(choice.families[0]).title
            what = f"the font {family} has no glyph for {quote(missing)}"
            hint = "put a font that has it into fonts/, and name its family in [game] fallback"
            yield drawing.fault(element, what, hint)
