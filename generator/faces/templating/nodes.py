"""Nodes of a parsed template: its elements, and their texts with expressions in them.

A placeholder that an editor broke into several lines is joined. The columns that an expression
means are found by the headings of the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any

from lxml import etree
from msgspec import Struct, field

from generator.art.drawing import HREFS, local, names_of
from generator.basics.errors import MisfitError, nearest, quote
from generator.faces.templating.pictures import FACE
from generator.faces.templating.sandbox import Expression
from generator.tables.fields import TableRows, TextLayout
from generator.tables.schema import NUMBERS, find_name, has_signs, same_signs

# Bounded and not nested, so that the search is fast on any text.
PLACEHOLDER = re.compile(r"\{\{((?:(?!\{\{).){0,1000}?)\}\}", re.DOTALL)
_BETWEEN_NAMES = re.compile(r"[\s.]+")
_SLIP = 0.8  # the likeness of a heading and a slip of one letter
Scope = Mapping[str, Any]
Headings = Callable[[], Sequence[str]]  # opens the table only if an expression has signs


def find_layer(element: etree._Element, layers: Mapping[str, bool | Expression]) -> bool | Expression | None:
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


def read_wording(text: str, headings: Headings) -> Wording:
    """A text with placeholders. Raises MisfitError if an expression is not valid."""
    parts = enumerate(PLACEHOLDER.split(text))
    return Wording(tuple(read_expression(part, headings) if at % 2 else part for at, part in parts))
