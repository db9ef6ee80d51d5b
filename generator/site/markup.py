"""Take names and texts, write HTML; a text never becomes markup."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_VOID = {"img", "meta", "link", "br"}


class Markup(str):
    """Finished HTML. Any other text is escaped when an element takes it."""

    __slots__ = ()


Child = str | None | Iterable["Child"]


def element(name: str, /, *children: Child, **attributes: str | int | None) -> Markup:
    """An element. An attribute that is None is left out; `class_` is class, `aria_label` is
    aria-label."""
    names = {key: key.rstrip("_").replace("_", "-") for key in attributes}
    said = "".join(
        f' {names[key]}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{said}>")
    return Markup(f"<{name}{said}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Parts one after another."""
    return Markup("".join(map(_write, children)))


def _write(child: Child) -> str:
    match child:
        case None:
            return ""
        case Markup():
            return child
        case str():
            return escape(child, quote=False)
        case _:
            return join(*child)
