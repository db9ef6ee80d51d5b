"""Print shops and their products, read from shops.toml.

A component matches a product of a shop, or the nearest product. The matched faces of a kit make the
decks of cards for the shop's files; the pages of its rules make a booklet, a die its six sides.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from generator.basics.errors import Level, Place, Problem, did_you_mean, fail, quote
from generator.basics.geometry import HAIR, MM_PER_INCH, Affine, Point, Rect, Size, parse_length, scaling, translation
from generator.basics.shapes import Kind
from generator.faces.canvas import widen
from generator.layout.folds import has_panel
from generator.layout.nets import Net, Panel
from generator.layout.solids import is_die, shop_tuckbox
from generator.model import DRAWN, RULEBOOK, SIDES, Component, Face, FaceKey, Page, Placement, Sheet, Side, divided
from generator.pdf.inks import USUAL_LIMIT, PressColour, PressProfile, Standard

FileKind = Literal["png", "jpg", "pdf"]
PageOrder = Literal["back-front", "front-back"]
ProductKind = Kind | Literal["booklet", "die", "tuckbox"]
_KINDS: tuple[ProductKind, ...] = ("rectangle", "hexagon", "circle", "booklet", "die")
UNBLED: tuple[ProductKind, ...] = ("die", "tuckbox")  # a face with a bleed is not what becomes their picture
_LEAF, _CUBE = 4, 6  # pages of a folded sheet, sides of a die
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
_TURNS: Mapping[Side, Affine] = {"front": Affine(0.0, 1.0, -1.0, 0.0), "back": Affine(0.0, -1.0, 1.0, 0.0)}


class Product(NamedTuple):
    """A product of a shop: its name there, the form of the cut piece, and the sizes in mm of its trim and of the
    picture or page of a face, with the trim in its middle. A booklet has those of a page, a die those of a side."""

    name: str
    kind: ProductKind
    trim: Size
    canvas: Size


class ShopBox(NamedTuple):
    """A tuck box that holds so many cards of a product: the canvas of its picture, where the walls begin on it, and the
    width, height and depth of the walls. Lengths are in mm."""

    name: str
    holds: str
    most: int
    canvas: Size
    corner: Point
    walls: tuple[float, float, float]

    @property
    def net(self) -> Net:
        return shop_tuckbox(*self.walls)


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
    most_pages: int = 0  # of a booklet
    page: str = ""
    boxes: Sequence[ShopBox] = ()

    def sold_as(self, kind: ProductKind) -> list[Product]:
        """The shop's products of a form."""
        return [product for product in self.products if product.kind == kind]

    def same_as(self, product: Product) -> list[str]:
        """The names of further products of its form, trim and canvas."""
        return sorted(other.name for other in self.products if other[1:] == product[1:] and other != product)

    def find_booklet(self, size: Size) -> Product | None:
        """The booklet whose pages are nearest to a size; None if it binds none."""
        return min(self.sold_as("booklet"), key=lambda product: _difference(product.trim, size), default=None)

    def find_box(self, matches: Iterable[ProductMatch]) -> ShopBox | None:
        """The smallest of its boxes that holds all cards, if they are of one product; tokens are no cards."""
        boxed = {box.holds for box in self.boxes}
        cards = [found for found in matches if found.product.name in boxed]
        names, count = {found.product.name for found in cards}, sum(len(found.component.copies()) for found in cards)
        fitting = (box for box in self.boxes if {box.holds} == names and box.most >= count)
        return min(fitting, key=lambda box: box.most, default=None)

    def press_colour(self, profile: PressProfile) -> PressColour | None:
        """The colours of the shop's files for a press; None for RGB."""
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
    keys = {key: value for key, value in table.items() if key not in (*_KINDS, "boxes")}
    bleed, file_name = parse_length(keys.pop("bleed")), keys.pop("name")
    dpi, safe = keys.pop("dpi"), parse_length(keys.pop("safe"))
    products = tuple(_products(table, dpi, bleed))
    boxes = [_read_box(box, *entry, dpi=dpi) for box, entry in table.get("boxes", {}).items()]
    return Shop(name, dpi=dpi, bleed=bleed, safe=safe, file_name=file_name, products=products, boxes=boxes, **keys)


def _read_box(name: str, holds: str, most: int, *pixels: float, dpi: int) -> ShopBox:
    across, down, left, top, width, height, depth = (count / dpi * MM_PER_INCH for count in pixels)
    return ShopBox(name, holds, most, Size(across, down), Point(left, top), (width, height, depth))


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
    """A component as a product of a shop; a tuck box as its `box`. `is_turned`: it lies a quarter turn from it."""

    component: Component
    product: Product
    is_turned: bool = False
    box: ShopBox | None = None


def match(components: Iterable[Component], shop: Shop) -> tuple[list[ProductMatch], list[Problem]]:
    """The components that a shop sells, and a problem for each other one.

    It is an error if a product has nearly its size, a warning if the sizes are far apart, a note if
    the shop does not sell its form. A hexagon that comes out a little larger or smaller has a note.
    """
    matches: list[ProductMatch] = []
    problems: list[Problem] = []
    unsold: list[Component] = []
    for component in divided(components):
        found = _find(component, shop)
        if found is None:
            unsold.append(component)
        else:
            matches.append(found)
            problems += [*_other_size(found, shop), *_left_to_hands(component, shop)]
    box, tuckboxes = shop.find_box(matches), [part for part in unsold if _is_tuckbox(part)]
    if box and len(tuckboxes) == 1:
        unsold.remove(tuckboxes[0])
        product = Product(box.name, "tuckbox", box.canvas, box.canvas)
        matches.append(ProductMatch(tuckboxes[0], product, box=box))
    return matches, [*(_unsold(component, shop) for component in unsold), *problems]


def _is_tuckbox(part: Component) -> bool:
    """Whether it is a [[box]], which can be drawn in another size, and has no table."""
    return has_panel(part.shape, "tuck") and not any(piece.row for piece in part.pieces)


def _find(component: Component, shop: Shop) -> ProductMatch | None:
    if _sides_of(component):
        return next((ProductMatch(component, die) for die in shop.sold_as("die")), None)
    size = component.size
    near = _NEAR_HEXAGON if component.shape.kind == "hexagon" else NEAR
    for product in shop.sold_as(component.shape.kind):
        for is_turned, lying in ((False, size), (True, size.turned())):
            if _difference(lying, product.trim) <= near:
                return ProductMatch(component, product, is_turned)
    if shop.any_size and component.shape.kind == "rectangle":
        product = Product(name_size(size, "x"), "rectangle", size, with_bleed(size, shop.bleed))
        return ProductMatch(component, product)
    return None


def _sides_of(component: Component) -> list[Panel]:
    """The sides of a die of six, from the first on; none of another piece."""
    net = component.shape
    sides = [panel for panel in net.panels if not panel.is_glued] if isinstance(net, Net) and is_die(net) else []
    return sorted(sides, key=lambda panel: panel.name) if len(sides) == _CUBE else []


def _other_size(found: ProductMatch, shop: Shop) -> Iterator[Problem]:
    size, trim = found.component.size, found.product.trim
    if found.product.kind == "die":
        return
    if found.is_turned:
        trim = trim.turned()
    if _difference(size, trim) > NEAR:
        changes = ", ".join(_changes(trim.width - size.width, trim.height - size.height))
        title = found.component.title
        what = f"{title}: {shop.title} cuts {found.product.name} at {name_size(trim)} mm: {changes}"
        yield _problem(found.component, what, "", name_size(size), "note")


def _left_to_hands(component: Component, shop: Shop) -> Iterator[Problem]:
    if component.shape.holes or (component.shape.creases and not _sides_of(component)):
        what = f"{component.title}: {shop.title} cuts no holes and scores no folds"
        hint = "cut and score these pieces when they arrive"
        yield _problem(component, what, hint, name_size(component.size), "warning")


def _difference(one: Size, other: Size) -> float:
    return max(abs(one.width - other.width), abs(one.height - other.height))


def _unsold(component: Component, shop: Shop) -> Problem:
    form, size = _FORMS[component.shape.kind], name_size(component.size)
    sold = shop.sold_as(component.shape.kind)
    if not sold:
        form = "a tuck box with these cards" if shop.boxes and _is_tuckbox(component) else form
        what = f"pnp knows no product of {shop.title} for {form}"
        return _problem(component, what, "print these pieces at home", form, "note")
    difference, hint = _nearest(component.size, sold)
    what = f"{component.title}: pnp knows no {form} of {shop.title} of {size} mm"
    return _problem(component, what, hint, size, "error" if difference <= _MEANT else "warning")


def _problem(component: Component, what: str, hint: str, found: str, level: Level) -> Problem:
    return Problem(component.place, what, hint, level, "shop.size", (component.id,), found)


def _nearest(size: Size, sold: Iterable[Product]) -> tuple[float, str]:
    """The difference to the nearest product (mm), and a hint that names it."""
    ways = (
        (_difference(size, trim), product, trim) for product in sold for trim in (product.trim, product.trim.turned())
    )
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


class ShopSide(NamedTuple):
    """A face, and its place around the middle of the product's canvas."""

    face: Face
    place: Affine


class ShopCard(Struct, frozen=True):
    """A piece of a deck, `copies` times; a page of a booklet, a side of a die. `part` and `title`
    are those of its component; sides that are not there stay blank."""

    part: str
    title: str
    piece: str
    copies: int
    sides: Mapping[Side, ShopSide]


class ShopDeck(Struct, frozen=True, dict=True):
    """Cards of one product that the shop prints together, or all of one booklet, of one die."""

    name: str
    product: Product
    cards: Sequence[ShopCard]

    @cached_property
    def quantity(self) -> int:
        """The number of cards of the deck, copies included; or of booklets or dice."""
        is_whole = self.product.kind in ("booklet", "die", "tuckbox")
        return self.cards[0].copies if is_whole else sum(card.copies for card in self.cards)

    def backs(self) -> dict[str, list[int]]:
        """The distinct backs by the id of their face, each with the cards that have it, from 0."""
        found: dict[str, list[int]] = {}
        for index, card in enumerate(self.cards):
            if back := card.sides.get("back"):
                found.setdefault(back.face.id, []).append(index)
        return found


def bind_booklet(pages: Sequence[Face], title: str, product: Product) -> ShopDeck:
    """The deck of the pages of a booklet; blank ones at its end fill the last sheet."""
    sides: list[dict[Side, ShopSide]] = [{"front": ShopSide(face, _around(face.trim.centre))} for face in pages]
    sides += [{}] * (-len(pages) % _LEAF)
    cards = [ShopCard(RULEBOOK, title, str(number), 1, shown) for number, shown in enumerate(sides, 1)]
    return ShopDeck(RULEBOOK, product, cards)


def make_decks(matches: Iterable[ProductMatch], faces: Mapping[FaceKey, Face], shop: Shop) -> list[ShopDeck]:
    """The decks of a shop: one for each component, or one for each product; one for each die."""
    groups: dict[tuple[str, Product], list[ShopCard]] = {}
    for found in matches:
        name = found.component.id if shop.deck == "component" else found.product.name
        for index, card in enumerate(_cards(found, faces)):
            own = f"{name}-{index // _CUBE + 1}" if found.product.kind == "die" else name
            groups.setdefault((own, found.product), []).append(card)
    return [ShopDeck(name, product, cards) for (name, product), cards in groups.items()]


def _cards(found: ProductMatch, faces: Mapping[FaceKey, Face]) -> Iterator[ShopCard]:
    part = found.component
    for piece in part.pieces:
        faces_of = {side: face for side in SIDES if (face := faces.get((part.id, piece.id, side)))}
        copies = min(piece.copies, 1) if found.box else piece.copies  # it holds all cards
        for name, sides in _sides(found, faces_of) if copies else ():
            yield ShopCard(part.id, part.title, piece.id + name, copies, sides)


def _sides(found: ProductMatch, faces: Mapping[Side, Face]) -> Iterator[tuple[str, dict[Side, ShopSide]]]:
    """The sides that a shop prints, each with its name: those of a card; of a box, with its walls where the shop
    cuts them; or the panels of a die, upright and as large as the canvas."""
    panels, front = _sides_of(found.component), faces["front"]
    if found.box:
        corner, canvas = found.box.corner, found.box.canvas
        on_net = found.box.net.panels[0].place.undo() @ _around(Point(front.trim.x0, front.trim.y0))
        place = translation(corner.x - canvas.width / 2, corner.y - canvas.height / 2) @ on_net
        yield "", {"front": ShopSide(front, place)}
    elif not panels:
        yield "", {side: _fit(face, found, side) for side, face in faces.items()}
    for panel in panels:
        width, height = panel.size
        on_net = panel.place.undo() @ translation(-front.trim.x0, -front.trim.y0)
        middle = scaling(found.product.canvas.width / width) @ translation(-width / 2, -height / 2)
        yield f"-{panel.name}", {"front": ShopSide(front, middle @ on_net)}


def _around(origin: Point) -> Affine:
    return translation(-origin.x, -origin.y)


def _fit(face: Face, found: ProductMatch, side: Side) -> ShopSide:
    """A face whose bleed fills the canvas of its product. A card that lies is turned so that its
    back, turned over as a page of a book, is upright."""
    component = found.component if side == "front" else found.component.from_behind()
    canvas = found.product.canvas.turned() if found.is_turned else found.product.canvas
    spare = max(have - need for have, need in zip(canvas, component.size, strict=True)) / 2
    more = spare - component.bleed
    if more > HAIR:
        face = widen(face, component, more, component.edges.get(side, DRAWN))
    turn = _TURNS[side] if found.is_turned else Affine()
    return ShopSide(face, turn @ _around(face.trim.centre))


def sheet_of(deck: ShopDeck, card: ShopCard, side: Side, number: int, total: int) -> Sheet:
    """A page of the canvas, with a face on its middle; it is blank if the card has no such face."""
    canvas, trim = deck.product.canvas, deck.product.trim
    edge, placed = Rect(0.0, 0.0, *canvas), list[Placement]()
    if shown := card.sides.get(side):
        to_page = translation(*edge.centre) @ shown.place
        placed = [Placement(shown.face.id, card.piece, to_page, edge.corners())]
    x, y = (canvas.width - trim.width) / 2, (canvas.height - trim.height) / 2
    page = Page(side, tuple(placed), (), (), Rect(x, y, x + trim.width, y + trim.height), edge)
    return Sheet(card.part, card.title, number, total, canvas, None, (page,))
