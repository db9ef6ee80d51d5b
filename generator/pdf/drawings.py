"""Take the engine's pages, write each as a form, in groups, when one is needed first (pikepdf)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pikepdf

from generator.pdf.carrying import Carrier
from generator.pdf.faces import Typeset
from generator.pdf.syntax import write_dictionary
from generator.pdf.viewers import suit_viewers
from generator.pdf.words import COLOURED, GREY
from generator.pdf.writing import PdfWriter

_SPACES = {1: GREY, 3: COLOURED}  # by the number of colours
_DEVICE = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB}
_MAKER, _ENGINE = slice(48, 56), b"sawsctrl"  # of a profile; of that in typst 0.15, sRGB
_ARTIFACT = b"/Artifact BMC\n"
_END = b"EMC"
_TOGETHER = 1000  # pages that the engine draws at once; it keeps them all until it is done


class DrawnForms:
    """The forms of the engine's pages, by number. `describe` gives further entries of each form;
    `has_profiles`: with the engine's profiles of colours."""

    def __init__(
        self,
        writer: PdfWriter,
        typeset: Typeset,
        describe: Callable[[int], Mapping[str, object]],
        *,
        has_profiles: bool,
    ) -> None:
        self._writer, self._typeset, self._describe = writer, typeset, describe
        self._has_profiles = has_profiles
        self._carrier = Carrier(writer)
        self._forms: dict[int, str] = {}

    def form(self, number: int) -> str:
        """The reference to the form of a page."""
        if number not in self._forms:
            self._write_group(number - number % _TOGETHER)
        return self._forms[number]

    def spaces(self) -> str:
        """The reference to the colour spaces of the engine, by the names that words use."""
        with self._opened(self._typeset.draw_swatches()) as drawing:
            spaces = drawing.pages[0].obj.Resources.ColorSpace
            named = {
                _SPACES[_count_colours(space)]: self._carrier.carry(space)
                for space in spaces.values()
            }
        return self._writer.add(write_dictionary(dict(sorted(named.items()))))

    def _write_group(self, start: int) -> None:
        end = min(start + _TOGETHER, self._typeset.pages)
        with self._opened(self._typeset.draw(start, end)) as drawing:
            for number, page in enumerate(drawing.pages, start):
                form = _as_form(page.obj)
                _untag(form)
                self._forms[number] = self._carrier.carry_form(form, self._describe(number))

    @contextmanager
    def _opened(self, pages: bytes) -> Iterator[pikepdf.Pdf]:
        self._carrier.open()
        with pikepdf.open(io.BytesIO(pages)) as drawing:
            suit_viewers(pages, drawing)
            if not self._has_profiles:
                _drop_profiles(pages, drawing)
            yield drawing


def _count_colours(space: Any) -> int:
    if isinstance(space, pikepdf.Array):
        return int(space[1].N)
    return 1 if space == pikepdf.Name.DeviceGray else 3


def _as_form(page: pikepdf.Object) -> pikepdf.Object:
    """Turn the content of a page into a form in place; pikepdf's way would compress it again."""
    form = page.Contents
    form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    form.BBox, form.Resources = page.MediaBox, page.Resources
    if "/Group" in page:
        form.Group = page.Group
    return form


def _untag(form: pikepdf.Object) -> None:
    """Remove the engine's artifact mark, so that a form belongs to the content that draws it."""
    content = form.read_bytes()
    if content.startswith(_ARTIFACT) and content.rstrip().endswith(_END):
        form.write(content.rstrip()[len(_ARTIFACT) : -len(_END)])


def _drop_profiles(content: bytes, drawing: pikepdf.Pdf) -> None:
    """Drop the engine's colour profiles: they are every screen's default, and reading them takes as
    long as painting a face."""
    for page in drawing.pages:
        spaces = page.obj.Resources.get("/ColorSpace", pikepdf.Dictionary())
        for name, space in spaces.items():
            if isinstance(space, pikepdf.Array) and space[0] == pikepdf.Name.ICCBased:
                spaces[name] = _DEVICE.get(int(space[1].N), space)
    if b"/Subtype/Image" in content:
        _drop_profiles_of_pictures(drawing)


def _drop_profiles_of_pictures(drawing: pikepdf.Pdf) -> None:
    """Drop the profile that the engine gives to pictures without one: it is sRGB, and painting
    with it takes twice as long."""
    is_srgb: dict[tuple[int, int], bool] = {}
    for thing in drawing.objects:
        if not isinstance(thing, pikepdf.Stream) or thing.get("/Subtype") != "/Image":
            continue
        space = thing.get("/ColorSpace")
        if not isinstance(space, pikepdf.Array) or space[0] != pikepdf.Name.ICCBased:
            continue
        profile = space[1]
        if profile.objgen not in is_srgb:
            is_srgb[profile.objgen] = profile.read_bytes()[_MAKER] == _ENGINE
        if is_srgb[profile.objgen]:
            thing.ColorSpace = _DEVICE.get(int(profile.N), space)
