"""Make the film of docs/studio.md, a beginner's evening in ten seconds: `make pictures`.

The browser sends a picture whenever its page changes. Where nothing happens for long, the film does not wait.
"""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import CDPSession, sync_playwright

from tests.support import oracles
from tests.tools.evening import empty_studio, spend_evening

FILM = Path(__file__).parents[2] / "docs/images/studio.webp"
SIZE = 960, 600  # pixels
SECONDS = 10
RATE = 12  # pictures a second, at most
LONGEST, HELD = 0.5, 1.8  # seconds: of a pause, and of one after a step
WEIGHT = 1_500_000  # bytes, at most
# The browser shows no pointer in its pictures.
POINTER = """addEventListener("mousemove", (event) => {
  let dot = document.getElementById("film-pointer");
  if (!dot) {
    dot = document.createElement("div");
    dot.id = "film-pointer";
    dot.popover = "manual";
    document.body.append(dot);
    Object.assign(dot.style, {position: "fixed", inset: "auto", margin: 0, padding: 0, width: "18px", height: "18px",
      borderRadius: "50%", border: "2px solid white", background: "rgb(200 60 40 / .8)", pointerEvents: "none"});
  }
  if (dot.matches(":popover-open")) dot.hidePopover();
  dot.showPopover();
  dot.style.left = `${event.clientX - 9}px`;
  dot.style.top = `${event.clientY - 9}px`;
}, true);"""


class Shot(NamedTuple):
    """A picture, when it was taken (s), and whether a step ends with it."""

    picture: Image.Image
    taken: float
    is_step: bool = False


def record(folder: Path) -> list[Shot]:
    """The pictures of the evening."""
    shots: list[Shot] = []
    with sync_playwright() as playwright, empty_studio(folder) as address:
        browser = playwright.chromium.launch(executable_path=oracles.find("browser"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIZE[0] * 5 // 4, "height": SIZE[1] * 5 // 4})
        page.add_init_script(POINTER)
        page.goto(address)
        session = page.context.new_cdp_session(page)
        watch(session, shots)
        for _ in spend_evening(page, folder, by_mouse=True):
            page.wait_for_timeout(1500)  # until the pictures are drawn
            shots.append(Shot(small(page.screenshot()), shots[-1].taken, is_step=True))
        session.send("Page.stopScreencast")
        page.wait_for_timeout(500)  # for pictures on their way
        browser.close()
    return shots


def watch(session: CDPSession, shots: list[Shot]) -> None:
    """Add each picture that the browser sends."""

    def add(frame: dict[str, Any]) -> None:
        shots.append(Shot(small(base64.b64decode(frame["data"])), frame["metadata"]["timestamp"]))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", add)
    session.send("Page.startScreencast", {"format": "png"})


def small(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def cut(shots: Sequence[Shot]) -> list[tuple[Image.Image, int]]:
    """The pictures of the film, each with the milliseconds that it stays."""
    gaps = [after.taken - shot.taken for shot, after in pairwise(shots)] + [0.0]
    stays = [HELD if shot.is_step else min(gap, LONGEST) for shot, gap in zip(shots, gaps, strict=True)]
    stays[-1] *= 1.5
    speed = sum(stays) / SECONDS
    film: list[tuple[Image.Image, float]] = []
    for shot, stay in zip(shots, stays, strict=True):
        if film and (film[-1][1] < 1 / RATE or film[-1][0].tobytes() == shot.picture.tobytes()):
            film[-1] = shot.picture, film[-1][1] + stay / speed
        else:
            film.append((shot.picture, stay / speed))
    return [(picture, round(1000 * stay)) for picture, stay in film]


def make(folder: Path) -> None:
    pictures, stays = zip(*cut(record(folder / "evening")), strict=True)
    first, *others = pictures
    how = {"save_all": True, "append_images": others, "duration": [*stays], "loop": 0}
    first.save(FILM, quality=80, method=6, minimize_size=True, **how)
    assert FILM.stat().st_size <= WEIGHT, "the film is too heavy"


if __name__ == "__main__":
    if oracles.find("browser"):
        with tempfile.TemporaryDirectory() as temporary:
            make(Path(temporary))
    else:
        print("no browser: the film of the studio stays as it is")  # noqa: T201
