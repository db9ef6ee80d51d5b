"""Outlines that designers draw: of one element of an SVG, or around what a picture shows.

Curves become corners less than a hundredth of a millimetre off them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from math import hypot
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from generator.art.drawing import MAX_BYTES, Drawing, local, names_of, read_drawing
from generator.art.measure import chains_of, frame_of, numbers_in, transform_of, write_path
from generator.art.picture import refuse
from generator.art.pixels import FORMATS, make_printable
from generator.art.svg import document_faults
from generator.basics import shapes
from generator.basics.errors import MisfitError, Place, did_you_mean, fail, quote
from generator.basics.files import read_within
from generator.basics.geometry import IDENTITY, Affine, Point, Size, translation

if TYPE_CHECKING:  # a game without pictures does not load it
    from PIL import Image

MOST_CORNERS = 400
_MOST_POINTS = 30_000  # along its curves
_OFF_CURVE = 0.01  # mm
_LEAST = 5.0  # mm each way: the least that a hand can cut
_SHARPEST = 20.0  # degrees; a sharper corner tears off when it is cut
_MOST_STRAIGHT = 40  # corners of a polygon; what has more is drawn as a curve
_PART = re.compile(r"(.+?\.svgz?)(?:#(.+))?", re.IGNORECASE)
_FORMS = ("path", "circle", "ellipse", "rect", "polygon")
_ASIDE = ("defs", "symbol", "pattern", "marker", "mask", "clipPath")
_CURVES = re.compile("[CcSsQqTtAa]")
_PIXEL = 0.05  # mm
_OPAQUE = 128  # of 255
_DUST = 0.1  # mm²: specks of a picture that are no part of its piece
_ROUND = 0.3  # mm: the radius of the sharpest corners around a picture
_OFF_PICTURE = 0.05  # mm
_ARC = 0.01  # mm by which a rounded corner may leave its arc
_MOST_PAGE = 300.0  # mm


def read_outline(folder: Path, file: str, request: Place) -> shapes.DrawnShape:
    """The outline of an element of an SVG: "token.svg#shape", or "token.svg" if it has only one.

    `request` is the place that asks for it. Raises PnpError.
    """
    match = _PART.fullmatch(file)
    if match is None:
        hint = 'name an SVG and a part of it: "token.svg#cut"; around a picture: kind = "alpha"'
        raise fail(request, f"{quote(file)} is not a drawing with an outline", hint)
    content = read_within(folder, match[1], MAX_BYTES, request)
    place = Place.in_folder(folder, match[1])
    drawing = read_drawing(content, place)
    refuse(document_faults(drawing), place)
    element = drawing.root
    try:
        page, unit = frame_of(drawing.root)
        element = _find(drawing, match[2] or "")
        return _trace(drawing, element, page, unit)
    except MisfitError as error:
        raise fail(place.at_line(drawing.line(element)), str(error), error.hint) from None


def _find(drawing: Drawing, name: str) -> etree._Element:
    """The form of that name, or the only form in what has that name. Raises MisfitError."""
    holder = drawing.root
    if name:
        parts = {own: part for part in drawing.elements() for own in reversed(names_of(part))}
        if name not in parts:
            what = f"the drawing has no part {quote(name)}"
            raise MisfitError(what, did_you_mean(name, parts) or "a layer's name, or an id")
        holder = parts[name]
    forms = [
        form
        for form in holder.iter(etree.Element)
        if local(form) in _FORMS and not any(local(up) in _ASIDE for up in form.iterancestors())
    ]
    if local(holder) in _FORMS:
        return holder
    if len(forms) != 1:
        hint = 'name the path to cut along: "token.svg#cut", its id or label'
        within = f"<{local(holder)}> {quote(name)}" if name else "the drawing"
        raise MisfitError(f"{within} has {len(forms)} forms, not one to cut along", hint)
    return forms[0]


def _trace(drawing: Drawing, form: etree._Element, page: Size, unit: float) -> shapes.DrawnShape:
    """The outline of a form on its page; contours within it are holes. Raises MisfitError."""
    if any(local(up) == "svg" for up in list(form.iterancestors())[:-1]):
        raise MisfitError("the outline is in a nested <svg>", "put it into a plain group")
    path = write_path(form) or ""
    chains = sorted(chains_of(path), key=lambda chain: -abs(shapes.area(chain)))
    if not chains:
        raise MisfitError(f"<{local(form)}> has no outline", "draw a closed path")
    if sum(map(len, chains)) > _MOST_POINTS:
        raise MisfitError("the outline has too many curves", "simplify the path")
    place = _place(drawing, form, unit)
    rim, *holes = (shapes.simplified(_without_repeats(shapes.carried(chain, place)), _OFF_CURVE) for chain in chains)
    if aside := [hole for hole in holes if not shapes.holds_point(rim, hole[0])]:
        what = f"the outline has {len(aside) + 1} parts"
        raise MisfitError(what, "a piece is cut along one, with holes within it: unite the others")
    is_curved = bool(_CURVES.search(path)) or len(rim) > _MOST_STRAIGHT
    _check(rim)
    for hole in holes:
        _check_crossing(hole)
    return shapes.drawn("outline" if is_curved else "polygon", rim, page, holes)


def _place(drawing: Drawing, form: etree._Element, unit: float) -> Affine:
    """The map from the units of a form to mm of its page."""
    x, y = numbers_in(drawing.root.get("viewBox", ""))[:2]
    whole = IDENTITY
    for up in (form, *form.iterancestors()):
        whole = transform_of(drawing.find_own(up, "transform")) @ whole
    return Affine(unit, 0.0, 0.0, unit, -x * unit, -y * unit) @ whole


def _without_repeats(contour: shapes.Outline) -> shapes.Outline:
    """A contour without corners at the place of the one before, and without an end at its start."""
    near = _OFF_CURVE / 10
    kept: list[Point] = []
    for point in contour:
        if not kept or hypot(point.x - kept[-1].x, point.y - kept[-1].y) > near:
            kept.append(point)
    while len(kept) > 1 and hypot(kept[0].x - kept[-1].x, kept[0].y - kept[-1].y) <= near:
        kept.pop()
    return tuple(kept)


def _check(outline: shapes.Outline) -> None:
    """Raises MisfitError for an outline that cannot be cut."""
    box = shapes.box_of(outline)
    if len(outline) < 3 or min(box.width, box.height) < _LEAST:
        what = f"the outline is {box.width:.3g} × {box.height:.3g} mm, too small to cut"
        raise MisfitError(what, f"at least {_LEAST:g}mm each way")
    if len(outline) > MOST_CORNERS:
        what = f"the outline needs {len(outline):,} corners, more than {MOST_CORNERS}"
        raise MisfitError(what, "draw it with fewer and longer curves: simplify the path")
    _check_crossing(outline)
    for (x, y), angle, is_outward in shapes.angles(outline):
        if is_outward and angle < _SHARPEST:
            what = f"the outline's corner at {x:.1f}, {y:.1f} mm is too sharp to cut"
            raise MisfitError(what, f"at least {_SHARPEST:g} degrees; this is {angle:.0f}")


def _check_crossing(outline: shapes.Outline) -> None:
    """Raises MisfitError for a contour that crosses itself."""
    import pyclipper

    parts = pyclipper.SimplifyPolygon(shapes.path_of(outline), pyclipper.PFT_EVENODD)
    if sum(abs(shapes.area(shapes.outline_of(part))) > _DUST for part in parts) > 1:
        raise MisfitError("the outline crosses itself", "unite its parts into one contour")


def read_picture_outline(folder: Path, file: str, page: Size, margin: float, request: Place) -> shapes.DrawnShape:
    """The outline `margin` mm around the opaque part of a picture.

    The picture lies in the middle of a page (mm), as large as fits, as SVG puts it there. `request`
    is the place that asks for it. Raises PnpError.
    """
    suffix = PurePosixPath(file).suffix.lower()
    if suffix not in FORMATS:
        hint = f"one of {', '.join(FORMATS)}; for a path in an SVG: kind = 'outline'"
        raise fail(request, f"{quote(file)} is not a picture with an alpha channel", hint)
    if not _LEAST <= min(page) <= max(page) <= _MOST_PAGE:
        raise fail(request, f"a page of {page} is not that of a token", "5mm to 300mm each way")
    content = read_within(folder, file, MAX_BYTES, request)
    place = Place.in_folder(folder, file)
    try:
        printable = make_printable(content, FORMATS[suffix], is_alone=False)
        islands = _islands(printable.content, page)
        return shapes.drawn("outline", _around(islands, margin), page)
    except MisfitError as error:
        raise fail(place, str(error), error.hint) from None


def _islands(content: bytes, page: Size) -> list[shapes.Outline]:
    """The opaque parts of a picture in the middle of a page, in mm. Raises MisfitError."""
    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        alpha = image.convert("RGBA").getchannel("A")
    if np.asarray(alpha).min() >= _OPAQUE:
        hint = "save it as PNG with a transparent ground, or cut it along a path: kind = 'outline'"
        raise MisfitError("nothing around the picture is transparent", hint)
    by = min(page.width / alpha.width, page.height / alpha.height)
    size = Size(alpha.width * by, alpha.height * by)
    pixels = round(size.width / _PIXEL), round(size.height / _PIXEL)
    sampled = alpha.resize(pixels, Image.Resampling.BICUBIC)
    aside = translation((page.width - size.width) / 2, (page.height - size.height) / 2)
    step = aside @ Affine(a=size.width / sampled.width, d=size.height / sampled.height)
    parts = (shapes.carried(part, step) for part in _unite(sampled))
    islands = [part for part in parts if shapes.area(part) > _DUST]
    if not islands:
        raise MisfitError("the picture shows nothing", "it is transparent everywhere")
    return islands


def _unite(alpha: Image.Image) -> list[shapes.Outline]:
    """The opaque areas of an alpha channel, in pixels: the union of stretches of its rows."""
    import pyclipper

    opaque = np.asarray(alpha) >= _OPAQUE
    clipper = pyclipper.Pyclipper()
    first = 0
    for row in range(1, len(opaque) + 1):
        if row < len(opaque) and np.array_equal(opaque[row], opaque[first]):
            continue
        padded = np.concatenate(([0], opaque[first].astype(np.int8), [0]))
        ends = np.flatnonzero(np.diff(padded))
        for left, right in ends.reshape(-1, 2):
            box = ((left, first), (right, first), (right, row), (left, row))
            clipper.AddPath([(int(x), int(y)) for x, y in box], pyclipper.PT_SUBJECT, True)
        first = row
    if not opaque.any():
        return []
    rule = pyclipper.PFT_NONZERO
    united = clipper.Execute(pyclipper.CT_UNION, rule, rule)
    return [tuple(Point(*map(float, corner)) for corner in part) for part in united]


def _around(islands: Sequence[shapes.Outline], margin: float) -> shapes.Outline:
    """The one outline around islands, with rounded corners. Raises MisfitError."""
    found = list(islands)
    for by in (margin + _ROUND, -2 * _ROUND, _ROUND):
        found = _offset_round(found, by)
    outer = [part for part in found if shapes.area(part) > 0]
    if len(outer) > 1:
        what = f"the picture has {len(outer)} parts that a margin of {margin:g} mm does not join"
        raise MisfitError(what, "a wider margin, or a picture in one part")
    if not outer:
        raise MisfitError("the picture is too thin to cut around", "a wider margin")
    corners = shapes.simplified(outer[0], _OFF_PICTURE)
    _check(corners)
    return corners


def _offset_round(outlines: Sequence[shapes.Outline], by: float) -> list[shapes.Outline]:
    import pyclipper

    unit = shapes.path_of([(1.0, 0.0)])[0][0]
    offset = pyclipper.PyclipperOffset(2.0, _ARC * unit)
    paths = [shapes.path_of(outline) for outline in outlines]
    offset.AddPaths(paths, pyclipper.JT_ROUND, pyclipper.ET_CLOSEDPOLYGON)
    return [shapes.outline_of(path) for path in offset.Execute(by * unit)]
