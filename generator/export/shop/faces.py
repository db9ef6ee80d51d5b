"""Take a deck of a shop, make its files: a picture of each face, or a PDF with a page of each."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image

from generator import raster
from generator.export.exporter import Kit
from generator.export.shop.decks import Card, Deck, sheet_of
from generator.export.shop.matching import name_size
from generator.export.shop.shops import Shop
from generator.model import SIDES, Face, FaceKey, Side
from generator.units import MM_PER_INCH

_QUALITY = 95  # of a JPEG
_WHITE = (255, 255, 255)


class FaceFile(NamedTuple):
    """A file of a deck: its path, and the faces on it in their order, by side and id."""

    path: str
    content: bytes
    faces: Sequence[tuple[Side, str]]


def make_files(kit: Kit, shop: Shop, deck: Deck) -> Iterator[FaceFile]:
    """All files of the faces of a deck."""
    if shop.files == "pdf":
        yield _make_pdf(kit, shop, deck)
    else:
        yield from _make_pictures(kit, shop, deck)


def _make_pictures(kit: Kit, shop: Shop, deck: Deck) -> Iterator[FaceFile]:
    """A picture of the front of each card, and of each distinct back."""
    numbered: list[tuple[int, Side]] = [(index, "front") for index in range(len(deck.cards))]
    numbered += [(index, "back") for index in deck.backs().values()]
    total = len(numbered)
    sheets = [
        sheet_of(deck.cards[index], side, number, total)
        for number, (index, side) in enumerate(numbered, 1)
    ]
    images = raster.rasterise_each(kit.print(sheets, _faces_of(deck)), shop.dpi)
    for (index, side), image in zip(numbered, images, strict=True):
        face = deck.cards[index].face(side)
        assert face is not None, "a back that is not there is not painted"
        path = _path(kit, shop, deck, index, side)
        yield FaceFile(path, encode(image, shop), ((side, face.id),))


def _make_pdf(kit: Kit, shop: Shop, deck: Deck) -> FaceFile:
    """The pages of each physical card, one after another; a card without a back has a blank one."""
    sides = SIDES if shop.order == "front-back" else SIDES[::-1]
    cards = [card for card in deck.cards for _ in range(card.copies)]
    pages = [(card, side) for card in cards for side in sides]
    sheets = [sheet_of(card, side, n, len(pages)) for n, (card, side) in enumerate(pages, 1)]
    path = _path(kit, shop, deck, 0, "front")
    shown = [(side, face.id if (face := card.face(side)) else "") for card, side in pages]
    return FaceFile(path, kit.print(sheets, _faces_of(deck)), shown)


def make_blank(shop: Shop, deck: Deck) -> FaceFile:
    """A white picture, for the backs of cards that have none."""
    width, height = (round(length * shop.dpi / MM_PER_INCH) for length in deck.product.canvas)
    content = encode(Image.new("RGB", (width, height), _WHITE), shop)
    return FaceFile(f"{shop.name}/{deck.name}/blank.{shop.files}", content, (("back", ""),))


def encode(image: Image.Image, shop: Shop) -> bytes:
    """A picture as the shop takes it, without alpha."""
    if shop.files == "png":
        return raster.encode(image, shop.dpi)
    buffer = io.BytesIO()
    dots = (shop.dpi, shop.dpi)
    image.save(buffer, "JPEG", quality=_QUALITY, subsampling="4:4:4", dpi=dots)
    return buffer.getvalue()


def _faces_of(deck: Deck) -> dict[FaceKey, Face]:
    return {
        (card.component.id, card.piece, side): face
        for card in deck.cards
        for side in SIDES
        if (face := card.face(side))
    }


def _path(kit: Kit, shop: Shop, deck: Deck, index: int, side: Side) -> str:
    """The path of the file of a card's side."""
    card = deck.cards[index]
    name = shop.file_name.format(
        game=kit.game.name,
        component=card.component.id,
        product=deck.product.name,
        size=name_size(deck.product.trim, "x"),
        number=f"{index + 1:03}",
        piece=card.piece,
        copies=_count(deck, card, side),
        side=side,
    )
    return f"{shop.name}/{name}"


def _count(deck: Deck, card: Card, side: Side) -> int:
    """How many cards need the file of a card's side: all those with a shared back."""
    if side == "front" or card.back is None:
        return card.copies
    id_ = card.back.id
    return sum(one.copies for one in deck.cards if one.back and one.back.id == id_)
