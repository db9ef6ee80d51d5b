"""The time from a saved file, or from a key, to the pixels of the page, in a real browser."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from generator.basics.geometry import Size
from tests.bench.browser import BrowserPage, browsing
from tests.bench.measuring import ROOT

EDITS = 20
WINDOW = Size(1100.0, 800.0)  # pixels, which show twelve cards
_LOADING = 0.05  # s between two looks whether a page is loaded
_PAUSE = 2.0  # s between two edits, as nobody saves faster
_PANEL = re.compile(r'(<rect [^>]* rx="1" fill=")#[0-9a-f]{6}')
_INSTALL = """{
  const seen = () => [...document.querySelectorAll("#faces .card > img")].filter((image) => {
    const box = image.getBoundingClientRect();
    return box.width && box.bottom > 0 && box.top < innerHeight;
  });
  window.shown = () => seen().length;
  window.areLoaded = () => shown() && seen().every((image) => image.src && image.complete);
  window.expectNew = (count) => {
    const before = seen().map((image) => image.src);
    const isNew = (image, at) => image.src !== before[at] && image.complete && image.naturalWidth;
    window.painted = new Promise((done) => {
      const end = () => done((performance.timeOrigin + performance.now()) / 1000);
      const look = () => requestAnimationFrame(seen().filter(isNew).length < count ? look : end);
      look();
    });
  };
}"""


_CHOOSE = """(column) => {
  const cell = document.querySelector(`tr[data-row="0"] [data-column="${column}"]`);
  cell.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 0 }));
  addEventListener("keydown", ({ key }) => {
    if (key === "Enter") window.pressed = (performance.timeOrigin + performance.now()) / 1000;
  }, true);
}"""


class Waits(Struct, frozen=True):
    """The median and the longest wait for an edit, in milliseconds."""

    median: float
    worst: float


def time_edits(game: Path, command: Sequence[str], browser: str) -> tuple[Waits, Waits]:
    """The waits for all visible cards after their template is saved, and for one card after its row
    is saved. `browser` is the path of Chromium; `game` has front.svg and cards.csv, and is
    changed."""
    template, table = game / "front.svg", game / "cards.csv"
    with _served(game, (*command, "preview")) as address, browsing(browser) as page:
        _load(page, address)
        return (_wait_each(page, template, _recolour, page.evaluate("shown()")), _wait_each(page, table, _rewrite, 1))


def time_keys(game: Path, command: Sequence[str], browser: str) -> Waits:
    """The waits of `pnp studio` for one card after Enter in a cell of its table. `browser` is the
    path of Chromium; `game` has cards.csv, and is changed."""
    heading = (game / "cards.csv").read_text("utf-8").splitlines()[0]
    with _served(game, (*command, "studio")) as address, browsing(browser) as page:
        _load(page, address)
        page.evaluate("document.getElementById('rows-tab').click()")
        while not page.evaluate("document.querySelector('tr[data-row]') !== null"):
            time.sleep(_LOADING)
        page.evaluate(f"({_CHOOSE})({heading.split(',').index('title')})")
        waits = sorted(1000 * _wait_for_key(page, number) for number in range(EDITS))
        return Waits(waits[len(waits) // 2], waits[-1])


def _wait_for_key(page: BrowserPage, number: int) -> float:
    """Seconds from Enter until the picture is new and a frame with it is drawn."""
    time.sleep(_PAUSE)
    page.type(f"Lamp {number}")
    page.evaluate("expectNew(1)")
    page.press("Enter")
    waited: float = page.evaluate("painted.then((painted) => painted - pressed)")
    page.press("ArrowUp")
    return waited


def _load(page: BrowserPage, address: str) -> None:
    page.open(address, WINDOW)
    while not page.evaluate("document.querySelector('#faces .card > img') !== null"):
        time.sleep(_LOADING)
    page.evaluate(_INSTALL)
    while not page.evaluate("areLoaded()"):
        time.sleep(_LOADING)


def _wait_each(page: BrowserPage, file: Path, edit: Callable[[str, int], str], count: int) -> Waits:
    waits = sorted(1000 * _wait(page, file, edit, count, number) for number in range(EDITS))
    return Waits(waits[len(waits) // 2], waits[-1])


def _wait(page: BrowserPage, file: Path, edit: Callable[[str, int], str], count: int, number: int) -> float:
    """Seconds until `count` pictures are new and a frame with them is drawn."""
    time.sleep(_PAUSE)
    beside = file.with_name(f"{file.name}.new")
    beside.write_text(edit(file.read_text("utf-8"), number), "utf-8")
    page.evaluate(f"expectNew({count})")
    saved = time.time()
    beside.replace(file)
    painted: float = page.evaluate("painted")
    return painted - saved


def _recolour(template: str, number: int) -> str:
    """Another colour behind the pictures."""
    return _PANEL.sub(rf"\g<1>#e6{10 + number}c0", template)


def _rewrite(table: str, number: int) -> str:
    """Another title in the first row."""
    heading, row, *rows = table.splitlines(keepends=True)
    cells = row.split(",")
    at = heading.strip().split(",").index("title")
    cells[at] = f"Lamp {number}"
    return "".join((heading, ",".join(cells), *rows))


@contextmanager
def _served(game: Path, command: Sequence[str]) -> Iterator[str]:
    """The address of a preview or a studio, which ends with the block."""
    own = dict.fromkeys(("HOME", "XDG_STATE_HOME"), str(game.with_name("home")))  # for what is undone
    serving = (*command, str(game), "--no-open")
    with subprocess.Popen(serving, cwd=ROOT, env=os.environ | own, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = next(line for line in process.stdout if "http" in line)
        try:
            yield said[said.index("http") :].split()[0]
        finally:
            process.terminate()
