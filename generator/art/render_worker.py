"""The worker process of rendering.py: a PNG of a drawing, by resvg."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import resvg_py

from generator.basics.workers import serve

if TYPE_CHECKING:
    from generator.art.rendering import RenderRequest


def _answer(request: RenderRequest) -> Iterator[bytes]:
    width, height = request.size or (None, None)
    yield bytes(
        resvg_py.svg_to_bytes(
            svg_string=request.svg,
            width=width,
            height=height,
            skip_system_fonts=True,
            font_dirs=list(request.font_folders),
        )
    )


if __name__ == "__main__":
    serve(_answer)
