"""The values between a template's reader and its drawing: a filled SVG and its texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lxml import etree
from msgspec import Struct

from generator.basics.geometry import Rect, Size
from generator.basics.place import Place
from generator.model import Art, Column, FaceFault, LackingWords, Value
from generator.text import FontBook
from generator.text.style import Style


class TextBox(Struct, frozen=True):
    """A text to set in a box, in place of an element. Box and style are in mm on paper."""

    element: etree._Element
    text: str
    box: Rect
    style: Style
    motion: str  # the SVG transform from mm of the box to the element's place
    name: str  # of the element, for messages: "<text> {{ rules }}"
    place: Place  # of the element


class Filled(Struct, frozen=True):
    """A template filled from a row and proven harmless, without the texts of its boxes. Where an
    expression fails, something stands in for its value."""

    root: etree._Element
    boxes: tuple[TextBox, ...]
    lacking: tuple[LackingWords, ...] = ()  # of its other texts
    faults: tuple[FaceFault, ...] = ()


class Template(Protocol):
    """A designer's SVG with placeholders, proven harmless before it is filled."""

    @property
    def place(self) -> Place:
        """The line of its <svg>."""

    @property
    def size(self) -> Size:
        """Its size in mm."""

    def fill(self, row: Mapping[str, Value]) -> Filled:
        """Fills it. Raises MisfitError if an expression fails or the result is not harmless."""
        ...


class Templates(Protocol):
    """The templates of a side: the same for each row, or one that its cells choose."""

    @property
    def fonts(self) -> FontBook: ...

    @property
    def icons(self) -> Mapping[str, Art]: ...

    @property
    def palette(self) -> Mapping[str, str]: ...

    def columns(self) -> Sequence[Column]:
        """The columns that any of them reads."""

    def reads(self, row: Mapping[str, Value]) -> Sequence[str]:
        """The names of the columns on which the face of a row depends. Rows that differ in these
        names differ in the cells of the first ones."""

    def choose(self, row: Mapping[str, Value]) -> Template:
        """The template of a row."""
