"""Nodes of a parsed template, read from its elements, or a report of their faults.

They are elements, and texts with expressions in them. A placeholder that an editor broke into
several lines is joined. The columns that an expression means are found by the headings of the
table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from itertools import islice
from typing import Any

from lxml import etree
from msgspec import Struct, field

from generator.art import css
from generator.art.drawing import (
    HREFS,
    KEPT_ATTRIBUTES,
    PREFIX,
    SVG,
    Drawing,
    local,
    names_of,
    namespace,
)
from generator.basics.errors import (
    MisfitError,
    Place,
    PnpError,
    Problem,
    did_you_mean,
    nearest,
    quote,
)
from generator.basics.units import parse_length
from generator.faces.templating.pictures import FACE, LEVELS
from generator.faces.templating.sandbox import PARTS_HINT, Expression
from generator.model import Column
from generator.tables.fields import TableRows, TextLayout
from generator.tables.schema import NUMBERS, find_name, fold, has_signs, is_row_name, same_signs
from generator.text.galley import has_hyphens

MAX_EXPRESSIONS = 1000  # of one template
_MAX_REPORTED = 200
PART = "data-part"  # while a file is read, the number of an element in it

# Bounded and not nested, so that the search is fast on any text.
PLACEHOLDER = re.compile(r"\{\{((?:(?!\{\{).){0,1000}?)\}\}", re.DOTALL)
_BRACES = re.compile(r"(?<![{\]])\{\s*+([^\s{}][^{}]{0,59}+)\}(?!\})")
_FOR = re.compile(r"\s*([A-Za-z_]\w*)\s+in\s+(.+)", re.DOTALL | re.ASCII)
_CROPPING = ("focus", "zoom")
_AMOUNTS = re.compile(r"[0-9.%,;\s]*")
_TABLE = re.compile(r"""table\(\s*(?:'([^']+)'|"([^"]+)")\s*\)\s*""")
_OWN_ROW, _ANY = "row", "*"  # "hex.*" stands for all columns of a table that cannot be read
_DISTANCE = r"(-?(?:[0-9]{1,6}(?:\.[0-9]{0,6})?|\.[0-9]{1,6}))"
_STEP = re.compile(rf"\s*{_DISTANCE}[\s,]+{_DISTANCE}\s*")
_DIRECTIVES = (
    "if", "for", "step", "box", "least", "valign", "hyphens", "text", "qr", "qr-level", "focus",
    "zoom", "fit", "pad", "stack", "gap", "continues", "size",
)  # fmt: skip
_FITTED = ("rect", "image", "ellipse")
_FOLLOWING = {  # the elements that may have a directive
    "fit": _FITTED,
    "pad": _FITTED,
    "stack": ("g",),
    "gap": ("g",),
    "continues": ("text",),
    "size": ("text",),
}
_NEEDED = {"pad": "fit", "gap": "stack", "continues": "box", "size": "box"}
_FOLLOWED = {"fit": ("text", "g"), "stack": ("rect",), "continues": ()}  # what they name
_ADDRESS = re.compile(r"\s*([a-z][a-z0-9+.-]*://|www\.|mailto:|tel:)", re.IGNORECASE)
_CODED = ("rect", "image")  # elements that a QR code replaces

# The attributes that `pnp:NAME` may set; the drawing keeps its own value for its editor.
_SETTABLE = (
    "cx", "cy", "d", "fill", "fill-opacity", "font-family", "font-size", "font-weight", "height",
    "href", "opacity", "points", "r", "rx", "ry", "stop-color", "stroke", "stroke-dasharray",
    "stroke-opacity", "stroke-width", "text-anchor", "transform", "width", "x", "x1", "x2", "y",
    "y1", "y2",
)  # fmt: skip
Scope = Mapping[str, Any]
Headings = Callable[[], Sequence[str]]  # opens the table only if an expression has signs
_BETWEEN_NAMES = re.compile(r"[\s.]+")
_SLIP = 0.8  # the likeness of a heading and a slip of one letter


class NodeReader(Struct):
    """Makes nodes of the elements of a template, and collects their faults."""

    _drawing: Drawing
    _place: Place
    _layers: Mapping[str, bool | Expression]
    _headings: Headings
    _read_rows: Callable[[str, Place], TableRows]
    problems: list[Problem] = []
    tables: dict[str, None] = {}  # the digests of these
    reads_row: bool = False  # by the names of its columns, which a row may say
    columns: dict[str, Column] = {}
    braces: dict[str, int] = {}  # the lines of words in single braces
    _expressions: dict[str, Expression] = {}  # by their texts, since many are alike
    _count: int = 0

    def node(self, element: etree._Element, loop_names: frozenset[str]) -> Node:
        """An element and its content; `loop_names` are the loop variables around it, and the parts
        that they have."""
        line = self._drawing.line(element)
        node = Node(str(element.tag), local(element), line, int(element.sourceline or 1))
        node.number = int(element.attrib.pop(PART, "-1"))
        directives = self._directives(element)
        if element is self._drawing.root and directives.keys() & {"if", "for"}:
            self._fault(element, "the whole template cannot be dropped or repeated", "use a <g>")
        if "for" in directives:
            loop_names = self._repeat(element, node, directives.pop("for"), loop_names)
        if "if" in directives:
            only = self._expression(element, "if", directives.pop("if"), loop_names)
            node.only = (only,) if only else ()
        layer = find_layer(element, self._layers)
        if isinstance(layer, Expression):
            node.only = (self._note_columns(element, layer), *node.only)
        self._attributes(element, node, loop_names)
        self._read_box(element, node, directives)
        self._read_layout(element, node, directives)
        if node.box:
            join_placeholders(element)
        self._read_code(element, node, directives, loop_names)
        if "text" in directives:
            node.text = self._wording(element, "text", directives.pop("text"), loop_names)
        else:
            node.text = self._read_wording(element, element.text or "", loop_names)
            self._children(element, node, loop_names)
        if node.layout.stack:
            self._check_stack(node)
        for name, value in directives.items():
            node.overrides[name] = self._wording(element, name, value, loop_names)
        node.settle()
        return node

    def _children(self, element: etree._Element, node: Node, loop_names: frozenset[str]) -> None:
        for child in element.iterchildren(etree.Element):
            if namespace(child) == SVG[1:-1] and local(child) != "metadata":
                node.children.append(self.node(child, loop_names))
                tail = self._read_wording(element, child.tail or "", loop_names)
                node.children[-1].tail = tail

    def _directives(self, element: etree._Element) -> dict[str, str]:
        """The pnp: attributes of an element, by their local names."""
        foreign = [str(name) for name in element.attrib if str(name).startswith("{")]
        own = f"{{{element.nsmap.get(PREFIX)}}}" if foreign else ""
        directives = {}
        for name in foreign:
            if name.startswith(own):
                short, value = name.removeprefix(own), element.get(name, "")
                if short in _DIRECTIVES or short in _SETTABLE:
                    directives[short] = str(value)
                else:
                    names = (*_DIRECTIVES, *_SETTABLE)
                    begun = [name for name in names if len(name) > 1 and short.startswith(name)]
                    hint = did_you_mean(short, names)
                    hint = f"did you mean {quote(begun[0])}?" if begun else hint
                    self._fault(element, f"there is no {PREFIX}:{short[:40]}", hint, short)
        return directives

    def _repeat(
        self, element: etree._Element, node: Node, text: str, loop_names: frozenset[str]
    ) -> frozenset[str]:
        match = _FOR.fullmatch(text)
        if match is None or match[1] == "loop":
            what = f"{PREFIX}:for is {quote(text)}"
            column = text.strip() if text.strip().isidentifier() else "cost"
            self._fault(element, what, f'write {PREFIX}:for="n in {column}"', "for")
            return loop_names
        name, table = match[1], _TABLE.fullmatch(match[2])
        columns: Sequence[str] = ()
        if table:
            rows = self._rows(element, table[1] or table[2])
            columns = rows.columns if rows else (_ANY,)
            node.repeat = (name, rows) if rows else None
        elif expression := self._expression(element, "for", match[2], loop_names):
            node.repeat = (name, expression)
        outer = {known for known in loop_names if known.partition(".")[0] != name}
        return frozenset({*outer, name, "loop", *(f"{name}.{column}" for column in columns)})

    def _rows(self, element: etree._Element, file: str) -> TableRows | None:
        """The rows of a table; None if a fault is noted."""
        try:
            place = self._place.at_line(self._drawing.line(element, "for"))
            rows = self._read_rows(file, place)
        except PnpError as error:
            self.problems += error.problems
            return None
        self.tables[rows.digest] = None
        return rows

    def _attributes(self, element: etree._Element, node: Node, loop_names: frozenset[str]) -> None:
        for name, value in element.attrib.items():
            if not str(name).startswith("{") or name in KEPT_ATTRIBUTES:
                node.attributes[str(name)] = self._read_wording(
                    element, str(value), loop_names, str(name)
                )

    def _read_box(self, element: etree._Element, node: Node, directives: dict[str, str]) -> None:
        """Reads the directives of a text box and the step between copies."""
        style = self._drawing.styles.of(element)
        inside = next(iter(css.links(style.get("shape-inside", ""))), "")
        is_filled = inside and ("text" in directives or "{{" in "".join(element.itertext()))
        flowed = inside if is_filled else ""  # otherwise the editor's lines are kept
        node.box = directives.pop("box", flowed).strip().removeprefix("#")
        if node.box and node.name != "text":
            self._fault(element, f"<{node.name}> is not a text and cannot have a box", "", "box")
        if not node.box and "inline-size" in style and "{{" in "".join(element.itertext()):
            what = "the text has a width, but no height that limits it"
            hint = f"draw a rectangle and set {PREFIX}:box, or flow the text into it"
            self._fault(element, what, hint)
        self._read_hyphens(element, node, directives.pop("hyphens", ""))
        step = directives.pop("step", "")
        node.valign = directives.pop("valign", "")
        if node.valign not in ("", "top", "middle", "bottom"):
            what = f"{PREFIX}:valign is {quote(node.valign)}"
            self._fault(element, what, "top, middle or bottom", "valign")
            node.valign = ""
        node.least = self._length(element, "least", directives)
        numbers = _STEP.fullmatch(step)
        if step and numbers is None:
            hint = f'the distance of each copy from the last, across and down: {PREFIX}:step="6 0"'
            self._fault(element, f"{PREFIX}:step is {quote(step)}", hint, "step")
        elif numbers:
            node.step = (float(numbers[1]), float(numbers[2]))

    def _length(self, element: etree._Element, name: str, directives: dict[str, str]) -> float:
        """A length among the directives in mm; 0 without it."""
        text = directives.pop(name, "")
        try:
            return parse_length(text) if text else 0.0
        except MisfitError as error:
            self._fault(element, f"{PREFIX}:{name}: {error}", error.hint, name)
            return 0.0

    def _read_layout(self, element: etree._Element, node: Node, directives: dict[str, str]) -> None:
        """Reads how an element follows the texts."""
        given = directives.keys() & _FOLLOWING.keys()
        for name in sorted(given):
            needed = _NEEDED.get(name, name)
            if node.name not in _FOLLOWING[name]:
                hint = f"set it on {', '.join(f'<{kind}>' for kind in _FOLLOWING[name])}"
                self._fault(element, f"<{node.name}> cannot have {PREFIX}:{name}", hint, name)
            elif needed not in given and not (needed == "box" and node.box):
                what = f"{PREFIX}:{name} is set without {PREFIX}:{needed}"
                self._fault(element, what, f"set {PREFIX}:{needed} too", name)
        size = directives.pop("size", "")
        if size not in ("", "deck"):
            hint = f'write {PREFIX}:size="deck": one size in all rows'
            self._fault(element, f"{PREFIX}:size is {quote(size)}", hint, "size")
        ids = {name: directives.pop(name, "").strip().removeprefix("#") for name in _FOLLOWED}
        for name, kinds in _FOLLOWED.items():
            named = [id_ for id_, same in self._drawing.by_id.items() if local(same[0]) in kinds]
            if kinds and ids[name] and ids[name] not in named:
                what = f"there is no {' or '.join(f'<{kind}>' for kind in kinds)}"
                hint = did_you_mean(ids[name], named) or "give it an id"
                self._fault(element, f"{what} {quote(ids[name])}", hint, name)
        pad, gap = (self._length(element, name, directives) for name in ("pad", "gap"))
        node.layout = TextLayout(**ids, pad=pad, gap=gap, deck=node.box if size else "")

    def _check_stack(self, stack: Node) -> None:
        """Reports the parts of a stack that have no height or no place of their own."""
        ids = {child.attributes["id"].bare for child in stack.children if "id" in child.attributes}
        for child in stack.children:
            if child.layout.fit in ids:
                what, hint = "a panel and its text are two parts of a stack", "put both into a <g>"
            elif child.name in ("text", "use") and not child.box:
                what = f"pnp cannot tell the height of <{child.name}> in a stack"
                hint = f"set {PREFIX}:box on a text; put others into a <g> with a <rect> as large"
            else:
                continue
            self.problems.append(Problem(self._place.at_line(child.line), what, hint))

    def _read_code(
        self,
        element: etree._Element,
        node: Node,
        directives: dict[str, str],
        loop_names: frozenset[str],
    ) -> None:
        """Reads the directives of a QR code, and of the part of a picture that is shown."""
        for name in [name for name in _CROPPING if name in directives]:
            value = directives.pop(name)
            if node.name != "image":
                hint = "set it on the <image> itself"
                self._fault(element, f"{PREFIX}:{name} is for pictures", hint, name)
            if _AMOUNTS.fullmatch(value):
                node.crop[name] = Wording((value,))
            else:
                node.crop[name] = self._wording(element, name, value, loop_names)
        written, text = directives.pop("qr-level", "M").strip(), directives.pop("qr", None)
        level = written.upper()
        if level not in LEVELS:
            what = f"{PREFIX}:qr-level is {quote(written)}"
            self._fault(element, what, f"known: {', '.join(LEVELS)}", "qr-level")
        elif text is not None and node.name not in _CODED:
            hint = "draw a rectangle where the code belongs"
            self._fault(element, f"<{node.name}> cannot become a QR code", hint, "qr")
        elif text is not None:
            node.level = level
            if _ADDRESS.match(text):
                node.code = self._read_wording(element, text, loop_names, "qr")
            else:
                node.code = self._wording(element, "qr", text, loop_names)

    def _read_hyphens(self, element: etree._Element, node: Node, language: str) -> None:
        if language and not has_hyphens(language):
            hint = "the language for hyphenation: en_GB, de, fr, pt_BR …"
            what = f"{PREFIX}:hyphens is {quote(language)}"
            self._fault(element, what, hint, "hyphens")
        else:
            node.hyphens = language

    def _read_wording(
        self, element: etree._Element, text: str, loop_names: frozenset[str], name: str = ""
    ) -> Wording:
        if "{" in text:
            self._note_braces(element, text)
        if "{{" not in text and "{%" not in text:
            return Wording((text,))
        if local(element) == "style":
            if PLACEHOLDER.search(text):
                hint = f'set it on the element: fill="{{{{ colour }}}}" or {PREFIX}:fill'
                self._fault(element, "there is a placeholder in a <style>", hint)
            return Wording((text,))
        rest = PLACEHOLDER.sub("", text)
        for opening, hint in (
            ("{%", f"use {PREFIX}:if and {PREFIX}:for on the element"),
            ("{{", "type the placeholder again, in one piece and one style"),
        ):
            if opening in rest:
                self._fault(element, f"{opening!r} is opened here and not closed", hint, name)
                return Wording(())
        parts: list[str | Expression] = []
        for index, part in enumerate(PLACEHOLDER.split(text)):
            parsed = self._expression(element, name, part, loop_names) if index % 2 else part
            parts += [parsed] if parsed else []
        return Wording(tuple(parts))

    def _note_braces(self, element: etree._Element, text: str) -> None:
        """Notes words in single braces, which are printed as they are."""
        if local(element) in ("text", "tspan"):
            for match in islice(_BRACES.finditer(text), _MAX_REPORTED):
                self.braces.setdefault(match[1], self._drawing.line(element))

    def _wording(
        self, element: etree._Element, name: str, text: str, loop_names: frozenset[str]
    ) -> Wording:
        """The value of a directive: an expression, or a text with placeholders."""
        if "{{" in text:
            return self._read_wording(element, text, loop_names, name)
        expression = self._expression(element, name, text, loop_names)
        return Wording((expression,) if expression else ())

    def _expression(
        self, element: etree._Element, name: str, text: str, loop_names: frozenset[str]
    ) -> Expression | None:
        self._count += 1
        if self._count > MAX_EXPRESSIONS:
            if self._count == MAX_EXPRESSIONS + 1:
                what = f"the template has more than {MAX_EXPRESSIONS:,} expressions"
                self._fault(element, what, "draw several templates", name)
            return None
        try:
            expression = self._expressions.get(text) or read_expression(text, self._headings)
        except MisfitError as error:
            self._fault(element, f"<{local(element)}>: {error}", error.hint, name)
            return None
        self._expressions[text] = expression
        if "loop" in expression.names - loop_names:
            hint = f"set {PREFIX}:for on the element, or on one around it"
            self._fault(element, "loop is known only within a repeated element", hint, name)
            return None
        roots = {known.partition(".")[0] for known in expression.names - loop_names}
        if _OWN_ROW in roots - loop_names:
            loop_names |= self._own_row(element, name)
        for part in sorted(expression.names - loop_names):
            row, _, column = part.partition(".")
            if row not in loop_names or f"{row}.{fold(column)}" in loop_names:
                continue
            known = [n.removeprefix(f"{row}.") for n in loop_names if n.startswith(f"{row}.")]
            what = f"{quote(expression.source)}: {quote(part)} is a part of a loop variable"
            what, hint = f"{what}, which has none", PARTS_HINT
            if known:
                what = f"{quote(expression.source)}: the table has no column {quote(column)}"
                hint = did_you_mean(column, known)
            if _ANY not in known:
                self._fault(element, what, hint, name)
            return None
        loop_names |= {n for n in expression.names if n.partition(".")[0] in loop_names}
        return self._note_columns(element, expression, name, loop_names)

    def _own_row(self, element: etree._Element, name: str) -> frozenset[str]:
        """Notes every column, and returns the names of the row and of its parts; none if `row` is a
        column."""
        columns = [heading for heading in self._headings() if is_row_name(heading)]
        if any(fold(column).partition(".")[0] == _OWN_ROW for column in columns):
            return frozenset()
        self.reads_row = True
        place = self._place.at_line(self._drawing.line(element, name))
        for column in columns:
            self.columns.setdefault(column, Column(column, reader=place))
        return frozenset([_OWN_ROW, *(f"{_OWN_ROW}.{fold(column)}" for column in columns)])

    def _note_columns(
        self,
        element: etree._Element,
        expression: Expression,
        name: str = "",
        loop_names: frozenset[str] = frozenset(),
    ) -> Expression:
        """Notes the columns that an expression reads, and returns it."""
        line = self._drawing.line(element, name)
        for column in sorted(expression.names - loop_names):
            self.columns.setdefault(column, Column(column, reader=self._place.at_line(line)))
        return expression

    def _fault(self, element: etree._Element, what: str, hint: str, attribute: str = "") -> None:
        if len(self.problems) < _MAX_REPORTED:
            place = self._place.at_line(self._drawing.line(element, attribute))
            self.problems.append(Problem(place, what, hint))


def find_layer(
    element: etree._Element, layers: Mapping[str, bool | Expression]
) -> bool | Expression | None:
    """The setting of a layer; None if it has none."""
    if not layers or local(element) != "g":
        return None
    return next((layers[name] for name in names_of(element) if name in layers), None)


class Wording(Struct, frozen=True, dict=True):
    """A text with expressions in it."""

    parts: tuple[str | Expression, ...]

    @cached_property
    def is_plain(self) -> bool:
        return all(isinstance(part, str) for part in self.parts)

    @cached_property
    def bare(self) -> str:
        """The text without its expressions."""
        return "".join(part for part in self.parts if isinstance(part, str))

    def text(self, scope: Scope | None) -> str:
        """The filled text, or `bare` without a scope. Raises MisfitError if an expression fails."""
        if scope is None or self.is_plain:
            return self.bare
        return "".join(part if isinstance(part, str) else part.text(scope) for part in self.parts)

    def value(self, scope: Scope) -> Any:
        """The value of an expression that stands alone, else the filled text. Raises MisfitError if
        an expression fails."""
        alone = self.parts[0] if len(self.parts) == 1 else ""
        return alone.value(scope) if isinstance(alone, Expression) else self.text(scope)

    @cached_property
    def names(self) -> frozenset[str]:
        """The columns and loop variables that it reads."""
        read = (part.names for part in self.parts if isinstance(part, Expression))
        return frozenset[str]().union(*read)

    def sources(self) -> Iterator[str]:
        yield from (part.source for part in self.parts if isinstance(part, Expression))


class Node(Struct, eq=False):
    """An element of a template: its condition, its repetition, its attributes and its texts."""

    tag: str
    name: str
    line: int  # where its tag opens
    sourceline: int  # lxml's line, where its tag closes
    number: int = -1  # in the order of the template's own file; -1 in others that it shows
    attributes: dict[str, Wording] = field(default_factory=dict)
    # by pnp:NAME, which overrides attributes and style
    overrides: dict[str, Wording] = field(default_factory=dict)
    text: Wording = Wording(())
    tail: Wording = Wording(())
    children: list[Node] = field(default_factory=list)
    only: tuple[Expression, ...] = ()  # drawn if all of them are true
    repeat: tuple[str, Expression | TableRows] | None = None
    step: tuple[float, float] = (0.0, 0.0)
    box: str = ""
    least: float = 0.0
    valign: str = ""
    hyphens: str = ""
    layout: TextLayout = TextLayout()
    code: Wording | None = None  # the text of the QR code in its place
    level: str = "M"  # of the code
    crop: dict[str, Wording] = field(default_factory=dict)  # the texts of pnp:focus and pnp:zoom
    is_still: bool = False  # it and its content are the same for every row
    drawn: etree._Element | None = None  # the cached drawing if it is still
    elements: int = 1  # with all elements in it
    plain: dict[str, str] = field(default_factory=dict)  # its attributes if no row changes one

    def settle(self) -> None:
        """Call it once the node is complete."""
        worded = (*self.attributes.values(), self.text, *(child.tail for child in self.children))
        is_directed = self.overrides or self.only or self.repeat or self.box or self.code
        is_directed = is_directed or self.layout.fit or self.layout.stack
        self.is_still = (
            not (is_directed or self.name == "image")
            and all(wording.is_plain for wording in worded)
            and all(child.is_still for child in self.children)
        )
        is_changed = self.name == "image" or self.code or "href" in self.overrides
        if not is_changed and all(wording.is_plain for wording in self.attributes.values()):
            self.plain = {name: wording.bare for name, wording in self.attributes.items()}
        self.elements += sum(child.elements for child in self.children)

    def sources(self) -> Iterator[str]:
        """The expressions in its texts."""
        for node in self.walk():
            yield from node.text.sources()

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def shows_faces(self) -> bool:
        """Whether it or something in it shows the face of a piece, or may."""
        links = [
            link
            for node in self.walk()
            for name, link in (*node.attributes.items(), *node.overrides.items())
            if node.name == "image" and name in HREFS
        ]
        return any(FACE in text for link in links for text in (link.bare, *link.sources()))

    def texts(self, *, is_boxed: bool = False) -> Iterator[tuple[str, bool]]:
        """The names in its texts, each with whether it is in a box."""
        is_boxed = is_boxed or bool(self.box)
        for wording in (self.text, *(child.tail for child in self.children)):
            for part in wording.parts:
                if isinstance(part, Expression):
                    yield from ((name, is_boxed) for name in part.names)
        for child in self.children:
            yield from child.texts(is_boxed=is_boxed)


def join_placeholders(text: etree._Element) -> None:
    """Moves the rest of a broken placeholder to where it begins; one that never ends stays."""
    broken: list[tuple[etree._Element, str]] = []  # where its parts are, and in which attribute
    for place in _words(text):
        words = getattr(*place) or ""
        end, closing, rest = words.partition("}}")
        if broken and closing:
            whole = "".join(getattr(*part) or "" for part in broken)
            for part in broken[1:]:
                setattr(*part, "")
            setattr(*broken[0], whole + end + closing)
            setattr(*place, rest)
            words, broken = rest, []
        if broken or words.rfind("{{") > words.rfind("}}"):
            broken.append(place)


def _words(element: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """All words of a text, in order: the words in each element, and those behind it."""
    yield element, "text"
    for child in element.iterchildren(etree.Element):
        yield from _words(child)
        yield child, "tail"


def read_expression(text: str, headings: Headings) -> Expression:
    """The expression of a text. One that is a heading, such as ATK/DEF, reads that column, and is
    not computed. Raises MisfitError if it is neither."""
    text = text.strip()
    if all(part.isidentifier() for part in _BETWEEN_NAMES.split(text)):
        return Expression(text)
    if heading := next((heading for heading in headings() if same_signs(heading, text)), ""):
        return Expression.of_column(heading)
    meant = _nearest_with_signs(text, headings())
    hint = f"did you mean {{{{ {meant} }}}}?"
    try:
        expression = Expression(text)
    except MisfitError as error:
        raise MisfitError(str(error), hint if meant else error.hint) from None
    known = {*headings(), *NUMBERS}
    if meant and not any(find_name(name, known) for name in expression.names):
        raise MisfitError(f"there is no column {quote(text)}", hint)
    return expression


def _nearest_with_signs(text: str, headings: Sequence[str]) -> str:
    near = nearest(text, filter(has_signs, headings))
    likeness = SequenceMatcher(None, near.casefold(), text.casefold()).ratio()
    return near if likeness >= _SLIP else ""
