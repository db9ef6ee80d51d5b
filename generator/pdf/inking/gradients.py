"""Take the shadings of a file, change the colours of their functions (pikepdf).

A gradient is sampled: between two colours, inks do not change in proportion to red, green and blue.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pikepdf
from numpy.typing import NDArray
from pikepdf import Array, Dictionary

from generator.pdf.inking.spaces import ColourMap, Space, name_space, strange, to_rgb

_STEPS = 65  # samples of a gradient between two stops
_MOST = 4096  # samples of a gradient that is sampled already
Table = NDArray[np.float64]


def recolour_shading(
    pdf: pikepdf.Pdf, shading: pikepdf.Object, colours: ColourMap
) -> pikepdf.Object:
    """A shading with other colours (ISO 32000-1, 8.7.4.5). Raises PnpError for a mesh."""
    if int(shading.ShadingType) not in (2, 3):
        raise strange(f"a gradient of the type {shading.ShadingType}")
    space = name_space(shading.ColorSpace)
    copy = Dictionary(dict(shading.items()))
    copy.ColorSpace = colours.group_space
    copy.Function = _recolour(pdf, shading.Function, space, colours)
    if "/Background" in copy:
        copy.Background = Array([*colours.convert(to_rgb(copy.Background, space), "area")])
    return pdf.make_indirect(copy)


def _recolour(
    pdf: pikepdf.Pdf, function: pikepdf.Object, space: Space, colours: ColourMap
) -> pikepdf.Object:
    """A function from a place on the gradient to its new colour."""
    if not isinstance(function, Array) and int(function.FunctionType) == 3:
        copy = Dictionary(dict(function.items()))
        copy.Functions = Array([_recolour(pdf, one, space, colours) for one in function.Functions])
        if "/Range" in copy:
            del copy["/Range"]
        return pdf.make_indirect(copy)
    parts = list(function) if isinstance(function, Array) else [function]
    low, high = (float(end) for end in parts[0].Domain)
    places = np.linspace(low, high, max(_STEPS, *map(_count, parts)))
    values = np.concatenate([_evaluate(one, places) for one in parts], axis=-1)
    run = [to_rgb(value, space) for value in values]
    return _sample(pdf, (low, high), colours.convert_run(run))


def _count(function: pikepdf.Object) -> int:
    """The number of samples of a function, 0 if it has none."""
    return int(function.Size[0]) if int(function.FunctionType) == 0 else 0


def _evaluate(function: pikepdf.Object, places: Table) -> Table:
    """The values of a function at places (ISO 32000-1, 7.10)."""
    match int(function.FunctionType):
        case 0:
            return _evaluate_samples(function, places)
        case 2:
            first, last = (
                np.array([float(one) for one in function.get(name, default)])
                for name, default in (("/C0", [0]), ("/C1", [1]))
            )
            return np.asarray(first + (places ** float(function.N))[:, None] * (last - first))
        case other:
            raise strange(f"a gradient with a function of the type {other}")


def _evaluate_samples(function: pikepdf.Object, places: Table) -> Table:
    count, bits = int(function.Size[0]), int(function.BitsPerSample)
    if len(function.Size) > 1 or bits not in (8, 16) or not 1 < count <= _MOST:
        raise strange("a gradient with samples of this kind")
    ends = np.array([float(one) for one in function.get("/Decode", function.Range)]).reshape(-1, 2)
    data = np.frombuffer(function.read_bytes(), ">u2" if bits == 16 else "u1")
    samples = data[: count * len(ends)].reshape(count, len(ends)) / (2**bits - 1)
    values = ends[:, 0] + samples * (ends[:, 1] - ends[:, 0])
    low, high = (float(end) for end in function.Domain)
    at = (places - low) / (high - low) * (count - 1)
    columns = [np.interp(at, np.arange(count), column) for column in values.T]
    return np.stack(columns, axis=-1)


def _sample(
    pdf: pikepdf.Pdf, domain: tuple[float, float], values: Sequence[tuple[float, ...]]
) -> pikepdf.Object:
    """A sampled function; samples are rounded down, so that they keep to the limit of ink."""
    count = len(values[0])
    samples = np.floor(np.array(values) * 255 + 1e-3).astype(np.uint8)
    stream = pdf.make_stream(samples.tobytes())
    stream.FunctionType = 0
    stream.Domain, stream.Range = Array([*domain]), Array([0, 1] * count)
    stream.Size, stream.BitsPerSample = Array([len(values)]), 8
    return stream
