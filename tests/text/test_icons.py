"""An icon is as wide for its height as its picture is."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from generator.model import Art
from generator.text.shape import proportion

SVG = '<svg xmlns="http://www.w3.org/2000/svg" {}><path d="M0 0h1"/></svg>'


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ('viewBox="0 0 20 10"', 2.0),
        ('viewBox="-5,-2.5 1e1, .5e1"', 2.0),
        ('viewBox="0 0 10 20" width="9mm" height="3mm"', 0.5),
        ('width="9mm" height="3mm"', 3.0),
        ("", 1.0),
        ('viewBox="0 0 0 0"', 1.0),
    ],
)
def test_svg(frame: str, expected: float) -> None:
    content = base64.b64encode(SVG.format(frame).encode()).decode()
    art = Art("icon", f"data:image/svg+xml;base64,{content}")
    assert proportion(art) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["png", "jpeg"])
def test_pixels(kind: str) -> None:
    content = io.BytesIO()
    Image.new("RGB", (30, 10)).save(content, kind)
    coded = base64.b64encode(content.getvalue()).decode()
    assert proportion(Art("icon", f"data:image/{kind};base64,{coded}")) == pytest.approx(3.0)
