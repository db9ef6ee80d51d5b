"""Take the faces of a kit and its matches with a shop, make decks of cards for its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from generator.basics.geometry import HAIR, Affine, Point, Rect, Size, translation
from generator.export.shop.matching import ProductMatch
from generator.export.shop.shops import Product, Shop
from generator.faces.edge import widen
from generator.model import DRAWN, Component, Face, FaceKey, Page, Placement, Sheet, Side

_CLOCKWISE, _BACK = Affine(0.0, 1.0, -1.0, 0.0), Affine(0.0, -1.0, 1.0, 0.0)


class ShopCard(Struct, frozen=True):
    """A piece of a deck, `copies` times; `back` is None if its back is blank."""

    match: ProductMatch
    piece: str
    copies: int
    front: Face
    back: Face | None

    @property
    def component(self) -> Component:
        return self.match.component

    def face(self, side: Side) -> Face | None:
        """The face of a side."""
        return self.front if side == "front" else self.back


class ShopDeck(Struct, frozen=True, dict=True):
    """Cards of one product that the shop prints together."""

    name: str
    product: Product
    cards: Sequence[ShopCard]

    @cached_property
    def quantity(self) -> int:
        """How many cards it has, copies included."""
        return sum(card.copies for card in self.cards)

    def backs(self) -> dict[str, list[int]]:
        """The distinct backs by the id of their face, each with the cards that have it, from 0."""
        found: dict[str, list[int]] = {}
        for index, card in enumerate(self.cards):
            if card.back:
                found.setdefault(card.back.id, []).append(index)
        return found


def make_decks(
    matches: Iterable[ProductMatch], faces: Mapping[FaceKey, Face], shop: Shop
) -> list[ShopDeck]:
    """The decks of a shop: one for each component, or one for each product."""
    groups: dict[tuple[str, Product], list[ShopCard]] = {}
    for found in matches:
        name = found.component.id if shop.deck == "component" else found.product.name
        groups.setdefault((name, found.product), []).extend(_cards(found, faces))
    return [ShopDeck(name, product, cards) for (name, product), cards in groups.items()]


def _cards(found: ProductMatch, faces: Mapping[FaceKey, Face]) -> Iterator[ShopCard]:
    component = found.component
    for piece in component.pieces:
        if piece.copies:
            front = _fit(faces[component.id, piece.id, "front"], found, "front")
            back = faces.get((component.id, piece.id, "back"))
            fitted = back and _fit(back, found, "back")
            yield ShopCard(found, piece.id, piece.copies, front, fitted)


def _fit(face: Face, found: ProductMatch, side: Side) -> Face:
    """A face whose bleed fills the canvas of its product."""
    component = found.component if side == "front" else found.component.from_behind()
    canvas = found.product.canvas.turned() if found.is_turned else found.product.canvas
    spare = max(have - need for have, need in zip(canvas, component.size, strict=True)) / 2
    more = spare - component.bleed
    if more <= HAIR:
        return face
    return widen(face, component, more, component.edges.get(side, DRAWN))


def sheet_of(card: ShopCard, side: Side, number: int, total: int) -> Sheet:
    """A page of the canvas, with a face in the middle; it is blank if the card has no such face."""
    product = card.match.product
    edge, trim = Rect(0.0, 0.0, *product.canvas), _centred(product.trim, product.canvas)
    face = card.face(side)
    placed = () if face is None else (_place(card, face, side, edge),)
    page = Page(side, placed, (), (), trim, edge)
    title = card.component.title
    return Sheet(card.component.id, title, number, total, product.canvas, None, (page,))


def _place(card: ShopCard, face: Face, side: Side, edge: Rect) -> Placement:
    """A card that lies is turned so that its back, turned over as a page of a book, is upright."""
    turn = Affine()
    if card.match.is_turned:
        turn = _CLOCKWISE if side == "front" else _BACK
    middle = face.trim.centre
    place = translation(*edge.centre) @ turn @ translation(-middle.x, -middle.y)
    return Placement(face.id, card.piece, place, edge.corners())


def _centred(trim: Size, canvas: Size) -> Rect:
    x, y = Point((canvas.width - trim.width) / 2, (canvas.height - trim.height) / 2)
    return Rect(x, y, x + trim.width, y + trim.height)
