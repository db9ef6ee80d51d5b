"""Take a picture, make the proportion that it is set in among words."""

from __future__ import annotations

import base64
import io
import re
from functools import cache

from generator.model import Art

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@cache
def proportion(art: Art) -> float:
    """Its width over its height; 1.0 for an SVG that does not say. Art is proven to be sound."""
    kind, _, content = art.uri.partition(";base64,")
    picture = base64.b64decode(content)
    width, height = _svg_size(picture) if kind.endswith("svg+xml") else _pixels(picture)
    return width / height if width > 0 and height > 0 else 1.0


def _svg_size(picture: bytes) -> tuple[float, float]:
    from lxml import etree

    root = etree.fromstring(picture, etree.XMLParser(resolve_entities=False, no_network=True))
    box = _NUMBER.findall(root.get("viewBox", ""))
    sides = box[2:4] or _NUMBER.findall(f"{root.get('width', '')} {root.get('height', '')}")
    return (float(sides[0]), float(sides[1])) if len(sides) == 2 else (1.0, 1.0)


def _pixels(picture: bytes) -> tuple[float, float]:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        return image.size
