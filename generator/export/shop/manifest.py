"""Take the files for a shop, make manifest.json: what to order, and how to know each file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from generator.basics.errors import Problem
from generator.basics.geometry import Size, steady
from generator.basics.units import MM_PER_INCH
from generator.export.shop.decks import ShopDeck
from generator.export.shop.faces import FaceFile
from generator.export.shop.shops import Shop
from generator.model import SIDES, Game, Side


class ShopManifest:
    """Collects the files of an export in their order."""

    def __init__(self, game: Game, shop: Shop, unsold: Sequence[Problem]) -> None:
        self._game, self._shop, self._unsold = game, shop, unsold
        self._decks: dict[str, ShopDeck] = {}
        self._names: dict[tuple[str, Side, int], str] = {}
        self._hashes: dict[str, str] = {}

    def add(self, deck: ShopDeck, file: FaceFile) -> None:
        """Add a file of a deck."""
        name = file.path.removeprefix(f"{self._shop.name}/")
        self._hashes[name] = sha256(file.content).hexdigest()
        self._decks[deck.name] = deck
        self._names.update(((deck.name, file.side, index), name) for index in file.cards)

    def to_json(self) -> bytes:
        """The list as a file."""
        shop = self._shop
        content = {
            "game": self._game.name,
            "title": self._game.title,
            "shop": {"name": shop.name, "title": shop.title, "address": shop.address},
            "upload": shop.upload,
            "takes": shop.takes,
            "decks": [self._describe(deck) for deck in self._decks.values()],
            "left_out": [{"components": list(one.on), "why": one.what} for one in self._unsold],
            "sha256": self._hashes,
        }
        text = json.dumps(content, ensure_ascii=False, indent=1)
        return f"{text}\n".encode()

    def _describe(self, deck: ShopDeck) -> dict[str, Any]:
        product = deck.product
        also = sorted({name for card in deck.cards for name in card.match.others})
        return {
            "product": product.name,
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
        listed: dict[str, Any] = {
            "component": card.component.id,
            "piece": card.piece,
            "quantity": card.copies,
        }
        if self._shop.files == "pdf":
            return listed
        for side in SIDES:
            listed[side] = self._names.get((deck.name, side, index))
        return listed


def _lengths(size: Size) -> list[float]:
    return [steady(length, 3) for length in size]
