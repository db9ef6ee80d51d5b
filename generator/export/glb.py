"""A kit as a model in a file (glTF 2.0, binary), for Blender and viewers of models.

Its pieces are the meshes of Tabletop Simulator, in metres. A mesh is there once, a node for each
copy. Format: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, sqrt
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from msgspec import Meta, Struct, field

from generator.art.pixels import save_picture
from generator.basics.keys import Keys
from generator.basics.shapes import rounded
from generator.export.exporter import ExportedFile, Kit
from generator.export.pieces import PrintedPiece, faces_of, paint_pieces, printed_pieces
from generator.export.tts import THICKNESS, Mesh, both_sides, folded, is_card, on_white, slab
from generator.layout.folds import standing_net
from generator.model import Component, divided

_MM = 0.001  # m
_CARD = 0.3  # mm
_GAP = 6.0  # mm between pieces
_JPEG = 88
_FLOATS, _NUMBERS = 5126, 5125  # kinds of numbers: of 32 bits, whole ones without a sign
_MATTE = {"metallicFactor": 0.0, "roughnessFactor": 0.55}
_MAGIC, _VERSION, _JSON, _BINARY = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
Parts = dict[str, list[dict[str, Any]]]


class Models(Keys, frozen=True, kw_only=True):
    """GAME.glb: all pieces side by side, as they are printed, cut and folded."""

    dpi: Annotated[int, Meta(ge=50, le=600)] = 150  # of their pictures

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        model, left = _Model(), 0.0
        for component in divided(kit.game.components):
            if pieces := printed_pieces(kit.faces, component):
                pictures = paint_pieces(kit, faces_of(component, kit.faces), self.dpi)
                left = model.add_component(component, pieces, pictures, left) + 3 * _GAP
        yield ExportedFile(f"{kit.game.name}.glb", model.content())


class _Model(Struct):
    """A model while it is made: what its JSON lists, and its bytes."""

    parts: Parts = field(default_factory=dict)
    binary: bytearray = field(default_factory=bytearray)

    def add_component(
        self, component: Component, pieces: Sequence[PrintedPiece], pictures: Mapping[str, Any], left: float
    ) -> float:
        """Put its copies side by side, from `left` mm on, and return where they end."""
        mesh = _mesh_of(component)
        spots = np.array(mesh.spots)
        low, high = spots.min(axis=0), spots.max(axis=0)
        width, depth = (float(high[axis] - low[axis]) + _GAP for axis in (0, 2))
        copies = [printed for printed in pieces for _ in range(printed.piece.copies)]
        columns = ceil(sqrt(len(copies) * depth / width))
        sides = {(printed.front, printed.back): printed for printed in pieces}
        numbers = {key: self._add_mesh(mesh, printed, pictures) for key, printed in sides.items()}
        for index, printed in enumerate(copies):
            row, column = divmod(index, columns)
            x, z = left + column * width - float(low[0]), row * depth - float(low[2])
            place = [round(side * _MM, 6) for side in (x, 0.0, z)]
            name, number = component.name_piece(printed.piece.id), numbers[printed.front, printed.back]
            self._list("nodes", {"mesh": number, "name": name, "translation": place})
        return left + columns * width

    def _add_mesh(self, mesh: Mesh, printed: PrintedPiece, pictures: Mapping[str, Any]) -> int:
        """A mesh with the pictures of a piece."""
        picture = both_sides(on_white(pictures[printed.front]), pictures[printed.back] if printed.back else None)
        jpeg = save_picture(picture, "JPEG", quality=_JPEG)
        image = self._list("images", {"bufferView": self._view(jpeg), "mimeType": "image/jpeg"})
        texture = self._list("textures", {"source": image})
        colours = _MATTE | {"baseColorTexture": {"index": texture}}
        material = self._list("materials", {"pbrMetallicRoughness": colours})
        spots = np.array(mesh.spots, "<f4") * np.float32(_MM)
        places = np.array([(u, 1 - v) for u, v in mesh.places], "<f4")
        corners = [(f[0], f[i], f[i + 1]) for f in mesh.faces for i in range(1, len(f) - 1)]
        drawn = {
            "attributes": {"POSITION": self._numbers(spots, "VEC3"), "TEXCOORD_0": self._numbers(places, "VEC2")},
            "indices": self._numbers(np.array(corners, "<u4").reshape(-1) - 1, "SCALAR"),
            "material": material,
        }
        return self._list("meshes", {"primitives": [drawn], "name": printed.piece.id})

    def _numbers(self, values: npt.NDArray[Any], kind: str) -> int:
        rows = values.reshape(len(values), -1)
        limits = {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        number = _FLOATS if values.dtype.kind == "f" else _NUMBERS
        about = {"bufferView": self._view(values.tobytes()), "componentType": number, "count": len(rows), "type": kind}
        return self._list("accessors", about | limits)

    def _view(self, content: bytes) -> int:
        """Bytes of the file, from a place that four divides."""
        start = len(self.binary)
        self.binary += content + bytes(-len(content) % 4)
        return self._list("bufferViews", {"buffer": 0, "byteOffset": start, "byteLength": len(content)})

    def _list(self, name: str, entry: dict[str, Any]) -> int:
        """The number of a new entry."""
        entries = self.parts.setdefault(name, [])
        entries.append(entry)
        return len(entries) - 1

    def content(self) -> bytes:
        scene = {"scenes": [{"nodes": list(range(len(self.parts["nodes"])))}], "scene": 0}
        whole = {"asset": {"version": "2.0", "generator": "pnp"}, **scene, **self.parts}
        text = json.dumps(whole | {"buffers": [{"byteLength": len(self.binary)}]}).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), _JSON) + text
        chunks += struct.pack("<II", len(self.binary), _BINARY) + self.binary
        return struct.pack("<III", _MAGIC, _VERSION, 12 + len(chunks)) + chunks


def _mesh_of(component: Component) -> Mesh:
    shape, net = component.shape, standing_net(component.shape)
    if net:
        return folded(net, has_back=True)
    cut = rounded(shape.outline, component.corner_radius)
    return slab(shape, cut, has_back=True, thickness=_CARD if is_card(component) else THICKNESS)
