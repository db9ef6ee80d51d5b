"""Take a deck of a shop, make its files: a picture of each face, or a PDF with a page of each."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from msgspec import Struct
from PIL import Image

from generator.basics.units import MM_PER_INCH
from generator.export.exporter import Kit
from generator.export.shop.decks import ShopDeck, sheet_of
from generator.export.shop.matching import name_size
from generator.export.shop.shops import Shop
from generator.model import SIDES, Face, FaceKey, Side
from generator.pdf import raster
from generator.pdf.inks import PressColour

_QUALITY = 95  # of a JPEG
_WHITE = (255, 255, 255)


class FaceFile(Struct, frozen=True):
    """A file of a deck: a picture of a side of some cards, which `cards` counts from 0, or a PDF of
    all of them."""

    path: str
    content: bytes
    side: Side = "front"
    cards: Sequence[int] = ()


def make_files(
    kit: Kit, shop: Shop, deck: ShopDeck, colour: PressColour | None
) -> Iterator[FaceFile]:
    """All files of the faces of a deck; a PDF is made for a press if there is a colour."""
    if shop.files == "pdf":
        yield _make_pdf(kit, shop, deck, colour)
    else:
        yield from _make_pictures(kit, shop, deck)


def _make_pictures(kit: Kit, shop: Shop, deck: ShopDeck) -> Iterator[FaceFile]:
    """A picture of the front of each card, and of each distinct back."""
    sides: list[tuple[Side, Sequence[int]]] = [("front", (n,)) for n in range(len(deck.cards))]
    sides += [("back", cards) for cards in deck.backs().values()]
    sheets = [
        sheet_of(deck.cards[cards[0]], side, number, len(sides))
        for number, (side, cards) in enumerate(sides, 1)
    ]
    printed = kit.print(sheets, _faces_of(deck), is_temporary=True)
    images = raster.rasterise_each(printed, shop.dpi)
    for (side, cards), image in zip(sides, images, strict=True):
        path = _path(kit, shop, deck, cards, side)
        yield FaceFile(path, encode(image, shop), side, cards)


def _make_pdf(kit: Kit, shop: Shop, deck: ShopDeck, colour: PressColour | None) -> FaceFile:
    """The pages of each physical card, one after another; a card without a back has a blank one."""
    sides = SIDES if shop.order == "front-back" else SIDES[::-1]
    cards = [card for card in deck.cards for _ in range(card.copies)]
    pages = [(card, side) for card in cards for side in sides]
    sheets = [sheet_of(card, side, n, len(pages)) for n, (card, side) in enumerate(pages, 1)]
    every = range(len(deck.cards))
    path = _path(kit, shop, deck, every, "front")
    content = kit.print(sheets, _faces_of(deck))
    return FaceFile(path, kit.ink(content, colour) if colour else content, "front", every)


def make_blank(shop: Shop, deck: ShopDeck) -> FaceFile:
    """A white picture, for the backs of cards that have none."""
    width, height = (round(length * shop.dpi / MM_PER_INCH) for length in deck.product.canvas)
    content = encode(Image.new("RGB", (width, height), _WHITE), shop)
    return FaceFile(f"{shop.name}/{deck.name}/blank.{shop.files}", content)


def encode(image: Image.Image, shop: Shop) -> bytes:
    """A picture as the shop takes it, without alpha."""
    if shop.files == "png":
        return raster.encode(image, shop.dpi)
    buffer = io.BytesIO()
    dots = (shop.dpi, shop.dpi)
    image.save(buffer, "JPEG", quality=_QUALITY, subsampling="4:4:4", dpi=dots)
    return buffer.getvalue()


def _faces_of(deck: ShopDeck) -> dict[FaceKey, Face]:
    return {
        (card.component.id, card.piece, side): face
        for card in deck.cards
        for side in SIDES
        if (face := card.face(side))
    }


def _path(kit: Kit, shop: Shop, deck: ShopDeck, cards: Sequence[int], side: Side) -> str:
    """The path of a file for a side of some cards."""
    first = deck.cards[cards[0]]
    name = shop.file_name.format(
        game=kit.game.name,
        component=first.component.id,
        product=deck.product.name,
        size=name_size(deck.product.trim, "x"),
        number=f"{cards[0] + 1:03}",
        piece=first.piece,
        copies=sum(deck.cards[index].copies for index in cards),
        side=side,
    )
    return f"{shop.name}/{name}"
