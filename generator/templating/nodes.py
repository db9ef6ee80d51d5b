"""What a template is read into: its elements, and the expressions in what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lxml import etree

from generator.templating.sandbox import Expression

Scope = Mapping[str, Any]


@dataclass(frozen=True)
class Wording:
    """A text as it stands, with expressions in it."""

    parts: tuple[str | Expression, ...]

    @cached_property
    def is_plain(self) -> bool:
        return all(isinstance(part, str) for part in self.parts)

    @cached_property
    def bare(self) -> str:
        """What stands there anyhow."""
        return "".join(part for part in self.parts if isinstance(part, str))

    def text(self, scope: Scope | None) -> str:
        """Without a scope what stands there anyhow. Raises MisfitError."""
        if scope is None or self.is_plain:
            return self.bare
        return "".join(part if isinstance(part, str) else part.text(scope) for part in self.parts)

    def sources(self) -> Iterator[str]:
        yield from (part.source for part in self.parts if isinstance(part, Expression))


@dataclass(slots=True, eq=False)
class Node:
    """An element of a template: what is drawn of it, when, how often, and with which words."""

    tag: str
    name: str
    line: int  # where its tag opens
    sourceline: int  # where it closes, which is what lxml knows
    attributes: dict[str, Wording] = field(default_factory=dict)
    told: dict[str, Wording] = field(default_factory=dict)  # by pnp:NAME, above all else
    text: Wording = Wording(())
    tail: Wording = Wording(())
    children: list[Node] = field(default_factory=list)
    only: tuple[Expression, ...] = ()  # drawn when all of them hold
    repeat: tuple[str, Expression] | None = None
    step: tuple[float, float] = (0.0, 0.0)
    box: str = ""
    least: float = 0.0
    valign: str = "top"
    hyphens: str = ""
    is_still: bool = False  # it and all in it are drawn alike for every row
    drawn: etree._Element | None = None  # what is still, once it was drawn
    elements: int = 1  # it and all in it

    def settle(self) -> None:
        """Call it once all is in it."""
        worded = (*self.attributes.values(), self.text, *(child.tail for child in self.children))
        is_told = self.told or self.only or self.repeat or self.box
        self.is_still = (
            not (is_told or self.name == "image")
            and all(wording.is_plain for wording in worded)
            and all(child.is_still for child in self.children)
        )
        self.elements += sum(child.elements for child in self.children)

    def sources(self) -> Iterator[str]:
        """The expressions in its words."""
        yield from self.text.sources()
        for child in self.children:
            yield from child.sources()
