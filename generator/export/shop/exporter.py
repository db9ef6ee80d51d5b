"""Files from which a print shop prints a kit, and a list of them.

The files of a deck are a picture of each face, or a PDF with a page of each. manifest.json says
what to order, and how to recognize each file; order.html says the same to people. Decks with
pictures also get the order that MPC Autofill reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from msgspec import Struct
from PIL import Image

from generator.art.pixels import save_picture
from generator.basics.errors import Place, PnpError, Problem, fail
from generator.basics.geometry import MM_PER_INCH, Size, steady
from generator.basics.keys import Custom, Keys, Reads, Schema
from generator.export.exporter import ExportedFile, Kit
from generator.export.shop.shops import Shop, ShopDeck, bind_booklet, find_shop, make_decks, match, name_size, sheet_of
from generator.model import RULEBOOK, SIDES, Face, FaceKey, Game, Side
from generator.pdf import raster
from generator.pdf.inks import PressColour, built_in_profile, read_profile
from generator.web.shell import Report, choose_accent, write_report

_QUALITY = 95  # of a JPEG
_WHITE = (255, 255, 255)
# the numbers of cards with a price: frontend/src/common/constants.ts of mpc-autofill
BRACKETS = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)
_STOCK = "(S30) Standard Smooth"


def _read_path(value: object) -> Path:
    return Path(str(value))


class ShopOrder(Keys, frozen=True, kw_only=True):
    """SHOP/manifest.json, and beside it a picture of each face, or a PDF of each deck.

    `shop` is a name in shops.toml. `profile` is the file of the ICC profile of its press, if it
    takes inks; by default that of offset printing on coated paper.
    """

    shop: str = ""
    profile: Custom[Path, Reads(_read_path), Schema({"type": "string"})] | None = None

    def __post_init__(self) -> None:
        shop = find_shop(self.shop)
        if self.profile and shop.colour == "RGB":
            raise fail(Place("--set profile"), f"the files for {shop.title} are in RGB", "leave it out")

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        shop = find_shop(self.shop)
        matches, problems = match(kit.components, shop)
        redrawn = {
            (found.component.id, found.component.pieces[0].id, SIDES[0]): kit.reshape(found.component, found.box.net)
            for found in matches
            if found.box
        }
        decks = make_decks(matches, {**kit.faces, **redrawn}, shop)
        if (RULEBOOK, "1", "front") in kit.pages:
            booklet = _bind_rules(kit, shop)
            if isinstance(booklet, Problem):
                problems.append(booklet)
            elif matches or not kit.components:
                decks.append(booklet)
        _check(shop, kit, problems, is_any=bool(decks))
        left = {RULEBOOK, *(part.id for part in kit.components)} - {found.component.id for found in matches}
        unsold = [problem for problem in problems if left & {*problem.on}]
        manifest = ShopManifest(kit.game, shop, unsold)
        profile = read_profile(self.profile) if self.profile else built_in_profile()
        colour = shop.press_colour(profile)
        ordered = [deck.name for deck in decks if deck.product.name in shop.autofill]
        orders = {name: f"order-{name}.xml" if ordered[1:] else "order.xml" for name in ordered}
        for deck in decks:
            for file in _export(kit, shop, deck, colour, orders.get(deck.name)):
                manifest.add(deck, file)
                yield ExportedFile(f"{shop.name}/{file.path}", file.content)
        listed = manifest.describe()
        text = json.dumps(listed, ensure_ascii=False, indent=1)
        yield ExportedFile(f"{shop.name}/manifest.json", f"{text}\n".encode())
        box = shop.find_box(matches)
        yield ExportedFile(f"{shop.name}/order.html", _write_order(kit.game, shop, listed, box.name if box else ""))
        for problem in (*problems, *_notes_on(shop, decks)):
            kit.note(problem)


def _bind_rules(kit: Kit, shop: Shop) -> ShopDeck | Problem:
    """The rules as a booklet of the shop, set anew in its size; or why it binds none."""
    design, first = kit.game.booklet, kit.pages[RULEBOOK, "1", "front"]
    assert design, "whose pages these are"
    product = shop.find_booklet(first.size)
    what = f"pnp knows no booklet of {shop.title}"
    if product:
        pages = kit.set_rules(product.trim, shop.safe)
        if len(pages) <= shop.most_pages:
            return bind_booklet(pages, kit.game.phrases.say("rules.title"), product)
        what = f"{shop.title} binds {shop.most_pages} pages, and the rules have {len(pages)} of this size"
    return Problem(design.place, what, "print the rules at home", "note", "shop.size", (RULEBOOK,), "rules")


def _write_order(game: Game, shop: Shop, listed: Mapping[str, Any], box: str) -> bytes:
    """A page of what to click; `box` is one of the shop in which the cards fit, or ""."""
    accent = choose_accent([game.booklet.accent] if game.booklet else [])
    figures = [(str(deck["quantity"]), f"{deck['product']}: {deck['title']}") for deck in listed["decks"]]
    lead = f"From {shop.title}. {shop.upload.capitalize()}."
    report = Report(f"{game.title}: what to order", lead, "en", accent, figures)
    return write_report("order.html", report, shop=shop, listed=listed, box=box)


def _notes_on(shop: Shop, decks: Sequence[ShopDeck]) -> Iterator[Problem]:
    """Notes on what the shop takes, and on decks of another size than the one product that MPC Autofill knows."""
    if shop.takes:
        yield Problem(Place(shop.title), f"it takes {shop.takes}", shop.upload, "note")
    for deck in decks:
        if deck.product.name in shop.autofill[1:]:
            (ordered,) = (product for product in shop.products if product.name == shop.autofill[0])
            share = ordered.canvas.width / deck.product.canvas.width
            what = f"MPC Autofill orders cards of {name_size(ordered.trim)} mm"
            hint = f"your cards of {name_size(deck.product.trim)} mm come out at {share:.0%}"
            yield Problem(Place(f"{shop.title}, {deck.name}"), what, hint, "note")


def _check(shop: Shop, kit: Kit, problems: Sequence[Problem], *, is_any: bool) -> None:
    """Raises PnpError if a component has a wrong size, or if nothing is left."""
    if any(problem.level == "error" for problem in problems):
        raise PnpError(problem for problem in problems if problem.level == "error")
    if not problems and not is_any:
        raise fail(Place("--to shop"), "there are no pieces to print", "leave out --only")
    if not is_any:
        what = f"{shop.title} has no product for any component of {kit.game.title}"
        raise PnpError([*problems, Problem(Place("--for"), what, "choose another shop")])


def _export(kit: Kit, shop: Shop, deck: ShopDeck, colour: PressColour | None, order: str | None) -> Iterator[FaceFile]:
    """The files of a deck, with an order of them if it is to have one."""
    paths: dict[tuple[Side, int], str] = {}
    is_pdf = shop.files == "pdf"
    files = (_make_pdf(kit, shop, deck, colour),) if is_pdf else _make_pictures(kit, shop, deck)
    for file in files:
        paths.update(((file.side, index), file.path) for index in file.cards)
        yield file
    if order is None:
        return
    blank = make_blank(shop, deck)
    if any("back" not in card.sides for card in deck.cards):
        yield blank
    yield FaceFile(order, make_order(deck, paths, blank.path))


class FaceFile(Struct, frozen=True):
    """A file of a deck, by its path in the shop's folder: a picture of a side of some cards, which
    `cards` counts from 0, or a PDF of all of them."""

    path: str
    content: bytes
    side: Side = "front"
    cards: Sequence[int] = ()


def _make_pictures(kit: Kit, shop: Shop, deck: ShopDeck) -> Iterator[FaceFile]:
    """A picture of the front of each card, and of each distinct back."""
    sides: list[tuple[Side, Sequence[int]]] = [("front", (n,)) for n in range(len(deck.cards))]
    sides += [("back", cards) for cards in deck.backs().values()]
    total = len(sides)
    sheets = [sheet_of(deck, deck.cards[cards[0]], side, n, total) for n, (side, cards) in enumerate(sides, 1)]
    printed = kit.print(sheets, _faces_of(deck), is_temporary=True)
    images = raster.rasterise_each(printed, shop.dpi)
    for (side, cards), image in zip(sides, images, strict=True):
        path = _path(kit, shop, deck, cards, side)
        yield FaceFile(path, encode(image, shop), side, cards)


def _make_pdf(kit: Kit, shop: Shop, deck: ShopDeck, colour: PressColour | None) -> FaceFile:
    """The pages of each physical card, one after another; a card without a back has a blank one.
    It is made for a press if there is a colour."""
    sides = SIDES if shop.order == "front-back" else SIDES[::-1]
    cards = [card for card in deck.cards for _ in range(card.copies)]
    pages = [(card, side) for card in cards for side in sides]
    sheets = [sheet_of(deck, card, side, n, len(pages)) for n, (card, side) in enumerate(pages, 1)]
    every = range(len(deck.cards))
    path = _path(kit, shop, deck, every, "front")
    content = kit.print(sheets, _faces_of(deck))
    return FaceFile(path, kit.ink(content, colour) if colour else content, "front", every)


def make_blank(shop: Shop, deck: ShopDeck) -> FaceFile:
    """A white picture, for the backs of cards that have none."""
    width, height = (round(length * shop.dpi / MM_PER_INCH) for length in deck.product.canvas)
    return FaceFile(f"{deck.name}/blank.{shop.files}", encode(Image.new("RGB", (width, height), _WHITE), shop))


def encode(image: Image.Image, shop: Shop) -> bytes:
    """A picture as the shop takes it, without alpha."""
    if shop.files == "png":
        return raster.encode(image, shop.dpi)
    return save_picture(image, "JPEG", quality=_QUALITY, subsampling="4:4:4", dpi=(shop.dpi, shop.dpi))


def _faces_of(deck: ShopDeck) -> dict[FaceKey, Face]:
    return {(card.part, card.piece, side): shown.face for card in deck.cards for side, shown in card.sides.items()}


def _path(kit: Kit, shop: Shop, deck: ShopDeck, cards: Sequence[int], side: Side) -> str:
    first = deck.cards[cards[0]]
    return shop.file_name.format(
        game=kit.game.name,
        component=first.part,
        product=deck.product.name,
        size=name_size(deck.product.trim, "x"),
        number=f"{cards[0] + 1:03}",
        piece=first.piece,
        copies=sum(deck.cards[index].copies for index in cards),
        side=side,
    )


class ShopManifest:
    """Collects the files of an export in their order."""

    def __init__(self, game: Game, shop: Shop, unsold: Sequence[Problem]) -> None:
        self._game, self._shop, self._unsold = game, shop, unsold
        self._decks: dict[str, ShopDeck] = {}
        self._names: dict[tuple[str, Side, int], str] = {}
        self._hashes: dict[str, str] = {}

    def add(self, deck: ShopDeck, file: FaceFile) -> None:
        self._hashes[file.path] = sha256(file.content).hexdigest()
        self._decks[deck.name] = deck
        self._names.update(((deck.name, file.side, index), file.path) for index in file.cards)

    def describe(self) -> dict[str, Any]:
        """The list, for the file and for the page."""
        shop = self._shop
        return {
            "game": self._game.name,
            "title": self._game.title,
            "shop": {"name": shop.name, "title": shop.title, "address": shop.address},
            "upload": shop.upload,
            "takes": shop.takes,
            "decks": [self._describe(deck) for deck in self._decks.values()],
            "left_out": [{"components": list(problem.on), "why": problem.what} for problem in self._unsold],
            "sha256": self._hashes,
        }

    def _describe(self, deck: ShopDeck) -> dict[str, Any]:
        product = deck.product
        also = self._shop.same_as(product)
        return {
            "product": product.name,
            "kind": product.kind,
            "title": ", ".join(dict.fromkeys(card.title for card in deck.cards)),
            **({"or": also} if also else {}),
            "trim_mm": _lengths(product.trim),
            "with_bleed_mm": _lengths(product.canvas),
            **self._files_of(deck),
            "quantity": deck.quantity,
            "cards": [self._list(deck, index) for index in range(len(deck.cards))],
        }

    def _files_of(self, deck: ShopDeck) -> dict[str, Any]:
        """The pixels of the pictures of a deck, or its PDF and the order of the pages."""
        dpi = self._shop.dpi
        if self._shop.files == "pdf":
            file = self._names[deck.name, "front", 0]
            return {"file": file, "colour": self._shop.colour, "pages": self._shop.order}
        return {"pixels": [round(length * dpi / MM_PER_INCH) for length in deck.product.canvas]}

    def _list(self, deck: ShopDeck, index: int) -> dict[str, Any]:
        card = deck.cards[index]
        listed = {"component": card.part, "piece": card.piece, "quantity": card.copies}
        sides = () if self._shop.files == "pdf" else SIDES
        return listed | {side: self._names.get((deck.name, side, index)) for side in sides}


def _lengths(size: Size) -> list[float]:
    return [steady(length, 3) for length in size]


def make_order(deck: ShopDeck, paths: Mapping[tuple[Side, int], str], blank: str) -> bytes:
    """The order. `paths` has the files of the sides of each card, counted from 0, from the folder
    of the order; `blank` is that of a white back."""
    order = Element("order")
    details = SubElement(order, "details")
    _add(details, "quantity", str(deck.quantity))
    bracket = next((most for most in BRACKETS if deck.quantity <= most), BRACKETS[-1])
    _add(details, "bracket", str(bracket))
    _add(details, "stock", _STOCK)
    _add(details, "foil", "false")
    copies = [index for index, card in enumerate(deck.cards) for _ in range(card.copies)]
    fronts = _images(paths["front", index] for index in copies)
    backs = _images(paths.get(("back", index), blank) for index in copies)
    _add_images(SubElement(order, "fronts"), fronts)
    usual = max(backs, key=lambda path: len(backs[path]))
    del backs[usual]
    if backs:
        _add_images(SubElement(order, "backs"), backs)
    _add(order, "cardback", usual)
    ElementTree.indent(order)
    content: bytes = ElementTree.tostring(order, "utf-8", xml_declaration=True)
    return content + b"\n"


def _images(paths: Iterable[str]) -> dict[str, list[int]]:
    """The distinct pictures, each with its slots."""
    slots: dict[str, list[int]] = {}
    for slot, path in enumerate(paths):
        slots.setdefault(path, []).append(slot)
    return slots


def _add_images(parent: Element, images: Mapping[str, Sequence[int]]) -> None:
    for path, slots in images.items():
        card = SubElement(parent, "card")
        _add(card, "id", path)
        _add(card, "sourceType", "Local File")
        _add(card, "slots", ",".join(map(str, slots)))
        _add(card, "name", PurePosixPath(path).name)
        _add(card, "query", PurePosixPath(path).stem)


def _add(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = text
