"""Take the operators of a page, form or tile, change their colours (pikepdf).

A colour is written where it is used, not where it was set: only there it is known whether it is of
words, lines or areas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import pikepdf
from msgspec import Struct, field
from pikepdf import ContentStreamInstruction as Instruction
from pikepdf import Operator

from generator.basics.geometry import decimal
from generator.pdf.inking.spaces import ColourMap, Rgb, Space, Use, name_space, strange, to_rgb
from generator.pdf.inks.mixing import is_grey

_PATH = frozenset(["m", "l", "c", "v", "y", "re", "h"])
_FILLING = frozenset(["f", "F", "f*", "B", "B*", "b", "b*"])
_STROKING = frozenset(["S", "s", "B", "B*", "b", "b*"])
_PAINTING = _FILLING | _STROKING | {"n"}
_WORDS = frozenset(["Tj", "TJ", "'", '"'])
_SPACE = {"cs": "fill", "CS": "stroke"}
_COLOUR = {"sc": "fill", "scn": "fill", "SC": "stroke", "SCN": "stroke"}
_DEVICE: dict[str, tuple[str, Space]] = {
    "g": ("fill", "grey"),
    "rg": ("fill", "rgb"),
    "G": ("stroke", "grey"),
    "RG": ("stroke", "rgb"),
}
_SETTING = {*_SPACE, *_COLOUR, *_DEVICE, "k", "K"}
_NESTING = frozenset(["q", "Q", "cm"])
_WRITTEN = {  # by the number of values
    ("fill", 4): "k",
    ("stroke", 4): "K",
    ("fill", 1): "g",
    ("stroke", 1): "G",
}
_LARGE = 8 * 72 / 25.4  # points: a black area as wide and high is grey in black ink alone
_DARK = 33  # of 255: a grey that is as dark is black


class _Paint(Struct, frozen=True):
    """A colour that was set; `pattern` has the operands of a pattern in its place."""

    space: Space = "grey"
    colour: Rgb | None = None
    pattern: tuple[Any, ...] | None = None


class _State(Struct):
    """The colours that were set, those that are written, and the scale of the drawing."""

    paints: dict[str, _Paint] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)
    matrix: pikepdf.Matrix = field(default_factory=pikepdf.Matrix)

    def copy(self) -> _State:
        return _State(dict(self.paints), dict(self.written), self.matrix)


def recolour(
    content: Iterable[Instruction], spaces: Mapping[str, pikepdf.Object], colours: ColourMap
) -> bytes:
    """The operators with other colours; `spaces` are the colour spaces by name."""
    recolourer = _Recolourer(spaces, colours)
    for instruction in content:
        recolourer.add(instruction)
    return pikepdf.unparse_content_stream(recolourer.written)


def parse(thing: pikepdf.Object) -> Iterator[Instruction]:
    """The instructions of a page or stream. Raises PnpError for a picture among them."""
    is_page = not isinstance(thing, pikepdf.Stream)
    for one in pikepdf.parse_content_stream(pikepdf.Page(thing) if is_page else thing):
        if isinstance(one, pikepdf.ContentStreamInlineImage):
            raise strange("a picture among the operators")
        yield one


class _Recolourer:
    def __init__(self, spaces: Mapping[str, pikepdf.Object], colours: ColourMap) -> None:
        self.written: list[Instruction] = []
        self._spaces, self._colours = spaces, colours
        self._state = _State()
        self._around: list[_State] = []
        self._path: int | None = None  # where the path began

    def add(self, instruction: Instruction) -> None:
        operator = str(instruction.operator)
        if operator in _SETTING:
            self._set(list(instruction.operands), operator)
            return
        if operator in _PATH:
            self._path = len(self.written) if self._path is None else self._path
        elif operator in _PAINTING:
            self._paint(operator)
        elif operator in _WORDS:
            self._write("fill", "fine", len(self.written))
        elif operator == "Do":
            self._write("fill", "area", len(self.written))
            self._write("stroke", "fine", len(self.written))
        elif operator in _NESTING:
            self._track(instruction, operator)
        self.written.append(instruction)

    def _set(self, operands: list[Any], operator: str) -> None:
        """Keep a colour or a colour space for what is painted next."""
        paints = self._state.paints
        if operator in _SPACE:
            space = self._find(str(operands[0]))
            paints[_SPACE[operator]] = _Paint(space, None if space == "pattern" else (0, 0, 0))
        elif operator in _COLOUR:
            kind = _COLOUR[operator]
            space = paints.get(kind, _Paint()).space
            paints[kind] = _paint(operands, space)
        elif operator in _DEVICE:
            kind, space = _DEVICE[operator]
            paints[kind] = _paint(operands, space)
        else:
            raise strange("a colour that is CMYK already")

    def _find(self, name: str) -> Space:
        space = self._spaces.get(name)
        return name_space(pikepdf.Name(name) if space is None else space)

    def _track(self, instruction: Instruction, operator: str) -> None:
        if operator == "q":
            self._around.append(self._state.copy())
        elif operator == "Q" and self._around:
            self._state = self._around.pop()
        elif operator == "cm":
            change = pikepdf.Matrix(*map(float, instruction.operands))
            self._state.matrix = change @ self._state.matrix

    def _paint(self, operator: str) -> None:
        start = len(self.written) if self._path is None else self._path
        if operator in _FILLING:
            self._write("fill", self._use_of_area(start), start)
        if operator in _STROKING:
            self._write("stroke", "fine", start)
        self._path = None

    def _use_of_area(self, start: int) -> Use:
        paint = self._state.paints.get("fill", _Paint())
        colour = paint.colour
        if colour is None or max(colour) > _DARK or not is_grey(colour):
            return "area"
        return "black" if self._is_large(self.written[start:]) else "area"

    def _is_large(self, path: list[Instruction]) -> bool:
        xs, ys = [], []
        for instruction in path:
            numbers = [float(one) for one in instruction.operands]
            if str(instruction.operator) == "re":
                x, y, width, height = numbers
                numbers = [x, y, x + width, y + height]
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                across, down = self._state.matrix.transform((x, y))
                xs.append(across)
                ys.append(down)
        return bool(xs) and max(xs) - min(xs) >= _LARGE and max(ys) - min(ys) >= _LARGE

    def _write(self, kind: str, use: Use, place: int) -> None:
        """Set the colour of fills or strokes before a place, if it is not set."""
        paint = self._state.paints.get(kind)
        if paint is None or (paint.colour is None and paint.pattern is None):
            return  # that of what shows this form
        new = self._operators(kind, paint, use)
        if self._state.written.get(kind) == new:
            return
        self._state.written[kind] = new
        self.written[place:place] = [
            Instruction(list(operands), Operator(operator)) for operands, operator in new
        ]

    def _operators(self, kind: str, paint: _Paint, use: Use) -> Any:
        if paint.pattern is not None:
            names = ("cs", "scn") if kind == "fill" else ("CS", "SCN")
            return ((pikepdf.Name.Pattern,), names[0]), (paint.pattern, names[1])
        assert paint.colour is not None
        values = self._colours.convert(paint.colour, use)
        numbers = tuple(Decimal(decimal(value, 5)) for value in values)
        return ((numbers, _WRITTEN[kind, len(numbers)]),)


def _paint(operands: list[Any], space: Space) -> _Paint:
    if space == "pattern":
        return _Paint(space, pattern=tuple(operands))
    return _Paint(space, to_rgb(operands, space))
