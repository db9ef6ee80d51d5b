"""Take a deck with its pictures, make the order that MPC Autofill reads.

The format is that of its desktop tool: slots count from 0, a card lists all of its slots, and an
id that is the path of a file, from the folder of the order, is taken as that file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from msgspec import Struct

from generator.export.shop.decks import ShopDeck
from generator.model import Side

# the numbers of cards with a price: frontend/src/common/constants.ts of mpc-autofill
BRACKETS = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)
_STOCK = "(S30) Standard Smooth"


class _SlotImage(Struct, frozen=True):
    path: str
    slots: Sequence[int]


def make_order(deck: ShopDeck, paths: Mapping[tuple[Side, int], str], blank: str) -> bytes:
    """The order. `paths` has the files of the sides of each card, counted from 0, from the folder
    of the order; `blank` is that of a white back."""
    order = Element("order")
    details = SubElement(order, "details")
    _add(details, "quantity", str(deck.quantity))
    _add(details, "bracket", str(_bracket(deck.quantity)))
    _add(details, "stock", _STOCK)
    _add(details, "foil", "false")
    copies = [index for index, card in enumerate(deck.cards) for _ in range(card.copies)]
    fronts = _images(paths["front", index] for index in copies)
    backs = _images(paths.get(("back", index), blank) for index in copies)
    _add_images(SubElement(order, "fronts"), fronts)
    usual = max(backs, key=lambda image: len(image.slots))
    others = [image for image in backs if image != usual]
    if others:
        _add_images(SubElement(order, "backs"), others)
    _add(order, "cardback", usual.path)
    ElementTree.indent(order)
    content: bytes = ElementTree.tostring(order, "utf-8", xml_declaration=True)
    return content + b"\n"


def _bracket(quantity: int) -> int:
    return next((most for most in BRACKETS if quantity <= most), BRACKETS[-1])


def _images(paths: Iterable[str]) -> list[_SlotImage]:
    """The distinct pictures, each with its slots."""
    slots: dict[str, list[int]] = {}
    for slot, path in enumerate(paths):
        slots.setdefault(path, []).append(slot)
    return [_SlotImage(path, numbers) for path, numbers in slots.items()]


def _add_images(parent: Element, images: Iterable[_SlotImage]) -> None:
    for image in images:
        card = SubElement(parent, "card")
        _add(card, "id", image.path)
        _add(card, "sourceType", "Local File")
        _add(card, "slots", ",".join(map(str, image.slots)))
        _add(card, "name", PurePosixPath(image.path).name)
        _add(card, "query", PurePosixPath(image.path).stem)


def _add(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = text
