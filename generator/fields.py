"""What a value in a spec may be: lengths, colours, art and fonts, read by pydantic.

Renderers and rules declare their options as dataclasses with these types; the spec reader
validates them with `Resources` as context, so an option arrives resolved: a palette name as its
colour, an art name as its picture, a family as its font.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    ConfigDict,
    Field,
    PlainValidator,
    StrictInt,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)

from generator.errors import did_you_mean
from generator.model import Art
from generator.text import Font, FontBook
from generator.units import LENGTH_PATTERN, parse_length

OPTIONS = ConfigDict(extra="forbid")  # what a dataclass of options sets as __pydantic_config__
HEX_PATTERN = r"^#[0-9a-fA-F]{6}$"


@dataclass(frozen=True, slots=True)
class Resources:
    """What names in a spec may refer to. Art that could not be read is None: it was reported."""

    palette: Mapping[str, str]
    art: Mapping[str, Art | None]
    fonts: FontBook


def _length(value: object) -> float:
    if not isinstance(value, str):
        raise ValueError(f"the length {value!r} has no unit")
    return parse_length(value)


def _positive_length(value: object) -> float:
    length = _length(value)
    if length <= 0:
        raise ValueError(f"the length {value!r} must be more than 0")
    return length


def _hex(value: object) -> str:
    if not isinstance(value, str) or not re.match(HEX_PATTERN, value):
        raise ValueError(f"{value!r} is not a colour like '#1f3f8c'")
    return value.lower()


def _colour(value: object, info: ValidationInfo) -> str:
    if isinstance(value, str) and not value.startswith("#"):
        palette = _resources(info).palette
        if value not in palette:
            raise ValueError(f"unknown colour {value!r} ({did_you_mean(value, palette)})")
        return palette[value]
    return _hex(value)


def _art(value: object, info: ValidationInfo) -> Art | None:
    art = _resources(info).art
    if not isinstance(value, str) or value not in art:
        raise ValueError(f"unknown art {value!r} ({did_you_mean(str(value), art)})")
    return art[value]


def _font(value: object, info: ValidationInfo) -> Font:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not the name of a font family")
    return _resources(info).fonts.find(value)


def _resources(info: ValidationInfo) -> Resources:
    assert isinstance(info.context, Resources)
    return info.context


def _schema(description: str, **rest: Any) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "description": description, **rest})


Length = Annotated[
    float,
    PlainValidator(_length),
    _schema("a length with its unit: mm, cm, in, pt", pattern=LENGTH_PATTERN),
]
PositiveLength = Annotated[
    float,
    PlainValidator(_positive_length),
    _schema("a length above 0 with its unit: mm, cm, in, pt", pattern=LENGTH_PATTERN),
]
HexColour = Annotated[
    str, PlainValidator(_hex), _schema("a colour, '#rrggbb'", pattern=HEX_PATTERN)
]
Colour = Annotated[str, PlainValidator(_colour), _schema("a name in [palette], or '#rrggbb'")]
ArtName = Annotated[Art, PlainValidator(_art), _schema("a name in [art]")]
FontFamily = Annotated[Font, PlainValidator(_font), _schema("a family in a fonts folder")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=60)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Count = Annotated[StrictInt, Field(ge=0)]
