"""Take a face, make a self-contained SVG in mm, with Inkscape's layers, by svgwrite."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal
from xml.etree.ElementTree import Element

import svgwrite
import svgwrite.base
from svgwrite.extensions import Inkscape

from generator.art.cascade import quote_name
from generator.basics.geometry import Affine, decimal
from generator.basics.outlines import Outline, area
from generator.export.svg.inlining import Inliner
from generator.export.svg.lettering import Embedder, Outliner
from generator.model import Face, PlacedLayer
from generator.text import Font, FontBook
from generator.text.glyphs import subset

_WHOLE = 1e-3  # mm²
_BLEED = "bleed"

Text = Literal["outlines", "fonts"]


class _XmlPart(svgwrite.base.BaseElement):  # type: ignore[misc]
    """An svgwrite element of existing XML."""

    def __init__(self, part: Element) -> None:
        self._part = part

    def get_xml(self) -> Element:
        return self._part


class FaceDocument:
    """The SVG of a face, with the size of its bleed box, clipped to `bleed`."""

    def __init__(self, face: Face, bleed: Outline, fonts: FontBook, text: Text) -> None:
        width, height = map(decimal, face.size)
        self._face, self._bleed = face, bleed
        self._letterer = Embedder(fonts) if text == "fonts" else Outliner(fonts)
        self._inliner = Inliner(self._letterer)
        self._seen: dict[str, int] = {}
        self._clips: dict[Outline, str] = {}
        self._drawing = svgwrite.Drawing(
            size=(f"{width}mm", f"{height}mm"), viewBox=f"0 0 {width} {height}", debug=False
        )
        self._inkscape = Inkscape(self._drawing)

    def content(self) -> bytes:
        """The content of the file. The same face gives the same bytes."""
        face, drawing = self._face, self._drawing
        drawing.set_desc(title=face.name)
        layers = [
            self._layer(name, list(placed_layers))
            for name, placed_layers in groupby(face.layers, self._name)
        ]
        for picture in self._inliner.pictures:
            drawing.defs.add(_XmlPart(picture))
        if isinstance(self._letterer, Embedder) and self._letterer.used:
            drawing.embed_stylesheet("\n".join(_faces(self._letterer.used)))
        for layer in layers:
            drawing.add(layer)
        return f'<?xml version="1.0" encoding="utf-8"?>\n{drawing.tostring()}\n'.encode()

    def _name(self, placed: PlacedLayer) -> str:
        return placed.layer.name if placed in self._face.cut_out else _BLEED

    def _layer(self, name: str, placed_layers: Iterable[PlacedLayer]) -> svgwrite.base.BaseElement:
        layer = self._inkscape.layer(label=name)
        width, height = self._face.size
        if abs(abs(area(self._bleed)) - width * height) > _WHOLE:
            layer["clip-path"] = self._clip(self._bleed)
        for placed in placed_layers:
            layer.add(self._place(placed))
        return layer

    def _place(self, placed: PlacedLayer) -> svgwrite.base.BaseElement:
        """The drawing of a layer at its first place, and a clone of it everywhere else."""
        part: svgwrite.base.BaseElement
        number = self._seen.get(placed.layer.id)
        if number is None:
            number = self._seen[placed.layer.id] = len(self._seen) + 1
            part = self._drawing.g(id=f"l{number}")
            part.add(_XmlPart(self._inliner.layer(placed.layer, number)))
        else:
            part = self._drawing.use(f"#l{number}")
        if placed.place != Affine():
            part = self._wrap(part, transform=f"matrix({placed.place.to_text()})")
        if placed.clip is not None:
            part = self._wrap(part, clip_path=self._clip(placed.clip))
        return part

    def _wrap(self, part: svgwrite.base.BaseElement, **how: str) -> svgwrite.base.BaseElement:
        group = self._drawing.g(**how)
        group.add(part)
        return group

    def _clip(self, outline: Outline) -> str:
        if outline not in self._clips:
            id_ = self._clips[outline] = f"c{len(self._clips) + 1}"
            corners = " L".join(f"{decimal(x)} {decimal(y)}" for x, y in outline)
            clip = self._drawing.defs.add(self._drawing.clipPath(id=id_))
            clip.add(self._drawing.path(f"M{corners} Z"))
        return f"url(#{self._clips[outline]})"


def _faces(used: dict[Font, set[str]]) -> Iterator[str]:
    """The rule of each font, with only its used glyphs."""
    for font, characters in sorted(used.items(), key=lambda item: str(item[0].path)):
        content = base64.b64encode(subset(font, characters)).decode()
        slope = "italic" if font.italic else "normal"
        yield (
            f"@font-face{{font-family:{quote_name(font.family)};font-style:{slope};font-weight:{font.weight};"
            f"src:url(data:font/ttf;base64,{content}) format('truetype')}}"
        )
