"""Make a game of plain cards for a print shop, from a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

HEAD = '[game]\ntitle = "Wares"\ndesigner = "A. Designer"\nabout = "Plain cards."\n'
MARK = 5.0  # mm: the side of the black square in the top left corner of the trim
RED, GREEN, BLUE, YELLOW = "#c80000", "#00a000", "#0000c8", "#f0d000"


@dataclass(frozen=True)
class Ware:
    """A component: its pieces have one colour each on their fronts, another on their backs.

    `counts` are the copies of its pieces; `more` is added to the drawing of each front, in mm from
    the corner of the trim.
    """

    id: str = "cards"
    size: tuple[float, float] = (63.5, 88.9)
    bleed: float = 4.0
    counts: tuple[int, ...] = (2, 1)
    fronts: tuple[str, ...] = (RED, GREEN, BLUE, YELLOW)
    backs: tuple[str, ...] = (BLUE,) * 4  # none: no backs
    shape: str = ""
    more: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


def make_wares(folder: Path, *wares: Ware) -> Path:
    """Write a game; the ids of the pieces are a, b and so on."""
    folder.mkdir(parents=True)
    spec = HEAD
    for ware in wares:
        spec += _component(ware)
        for side, more in (("front", ware.more), ("back", "")):
            (folder / f"{ware.id}-{side}.svg").write_text(_drawing(ware, side, more), "utf-8")
        rows = zip("abcdefgh", ware.counts, ware.fronts, ware.backs or ware.fronts, strict=False)
        lines = ["id,count,front,back", *(",".join(map(str, row)) for row in rows)]
        (folder / f"{ware.id}.csv").write_text("\n".join(lines) + "\n", "utf-8")
        for name, content in ware.files.items():
            (folder / name).write_bytes(content)
    (folder / "game.toml").write_text(spec, "utf-8")
    return folder


def _component(ware: Ware) -> str:
    width, height = ware.size
    form = ware.shape or f'size = ["{width}mm", "{height}mm"]'
    before, after = ("", form) if form.startswith("[") else (form, "")
    spec = f'[[component]]\nid = "{ware.id}"\ntitle = "{ware.id.title()}"\n'
    spec += f'table = "{ware.id}.csv"\nbleed = "{ware.bleed}mm"\n{before}\n{after}\n'
    for side in ("front", "back") if ware.backs else ("front",):
        spec += f'[component.{side}]\ntemplate = "{ware.id}-{side}.svg"\n'
    return spec


def _drawing(ware: Ware, side: str, more: str) -> str:
    """A ground to the end of the bleed, and the mark."""
    width, height = (length + 2 * ware.bleed for length in ware.size)
    unread = "".join(f'<g pnp:if="{key}"/>' for key in ("front", "back"))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:pnp="urn:pnp" font-family="Alegreya Sans" '
        f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="#fff" pnp:fill="{side}"/>'
        f'<g transform="translate({ware.bleed} {ware.bleed})">'
        f'<rect width="{MARK}" height="{MARK}" fill="#000"/>{more}</g>{unread}</svg>'
    )
