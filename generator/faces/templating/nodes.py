"""The parts of a parsed template: its elements, and the texts with expressions in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from lxml import etree
from msgspec import Struct, field

from generator.faces.templating.sandbox import Expression

Scope = Mapping[str, Any]


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

    def sources(self) -> Iterator[str]:
        yield from (part.source for part in self.parts if isinstance(part, Expression))


class Node(Struct, eq=False):
    """An element of a template: its condition, its repetition, its attributes and its texts."""

    tag: str
    name: str
    line: int  # where its tag opens
    sourceline: int  # lxml's line, where its tag closes
    attributes: dict[str, Wording] = field(default_factory=dict)
    overrides: dict[str, Wording] = field(
        default_factory=dict
    )  # by pnp:NAME, which overrides attributes and style
    text: Wording = Wording(())
    tail: Wording = Wording(())
    children: list[Node] = field(default_factory=list)
    only: tuple[Expression, ...] = ()  # drawn if all of them are true
    repeat: tuple[str, Expression] | None = None
    step: tuple[float, float] = (0.0, 0.0)
    box: str = ""
    least: float = 0.0
    valign: str = "top"
    hyphens: str = ""
    code: Wording | None = None  # the text of the QR code in its place
    level: str = "M"  # of the code
    is_still: bool = False  # it and its content are the same for every row
    drawn: etree._Element | None = None  # the cached drawing if it is still
    elements: int = 1  # with all elements in it
    plain: dict[str, str] = field(default_factory=dict)  # its attributes if no row changes one

    def settle(self) -> None:
        """Call it once the node is complete."""
        worded = (*self.attributes.values(), self.text, *(child.tail for child in self.children))
        is_directed = self.overrides or self.only or self.repeat or self.box or self.code
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
        yield from self.text.sources()
        for child in self.children:
            yield from child.sources()
