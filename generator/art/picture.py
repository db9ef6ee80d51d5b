"""Art from a designer's picture, or a report of what in it cannot be printed or is unsafe.

`icons.svg#heart` is a named part of a drawing. The icons that a drawing names are put in once the
drawing is proven. A red crossed box stands in for a picture that is missing or refused.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from lxml import etree
from msgspec import Struct, field
from msgspec.structs import replace

from generator.art import css
from generator.art.cascade import FRAME, make_part, write_view
from generator.art.drawing import MAX_BYTES, SVG, XLINK_HREF, Drawing, Fault, local, names_of, read_drawing
from generator.art.families import TEXT, fall_back, find_lacking, own_words, record_stand_ins, settle_weights
from generator.art.measure import colour_of
from generator.art.mending import MENDED, drop_html, drop_lost_effects, mend, say_plainly, set_flowed
from generator.art.pixels import FORMATS, PROVEN, make_printable
from generator.art.rendering import PIXELS, find_ink, render_misdrawn
from generator.art.svg import document_faults, effort_faults, element_faults, embed_drawings, frame_faults, size_faults
from generator.basics.errors import (
    Level,
    MisfitError,
    Place,
    PnpError,
    Problem,
    at_most,
    did_you_mean,
    fail,
    locate,
    quote,
)
from generator.basics.files import MEGABYTE, read_within
from generator.model import Art
from generator.text import FontBook
from generator.text.fontbook import StandIns
from generator.text.shape import colour_picture, find_icon

_MAX_PROBLEMS = 20
_MAX_LOOKED_AT = 200
_MOST_KEPT = 32_768  # bytes of a drawing that is kept for the next reader
_SVG, _SVGZ, _PDF = ".svg", ".svgz", ".pdf"
_PART = re.compile(r"(.+?\.[A-Za-z]{3,4})#(.*)")  # a file's own name may have a # too
_ICON = re.compile(r"[\w .+-]{1,60}")
_NEVER_SHOWN = ("defs", "symbol", "pattern", "marker", "mask", "clipPath")
_EVERYWHERE = "-5000 -5000 10000 10000"
ICON = "icon:"  # before the name of an icon in an href
_MOST = 4 * MEGABYTE  # of all icons of a drawing
FAULT_RED = "#d81e2c"  # of every mark of a draft
_START = "data:image/svg+xml;base64,"
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><title>'
_TAIL = (
    '</title><path d="M2 2H98V98H2Z" fill="#fff" fill-opacity="0.75"/>'
    f'<path d="M2 2H98V98H2ZM2 2L98 98M98 2L2 98" fill="none" stroke="{FAULT_RED}"'
    ' stroke-width="4"/></svg>'
)
_PREFIX = b64encode(_HEAD.encode()[: len(_HEAD) // 3 * 3]).decode()
_CROSSED = re.compile(re.escape(_START) + f"({re.escape(_PREFIX)}[A-Za-z0-9+/=]*)")


class ArtReader(Struct, frozen=True):
    """Reads the pictures in a game's folder.

    `fallback` are the families for characters that others lack. `stand_ins` and `findings`
    collect the findings about pictures that print.
    """

    folder: Path
    fonts: FontBook
    fallback: tuple[str, ...] = ()
    stand_ins: StandIns = field(default_factory=dict)
    findings: dict[Problem, None] = field(default_factory=dict)
    _by_file: dict[str, Art] = field(default_factory=dict)

    def read(self, file: str, request: Place, *, has_texts: bool = True) -> Art:
        """The picture in a file. Raises PnpError with every fault of it.

        `request` is the line of the spec that asks for it. Without `has_texts`, texts are faults.
        """
        if file not in self._by_file:
            self._by_file[file] = self._read(file, request, has_texts)
        return self._by_file[file]

    def _read(self, file: str, request: Place, has_texts: bool) -> Art:
        if "://" in file or file.startswith("//"):
            hint = "save the picture in the game's folder, and name that file: art/crab.png"
            raise fail(request, f"{quote(file)} is a web address, which pnp never opens", hint)
        match = _PART.fullmatch(file)
        path, part = (match[1], match[2]) if match else (file, "")
        suffix = PurePosixPath(path).suffix.lower().replace(_SVGZ, _SVG)
        if suffix == _PDF:
            return self._read_page(path, part or "1", request, has_texts)
        if suffix not in FORMATS and suffix != _SVG:
            what = f"{quote(file)} is not a picture that pnp can print"
            raise fail(request, what, f"known: {', '.join((_SVG, _PDF, *FORMATS))}")
        if part and suffix != _SVG:
            hint = "only an SVG drawing has parts, and a PDF pages: icons.svg#heart, cards.pdf#3"
            raise fail(request, f"{quote(path)} has no parts", hint)
        content = read_within(self.folder, path, MAX_BYTES, request)
        place = Place.in_folder(self.folder, path)
        if suffix == _SVG:
            try:
                return self._kept_drawing(path, content, place, part, has_texts)
            except MisfitError as error:  # there is no such part
                raise fail(request, f"{quote(path)}: {error}", error.hint) from None
        return Art(path, locate(place, make_printable, content, FORMATS[suffix]).uri, path)

    def _read_page(self, file: str, number: str, request: Place, has_texts: bool) -> Art:
        """A page of a PDF, as its drawing; the press prints the page itself."""
        from generator.art.pages import MOST_BYTES, hold_page, read_page  # few games have any

        page = read_page(read_within(self.folder, file, MOST_BYTES, request), number)
        if page.fault:
            raise fail(request, f"{quote(file)}: {page.fault}", "save it again, or save the page as an SVG")
        if page.is_pixels:
            what = f"page {number} is too large to stay sharp, so it is printed as pixels"
            self.findings[Problem(request, what, "save it in RGB and with its fonts", "note", PIXELS)] = None
        art = self._kept_drawing(file, page.svg, Place.in_folder(self.folder, file), "", has_texts)
        return replace(art, uri=hold_page(art.uri, page.pdf))

    def _find_icon(self, name: str) -> Art:
        """An icon of the game, which shows no others, or a built-in one. Raises MisfitError."""
        file, own = f"icons/{name}.svg", {}
        if _ICON.fullmatch(name) and (self.folder / file).is_file():
            try:
                own[name] = self.read(file, Place.in_folder(self.folder, file), has_texts=False)
            except PnpError:  # reported for the icon itself
                own[name] = Art(name, "")
        return find_icon(name, own, f"draw it as {file}")

    def _kept_drawing(self, file: str, content: bytes, place: Place, part: str, has_texts: bool) -> Art:
        """A drawing. One without texts, icons and findings is read once for all readers, as nothing
        else of a game changes it: reading it takes half a millisecond."""
        digest = blake2b(content, digest_size=16).digest()
        is_small = len(content) <= _MOST_KEPT
        kept = _kept(file, digest, part, has_texts, self.fonts) if is_small else []
        if kept:
            return kept[0]
        findings: dict[Problem, None] = {}
        icons = Icons(self._find_icon)
        try:
            drawing = self._drawing(content, place, part, findings, icons if has_texts else None)
        finally:
            self.findings.update(findings)
        art = self._art(file, drawing)
        has_words = any(local(element) in TEXT for element in drawing.elements())
        if not (has_words or findings or icons.are_shown):
            kept.append(art)
        return art

    def _art(self, file: str, drawing: Drawing) -> Art:
        uri = f"data:image/svg+xml;base64,{b64encode(drawing.svg()).decode()}"
        if not any(own_words(text) for text in drawing.elements() if local(text) in TEXT):
            return Art(file, uri, file)
        lacking = tuple(dict.fromkeys(find_lacking(drawing, self.fonts)))
        part = etree.tostring(make_part(deepcopy(drawing.root)), encoding="unicode")
        return Art(file, uri, file, part, lacking)

    def _drawing(
        self, content: bytes, place: Place, part: str, findings: dict[Problem, None], icons: Icons | None
    ) -> Drawing:
        """A drawing without the parts that are not drawn; without `icons`, texts and icons are
        faults. Raises PnpError, and MisfitError if it has no such part."""
        drawing = read_drawing(content, place)
        refuse(document_faults(drawing), place)
        faults = list(islice(frame_faults(drawing), _MAX_LOOKED_AT))
        has_size = not part or select_part(drawing, part)
        is_framed = any(name in drawing.root.attrib for name in ("width", "height", "viewBox"))
        if not has_size and not is_framed:  # a library of symbols
            drawing.root.set("viewBox", _EVERYWHERE)
        faults += size_faults(drawing)
        drawing.strip()
        faults += embed_drawings(drawing)
        faults += drop_html(drawing)
        faults += set_flowed(drawing, self.fonts)
        mend(drawing)
        record_stand_ins(self.stand_ins, say_plainly(drawing, self.fonts), place)
        fall_back(drawing, self.fonts, self.fallback)
        settle_weights(drawing, self.fonts)
        faults += islice(icons.take(drawing), _MAX_LOOKED_AT) if icons else ()
        faults += islice(element_faults(drawing, self.fonts), _MAX_LOOKED_AT)
        faults += islice(_text_faults(drawing, icons is not None), _MAX_LOOKED_AT)
        refuse(faults, place, findings)
        drop_lost_effects(drawing)
        refuse(effort_faults(drawing), place)
        if icons:
            icons.put(drawing)
        refuse(render_misdrawn(drawing, self.fonts), place, findings)
        if not has_size:
            locate(place, crop, drawing, self.fonts)
        return drawing


@lru_cache(maxsize=256)
def _kept(_file: str, _digest: bytes, _part: str, _has_texts: bool, _fonts: FontBook) -> list[Art]:
    """Where a drawing is kept, if it may be."""
    return []


def _text_faults(drawing: Drawing, has_texts: bool) -> Iterator[Fault]:
    """Texts that would not be printed as the designer expects."""
    for text in drawing.elements("text"):
        words = "".join(text.itertext()).strip()
        if words and not has_texts:
            what = f"the text {quote(words)} is not printed in an icon"
            yield drawing.fault(text, what, "turn it into paths")
        elif "{{" in words:
            what = f"the placeholder in {quote(words)} is not filled in a picture"
            yield drawing.fault(text, what, "use the drawing as a template")


def refuse(faults: Iterable[Fault], place: Place, findings: dict[Problem, None] | None = None) -> None:
    """Raises PnpError if there are faults. `findings` collects those that refuse nothing."""
    problems = _problems(faults, place, {} if findings is None else findings)
    first = list(islice(problems, 1))
    if first:
        raise PnpError(at_most(_MAX_PROBLEMS, chain(first, problems)))


def _problems(faults: Iterable[Fault], place: Place, findings: dict[Problem, None]) -> Iterator[Problem]:
    for line, what, hint, rule in dict.fromkeys(faults):
        if rule:
            level: Level = "note" if rule in (MENDED, PIXELS) else "warning"
            findings[Problem(place.at_line(line), what, hint, level, rule)] = None
        else:
            yield Problem(place.at_line(line), what, hint)


def select_part(drawing: Drawing, name: str) -> bool:
    """Keep one element of a drawing, what is around it, and everything it refers to. It is shown,
    even if its layer is hidden; what is hidden within it stays hidden.

    Returns whether the part has a size: a layer, a group directly within the drawing, has that of
    the drawing, and a symbol that of its viewBox. Raises MisfitError if no part has that name.
    """
    parts = {name: part for part in drawing.elements() for name in reversed(names_of(part))}
    part = parts.get(name)
    if part is None or part is drawing.root:
        what = f"the drawing has no part {quote(name)}"
        raise MisfitError(what, did_you_mean(name, parts) or "a layer's name, or an object's id")
    is_layer = local(part) == "g" and part.getparent() is drawing.root
    _show(drawing, part)
    around = [element for element in drawing.referred(part) if part not in element.iterancestors()]
    referred = [deepcopy(element) for element in around]
    styles = [deepcopy(element) for element in drawing.elements("style")]
    holder = drawing.root
    holders = reversed(list(part.iterancestors()))
    chain = [element for element in holders if local(element) not in _NEVER_SHOWN]
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
    if drawing.find_inherited(part, "visibility") in ("hidden", "collapse"):
        css.set_properties(part, {"visibility": "visible"})
    for holder in holders:
        if drawing.find_own(holder, "display") == "none":
            css.set_properties(holder, {"display": "inline"})


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


class Icons(Struct):
    """The icons of a drawing; `find` gives one by its name, or raises MisfitError."""

    find: Callable[[str], Art]
    _shown: list[tuple[etree._Element, str, Art]] = field(default_factory=list)

    def take(self, drawing: Drawing) -> Iterator[Fault]:
        """Replaces the icons by `PROVEN`. Yields their faults."""
        for image in drawing.elements("image"):
            name = "href" if "href" in image.attrib else XLINK_HREF
            href = image.get(name, "").strip()
            if href.startswith(ICON):
                image.set(name, PROVEN)
                try:
                    self._shown.append((image, name, self.find(href.removeprefix(ICON))))
                except MisfitError as error:
                    yield drawing.fault(image, str(error), error.hint, "href")
        if sum(len(icon.uri) for _, _, icon in self._shown) > _MOST:
            what = f"the icons take more than {_MOST // MEGABYTE} MB"
            yield drawing.fault(drawing.root, what, "use fewer or simpler icons")

    @property
    def are_shown(self) -> bool:
        """Whether the drawing shows any."""
        return bool(self._shown)

    def put(self, drawing: Drawing) -> None:
        """Puts the icons in, each in the colour of its fill."""
        for image, name, icon in self._shown:
            image.set(name, colour_picture(icon, colour_of(drawing, image)).uri)


def crossed(file: str) -> str:
    """The data URI of a crossed box. It holds the name of the file, for `find_crossed`."""
    from html import escape  # rarely needed

    return _START + b64encode(f"{_HEAD}{escape(file)}{_TAIL}".encode()).decode()


def find_crossed(svg: str) -> Iterator[str]:
    """The files whose crossed boxes a drawing shows."""
    from html import unescape

    for uri in _CROSSED.findall(svg):
        yield unescape(b64decode(uri).decode().removeprefix(_HEAD).removesuffix(_TAIL))
