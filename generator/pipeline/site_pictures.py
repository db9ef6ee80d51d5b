"""Take a kit, make the pictures of its page: its scene, its faces, the figures of its rules."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from generator import booklet, export
from generator.basics.units import MM_PER_INCH
from generator.export import site
from generator.export.pieces import paint_pieces
from generator.export.site.files import SiteFiles, encode_webp
from generator.export.svg.document import FaceDocument
from generator.faces.standing import stand
from generator.layout.nets import Net
from generator.model import Component, Face, FaceKey, Side
from generator.pipeline.exporting import configure
from generator.text import FontBook

SCENE = (1600, 1000)  # pixels
_SHARPNESS = 2.0  # pixels of a picture to one of CSS
_SCALES = ((24, 2.6), (80, 1.8))  # most faces of a component, and CSS pixels to a mm for so many
_SMALL = 1.3  # the same for more faces
_LARGEST = 300.0  # CSS pixels of a piece, each way
_OF_FIGURE = 4.6  # CSS pixels to a mm
_ENTRY = (80.0, 72.0)  # CSS pixels of a piece in the list of the kit
_MOST_NAMED = 8  # pieces in the words for a figure
_MOST_SVG = 120_000  # bytes of a figure; pixels are smaller than a larger one


def paint_scene(kit: export.Kit, files: SiteFiles) -> site.ShownPicture:
    """The game on a table."""
    width, height = SCENE
    exporter = configure("scene", {"width": width, "height": height, "format": "jpg"})
    (file,) = exporter.export(kit)
    parts = ", ".join(f"{len(one.copies())} {one.title}" for one in kit.game.components)
    alt = f"{kit.game.title} on a table: {parts}"
    return site.ShownPicture(files.add("scene.jpg", file.content), width, height, alt)


def show_parts(kit: export.Kit, files: SiteFiles) -> list[site.PartRow]:
    """Each component with its different faces. Nets are shown folded."""
    shown = [_show_part(one, kit.faces) for one in kit.game.components if one.copies()]
    painted = _paint(kit, [face for part in shown for face in part.faces])
    return [part.write(painted, files) for part in shown]


class _ScaledFace(Struct, frozen=True):
    """A face to show with `scale` CSS pixels to a mm."""

    key: FaceKey
    face: Face
    scale: float
    copies: int = 1


class _PartFaces(Struct, frozen=True):
    component: Component
    faces: list[_ScaledFace]

    def write(self, painted: Mapping[tuple[str, float], bytes], files: SiteFiles) -> site.PartRow:
        def side(name: Side) -> list[site.ShownFace]:
            return [self._write(one, painted, files) for one in self.faces if one.key[2] == name]

        one = self.component
        return site.PartRow(
            one.id,
            one.title,
            len(one.copies()),
            one.size.width,
            one.size.height,
            side("front"),
            side("back"),
            isinstance(one.shape, Net),
        )

    def _write(
        self, one: _ScaledFace, painted: Mapping[tuple[str, float], bytes], files: SiteFiles
    ) -> site.ShownFace:
        component, piece, side = one.key
        name = f"faces/{component}-{piece}-{side}.webp"
        address = files.add(name, painted[one.face.id, one.scale])
        said = f"{self.component.title} {piece}, {side}"
        return site.ShownFace(_picture(one.face, one.scale, address, said), one.copies)


def _picture(face: Face, scale: float, address: str, alt: str) -> site.ShownPicture:
    width, height = round(face.trim.width * scale), round(face.trim.height * scale)
    return site.ShownPicture(address, max(1, width), max(1, height), alt)


def _show_part(component: Component, drawn: Mapping[FaceKey, Face]) -> _PartFaces:
    is_net = isinstance(component.shape, Net)
    copies: dict[tuple[Side, str], int] = {}
    first: dict[tuple[Side, str], FaceKey] = {}
    sides: Sequence[Side] = ("front",) if is_net else ("front", "back")
    for piece in component.pieces:
        for side in sides:
            face = drawn.get((component.id, piece.id, side))
            if face and piece.copies:
                first.setdefault((side, face.id), (component.id, piece.id, side))
                copies[side, face.id] = copies.get((side, face.id), 0) + piece.copies
    faces = {
        key: stand(component, key[1], drawn[key]) if is_net else drawn[key]
        for key in first.values()
    }
    scale = _choose_scale(faces.values())
    return _PartFaces(
        component,
        [_ScaledFace(key, faces[key], scale, copies[same]) for same, key in first.items()],
    )


def _choose_scale(faces: Iterable[Face]) -> float:
    faces = list(faces)
    fitting = (scale for most, scale in _SCALES if len(faces) <= most)
    longest = max(max(face.trim.width, face.trim.height) for face in faces)
    return round(min(next(fitting, _SMALL), _LARGEST / longest), 3)


def _paint(kit: export.Kit, faces: Sequence[_ScaledFace]) -> dict[tuple[str, float], bytes]:
    """The WebP of each face at its scale."""
    painted = {}
    for scale in sorted({one.scale for one in faces}):
        chosen = {one.key: one.face for one in faces if one.scale == scale}
        images = paint_pieces(kit, chosen, scale * _SHARPNESS * MM_PER_INCH)
        painted.update({(id_, scale): encode_webp(image) for id_, image in images.items()})
    return painted


def show_rules(kit: export.Kit, files: SiteFiles) -> site.Rules | None:
    """The text of the rules with its figures; None if the game has no booklet."""
    design = kit.game.booklet
    if design is None:
        return None
    told = booklet.illustrate(kit.game, design, kit.faces)
    figures = _show_figures(kit, told.figures, files)
    icons = {name: files.add(*_decode(name, art.uri)) for name, art in told.icons.items()}
    return site.Rules(told.text, figures, _show_kits(kit, told.kits, files), icons)


def _show_figures(
    kit: export.Kit, figures: Mapping[int, booklet.Illustration], files: SiteFiles
) -> dict[int, site.ShownFigure]:
    fonts = FontBook(kit.game.font_folders)
    addresses: dict[int, str] = {}
    large: list[_ScaledFace] = []
    for line, figure in figures.items():
        face = figure.face
        content = FaceDocument(face, face.outline, fonts, "outlines").content()
        if len(content) <= _MOST_SVG:
            addresses[line] = files.add(f"figures/line-{line}.svg", content)
        else:
            large.append(_ScaledFace(("figure", str(line), "front"), face, _OF_FIGURE))
    painted = _paint(kit, large)
    for one in large:
        name = f"figures/line-{one.key[1]}.webp"
        addresses[int(one.key[1])] = files.add(name, painted[one.face.id, one.scale])

    def show(line: int, figure: booklet.Illustration) -> site.ShownFigure:
        picture = _picture(figure.face, _OF_FIGURE, addresses[line], _name(figure.shown))
        return site.ShownFigure(picture, figure.caption)

    return {line: show(line, figure) for line, figure in figures.items()}


def _name(shown: Sequence[str]) -> str:
    """The pieces of a figure in words."""
    more = f" and {len(shown) - _MOST_NAMED} more" if len(shown) > _MOST_NAMED else ""
    return ", ".join(shown[:_MOST_NAMED]) + more or "a drawing"


def _show_kits(
    kit: export.Kit, kits: Mapping[int, Sequence[booklet.ContentsEntry]], files: SiteFiles
) -> dict[int, list[site.KitEntry]]:
    small = {
        entry.face.id: _ScaledFace(
            ("kit", entry.face.id, "front"), entry.face, round(_fit(entry.face) * entry.share, 3)
        )
        for entries in kits.values()
        for entry in entries
        if entry.face
    }
    painted = _paint(kit, list(small.values()))

    def picture(entry: booklet.ContentsEntry) -> site.ShownPicture | None:
        if entry.face is None:
            return None
        one = small[entry.face.id]
        address = files.add("figures/kit.webp", painted[one.face.id, one.scale])
        return _picture(one.face, one.scale, address, "")

    return {
        line: [site.KitEntry(one.number, one.title, one.remark, picture(one)) for one in entries]
        for line, entries in kits.items()
    }


def _fit(face: Face) -> float:
    return round(min(_ENTRY[0] / face.trim.width, _ENTRY[1] / face.trim.height), 3)


def _decode(name: str, uri: str) -> tuple[str, bytes]:
    """The name and the content of a file for a picture in a data URI."""
    kind, _, content = uri.partition(";base64,")
    ending = {"data:image/svg+xml": "svg", "data:image/jpeg": "jpg"}.get(kind, "png")
    return f"figures/icon-{name}.{ending}", base64.b64decode(content)
