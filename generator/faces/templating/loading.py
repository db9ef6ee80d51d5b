"""Drawings of templates, read and mended, with the drawings that they show put in their places."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from lxml import etree
from msgspec import Struct, field

from generator.art.cascade import FRAME, inline_styles, own_ids
from generator.art.drawing import HREFS, MAX_BYTES, SVG, Drawing, link_of, local, names_of, read_drawing, user_units
from generator.art.families import record_stand_ins
from generator.art.filters import ENGINE_DPI, raise_reliefs
from generator.art.measure import box_of, frame_of, numbers_in
from generator.art.mending import drop_html, mend, say_plainly, set_flowed
from generator.art.picture import refuse, select_part
from generator.art.svg import depth_faults, document_faults, embed_drawings, frame_faults, size_faults
from generator.basics.errors import MisfitError, Place, PnpError, Problem, fail, locate, raise_all
from generator.basics.files import read_within
from generator.basics.geometry import MM_PER_INCH, decimal
from generator.faces.templating.nodes import find_layer
from generator.faces.templating.reading import PART
from generator.faces.templating.sandbox import Expression
from generator.faces.templating.writing import MAX_ELEMENTS, MOST_LINES
from generator.tables.fields import Resources

_MAX_LOOKED_AT = 200
_MOST_WITHIN = 8  # drawings, each within the one before
_MOST_SHOWN = 100  # in one template
_SHARED = re.compile(r"([^:#?{}]{1,300}\.svg)(?:#([^#{}]{1,60}))?", re.IGNORECASE)


class LinesPlace(Place, frozen=True):
    """A file whose drawing has others in it. Their lines follow its own: `others` are the first of
    each, and the place that it has there."""

    others: tuple[tuple[int, Place], ...] = ()

    def at_line(self, line: int) -> Place:
        for first, place in reversed(self.others):
            if line >= first:
                return place.at_line(line - first + 1)
        return Place(self.file, line)


class DrawingLoader(Struct, frozen=True):
    """Reads the drawing of a template. `names` are those of all groups in it, and `sizes` the
    numbers of elements of all drawings."""

    folder: Path
    resources: Resources
    layers: Mapping[str, bool | Expression]
    names: set[str] = field(default_factory=set)
    sizes: list[int] = field(default_factory=list)

    def load(self, file: str, request: Place, part: str = "", around: tuple[str, ...] = ()) -> tuple[Drawing, Place]:
        """The drawing in a file, or a part of it, and the places of its lines. `around` are the
        files that show it. Raises PnpError."""
        content = read_within(self.folder, file, MAX_BYTES, request)
        place = Place.in_folder(self.folder, file)
        drawing = read_drawing(content, place)
        fonts = self.resources.fonts
        refuse(document_faults(drawing), place)
        faults = list(islice(frame_faults(drawing), _MAX_LOOKED_AT))
        faults += size_faults(drawing)
        for number, element in enumerate(drawing.root.iter(etree.Element)):
            element.set(PART, "-1" if around else f"{number}")
        faults += islice(embed_drawings(drawing), _MAX_LOOKED_AT)
        faults += drop_html(drawing)
        faults += set_flowed(drawing, fonts)
        refuse(faults, place, self.resources.findings)
        self._count(drawing, place)
        refuse(depth_faults(drawing), place)
        if part:
            locate(request, select_part, drawing, part)
        groups = list(drawing.elements("g"))
        self.names.update(name for group in groups for name in names_of(group))
        drawing.drop([group for group in groups if find_layer(group, self.layers) is False])
        mend(drawing)
        record_stand_ins(self.resources.stand_ins, say_plainly(drawing, fonts), place)
        with suppress(MisfitError):  # reported by the reader of the template
            raise_reliefs(drawing, frame_of(drawing.root)[1] * ENGINE_DPI / MM_PER_INCH)
        return self._put_in_others(drawing, place, (*around, file))

    def _count(self, drawing: Drawing, place: Place) -> None:
        """Raises PnpError if a template has too many elements, or shows too many drawings."""
        self.sizes.append(sum(1 for _ in islice(drawing.elements(), MAX_ELEMENTS + 1)))
        what, hint = "", "move parts that are the same in all rows to [art]"
        if sum(self.sizes) > MAX_ELEMENTS:
            what = f"the template has more than {MAX_ELEMENTS:,} elements"
        elif len(self.sizes) > _MOST_SHOWN:
            what = f"the template shows more than {_MOST_SHOWN} drawings"
        if what:
            raise fail(place.at_line(1), what, hint)

    def _put_in_others(self, drawing: Drawing, place: Place, files: tuple[str, ...]) -> tuple[Drawing, Place]:
        """A drawing with those that it shows, and the places of its lines; `files` are those around them."""
        shared = list(self._find_shared(drawing))
        if shared or len(files) > 1:
            inline_styles(drawing.root)  # its style sheets are not those of the others
            drawing.forget_styles()
        if not shared:
            return drawing, place
        problems: list[Problem] = []
        content, others = drawing.content, list[tuple[int, Place]]()
        for element, file, part in shared:
            try:
                request = place.at_line(drawing.line(element, "href"))
                if file in files or len(files) > _MOST_WITHIN:
                    chain = " → ".join((*files, file))
                    what = f"drawings show each other, or too many: {chain}"
                    raise fail(request, what, "draw one of them without the other")
                inner, lines = self.load(file, request, part, files)
                transform = locate(request, _seat, element, inner.root, drawing.root)
            except PnpError as error:
                problems += error.problems
                continue
            self._put_in(element, inner.root, transform, content.count(b"\n") + 1)
            others.append((content.count(b"\n") + 2, lines))
            content += b"\n" + inner.content
        raise_all(problems)
        whole, lines = Drawing(drawing.root, content), LinesPlace(place.file, others=tuple(others))
        refuse(depth_faults(whole), lines)
        return whole, lines

    def _find_shared(self, drawing: Drawing) -> Iterator[tuple[etree._Element, str, str]]:
        """The elements that show another drawing: every <use> of a file, and an <image> of a file
        that is to be filled; with the file and its part."""
        for element in drawing.elements():
            link = _SHARED.fullmatch(link_of(element).strip())
            if link and local(element) == "use":
                yield element, link[1], link[2] or ""
            elif link and local(element) == "image" and not _is_replaced(element):
                with suppress(PnpError):  # which the picture of that name reports
                    content = read_within(self.folder, link[1], MAX_BYTES, Place(link[1]))
                    if b"{{" in content or b"xmlns:pnp=" in content:
                        yield element, link[1], link[2] or ""

    def _put_in(self, element: etree._Element, root: etree._Element, transform: str, lines: int) -> None:
        """Makes an element a group with the drawing that it shows, whose lines come after others.
        Its ids get a prefix; its layers keep their names."""
        prefix = f"s{lines}-"
        for part in root.iter(etree.Element):
            part.sourceline = min(int(part.sourceline or 1) + lines, MOST_LINES)
            if part.get("id") in self.layers:
                part.set("data-name", part.get("id", ""))
            for name in [name for name in part.attrib if str(name).endswith("}box")]:
                part.set(name, prefix + part.get(name, "").strip().removeprefix("#"))
        own_ids(root, prefix)
        for holder in (element, root):
            holder.tag = f"{SVG}g"
            for name in (*FRAME, *HREFS):
                holder.attrib.pop(name, None)
        root.set("transform", transform)
        element.append(root)


def _is_replaced(image: etree._Element) -> bool:
    """Whether its file is only a sample, or a picture of which a part is shown."""
    foreign = {str(name) for name in image.attrib if str(name)[0] == "{"} - set(HREFS)
    return not {name.rpartition("}")[2] for name in foreign}.isdisjoint(("focus", "href", "qr", "zoom"))


def _seat(element: etree._Element, root: etree._Element, around: etree._Element) -> str:
    """The transform of a drawing to its place: <use> shows it in its own size, <image> within its
    box. Raises MisfitError if the element has no box of plain numbers."""
    if local(element) == "use":
        x, y = (user_units(element.get(name, "0")) for name in ("x", "y"))
        scale = frame_of(root)[1] / frame_of(around)[1]
        return f"translate({decimal(x)} {decimal(y)}) scale({decimal(scale, 6)})"
    box = box_of(element)
    x0, y0, width, height = numbers_in(root.get("viewBox", ""))
    scale = min(box.width / width, box.height / height)
    x, y = box.centre.x - scale * (x0 + width / 2), box.centre.y - scale * (y0 + height / 2)
    return f"translate({decimal(x)} {decimal(y)}) scale({decimal(scale, 6)})"
