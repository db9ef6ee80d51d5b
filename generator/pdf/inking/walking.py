"""Take a finished file, change the colours of all that its pages show, each once (pikepdf)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Protocol

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from generator.pdf.inking.gradients import recolour_shading
from generator.pdf.inking.pictures import PictureGreyer, PictureInker
from generator.pdf.inking.spaces import ColourMap, GreyMap, InkMap, name_space, strange, to_rgb
from generator.pdf.inking.streams import parse, recolour
from generator.pdf.inks.mixing import Mixer


class _PictureMap(Protocol):
    def change(self, picture: pikepdf.Object) -> None: ...


def ink_pages(pdf: pikepdf.Pdf, content: bytes, mixer: Mixer, limit: float) -> None:
    """Give all pages of an opened file inks in the place of colours; `content` is its bytes.

    Raises PnpError for what cannot be printed so.
    """
    with pikepdf.open(io.BytesIO(content)) as twin:
        masks = _Masks(pdf, twin)
        inker = _InkWalker(pdf, InkMap(mixer), PictureInker(mixer, limit), masks)
        for page in pdf.pages:
            inker.walk(page.obj)
        inker.drop_spaces()
        masks.drop_spaces()


class _Masks:
    """Makes the masks of a file grey: copies, since a page may show the same form in colours."""

    def __init__(self, pdf: pikepdf.Pdf, twin: pikepdf.Pdf) -> None:
        """`twin` is the same file, unchanged."""
        self._pdf, self._twin = pdf, twin
        self._walker = _InkWalker(pdf, GreyMap(), PictureGreyer(), None)

    def grey(self, form: pikepdf.Object) -> pikepdf.Object:
        copy = self._pdf.copy_foreign(self._twin.get_object(form.objgen))
        self._walker.walk(copy)
        return copy

    def drop_spaces(self) -> None:
        self._walker.drop_spaces()


class _InkWalker:
    """Changes the colours of pages, and of forms, tiles and gradients in their resources."""

    def __init__(
        self, pdf: pikepdf.Pdf, colours: ColourMap, pictures: _PictureMap, masks: _Masks | None
    ) -> None:
        """Without `masks`, it walks in the copy of a mask, and the masks in it are copies too."""
        self._pdf, self._colours, self._pictures, self._masks = pdf, colours, pictures, masks
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
        """Change the operators of a page, form or tile."""
        if thing.get("/Subtype") == "/PS":
            raise strange("a program")
        spaces = dict(resources.get("/ColorSpace", Dictionary()).items())
        content = recolour(parse(thing), spaces, self._colours)
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
            space = name_space(mask.G.Group.get("/CS", Name.DeviceGray))
            copy.BC = Array([*GreyMap().convert(to_rgb(copy.BC, space), "area")])
        if self._masks:
            copy.G = self._masks.grey(mask.G)
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
