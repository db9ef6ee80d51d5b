"""Take a text that an editor broke into lines, put each placeholder that it broke in one piece."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree
from msgspec import Struct


class _Words(Struct, frozen=True):
    """The words within an element before its first child, or those after it."""

    element: etree._Element
    is_tail: bool

    @property
    def text(self) -> str:
        return (self.element.tail if self.is_tail else self.element.text) or ""

    def say(self, text: str) -> None:
        if self.is_tail:
            self.element.tail = text
        else:
            self.element.text = text


def join_placeholders(text: etree._Element) -> None:
    """Moves the rest of a broken placeholder to where it begins; one that never ends stays."""
    broken: list[_Words] = []
    for words in _words(text):
        end, closing, rest = words.text.partition("}}")
        if broken and closing:
            broken[0].say("".join(one.text for one in broken) + end + closing)
            for one in broken[1:]:
                one.say("")
            words.say(rest)
            broken = []
        if broken or words.text.rfind("{{") > words.text.rfind("}}"):
            broken.append(words)


def _words(element: etree._Element) -> Iterator[_Words]:
    """All words of a text, in order."""
    yield _Words(element, is_tail=False)
    for child in element.iterchildren(etree.Element):
        yield from _words(child)
        yield _Words(child, is_tail=True)
