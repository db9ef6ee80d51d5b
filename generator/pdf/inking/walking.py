"""Colours of all that the pages of a finished file show, each changed once (pikepdf).

They are in the operators of a page, form or tile, and in the functions of shadings.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pikepdf
from msgspec import Struct, field
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name, Operator, Stream
from pikepdf import ContentStreamInstruction as Instruction

from generator.basics.geometry import decimal
from generator.pdf.inking import spaces
from generator.pdf.mixing import Mixer, is_grey

_PATH = frozenset(["m", "l", "c", "v", "y", "re", "h"])
_FILLING = frozenset(["f", "F", "f*", "B", "B*", "b", "b*"])
_STROKING = frozenset(["S", "s", "B", "B*", "b", "b*"])
_PAINTING = _FILLING | _STROKING | {"n"}
_WORDS = frozenset(["Tj", "TJ", "'", '"'])
_SPACE = {"cs": "fill", "CS": "stroke"}
_COLOUR = {"sc": "fill", "scn": "fill", "SC": "stroke", "SCN": "stroke"}
_DEVICE: dict[str, tuple[str, spaces.Space]] = {
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
_STEPS = 65  # samples of a gradient between two stops
_MOST = 4096  # samples of a gradient that is sampled already
Table = NDArray[np.float64]


def ink_pages(pdf: pikepdf.Pdf, content: bytes, mixer: Mixer, limit: float) -> None:
    """Give all pages of an opened file inks in the place of colours; `content` is its bytes.

    Raises PnpError for what cannot be printed so.
    """
    with pikepdf.open(io.BytesIO(content)) as twin:
        masks = _InkWalker(pdf, spaces.GreyMap(), spaces.PictureGreyer())
        inker = _InkWalker(pdf, spaces.InkMap(mixer), spaces.PictureInker(mixer, limit), masks, twin)
        for page in pdf.pages:
            inker.walk(page.obj)
        inker.drop_spaces()
        masks.drop_spaces()


def check_inks(pdf: pikepdf.Pdf) -> None:
    """Change the pages of an opened file, to raise what `ink_pages` raises for them."""
    for page in pdf.pages:
        _InkWalker(pdf, spaces.GreyMap(), spaces.PictureGreyer()).walk(page.obj)


class _InkWalker:
    """Changes the colours of pages, and of forms, tiles and gradients in their resources."""

    def __init__(
        self,
        pdf: pikepdf.Pdf,
        colours: spaces.ColourMap,
        pictures: spaces.PictureInker | spaces.PictureGreyer,
        masks: _InkWalker | None = None,
        twin: pikepdf.Pdf | None = None,
    ) -> None:
        """`masks` makes masks grey, of copies from `twin`, the same file unchanged, since a page
        may show the same form in colours. Without, it walks in such a copy."""
        self._pdf, self._colours, self._pictures = pdf, colours, pictures
        self._masks, self._twin = masks, twin
        self._done: set[tuple[int, int]] = set()
        self._shadings: dict[tuple[int, int], pikepdf.Object] = {}
        self._spent: list[pikepdf.Object] = []  # resources

    def walk(self, start: pikepdf.Object) -> None:
        """Change a page or form, and all that it shows."""
        waiting = [start]
        while waiting:
            thing = waiting.pop()
            if not self._is_new(thing):
                continue
            if thing.get("/Subtype") == "/Image":
                if not thing.get("/ImageMask"):
                    self._pictures.change(thing)
                continue
            resources = thing.get("/Resources", Dictionary())
            self._change(thing, resources)
            waiting += self._change_resources(resources)

    def drop_spaces(self) -> None:
        """Drop the colour spaces of all that was changed. This comes last: they are shared."""
        for resources in self._spent:
            if "/ColorSpace" in resources:
                del resources["/ColorSpace"]

    def _is_new(self, thing: pikepdf.Object) -> bool:
        if thing.objgen == (0, 0):
            return True
        is_new = thing.objgen not in self._done
        self._done.add(thing.objgen)
        return is_new

    def _change(self, thing: pikepdf.Object, resources: pikepdf.Object) -> None:
        if thing.get("/Subtype") == "/PS":
            raise spaces.strange("a program")
        recolourer = _Recolourer(dict(resources.get("/ColorSpace", Dictionary()).items()), self._colours)
        for instruction in parse(thing):
            recolourer.add(instruction)
        content = pikepdf.unparse_content_stream(recolourer.written)
        if isinstance(thing, Stream):
            thing.write(content)
        else:
            thing.Contents = self._pdf.make_stream(content)
        if "/Group" in thing:
            thing.Group = Dictionary(dict(thing.Group.items()))
            thing.Group.CS = self._colours.group_space

    def _change_resources(self, resources: pikepdf.Object) -> Iterator[pikepdf.Object]:
        """Yields the forms, tiles and pictures; changes all else."""
        self._spent.append(resources)
        yield from resources.get("/XObject", Dictionary()).values()
        for pattern in resources.get("/Pattern", Dictionary()).values():
            if isinstance(pattern, Stream):
                yield pattern
            elif self._is_new(pattern):
                pattern.Shading = self._shading(pattern.Shading)
        shadings = resources.get("/Shading", Dictionary())
        for name in list(shadings.keys()):
            shadings[name] = self._shading(shadings[name])
        for state in resources.get("/ExtGState", Dictionary()).values():
            mask = state.get("/SMask")
            if isinstance(mask, Dictionary) and self._is_new(state):
                yield from self._change_mask(state, mask)
        for font in resources.get("/Font", Dictionary()).values():
            if font.get("/Subtype") == "/Type3" and self._is_new(font):
                yield from self._change_font(font)

    def _change_mask(self, state: pikepdf.Object, mask: Dictionary) -> Iterator[pikepdf.Object]:
        copy = Dictionary(dict(mask.items()))
        if "/BC" in copy:
            space = spaces.name_space(mask.G.Group.get("/CS", Name.DeviceGray))
            copy.BC = Array([*spaces.GreyMap().convert(spaces.to_rgb(copy.BC, space), "area")])
        if self._masks and self._twin:
            copy.G = self._pdf.copy_foreign(self._twin.get_object(mask.G.objgen))
            self._masks.walk(copy.G)
        else:
            yield mask.G
        state.SMask = copy

    def _change_font(self, font: pikepdf.Object) -> Iterator[pikepdf.Object]:
        """Change the glyphs of a font of drawings."""
        resources = font.get("/Resources", Dictionary())
        for glyph in font.CharProcs.values():
            if self._is_new(glyph):
                self._change(glyph, resources)
        yield from self._change_resources(resources)

    def _shading(self, shading: pikepdf.Object) -> pikepdf.Object:
        key = shading.objgen
        if key not in self._shadings or key == (0, 0):
            self._shadings[key] = new = recolour_shading(self._pdf, shading, self._colours)
            self._shadings[new.objgen] = new
        return self._shadings[key]


class _Paint(Struct, frozen=True):
    """A colour that was set; `pattern` has the operands of a pattern in its place."""

    space: spaces.Space = "grey"
    colour: spaces.Rgb | None = None
    pattern: tuple[Any, ...] | None = None


class _State(Struct):
    """The colours that were set, those that are written, and the scale of the drawing."""

    paints: dict[str, _Paint] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)
    matrix: pikepdf.Matrix = field(default_factory=pikepdf.Matrix)

    def copy(self) -> _State:
        return _State(dict(self.paints), dict(self.written), self.matrix)


def parse(thing: pikepdf.Object) -> Iterator[Instruction]:
    """The instructions of a page or stream. Raises PnpError for a picture among them."""
    is_page = not isinstance(thing, pikepdf.Stream)
    for instruction in pikepdf.parse_content_stream(pikepdf.Page(thing) if is_page else thing):
        if isinstance(instruction, pikepdf.ContentStreamInlineImage):
            raise spaces.strange("a picture among the operators")
        yield instruction


class _Recolourer:
    def __init__(self, spaces: Mapping[str, pikepdf.Object], colours: spaces.ColourMap) -> None:
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
            name = str(operands[0])
            space = spaces.name_space(self._spaces.get(name, Name(name)))
            paints[_SPACE[operator]] = _Paint(space, None if space == "pattern" else (0, 0, 0))
        elif operator in _COLOUR:
            kind = _COLOUR[operator]
            space = paints.get(kind, _Paint()).space
            paints[kind] = _paint(operands, space)
        elif operator in _DEVICE:
            kind, space = _DEVICE[operator]
            paints[kind] = _paint(operands, space)
        else:
            raise spaces.strange("a colour that is CMYK already")

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

    def _use_of_area(self, start: int) -> spaces.Use:
        paint = self._state.paints.get("fill", _Paint())
        colour = paint.colour
        if colour is None or max(colour) > _DARK or not is_grey(colour):
            return "area"
        return "black" if self._is_large(self.written[start:]) else "area"

    def _is_large(self, path: list[Instruction]) -> bool:
        xs, ys = [], []
        for instruction in path:
            numbers = [float(operand) for operand in instruction.operands]
            if str(instruction.operator) == "re":
                x, y, width, height = numbers
                numbers = [x, y, x + width, y + height]
            for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                across, down = self._state.matrix.transform((x, y))
                xs.append(across)
                ys.append(down)
        return bool(xs) and max(xs) - min(xs) >= _LARGE and max(ys) - min(ys) >= _LARGE

    def _write(self, kind: str, use: spaces.Use, place: int) -> None:
        """Set the colour of fills or strokes before a place, if it is not set."""
        paint = self._state.paints.get(kind)
        if paint is None or (paint.colour is None and paint.pattern is None):
            return  # that of what shows this form
        new = self._operators(kind, paint, use)
        if self._state.written.get(kind) == new:
            return
        self._state.written[kind] = new
        self.written[place:place] = [Instruction(list(operands), Operator(operator)) for operands, operator in new]

    def _operators(self, kind: str, paint: _Paint, use: spaces.Use) -> Any:
        if paint.pattern is not None:
            names = ("cs", "scn") if kind == "fill" else ("CS", "SCN")
            return ((pikepdf.Name.Pattern,), names[0]), (paint.pattern, names[1])
        assert paint.colour is not None
        values = self._colours.convert(paint.colour, use)
        numbers = tuple(Decimal(decimal(value, 5)) for value in values)
        return ((numbers, _WRITTEN[kind, len(numbers)]),)


def _paint(operands: list[Any], space: spaces.Space) -> _Paint:
    if space == "pattern":
        return _Paint(space, pattern=tuple(operands))
    return _Paint(space, spaces.to_rgb(operands, space))


def recolour_shading(pdf: pikepdf.Pdf, shading: pikepdf.Object, colours: spaces.ColourMap) -> pikepdf.Object:
    """A shading with other colours (ISO 32000-1, 8.7.4.5). Raises PnpError for a mesh."""
    if int(shading.ShadingType) not in (2, 3):
        raise spaces.strange(f"a gradient of the type {shading.ShadingType}")
    space = spaces.name_space(shading.ColorSpace)
    copy = Dictionary(dict(shading.items()))
    copy.ColorSpace = colours.group_space
    copy.Function = _recolour(pdf, shading.Function, space, colours)
    if "/Background" in copy:
        copy.Background = Array([*colours.convert(spaces.to_rgb(copy.Background, space), "area")])
    return pdf.make_indirect(copy)


def _recolour(
    pdf: pikepdf.Pdf, function: pikepdf.Object, space: spaces.Space, colours: spaces.ColourMap
) -> pikepdf.Object:
    """A function from a place on the gradient to its new colour."""
    if not isinstance(function, Array) and int(function.FunctionType) == 3:
        copy = Dictionary(dict(function.items()))
        copy.Functions = Array([_recolour(pdf, part, space, colours) for part in function.Functions])
        if "/Range" in copy:
            del copy["/Range"]
        return pdf.make_indirect(copy)
    parts = list(function) if isinstance(function, Array) else [function]
    low, high = (float(end) for end in parts[0].Domain)
    sampled = (int(part.Size[0]) for part in parts if int(part.FunctionType) == 0)
    places = np.linspace(low, high, max(_STEPS, *sampled, 0))
    values = np.concatenate([_evaluate(part, places) for part in parts], axis=-1)
    run = [spaces.to_rgb(value, space) for value in values]
    return _sample(pdf, (low, high), colours.convert_run(run))


def _evaluate(function: pikepdf.Object, places: Table) -> Table:
    """The values of a function at places (ISO 32000-1, 7.10)."""
    match int(function.FunctionType):
        case 0:
            return _evaluate_samples(function, places)
        case 2:
            first, last = (
                np.array([float(number) for number in function.get(name, default)])
                for name, default in (("/C0", [0]), ("/C1", [1]))
            )
            return np.asarray(first + (places ** float(function.N))[:, None] * (last - first))
        case other:
            raise spaces.strange(f"a gradient with a function of the type {other}")


def _evaluate_samples(function: pikepdf.Object, places: Table) -> Table:
    count, bits = int(function.Size[0]), int(function.BitsPerSample)
    if len(function.Size) > 1 or bits not in (8, 16) or not 1 < count <= _MOST:
        raise spaces.strange("a gradient with samples of this kind")
    ends = np.array([float(number) for number in function.get("/Decode", function.Range)]).reshape(-1, 2)
    data = np.frombuffer(function.read_bytes(), ">u2" if bits == 16 else "u1")
    samples = data[: count * len(ends)].reshape(count, len(ends)) / (2**bits - 1)
    values = ends[:, 0] + samples * (ends[:, 1] - ends[:, 0])
    low, high = (float(end) for end in function.Domain)
    at = (places - low) / (high - low) * (count - 1)
    return np.stack([np.interp(at, np.arange(count), column) for column in values.T], axis=-1)


def _sample(pdf: pikepdf.Pdf, domain: tuple[float, float], values: Sequence[tuple[float, ...]]) -> pikepdf.Object:
    """A sampled function; samples are rounded down, so that they keep to the limit of ink."""
    count = len(values[0])
    samples = np.floor(np.array(values) * 255 + 1e-3).astype(np.uint8)
    stream = pdf.make_stream(samples.tobytes())
    stream.FunctionType = 0
    stream.Domain, stream.Range = Array([*domain]), Array([0, 1] * count)
    stream.Size, stream.BitsPerSample = Array([len(values)]), 8
    return stream
