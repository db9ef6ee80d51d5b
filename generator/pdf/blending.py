"""Colours of the engine's pages, limited to those that viewers blend right (pikepdf)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Object, Stream

from generator.pdf.reading import save_plain

_OF_COLOUR = frozenset({"g", "G", "rg", "RG", "sc", "SC", "scn", "SCN"})
_OF_CODING = {"/Length", "/Filter", "/DecodeParms"}
_Instruction = tuple[list[Any], str]  # operands, operator


class _Range(NamedTuple):
    """The values that red, green and blue may have, from 0 to 1."""

    least: float
    most: float

    def limit(self, value: object) -> object:
        """The nearest value; anything else, such as the name of a pattern, as it is."""
        if not isinstance(value, int | float | Decimal):
            return value
        return round(min(max(float(value), self.least), self.most), 5)


# One of 255 steps from the value for which viewers differ, and a hair, as some round it down; the
# result is the same.
_RANGES = {"/ColorDodge": _Range(0.0, 254 / 255), "/ColorBurn": _Range(1.2 / 255, 1.0)}


def suit_blending(content: bytes) -> bytes:
    """A PDF of the engine, with limits for the colours that it blends by color-dodge and
    color-burn.

    In CSS (Compositing 1, 10.1.7 and 10.1.8), black stays black under a dodge, and white stays
    white under a burn. In pdfium and poppler a full red, green or blue lightens black too, and an
    empty one darkens white, as ISO 32000-1 (11.3.5.2) says.
    """
    with pikepdf.open(io.BytesIO(content)) as drawing:
        limiter = _Limiter(drawing)
        for thing in list(drawing.objects):
            if isinstance(thing, Stream | Dictionary):
                limiter.limit_blended(thing)
        return save_plain(drawing)


class _Limiter:
    """Puts copies with limited colours in the place of what pages and forms blend."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._copies: dict[tuple[tuple[int, int], _Range], Object] = {}

    def limit_blended(self, holder: Object) -> None:
        """Limit the forms that a page or form shows in one of the blend modes."""
        resources = holder.get("/Resources", Dictionary())
        states = resources.get("/ExtGState", Dictionary())
        modes = {name: str(state.get("/BM", "")) for name, state in states.items()}
        if _RANGES.keys().isdisjoint(modes.values()):
            return
        is_page = not isinstance(holder, Stream)
        old = _parse(pikepdf.Page(holder) if is_page else holder)
        new = _unparse(self._rename(old, resources.XObject, modes))
        if is_page:
            holder.Contents = self._pdf.make_stream(new)
        else:
            holder.write(new)

    def _rename(
        self, content: Iterable[_Instruction], forms: Object, modes: dict[str, str]
    ) -> Iterator[_Instruction]:
        """The instructions, with a name of its own for each limited form."""
        mode, around = "", []
        for operands, operator in content:
            if operator == "q":
                around.append(mode)
            elif operator == "Q" and around:
                mode = around.pop()
            elif operator == "gs":
                mode = modes.get(str(operands[0])) or mode
            elif operator == "Do" and mode in _RANGES:
                name = f"{operands[0]}{mode[1:]}"
                forms[name] = self._limit(forms[str(operands[0])], _RANGES[mode])
                yield [pikepdf.Name(name)], operator
                continue
            yield operands, operator

    def _limit(self, thing: Object, range_: _Range) -> Object:
        """A copy of a form, picture, pattern or shading, with limited colours."""
        key = thing.objgen, range_
        if key not in self._copies or thing.objgen == (0, 0):
            self._copies[key] = self._copy(thing, range_)
        return self._copies[key]

    def _copy(self, thing: Object, range_: _Range) -> Object:
        if thing.get("/Subtype") == "/Image":
            return self._copy_picture(thing, range_)
        if isinstance(thing, Stream) and "/Resources" in thing:
            return self._copy_form(thing, range_)
        if isinstance(thing, Stream):
            return thing  # a mesh
        copy = Dictionary(dict(thing.items()))
        for name, change in (("/Shading", self._limit), ("/Function", _limit_function)):
            if name in copy:
                copy[name] = change(copy[name], range_)
        return self._pdf.make_indirect(copy)

    def _copy_form(self, form: Object, range_: _Range) -> Object:
        content = (
            (list(map(range_.limit, operands)) if operator in _OF_COLOUR else operands, operator)
            for operands, operator in _parse(form)
        )
        copy = self._pdf.make_stream(_unparse(content))
        for name in form.keys() - _OF_CODING:
            copy[name] = form[name]
        copy.Resources = Dictionary(dict(form.Resources.items()))
        for kind in ("/XObject", "/Pattern", "/Shading"):
            if kind in form.Resources:
                own = form.Resources[kind]
                copy.Resources[kind] = Dictionary(
                    {name: self._limit(thing, range_) for name, thing in own.items()}
                )
        return copy

    def _copy_picture(self, picture: Object, range_: _Range) -> Object:
        space = picture.get("/ColorSpace")
        colours = {"/DeviceRGB": 3, "/DeviceGray": 1}.get(str(space), 0)
        if isinstance(space, Array) and space[0] == "/ICCBased":
            colours = int(space[1].N)
        copy = self._pdf.make_stream(picture.read_raw_bytes())
        for name in picture.keys() - {"/Length"}:
            copy[name] = picture[name]
        if colours:
            copy.Decode = [*range_] * colours
        return copy


def _parse(form: Object | pikepdf.Page) -> Iterator[_Instruction]:
    """The instructions of a form or page; the engine writes no pictures among them."""
    for instruction in pikepdf.parse_content_stream(form):
        yield list(instruction.operands), str(instruction.operator)


def _unparse(content: Iterable[_Instruction]) -> bytes:
    return pikepdf.unparse_content_stream(
        [(operands, pikepdf.Operator(operator)) for operands, operator in content]
    )


def _limit_function(function: Object, range_: _Range) -> Object:
    """A copy of the function of a gradient; a function of another kind as it is."""
    if function.FunctionType not in (2, 3):
        return function
    copy = Dictionary(dict(function.items()))
    for name in ("/C0", "/C1"):
        if name in copy:
            copy[name] = Array([range_.limit(value) for value in copy[name]])
    if "/Functions" in copy:
        copy.Functions = Array([_limit_function(function, range_) for function in copy.Functions])
    return copy
