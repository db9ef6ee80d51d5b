"""A saved object of Tabletop Simulator, made of a kit, and the files that it names.

Objects of a table are as Tabletop Simulator writes them into a save; tts.json has what all of a kind have in common.
The shape of a piece becomes a mesh (OBJ): a slab of its outline, or a folded net.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from hashlib import blake2b
from math import atan2, ceil, cos, degrees, hypot, radians, sin
from pathlib import Path
from statistics import mean
from typing import Annotated, Any
from urllib.parse import quote

from msgspec import Meta, Struct, field
from PIL import Image

from generator.basics.geometry import HAIR, MM_PER_INCH, Point, Size, decimal, steady
from generator.basics.keys import Keys
from generator.basics.shapes import Outline, Shape, edges, pierced, rims, rounded
from generator.export import pieces as game_pieces
from generator.export.exporter import WEB, ExportedFile, Kit, check_address
from generator.layout.folds import standing_net
from generator.layout.nets import Net, Panel, fold_net
from generator.layout.solids import FACE, is_die
from generator.model import HALF_TURN, Component, Turn, divided

_MOST = game_pieces.CellGrid(10, 7)  # cells of a sheet
_LEAST = 2  # cells each way
_SIDE = 4096  # pixels of a sheet, each way
_APART = 4.0  # inches between objects on the table
_A_ROW = 6  # objects
_SCHEMES = (*WEB, "file")
Object = dict[str, Any]

CARD_HEIGHT = 3.5  # inches of a card at a scale of 1
_FACE_UP, _FACE_DOWN = 0.0, 180.0
_DICE = 2  # the type of a model
_FOUR = 4  # faces of a die that is read below
_ROUNDED = 0  # the outline of a card
Spot = tuple[float, float, float]
Texel = tuple[float, float]  # parts of the width and the height of a texture, upward
THICKNESS = 2.0  # mm of a tile


class TabletopSimulator(Keys, frozen=True, kw_only=True):
    """tts/GAME.json, a saved object, and in tts/files/ what it names: sheets of cards, pictures and
    meshes of other pieces, the rules as a PDF.

    `base_url` is where these files will be: "https://you.example/game/". Without it, the saved
    object names them alone, and they belong into the game's own folders.
    """

    dpi: Annotated[int, Meta(ge=50, le=600)] = 250
    base_url: str = ""

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        table = _SavedTable(kit, self.dpi, self.base_url and check_address("tts", self.base_url, _SCHEMES))
        content = table.save()
        for name, file in table.files.items():
            yield ExportedFile(f"tts/files/{name}", file)
        yield ExportedFile(f"tts/{kit.game.name}.json", content)


class _PaintedPart(Struct, frozen=True):
    """A component with its pieces, and by the ids of its faces their pictures and how they lie."""

    component: Component
    pieces: Sequence[game_pieces.PrintedPiece]
    pictures: Mapping[str, Image.Image]
    turns: Mapping[str, Turn]

    def picture(self, id_: str, of: game_pieces.PrintedPiece) -> Image.Image:
        """A side of a card that lies with its front upright, or turned by a quarter clockwise, as
        Tabletop Simulator takes a sideways card."""
        image = self.pictures[id_]
        is_turned = self.turns[of.front] >= HALF_TURN
        return image.transpose(Image.Transpose.ROTATE_180) if is_turned else image


class _SavedTable:
    def __init__(self, kit: Kit, dpi: int, base: str) -> None:
        self._kit, self._dpi, self._base = kit, dpi, base
        self.files: dict[str, bytes] = {}

    def save(self) -> bytes:
        game = self._kit.game
        shown = [part for part in divided(game.components) if game_pieces.printed_pieces(self._kit.faces, part)]
        things = [self._put(component, _spread(at)) for at, component in enumerate(shown)]
        if rules := game_pieces.print_rules(self._kit):
            file = self._file(rules, "pdf")
            things.append(document("Rules", file, _spread(len(things))))
        named = [_identify(thing, (number,)) for number, thing in enumerate(things)]
        saved = save(game.title, game.about, named)
        return (json.dumps(saved, indent=2, ensure_ascii=False) + "\n").encode()

    def _put(self, component: Component, at: TableSpot) -> Object:
        pieces = game_pieces.printed_pieces(self._kit.faces, component)
        faces = game_pieces.faces_of(component, self._kit.faces)
        dpi = self._dpi_of(component)
        turns = {face.id: face.turn for face in faces.values()}
        look = _PaintedPart(component, pieces, game_pieces.paint_pieces(self._kit, faces, dpi), turns)
        if game_pieces.is_board(component, pieces):
            return self._token(look, pieces[0], at) | {"Locked": True}
        make = self._token
        if standing_net(component.shape) or component.shape.holes or component.has_back:
            make = self._model  # a token has a plain back, and perhaps no holes
        if is_card(component):
            return self._deck(look, at)
        each = [make(look, piece, at) for piece in pieces]
        copies = [thing for thing, printed in zip(each, pieces, strict=True) for _ in range(printed.piece.copies)]
        return copies[0] if len(copies) == 1 else bag(component.title, copies, at)

    def _dpi_of(self, component: Component) -> float:
        """Fewer dots where a picture would be larger than a sheet may be."""
        width, height = component.shape.size
        sides = 2 * width if _has_inside(component) else width, height
        return min(self._dpi, _SIDE / (_LEAST if is_card(component) else 1) * MM_PER_INCH / max(sides))

    def _deck(self, look: _PaintedPart, at: TableSpot) -> Object:
        component, pieces = look.component, look.pieces
        backs = list(dict.fromkeys(piece.back for piece in pieces))
        has_own_backs = len(backs) > 1
        size = look.pictures[pieces[0].front].size
        grid = _grid(len(pieces), size)
        sheets = []
        for group in game_pieces.divide(pieces, grid.cells):
            face = self._sheet([look.picture(printed.front, printed) for printed in group], grid)
            if has_own_backs:
                blank = Image.new("RGBA", size, "white")
                own = [look.picture(printed.back, printed) if printed.back else blank for printed in group]
                back = self._sheet(own, grid)
            else:
                picture = look.pictures[backs[0]] if backs[0] else Image.new("RGBA", size, "white")
                back = self._picture(on_white(picture))
            sheets.append(card_sheet(face, back, grid, has_own_backs=has_own_backs))
        cards = [
            DeckCard(
                component.name_piece(printed.piece.id),
                1 + index // grid.cells,
                index % grid.cells,
                look.turns[printed.front] % HALF_TURN != 0,
            )
            for index, printed in enumerate(pieces)
            for _ in range(printed.piece.copies)
        ]
        scale = component.shape.size.height / MM_PER_INCH / CARD_HEIGHT
        return deck(component.title, cards, sheets, scale, at)

    def _token(self, look: _PaintedPart, printed_piece: game_pieces.PrintedPiece, at: TableSpot) -> Object:
        picture = look.pictures[printed_piece.front]
        border = max(picture.size) // 50 + 1  # the outline is found within a transparent border
        framed = Image.new("RGBA", (picture.width + 2 * border, picture.height + 2 * border))
        framed.paste(picture, (border, border))
        name = look.component.name_piece(printed_piece.piece.id)
        thick = THICKNESS / MM_PER_INCH
        scale = max(look.component.shape.size) / MM_PER_INCH / 2
        return token(name, self._picture(framed), thick, scale, at)

    def _model(self, look: _PaintedPart, printed_piece: game_pieces.PrintedPiece, at: TableSpot) -> Object:
        shape, front = look.component.shape, on_white(look.pictures[printed_piece.front])
        net, back, texture = standing_net(shape), printed_piece.back, front
        cut = rounded(shape.outline, look.component.corner_radius)
        has_back = _has_inside(look.component) or back is not None
        mesh = folded(net, has_back=has_back) if net else slab(shape, cut, has_back=has_back)
        if has_back:
            texture = both_sides(front, look.pictures[back] if back else None)
        name = look.component.name_piece(printed_piece.piece.id)
        files = self._file(mesh.content(), "obj"), self._picture(texture)
        thing = model(name, *files, at)
        return die(thing, shape) if isinstance(shape, Net) and is_die(shape) else thing

    def _sheet(self, images: Sequence[Image.Image], grid: game_pieces.CellGrid) -> str:
        return self._picture(game_pieces.lay_grid(images, grid, "white"))

    def _picture(self, image: Image.Image) -> str:
        return self._file(game_pieces.encode_png(image), "png")

    def _file(self, content: bytes, ending: str) -> str:
        name = game_pieces.name_by_content(content, ending)
        self.files[name] = content
        return self._base + quote(name)


def _has_inside(component: Component) -> bool:
    """Whether both sides of a piece are seen, bare or printed."""
    net = standing_net(component.shape)
    return component.has_back or (net is not None and net.kind != "net")


def is_card(component: Component) -> bool:
    """Whether a deck can hold the pieces: flat rectangles without holes, no boards and no mats."""
    shape, is_small = component.shape, max(component.size) <= game_pieces.LONGEST_CARD
    return shape.kind == "rectangle" and not shape.holes and is_small and not standing_net(shape)


def _grid(count: int, cell: tuple[int, int]) -> game_pieces.CellGrid:
    """The grid of every sheet of a deck: as large as allowed, no larger than needed."""
    columns = min(_SIDE // cell[0], _MOST.columns)
    rows = min(_SIDE // cell[1], _MOST.rows)
    columns = max(min(columns, count), _LEAST)
    return game_pieces.CellGrid(columns, max(min(rows, ceil(count / columns)), _LEAST))


def _spread(number: int) -> TableSpot:
    row, column = divmod(number, _A_ROW)
    return TableSpot((column - (_A_ROW - 1) / 2) * _APART, -row * _APART)


def both_sides(front: Image.Image, back: Image.Image | None) -> Image.Image:
    """The pictures of both sides beside each other, the back white if it is bare."""
    texture = Image.new("RGB", (2 * front.width, front.height), "white")
    texture.paste(front, (0, 0))
    if back:
        texture.paste(on_white(back), (front.width, 0))
    return texture


def on_white(image: Image.Image) -> Image.Image:
    ground = Image.new("RGB", image.size, "white")
    ground.paste(image, (0, 0), image)
    return ground


class TableSpot(Struct, frozen=True):
    """Where an object lies on the table, in inches from its middle."""

    x: float
    z: float


class DeckCard(Struct, frozen=True):
    """A card: its name, its sheet and its cell, and whether its front lies turned by a quarter."""

    name: str
    sheet: int
    cell: int
    is_sideways: bool = False


def save(title: str, about: str, objects: Sequence[Object]) -> Object:
    return _usual("save") | {"SaveName": title, "GameMode": title, "Note": about} | {"ObjectStates": list(objects)}


def _usual(part: str) -> Object:
    """A part of a save as it usually is, to fill."""
    return deepcopy(_usual_parts()[part])


@cache
def _usual_parts() -> dict[str, Object]:
    parts: dict[str, Object] = json.loads(Path(__file__).with_suffix(".json").read_bytes())
    return parts


def deck(name: str, cards: Sequence[DeckCard], sheets: Sequence[Object], scale: float, at: TableSpot) -> Object:
    """A deck face down, its first card on top; a single card if there is only one."""
    custom = {str(number): sheet for number, sheet in enumerate(sheets, 1)}
    turn = _FACE_DOWN
    singles = [
        _thing("CardCustom", card.name, at, scale, turn, number)
        | {"CardID": _card_id(card), "CustomDeck": {str(card.sheet): custom[str(card.sheet)]}}
        | ({"SidewaysCard": True} if card.is_sideways else {})
        for number, card in enumerate(cards)
    ]
    if len(singles) == 1:
        return singles[0]
    is_sideways = all(card.is_sideways for card in cards)
    return _thing("DeckCustom", name, at, scale, turn, len(cards)) | {
        **({"SidewaysCard": True} if is_sideways else {}),
        "DeckIDs": [_card_id(card) for card in cards],
        "CustomDeck": custom,
        "ContainedObjects": [single | {"Name": "Card"} for single in singles],
    }


def _card_id(card: DeckCard) -> int:
    return card.sheet * 100 + card.cell


def card_sheet(face: str, back: str, grid: game_pieces.CellGrid, *, has_own_backs: bool) -> Object:
    """The addresses of a grid of fronts, and of its backs: a grid, or one picture for all."""
    return {
        "FaceURL": face,
        "BackURL": back,
        "NumWidth": grid.columns,
        "NumHeight": grid.rows,
        "BackIsHidden": True,  # else the last cell would be what others see of a hand
        "UniqueBack": has_own_backs,
        "Type": _ROUNDED,
    }


def token(name: str, address: str, thickness: float, scale: float, at: TableSpot) -> Object:
    """A flat piece that is cut out by the transparent part of its picture. Inches."""
    image = _usual("CustomImage") | {"ImageURL": address}
    image["CustomToken"]["Thickness"] = thickness
    return _thing("Custom_Token", name, at, scale, _FACE_UP, 0) | {"CustomImage": image}


def model(name: str, mesh: str, texture: str, at: TableSpot) -> Object:
    """A piece with a mesh in inches."""
    made = _usual("CustomMesh") | {"MeshURL": mesh, "DiffuseURL": texture}
    return _thing("Custom_Model", name, at, 1.0, _FACE_UP, 0) | {"CustomMesh": made}


def die(thing: Object, net: Net) -> Object:
    """A model that is rolled, and shows its number: it has its own shape to bounce with, not a box.

    The rotations turn each face up; of four faces, down. They are in degrees about z, x, y, in this
    order, as Unity turns an object; it mirrors a mesh from left to right.
    """
    mesh = thing["CustomMesh"] | {"ColliderURL": thing["CustomMesh"]["MeshURL"], "TypeIndex": _DICE}
    normals = {
        int(name.removeprefix(FACE)): _upright((-x, -y, -z), net.lean)
        for name, plane in fold_net(net).items()
        if name.startswith(FACE)
        for x, y, z in [plane.inward]
    }
    is_read_below = len(normals) == _FOUR
    values = [{"Value": number, "Rotation": _raising(normals[number], is_read_below)} for number in sorted(normals)]
    return thing | {"CustomMesh": mesh, "RotationValues": values}


def bag(name: str, objects: Sequence[Object], at: TableSpot) -> Object:
    return _thing("Bag", name, at, 1.0, _FACE_UP, len(objects)) | {
        "Bag": {"Order": 0},
        "ContainedObjects": list(objects),
    }


def document(name: str, address: str, at: TableSpot) -> Object:
    """A PDF to read at the table."""
    return _thing("Custom_PDF", name, at, 2.0, _FACE_UP, 0) | {
        "CustomPDF": {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
    }


def _identify(thing: Object, path: tuple[int, ...]) -> Object:
    """The object with an id of its own, as those within it have."""
    digest = blake2b(f"{path} {thing['Name']}".encode(), digest_size=3).hexdigest()
    named = thing | {"GUID": digest}
    if "ContainedObjects" in thing:
        inner = enumerate(thing["ContainedObjects"])
        named["ContainedObjects"] = [_identify(child, (*path, number)) for number, child in inner]
    return named


def _thing(name: str, nick: str, at: TableSpot, scale: float, turn: float, number: int) -> Object:
    thing = _usual("object") | {"Name": name, "Nickname": nick}
    place = {"posX": at.x, "posY": 1.5 + 0.01 * number, "posZ": at.z}
    thing["Transform"] |= place | {"rotZ": turn, "scaleX": scale, "scaleZ": scale}
    return thing


class Mesh(Struct):
    """Corners in space, their places on the texture, and faces of both."""

    spots: list[Spot] = field(default_factory=list)
    places: list[Texel] = field(default_factory=list)
    faces: list[list[int]] = field(default_factory=list)

    def add(self, corners: Sequence[Spot], places: Sequence[Texel]) -> None:
        """Add a flat face, its corners counterclockwise as seen."""
        first = len(self.spots) + 1
        self.spots += corners
        self.places += places
        self.faces.append(list(range(first, first + len(corners))))

    def content(self) -> bytes:
        lines = [f"v {' '.join(decimal(value / MM_PER_INCH, 6) for value in s)}" for s in self.spots]
        lines += [f"vt {decimal(u, 6)} {decimal(v, 6)}" for u, v in self.places]
        lines += [f"f {' '.join(f'{number}/{number}' for number in face)}" for face in self.faces]
        return "\n".join([*lines, ""]).encode("ascii")


def slab(shape: Shape, cut: Outline, *, has_back: bool, thickness: float = THICKNESS) -> Mesh:
    """A tile that lies with its front up; `cut` is its outline with its corners rounded. Its edge
    shows the colour at the edge of its front."""
    mesh, outline = Mesh(), pierced(cut, shape.holes)
    size = shape.size
    front, back = _printed_sides(size, has_back=has_back)

    def spot(point: Point, up: float) -> Spot:
        return point.x - size.width / 2, up, point.y - size.height / 2

    for corners in triangulate(outline):
        up = [corners[0], *reversed(corners[1:])]  # outlines are clockwise as seen
        mesh.add([spot(point, thickness) for point in up], [front(point) for point in up])
        mesh.add([spot(point, 0.0) for point in corners], [back(point) for point in corners])
    for start, end in (edge for rim in rims(outline) for edge in edges(rim)):
        wall = [spot(end, thickness), spot(end, 0.0), spot(start, 0.0), spot(start, thickness)]
        mesh.add(wall, [front(end), front(end), front(start), front(start)])
    return mesh


def folded(net: Net, *, has_back: bool) -> Mesh:
    """The folded piece, on its foot. Without a back, both sides of each panel show the print."""
    mesh, planes = Mesh(), fold_net(net)
    place, behind = _printed_sides(net.size, has_back=has_back)
    shown = [panel for panel in net.panels if not panel.is_glued]

    def stand(point: Point, panel: Panel) -> Spot:
        return _upright(planes[panel.name].at(point), net.lean)

    spots = [stand(point, panel) for panel in shown for point in panel.outline]
    lows, highs = (list(map(pick, zip(*spots, strict=True))) for pick in (min, max))
    middle = Point((lows[0] + highs[0]) / 2, (lows[2] + highs[2]) / 2)
    foot = lows[1]
    if is_die(net):  # it turns about its middle
        middle = Point(*(mean(spot[axis] for spot in spots) for axis in (0, 2)))
        foot = mean(spot[1] for spot in spots)

    for panel in shown:
        for corners in triangulate(panel.outline):
            standing = (stand(point, panel) for point in corners)
            around = [(x - middle.x, y - foot, z - middle.y) for x, y, z in standing]
            mesh.add(around[::-1], [place(point) for point in corners[::-1]])
            mesh.add(around, [behind(point) for point in corners])
    return mesh


def _printed_sides(size: Size, *, has_back: bool) -> tuple[Callable[[Point], Texel], Callable[[Point], Texel]]:
    """Where points of a piece are on its texture, on its front and on its back: see `both_sides`."""
    share = 0.5 if has_back else 1.0

    def front(point: Point) -> Texel:
        return point.x / size.width * share, 1 - point.y / size.height

    def back(point: Point) -> Texel:
        return 1.0 - front(point)[0], front(point)[1]

    return front, back if has_back else front


def _upright(spot: Spot, lean: float) -> Spot:
    """A place or a step of a folded net when it stands: x to the right, y up, z to the viewer."""
    x, y, z = spot
    c, s = cos(radians(lean)), sin(radians(lean))
    return x, s * -z - c * y, s * y - c * z


def _raising(normal: Spot, is_read_below: bool) -> dict[str, float]:
    """The turn that makes a direction point up, or down."""
    x, y, z = (-step if is_read_below else step for step in normal)
    x = -x
    turn, tilt = degrees(atan2(x, y)), degrees(atan2(-z, hypot(x, y)))
    return {"x": steady(tilt), "y": 0.0, "z": steady(turn)}


def triangulate(outline: Outline) -> list[tuple[Point, Point, Point]]:
    """Triangles that fill an outline, each clockwise as seen or a mere line, by cutting off ears."""
    around = zip((outline[-1], *outline), outline, (*outline[1:], outline[0]), strict=False)
    left = [here for before, here, after in around if abs(_turn(before, here, after)) > HAIR]
    triangles = []
    while len(left) > 3:
        index = next((i for i in range(len(left)) if _is_ear(left, i)), 0)
        triangles.append((left[index - 1], left[index], left[(index + 1) % len(left)]))
        del left[index]
    return [*triangles, (left[0], left[1], left[2])]


def _is_ear(left: Sequence[Point], index: int) -> bool:
    a, b, c = left[index - 1], left[index], left[(index + 1) % len(left)]
    if _turn(a, b, c) <= 0:
        return False
    others = (point for point in left if point not in (a, b, c))
    return not any(min(_turn(a, b, p), _turn(b, c, p), _turn(c, a, p)) >= 0 for p in others)


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive if the way from a over b to c turns clockwise as seen."""
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
