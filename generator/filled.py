"""What travels from a template's reader to its drawing: an SVG filled from a row, and its texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from generator.geometry import Rect, Size
from generator.model import Art, Column, LackingWords, Value
from generator.place import Place
from generator.text import FontBook
from generator.text.style import Style


@dataclass(frozen=True, slots=True)
class TextBox:
    """Text that is to stand in a box instead of an element. Box and style are mm on the paper."""

    element: etree._Element
    text: str
    box: Rect
    style: Style
    motion: str  # the SVG transform that carries mm of the box to where the element stands
    name: str  # of the element, for messages: "front.svg:12: <text> {{ rules }}"


@dataclass(frozen=True, slots=True)
class Filled:
    """A template filled from a row: proven harmless, all but the texts of its boxes in it."""

    root: etree._Element
    boxes: tuple[TextBox, ...]
    lacking: tuple[LackingWords, ...] = ()  # of its other texts


class Template(Protocol):
    """A designer's SVG with placeholders, proven harmless as it stands."""

    @property
    def place(self) -> Place:
        """The line where its <svg> stands, its file without the game's folder: "front.svg:2"."""

    @property
    def size(self) -> Size:
        """What it is as large as, in mm."""

    @property
    def fonts(self) -> FontBook: ...

    @property
    def icons(self) -> Mapping[str, Art]: ...

    @property
    def palette(self) -> Mapping[str, str]: ...

    def columns(self) -> Sequence[Column]: ...

    def fill(self, row: Mapping[str, Value]) -> Filled:
        """Raises MisfitError for what cannot be worked out, or is not harmless once filled in."""
        ...
