"""Take a kit, make the files that a print shop prints it from, and a list of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.basics.errors import PnpError, Problem, fail
from generator.basics.keys import Custom, Keys, Reads, Schema
from generator.basics.place import Place
from generator.export.exporter import ExportedFile, Kit
from generator.export.shop.autofill import make_order
from generator.export.shop.decks import ShopDeck, make_decks
from generator.export.shop.faces import FaceFile, make_blank, make_files
from generator.export.shop.manifest import ShopManifest
from generator.export.shop.matching import match, name_size
from generator.export.shop.shops import Shop, find_shop
from generator.model import Side
from generator.pdf.inks import PressColour, built_in_profile, read_profile


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
            what = f"the files for {shop.title} are in RGB"
            raise fail(Place("--set profile"), what, "leave it out")

    def export(self, kit: Kit) -> Iterator[ExportedFile]:
        shop = find_shop(self.shop)
        matches, problems = match(kit.components, shop)
        _check(shop, kit, problems, is_any=bool(matches))
        left = {one.id for one in kit.components} - {one.component.id for one in matches}
        manifest = ShopManifest(kit.game, shop, [one for one in problems if left & {*one.on}])
        decks = make_decks(matches, kit.faces, shop)
        profile = read_profile(self.profile) if self.profile else built_in_profile()
        colour = shop.press_colour(profile)
        orders = _name_orders(decks, shop)
        for deck in decks:
            for file in _export(kit, shop, deck, colour, orders.get(deck.name)):
                manifest.add(deck, file)
                yield ExportedFile(file.path, file.content)
        yield ExportedFile(f"{shop.name}/manifest.json", manifest.to_json())
        for problem in (*problems, *_wants(shop), *_rescaled(shop, decks)):
            kit.note(problem)


def _wants(shop: Shop) -> Iterator[Problem]:
    if shop.takes:
        yield Problem(Place(shop.title), f"it takes {shop.takes}", shop.upload, "note")


def _rescaled(shop: Shop, decks: Sequence[ShopDeck]) -> Iterator[Problem]:
    """The decks that MPC Autofill orders in another size: it knows only its first product."""
    for deck in decks:
        if deck.product.name in shop.autofill[1:]:
            (ordered,) = (one for one in shop.products if one.name == shop.autofill[0])
            share = ordered.canvas.width / deck.product.canvas.width
            what = f"MPC Autofill orders cards of {name_size(ordered.trim)} mm"
            hint = f"your cards of {name_size(deck.product.trim)} mm come out at {share:.0%}"
            yield Problem(Place(f"{shop.title}, {deck.name}"), what, hint, "note")


def _name_orders(decks: Sequence[ShopDeck], shop: Shop) -> dict[str, str]:
    """The file of the order of each deck that has one."""
    names = [deck.name for deck in decks if deck.product.name in shop.autofill]
    return {name: f"order-{name}.xml" if names[1:] else "order.xml" for name in names}


def _check(shop: Shop, kit: Kit, problems: Sequence[Problem], *, is_any: bool) -> None:
    """Raises PnpError if a component has a wrong size, or if nothing is left."""
    if any(problem.level == "error" for problem in problems):
        raise PnpError(problem for problem in problems if problem.level == "error")
    if not problems and not is_any:
        raise fail(Place("--to shop"), "there are no pieces to print", "leave out --only")
    if not is_any:
        what = f"{shop.title} has no product for any component of {kit.game.title}"
        raise PnpError([*problems, Problem(Place("--for"), what, "choose another shop")])


def _export(
    kit: Kit, shop: Shop, deck: ShopDeck, colour: PressColour | None, order: str | None
) -> Iterator[FaceFile]:
    """The files of a deck, with an order of them if it is to have one."""
    paths: dict[tuple[Side, int], str] = {}
    for file in make_files(kit, shop, deck, colour):
        path = file.path.removeprefix(f"{shop.name}/")
        paths.update(((file.side, index), path) for index in file.cards)
        yield file
    if order is None:
        return
    blank = make_blank(shop, deck)
    if any(card.back is None for card in deck.cards):
        yield blank
    content = make_order(deck, paths, blank.path.removeprefix(f"{shop.name}/"))
    yield FaceFile(f"{shop.name}/{order}", content)
