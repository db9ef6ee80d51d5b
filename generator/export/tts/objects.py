"""Objects of a table, as Tabletop Simulator writes them into a save (JSON)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from msgspec import Struct

Object = dict[str, Any]

CARD_HEIGHT = 3.5  # inches of a card at a scale of 1
_FACE_UP, _FACE_DOWN = 0.0, 180.0
_WHITE = {"r": 1.0, "g": 1.0, "b": 1.0}
_BAG, _CARDBOARD = "Bag", 3
_GENERIC = 0  # the type of a model
_ROUNDED = 0  # the outline of a card


class TableSpot(Struct, frozen=True):
    """Where an object lies on the table, in inches from its middle."""

    x: float
    z: float


class CardSheet(Struct, frozen=True):
    """The addresses of a grid of fronts, and of its backs: a grid, or one picture for all."""

    face: str
    back: str
    columns: int
    rows: int
    has_own_backs: bool


class DeckCard(Struct, frozen=True):
    """A card: its name, its sheet and its cell."""

    name: str
    sheet: int
    cell: int


def save(title: str, about: str, objects: Sequence[Object]) -> Object:
    """A saved object of everything."""
    return {
        "SaveName": title,
        "GameMode": title,
        "Date": "",
        "Table": "",
        "Sky": "",
        "Note": about,
        "Rules": "",
        "PlayerTurn": "",
        "Hands": {"Enable": True, "DisableUnused": False, "Hiding": 0},
        "ObjectStates": list(objects),
    }


def deck(
    name: str, cards: Sequence[DeckCard], sheets: Sequence[CardSheet], scale: float, at: TableSpot
) -> Object:
    """A deck face down, its first card on top; a single card if there is only one."""
    custom = {str(number): _describe(sheet) for number, sheet in enumerate(sheets, 1)}
    turn = _FACE_DOWN
    singles = [
        _thing("CardCustom", one.name, at, scale, turn, number)
        | {"CardID": _card_id(one), "CustomDeck": {str(one.sheet): custom[str(one.sheet)]}}
        for number, one in enumerate(cards)
    ]
    if len(singles) == 1:
        return singles[0]
    return _thing("DeckCustom", name, at, scale, turn, len(cards)) | {
        "DeckIDs": [_card_id(one) for one in cards],
        "CustomDeck": custom,
        "ContainedObjects": [one | {"Name": "Card"} for one in singles],
    }


def _card_id(card: DeckCard) -> int:
    return card.sheet * 100 + card.cell


def _describe(sheet: CardSheet) -> Object:
    return {
        "FaceURL": sheet.face,
        "BackURL": sheet.back,
        "NumWidth": sheet.columns,
        "NumHeight": sheet.rows,
        "BackIsHidden": True,  # else the last cell would be what others see of a hand
        "UniqueBack": sheet.has_own_backs,
        "Type": _ROUNDED,
    }


def token(name: str, address: str, thickness: float, scale: float, at: TableSpot) -> Object:
    """A flat piece that is cut out by the transparent part of its picture. Inches."""
    return _thing("Custom_Token", name, at, scale, _FACE_UP, 0) | {
        "CustomImage": {
            "ImageURL": address,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomToken": {
                "Thickness": thickness,
                "MergeDistancePixels": 15.0,
                "StandUp": False,
                "Stackable": False,
            },
        }
    }


def model(name: str, mesh: str, texture: str, at: TableSpot) -> Object:
    """A piece with a mesh in inches."""
    return _thing("Custom_Model", name, at, 1.0, _FACE_UP, 0) | {
        "CustomMesh": {
            "MeshURL": mesh,
            "DiffuseURL": texture,
            "NormalURL": "",
            "ColliderURL": "",
            "Convex": True,
            "MaterialIndex": _CARDBOARD,
            "TypeIndex": _GENERIC,
            "CastShadows": True,
        }
    }


def bag(name: str, objects: Sequence[Object], at: TableSpot) -> Object:
    """A bag with objects."""
    return _thing(_BAG, name, at, 1.0, _FACE_UP, len(objects)) | {
        "Bag": {"Order": 0},
        "ContainedObjects": list(objects),
    }


def document(name: str, address: str, at: TableSpot) -> Object:
    """A PDF to read at the table."""
    return _thing("Custom_PDF", name, at, 2.0, _FACE_UP, 0) | {
        "CustomPDF": {"PDFUrl": address, "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
    }


def name_apart(objects: Iterable[Object]) -> list[Object]:
    """The objects, each with an id of its own, those within others too."""
    return [_identify(one, (number,)) for number, one in enumerate(objects)]


def _identify(thing: Object, path: tuple[int, ...]) -> Object:
    digest = blake2b(f"{path} {thing['Name']}".encode(), digest_size=3).hexdigest()
    named = thing | {"GUID": digest}
    if "ContainedObjects" in thing:
        inner = enumerate(thing["ContainedObjects"])
        named["ContainedObjects"] = [_identify(one, (*path, number)) for number, one in inner]
    return named


def _thing(name: str, nick: str, at: TableSpot, scale: float, turn: float, number: int) -> Object:
    transform: Mapping[str, float] = {
        "posX": at.x,
        "posY": 1.5 + 0.01 * number,
        "posZ": at.z,
        "rotX": 0.0,
        "rotY": 180.0,
        "rotZ": turn,
        "scaleX": scale,
        "scaleY": 1.0,
        "scaleZ": scale,
    }
    return {
        "Name": name,
        "Transform": dict(transform),
        "Nickname": nick,
        "Description": "",
        "ColorDiffuse": dict(_WHITE),
        "Locked": False,
        "Grid": True,
        "Snap": True,
    }
