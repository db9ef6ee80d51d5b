"""Print shops and their products, read from shops.toml.

A component matches a product of a shop, or the nearest product. The matched faces of a kit make the
decks of cards for the shop's files.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from generator.basics.errors import Level, Place, Problem, did_you_mean, fail, quote
from generator.basics.geometry import HAIR, Affine, Point, Rect, Size, translation
from generator.basics.shapes import Kind
from generator.basics.units import MM_PER_INCH, parse_length
from generator.faces.canvas import widen
from generator.model import DRAWN, Component, Face, FaceKey, Page, Placement, Sheet, Side, divided
from generator.pdf.inks import USUAL_LIMIT, PressColour, PressProfile, Standard

FileKind = Literal["png", "jpg", "pdf"]
PageOrder = Literal["back-front", "front-back"]
_KINDS: tuple[Kind, ...] = ("rectangle", "hexagon", "circle")
NEAR = 0.3  # mm: "57 mm" and 2.25 inches are one size
_NEAR_HEXAGON = 0.9  # mm: shops round; 2.5 inches wide is 54.99 mm high, sold as 2.2 inches
_MEANT = 15.0  # mm: a piece that differs by more from each product is not meant to be one
_FORMS: Mapping[Kind, str] = {
    "rectangle": "cards",
    "hexagon": "hexagons",
    "circle": "discs",
    "trihex": "tiles of three hexagons",
    "polygon": "polygons",
    "outline": "pieces of a drawn outline",
    "net": "nets to fold",
}
_CLOCKWISE, _BACK = Affine(0.0, 1.0, -1.0, 0.0), Affine(0.0, -1.0, 1.0, 0.0)


class Product(NamedTuple):
    """What a shop sells: its name there, the form of the cut piece, the size of its trim, and of
    the picture or page of a face, its trim in the middle. Sizes are in mm."""

    name: str
    kind: Kind
    trim: Size
    canvas: Size


class Shop(Struct, frozen=True):
    """How a shop wants its files; shops.toml explains each key. Lengths are in mm."""

    name: str
    title: str
    address: str
    source: Sequence[str]
    files: FileKind
    dpi: int
    bleed: float
    safe: float
    deck: Literal["component", "product"]
    file_name: str
    upload: str
    products: Sequence[Product]
    colour: Standard | Literal["RGB"]
    ink: int | None = None  # % of a solid layer
    order: PageOrder | None = None
    takes: str = ""
    autofill: Sequence[str] = ()
    any_size: bool = False

    @property
    def kinds(self) -> set[Kind]:
        """The forms of pieces that it cuts."""
        own: set[Kind] = {"rectangle"} if self.any_size else set()
        return own | {product.kind for product in self.products}

    def press_colour(self, profile: PressProfile) -> PressColour | None:
        """How its files are made for a press; None for RGB."""
        if self.colour == "RGB":
            return None
        limit = self.ink / 100 if self.ink else USUAL_LIMIT
        return PressColour(profile, limit, self.colour)


def shop_names() -> list[str]:
    """The names of all shops, in the order of the alphabet."""
    return sorted(_shops())


def find_shop(name: str) -> Shop:
    """The shop of a name, in any case. Raises PnpError if there is none."""
    shops = _shops()
    if not name:
        what, hint = "no shop is named", f"--for {', or '.join(shop_names())}"
        raise fail(Place("--for"), what, hint)
    if name.lower() not in shops:
        raise fail(Place("--for"), f"there is no shop {quote(name)}", did_you_mean(name, shops))
    return shops[name.lower()]


@cache
def _shops() -> Mapping[str, Shop]:
    text = Path(__file__).with_name("shops.toml").read_text("utf-8")
    return {name: _read(name, table) for name, table in tomllib.loads(text).items()}


def _read(name: str, table: Mapping[str, Any]) -> Shop:
    keys = {key: value for key, value in table.items() if key not in _KINDS}
    bleed, file_name = parse_length(keys.pop("bleed")), keys.pop("name")
    dpi, safe = keys.pop("dpi"), parse_length(keys.pop("safe"))
    products = tuple(_products(table, dpi, bleed))
    return Shop(name, dpi=dpi, bleed=bleed, safe=safe, file_name=file_name, products=products, **keys)


def _products(table: Mapping[str, Any], dpi: int, bleed: float) -> Iterator[Product]:
    for kind in _KINDS:
        for name, (width, height, *pixels) in table.get(kind, {}).items():
            trim = Size(parse_length(width), parse_length(height))
            canvas = with_bleed(trim, bleed)
            if pixels:
                canvas = Size(*(count / dpi * MM_PER_INCH for count in pixels))
            yield Product(name, kind, trim, canvas)


def with_bleed(trim: Size, bleed: float) -> Size:
    """A size with a bleed on each side."""
    return Size(trim.width + 2 * bleed, trim.height + 2 * bleed)


class ProductMatch(Struct, frozen=True):
    """A component as a product of a shop. `is_turned`: it lies a quarter turn from the product.

    `others` are further products with the same trim and canvas.
    """

    component: Component
    product: Product
    is_turned: bool
    others: Sequence[str]


def match(components: Iterable[Component], shop: Shop) -> tuple[list[ProductMatch], list[Problem]]:
    """The components that a shop sells, and a problem for each other one.

    It is an error if a product has nearly its size, a warning if the sizes are far apart, a note if
    the shop does not sell its form. A hexagon that comes out a little larger or smaller has a note.
    """
    matches: list[ProductMatch] = []
    problems: list[Problem] = []
    for component in divided(components):
        found = _find(component, shop)
        if found is None:
            problems.append(_unsold(component, shop))
        else:
            matches.append(found)
            problems += [*_other_size(found, shop), *_left_to_hands(component, shop)]
    return matches, problems


def _find(component: Component, shop: Shop) -> ProductMatch | None:
    sold = [product for product in shop.products if product.kind == component.shape.kind]
    size = component.size
    near = _NEAR_HEXAGON if component.shape.kind == "hexagon" else NEAR
    for product in sold:
        for is_turned, lying in ((False, size), (True, size.turned())):
            if _difference(lying, product.trim) <= near:
                same = (
                    product_sold.name
                    for product_sold in sold
                    if product_sold[2:] == product[2:] and product_sold != product
                )
                return ProductMatch(component, product, is_turned, tuple(same))
    if shop.any_size and component.shape.kind == "rectangle":
        product = Product(name_size(size, "x"), "rectangle", size, with_bleed(size, shop.bleed))
        return ProductMatch(component, product, is_turned=False, others=())
    return None


def _other_size(found: ProductMatch, shop: Shop) -> Iterator[Problem]:
    size, trim = found.component.size, found.product.trim
    if found.is_turned:
        trim = trim.turned()
    if _difference(size, trim) > NEAR:
        changes = ", ".join(_changes(trim.width - size.width, trim.height - size.height))
        title = found.component.title
        what = f"{title}: {shop.title} cuts {found.product.name} at {name_size(trim)} mm: {changes}"
        yield _problem(found.component, what, "", name_size(size), "note")


def _left_to_hands(component: Component, shop: Shop) -> Iterator[Problem]:
    if component.shape.holes or component.shape.creases:
        what = f"{component.title}: {shop.title} cuts no holes and scores no folds"
        hint = "cut and score these pieces when they arrive"
        yield _problem(component, what, hint, name_size(component.size), "warning")


def _difference(one: Size, other: Size) -> float:
    return max(abs(one.width - other.width), abs(one.height - other.height))


def _unsold(component: Component, shop: Shop) -> Problem:
    form, size = _FORMS[component.shape.kind], name_size(component.size)
    if component.shape.kind not in shop.kinds:
        what = f"pnp knows no product of {shop.title} for {form}"
        return _problem(component, what, "print these pieces at home", form, "note")
    difference, hint = _nearest(component, shop)
    what = f"{component.title}: pnp knows no {form} of {shop.title} of {size} mm"
    return _problem(component, what, hint, size, "error" if difference <= _MEANT else "warning")


def _problem(component: Component, what: str, hint: str, found: str, level: Level) -> Problem:
    return Problem(component.place, what, hint, level, "shop.size", (component.id,), found)


def _nearest(component: Component, shop: Shop) -> tuple[float, str]:
    """By how much the nearest product differs (mm), and a hint that names it."""
    size = component.size
    ways = [
        (_difference(size, trim), product, trim)
        for product in shop.products
        if product.kind == component.shape.kind
        for trim in (product.trim, product.trim.turned())
    ]
    difference, product, trim = min(ways, key=lambda way: way[0])
    changes = ", ".join(_changes(trim.width - size.width, trim.height - size.height))
    hint = f"the nearest, {product.name}, has {name_size(trim)} mm: {changes}"
    return difference, f"{hint}; or leave it out of the export with --only"


def _changes(across: float, down: float) -> Iterator[str]:
    for by, more, less in ((across, "wider", "narrower"), (down, "taller", "shorter")):
        if abs(by) >= 0.005:
            yield f"{abs(by):.2f}".rstrip("0").rstrip(".") + f" mm {more if by > 0 else less}"


def name_size(size: Size, times: str = " x ") -> str:
    """A size in words: "63.5 x 88.9"."""
    return times.join(f"{length:.2f}".rstrip("0").rstrip(".") for length in size)


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


def make_decks(matches: Iterable[ProductMatch], faces: Mapping[FaceKey, Face], shop: Shop) -> list[ShopDeck]:
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
    return Sheet(card.component.id, card.component.title, number, total, product.canvas, None, (page,))


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
