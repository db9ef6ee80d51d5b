"""Where a PDF shows the glyphs of its fonts, by its operators alone (ISO 32000-1, 9.4)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pikepdf
from msgspec import Struct

from generator.basics.geometry import IDENTITY, Affine, Point, translation

_PAIR = re.compile(r"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]*)>")
_RANGE = re.compile(r"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")
_BLOCK = re.compile(r"begin(bfchar|bfrange)(.*?)end", re.DOTALL)


class ShownGlyph(Struct, frozen=True):
    """A glyph: its letters by the font's map, and its origin in points, y up."""

    text: str
    at: Point


def shown_glyphs(pdf: bytes, page: int = 0) -> list[ShownGlyph]:
    """The glyphs of a page in the order of painting, those of forms too."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        content = opened.pages[page].obj
        return list(_Reader(content.Resources, IDENTITY).read(content))


class _Reader:
    """Follows the operators of a page or a form; fonts are of two bytes a glyph, as all of ours."""

    def __init__(self, resources: Any, place: Affine) -> None:
        self._resources, self._place = resources, place
        self._places: list[Affine] = []
        self._font: Any = None
        self._size = self._rise = 0.0
        self._matrix = IDENTITY
        self._text = {"Tj": self._show, "TJ": self._show_array}

    def read(self, content: Any) -> Iterator[ShownGlyph]:
        for step in pikepdf.parse_content_stream(content):
            operator, operands = str(step.operator), list(step.operands)
            if operator == "Do":
                yield from self._form(operands[0])
            elif operator in self._text:
                yield from self._text[operator](operands[0])
            elif operator[0] == "T":
                self._set(operator, operands)
            else:
                self._move(operator, operands)

    def _form(self, name: Any) -> Iterator[ShownGlyph]:
        form = self._resources.XObject[name]
        if form.Subtype == "/Form":
            own = Affine(*map(float, form.get("/Matrix", list(IDENTITY))))
            inner = form.get("/Resources", self._resources)
            yield from _Reader(inner, self._place @ own).read(form)

    def _move(self, operator: str, operands: list[Any]) -> None:
        if operator == "q":
            self._places.append(self._place)
        elif operator == "Q":
            self._place = self._places.pop()
        elif operator == "cm":
            self._place = self._place @ Affine(*map(float, operands))

    def _set(self, operator: str, operands: list[Any]) -> None:
        if operator == "Tf":
            self._font = _ReadFont(self._resources.Font[operands[0]])
            self._size = float(operands[1])
        elif operator == "Ts":
            self._rise = float(operands[0])
        elif operator == "Tm":
            self._matrix = Affine(*map(float, operands))

    def _show_array(self, parts: Any) -> Iterator[ShownGlyph]:
        for part in parts:
            if isinstance(part, pikepdf.String):
                yield from self._show(part)
            else:
                self._advance(-float(part))

    def _show(self, text: Any) -> Iterator[ShownGlyph]:
        for code in _codes(bytes(text)):
            origin = (self._place @ self._matrix).apply(Point(0.0, self._rise))
            yield ShownGlyph(self._font.text(code), origin)
            self._advance(self._font.width(code))

    def _advance(self, thousandths: float) -> None:
        self._matrix = self._matrix @ translation(thousandths / 1000 * self._size, 0.0)


def _codes(text: bytes) -> Iterator[int]:
    return (text[at] << 8 | text[at + 1] for at in range(0, len(text), 2))


class _ReadFont:
    def __init__(self, font: Any) -> None:
        self._widths: dict[int, float] = {}
        self._texts: dict[int, str] = {}
        items = list(font.DescendantFonts[0].get("/W", []))
        while items:
            first, second = items[:2]
            if isinstance(second, pikepdf.Array):
                self._widths |= {int(first) + n: float(w) for n, w in enumerate(second)}
                items = items[2:]
            else:
                codes = range(int(first), int(second) + 1)
                self._widths |= dict.fromkeys(codes, float(items[2]))
                items = items[3:]
        for kind, block in _BLOCK.findall(font.ToUnicode.read_bytes().decode("latin-1")):
            if kind == "bfchar":
                for code, text in _PAIR.findall(block):
                    self._texts[int(code, 16)] = _decode(text)
                continue
            for first, last, text in _RANGE.findall(block):
                for step, code in enumerate(range(int(first, 16), int(last, 16) + 1)):
                    letters = _decode(text)
                    self._texts[code] = letters[:-1] + chr(ord(letters[-1]) + step)

    def width(self, code: int) -> float:
        return self._widths.get(code, 0.0)

    def text(self, code: int) -> str:
        return self._texts.get(code, "")


def _decode(text: str) -> str:
    return bytes.fromhex(text).decode("utf-16-be")
