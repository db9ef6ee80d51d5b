"""The cover sheet tells how to make the pieces that are printed with it."""

from __future__ import annotations

import pypdfium2
import pytest

from tests.printing import built

STEPS = {
    "strips": "first off the edges, then strips, then pieces",
    "shapes": "first the pieces apart, then one side after another",
    "score": "Score the dashed lines",
    "glue": "Glue each tab behind its neighbour",
}


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("track", ["strips"]),
        ("tokens", ["shapes"]),
        ("box", ["score", "glue"]),
    ],
)
def test_steps_are_those_of_the_pieces(part: str, told: list[str]) -> None:
    with pypdfium2.PdfDocument(built("advaya", only=("cover", part))) as document:
        words = " ".join(document[0].get_textpage().get_text_range().split())
    assert [name for name, step in STEPS.items() if step in words] == told
