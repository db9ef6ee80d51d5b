"""What game.toml may say: its tables and keys as pydantic models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from generator.fields import HexColour, Length, Name, PositiveLength, Text


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GameTable(Table):
    """[game]: what it is called and whose it is."""

    title: Text
    designer: Text
    about: Text


class ComponentTable(Table):
    """[[component]]: pieces of one size. `front`, `back` and `rule` are read by their kinds."""

    id: Name
    title: Text
    table: Text
    size: tuple[PositiveLength, PositiveLength]
    corner_radius: Length = 0.0
    bleed: Length = 3.0
    front: dict[str, Any]
    back: dict[str, Any] | None = None
    rule: list[dict[str, Any]] = []


class VariantTable(Table):
    """[variant.NAME]: the same game with other tables, `{component id = file}`."""

    about: Text
    table: dict[Name, Text]


class Document(Table):
    """A whole game.toml."""

    game: GameTable
    palette: dict[Name, HexColour] = {}
    art: dict[Name, Text] = {}
    component: list[ComponentTable]
    variant: dict[Name, VariantTable] = {}
