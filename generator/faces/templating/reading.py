"""Nodes of a template, read from its elements, or a report of their faults."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from lxml import etree
from msgspec import Struct

from generator.art import css
from generator.art.drawing import KEPT_ATTRIBUTES, PREFIX, SVG, Drawing, local, namespace
from generator.basics.errors import MisfitError, Place, PnpError, Problem, did_you_mean, quote
from generator.basics.geometry import parse_length
from generator.faces.templating import nodes
from generator.faces.templating.pictures import LEVELS
from generator.faces.templating.sandbox import PARTS_HINT, Expression
from generator.model import Column
from generator.tables.fields import TableRows, TextLayout
from generator.tables.schema import fold, is_row_name
from generator.text.galley import has_hyphens

MAX_EXPRESSIONS = 1000  # of one template
_MAX_REPORTED = 200
PART = "data-part"  # while a file is read, the number of an element in it

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


class NodeReader(Struct):
    """Makes nodes of the elements of a template, and collects their faults."""

    drawing: Drawing
    place: Place
    layers: Mapping[str, bool | Expression]
    headings: nodes.Headings
    read_rows: Callable[[str, Place], TableRows]
    problems: list[Problem] = []
    tables: dict[str, None] = {}  # the digests of these
    reads_row: bool = False  # by the names of its columns, which a row may say
    columns: dict[str, Column] = {}
    braces: dict[str, int] = {}  # the lines of words in single braces
    expressions: dict[str, Expression] = {}  # by their texts, since many are alike
    count: int = 0  # of expressions

    def node(self, element: etree._Element, loop_names: frozenset[str] = frozenset()) -> nodes.Node:
        """An element and its content; `loop_names` are the loop variables around it, and the parts that they have."""
        return _ElementReader(self, element, loop_names).read()


class _ElementReader:
    """Makes the node of one element."""

    def __init__(self, reader: NodeReader, element: etree._Element, loop_names: frozenset[str]) -> None:
        self._of, self._element, self._loop_names = reader, element, loop_names
        line = reader.drawing.line(element)
        self._node = nodes.Node(str(element.tag), local(element), line, int(element.sourceline or 1))
        self._directives: dict[str, str] = {}  # that are not read yet

    def read(self) -> nodes.Node:
        element, node = self._element, self._node
        node.number = int(element.attrib.pop(PART, "-1"))
        directives = self._directives = self._find_directives()
        if element is self._of.drawing.root and directives.keys() & {"if", "for"}:
            self._fault("the whole template cannot be dropped or repeated", "use a <g>")
        if "for" in directives:
            self._repeat(directives.pop("for"))
        if "if" in directives:
            only = self._expression("if", directives.pop("if"))
            node.only = (only,) if only else ()
        layer = nodes.find_layer(element, self._of.layers)
        if isinstance(layer, Expression):
            self._note_columns(layer.names)
            node.only = (layer, *node.only)
        self._read_attributes()
        self._read_box()
        self._read_layout()
        if node.box:
            nodes.join_placeholders(element)
        self._read_crop()
        self._read_code()
        if "text" in directives:
            node.text = self._wording("text", directives.pop("text"))
        else:
            node.text = self._read_wording(element.text or "")
            self._read_children()
        if node.layout.stack:
            self._check_stack()
        for name, value in directives.items():
            node.overrides[name] = self._wording(name, value)
        node.settle()
        return node

    def _read_children(self) -> None:
        for child in self._element.iterchildren(etree.Element):
            if namespace(child) == SVG[1:-1] and local(child) != "metadata":
                self._node.children.append(self._of.node(child, self._loop_names))
                self._node.children[-1].tail = self._read_wording(child.tail or "")

    def _find_directives(self) -> dict[str, str]:
        """The pnp: attributes of the element, by their local names."""
        element = self._element
        foreign = [str(name) for name in element.attrib if str(name).startswith("{")]
        own = f"{{{element.nsmap.get(PREFIX)}}}" if foreign else ""
        directives = {}
        for name in (name for name in foreign if name.startswith(own)):
            short = name.removeprefix(own)
            if short in _DIRECTIVES or short in _SETTABLE:
                directives[short] = str(element.get(name, ""))
            else:
                names = (*_DIRECTIVES, *_SETTABLE)
                begun = [name for name in names if len(name) > 1 and short.startswith(name)]
                hint = f"did you mean {quote(begun[0])}?" if begun else did_you_mean(short, names)
                self._fault(f"there is no {PREFIX}:{short[:40]}", hint, short)
        return directives

    def _repeat(self, text: str) -> None:
        match = _FOR.fullmatch(text)
        if match is None or match[1] == "loop":
            what = f"{PREFIX}:for is {quote(text)}"
            column = text.strip() if text.strip().isidentifier() else "cost"
            self._fault(what, f'write {PREFIX}:for="n in {column}"', "for")
            return
        name, table = match[1], _TABLE.fullmatch(match[2])
        columns: Sequence[str] = ()
        if table:
            rows = self._rows(table[1] or table[2])
            columns = rows.columns if rows else (_ANY,)
            self._node.repeat = (name, rows) if rows else None
        elif expression := self._expression("for", match[2]):
            self._node.repeat = (name, expression)
        outer = {known for known in self._loop_names if known.partition(".")[0] != name}
        self._loop_names = frozenset({*outer, name, "loop", *(f"{name}.{column}" for column in columns)})

    def _rows(self, file: str) -> TableRows | None:
        """The rows of a table; None if a fault is noted."""
        try:
            rows = self._of.read_rows(file, self._find_place("for"))
        except PnpError as error:
            self._of.problems += error.problems
            return None
        self._of.tables[rows.digest] = None
        return rows

    def _read_attributes(self) -> None:
        for name, value in self._element.attrib.items():
            if not str(name).startswith("{") or name in KEPT_ATTRIBUTES:
                self._node.attributes[str(name)] = self._read_wording(str(value), str(name))

    def _read_box(self) -> None:
        """Reads the directives of a text box and the step between copies."""
        node, directives = self._node, self._directives
        style = self._of.drawing.styles.of(self._element)
        inside = next(iter(css.links(style.get("shape-inside", ""))), "")
        is_filled = "text" in directives or "{{" in "".join(self._element.itertext())
        flowed = inside if is_filled else ""  # otherwise the editor's lines are kept
        node.box = directives.pop("box", flowed).strip().removeprefix("#")
        if node.box and node.name != "text":
            self._fault(f"<{node.name}> is not a text and cannot have a box", "", "box")
        if not node.box and "inline-size" in style and "{{" in "".join(self._element.itertext()):
            what = "the text has a width, but no height that limits it"
            self._fault(what, f"draw a rectangle and set {PREFIX}:box, or flow the text into it")
        self._read_hyphens(directives.pop("hyphens", ""))
        step = directives.pop("step", "")
        node.valign = directives.pop("valign", "")
        if node.valign not in ("", "top", "middle", "bottom"):
            self._fault(f"{PREFIX}:valign is {quote(node.valign)}", "top, middle or bottom", "valign")
            node.valign = ""
        node.least = self._length("least")
        numbers = _STEP.fullmatch(step)
        if numbers:
            node.step = (float(numbers[1]), float(numbers[2]))
        elif step:
            hint = f'the distance of each copy from the last, across and down: {PREFIX}:step="6 0"'
            self._fault(f"{PREFIX}:step is {quote(step)}", hint, "step")

    def _length(self, name: str) -> float:
        """A length among the directives in mm; 0 without it."""
        text = self._directives.pop(name, "")
        try:
            return parse_length(text) if text else 0.0
        except MisfitError as error:
            self._fault(f"{PREFIX}:{name}: {error}", error.hint, name)
            return 0.0

    def _read_layout(self) -> None:
        """Reads how the element follows the texts."""
        node, directives = self._node, self._directives
        given = directives.keys() & _FOLLOWING.keys()
        for name in sorted(given):
            needed = _NEEDED.get(name, name)
            if node.name not in _FOLLOWING[name]:
                hint = f"set it on {', '.join(f'<{kind}>' for kind in _FOLLOWING[name])}"
                self._fault(f"<{node.name}> cannot have {PREFIX}:{name}", hint, name)
            elif needed not in given and not (needed == "box" and node.box):
                self._fault(f"{PREFIX}:{name} is set without {PREFIX}:{needed}", f"set {PREFIX}:{needed} too", name)
        size = directives.pop("size", "")
        if size not in ("", "deck"):
            self._fault(f"{PREFIX}:size is {quote(size)}", f'write {PREFIX}:size="deck": one size in all rows', "size")
        ids = {name: directives.pop(name, "").strip().removeprefix("#") for name in _FOLLOWED}
        by_id = self._of.drawing.by_id
        for name, kinds in _FOLLOWED.items():
            named = [id_ for id_, same in by_id.items() if local(same[0]) in kinds]
            if kinds and ids[name] and ids[name] not in named:
                what = f"there is no {' or '.join(f'<{kind}>' for kind in kinds)}"
                hint = did_you_mean(ids[name], named) or "give it an id"
                self._fault(f"{what} {quote(ids[name])}", hint, name)
        pad, gap = map(self._length, ("pad", "gap"))
        node.layout = TextLayout(**ids, pad=pad, gap=gap, deck=node.box if size else "")

    def _check_stack(self) -> None:
        """Reports the parts of a stack that have no height or no place of their own."""
        parts = self._node.children
        ids = {part.attributes["id"].bare for part in parts if "id" in part.attributes}
        for part in parts:
            if part.layout.fit in ids:
                what, hint = "a panel and its text are two parts of a stack", "put both into a <g>"
            elif part.name in ("text", "use") and not part.box:
                what = f"pnp cannot tell the height of <{part.name}> in a stack"
                hint = f"set {PREFIX}:box on a text; put others into a <g> with a <rect> as large"
            else:
                continue
            self._of.problems.append(Problem(self._of.place.at_line(part.line), what, hint))

    def _read_crop(self) -> None:
        """Reads the directives of the part of a picture that is shown."""
        for name in [name for name in _CROPPING if name in self._directives]:
            value = self._directives.pop(name)
            if self._node.name != "image":
                self._fault(f"{PREFIX}:{name} is for pictures", "set it on the <image> itself", name)
            is_plain = _AMOUNTS.fullmatch(value)
            self._node.crop[name] = nodes.Wording((value,)) if is_plain else self._wording(name, value)

    def _read_code(self) -> None:
        """Reads the directives of a QR code."""
        written = self._directives.pop("qr-level", "M").strip()
        text, level = self._directives.pop("qr", None), written.upper()
        if level not in LEVELS:
            self._fault(f"{PREFIX}:qr-level is {quote(written)}", f"known: {', '.join(LEVELS)}", "qr-level")
        elif text is not None and self._node.name not in _CODED:
            self._fault(f"<{self._node.name}> cannot become a QR code", "draw a rectangle where the code belongs", "qr")
        elif text is not None:
            is_address = _ADDRESS.match(text)
            self._node.level = level
            self._node.code = self._read_wording(text, "qr") if is_address else self._wording("qr", text)

    def _read_hyphens(self, language: str) -> None:
        if language and not has_hyphens(language):
            hint = "the language for hyphenation: en_GB, de, fr, pt_BR …"
            self._fault(f"{PREFIX}:hyphens is {quote(language)}", hint, "hyphens")
        else:
            self._node.hyphens = language

    def _read_wording(self, text: str, name: str = "") -> nodes.Wording:
        """A text with placeholders, as it stands in the element or in the attribute `name`."""
        if "{" in text and self._node.name in ("text", "tspan"):
            for match in islice(_BRACES.finditer(text), _MAX_REPORTED):  # words that are printed as they are
                self._of.braces.setdefault(match[1], self._node.line)
        if "{{" not in text and "{%" not in text:
            return nodes.Wording((text,))
        if self._node.name == "style":
            if nodes.PLACEHOLDER.search(text):
                hint = f'set it on the element: fill="{{{{ colour }}}}" or {PREFIX}:fill'
                self._fault("there is a placeholder in a <style>", hint)
            return nodes.Wording((text,))
        rest = nodes.PLACEHOLDER.sub("", text)
        for opening, hint in (
            ("{%", f"use {PREFIX}:if and {PREFIX}:for on the element"),
            ("{{", "type the placeholder again, in one piece and one style"),
        ):
            if opening in rest:
                self._fault(f"{opening!r} is opened here and not closed", hint, name)
                return nodes.Wording(())
        parts: list[str | Expression] = []
        for index, part in enumerate(nodes.PLACEHOLDER.split(text)):
            parsed = self._expression(name, part) if index % 2 else part
            parts += [parsed] if parsed else []
        return nodes.Wording(tuple(parts))

    def _wording(self, name: str, text: str) -> nodes.Wording:
        """The value of a directive: an expression, or a text with placeholders."""
        if "{{" in text:
            return self._read_wording(text, name)
        expression = self._expression(name, text)
        return nodes.Wording((expression,) if expression else ())

    def _expression(self, name: str, text: str) -> Expression | None:
        of, loop_names = self._of, self._loop_names
        of.count += 1
        if of.count > MAX_EXPRESSIONS:
            if of.count == MAX_EXPRESSIONS + 1:
                what = f"the template has more than {MAX_EXPRESSIONS:,} expressions"
                self._fault(what, "draw several templates", name)
            return None
        try:
            expression = of.expressions.get(text) or nodes.read_expression(text, of.headings)
        except MisfitError as error:
            self._fault(f"<{self._node.name}>: {error}", error.hint, name)
            return None
        of.expressions[text] = expression
        if "loop" in expression.names - loop_names:
            hint = f"set {PREFIX}:for on the element, or on one around it"
            self._fault("loop is known only within a repeated element", hint, name)
            return None
        roots = {known.partition(".")[0] for known in expression.names - loop_names}
        if _OWN_ROW in roots - loop_names:
            loop_names |= self._own_row(name)
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
                self._fault(what, hint, name)
            return None
        loop_names |= {n for n in expression.names if n.partition(".")[0] in loop_names}
        self._note_columns(expression.names - loop_names, name)
        return expression

    def _own_row(self, name: str) -> frozenset[str]:
        """Notes every column, and returns the names of the row and of its parts; none if `row` is a column."""
        columns = [heading for heading in self._of.headings() if is_row_name(heading)]
        if any(fold(column).partition(".")[0] == _OWN_ROW for column in columns):
            return frozenset()
        self._of.reads_row = True
        self._note_columns(columns, name)
        return frozenset([_OWN_ROW, *(f"{_OWN_ROW}.{fold(column)}" for column in columns)])

    def _note_columns(self, columns: Iterable[str], attribute: str = "") -> None:
        """Notes columns that an attribute, or the element itself, reads."""
        for column in sorted(columns):
            self._of.columns.setdefault(column, Column(column, reader=self._find_place(attribute)))

    def _find_place(self, attribute: str) -> Place:
        return self._of.place.at_line(self._of.drawing.line(self._element, attribute))

    def _fault(self, what: str, hint: str, attribute: str = "") -> None:
        if len(self._of.problems) < _MAX_REPORTED:
            self._of.problems.append(Problem(self._find_place(attribute), what, hint))
