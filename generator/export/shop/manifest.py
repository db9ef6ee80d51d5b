"""Take the files for a shop, make manifest.json: what to order, and how to know each file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from generator.errors import Problem
from generator.export.shop.decks import Card, Deck
from generator.export.shop.faces import FaceFile
from generator.export.shop.shops import Product, Shop
from generator.geometry import Size, steady
from generator.model import Game
from generator.units import MM_PER_INCH


class Manifest:
    """Collects the files of an export in their order."""

    def __init__(self, game: Game, shop: Shop, unsold: Sequence[Problem]) -> None:
        self._game, self._shop, self._unsold = game, shop, unsold
        self._decks: dict[str, tuple[Deck, dict[str, str]]] = {}
        self._hashes: dict[str, str] = {}

    def add(self, deck: Deck, file: FaceFile) -> None:
        """Add a file of a deck."""
        name = file.path.removeprefix(f"{self._shop.name}/")
        self._hashes[name] = sha256(file.content).hexdigest()
        _, names = self._decks.setdefault(deck.name, (deck, {}))
        names.update((face, name) for _, face in file.faces if face)

    def to_json(self) -> bytes:
        """The list as a file."""
        shop = self._shop
        content = {
            "game": self._game.name,
            "title": self._game.title,
            "shop": {"name": shop.name, "title": shop.title, "address": shop.address},
            "upload": shop.upload,
            "takes": shop.takes,
            "decks": [self._describe(deck, names) for deck, names in self._decks.values()],
            "left_out": [{"components": list(one.on), "why": one.what} for one in self._unsold],
            "sha256": self._hashes,
        }
        text = json.dumps(content, ensure_ascii=False, indent=1)
        return f"{text}\n".encode()

    def _describe(self, deck: Deck, names: dict[str, str]) -> dict[str, Any]:
        product = deck.product
        also = sorted({name for card in deck.cards for name in card.match.others})
        return {
            "product": product.name,
            **({"or": also} if also else {}),
            "trim_mm": _lengths(product.trim),
            "with_bleed_mm": _lengths(product.canvas),
            **self._file_of(product, names),
            "quantity": deck.quantity,
            "cards": [self._list(card, names) for card in deck.cards],
        }

    def _file_of(self, product: Product, names: dict[str, str]) -> dict[str, Any]:
        """The pixels of the pictures of a deck, or its PDF and the order of its pages."""
        dpi = self._shop.dpi
        if self._shop.files == "pdf":
            return {"file": next(iter(names.values())), "pages": self._shop.order}
        return {"pixels": [round(length * dpi / MM_PER_INCH) for length in product.canvas]}

    def _list(self, card: Card, names: dict[str, str]) -> dict[str, Any]:
        listed = {
            "component": card.component.id,
            "piece": card.piece,
            "quantity": card.copies,
        }
        if self._shop.files == "pdf":
            return listed
        back = names[card.back.id] if card.back else None
        return {**listed, "front": names[card.front.id], "back": back}


def _lengths(size: Size) -> list[float]:
    return [steady(length, 3) for length in size]
