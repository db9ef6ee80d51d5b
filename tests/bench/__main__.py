"""`make bench`: what pnp costs, beside programs written by hand for the same pages.

Costs are seconds of the processor, children included; medians of several runs in turn, so that all
see one machine. `make bench GROWTH=1` adds the curve from 100 to 100,000 cards.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.bench.edits import time_edits, time_keys
from tests.bench.measuring import ROOT, RUNS, cost_and_peak_of, cost_of, costs_of, ratio, typical
from tests.bench.plot import Growth, draw_growth
from tests.support.deck import table
from tests.support.hexagons import write_game
from tests.support.oracles import find

PNP = (sys.executable, "-P", "-m", "generator")
HAND = ROOT / "tests/bench"
GROWTH = (100, 1000, 10_000, 100_000)  # the last takes ten minutes
Command = tuple[str, ...]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        print(f"CPU seconds, the median of {RUNS} runs in turn after a warm-up; x: to the first")
        builds(here)
        commands(here)
        edits(here)
        if os.environ.get("GROWTH"):
            growth(here)


def builds(here: Path) -> None:
    """Decks beside the same pages by ReportLab alone, and one by typst alone."""
    out = str(here / "out.pdf")
    floor, deck, hexagons, advaya = map(by_hand, ("floor", "deck", "hexagons", "advaya"))
    row("18 cards of Talavera", (*floor, "18", out), build("talavera", out, "cards"))
    row("54 cards of a template", (*deck, "54", out), build(lanterns(here, 54), out))
    row(
        "1,000 cards of a template",
        (*deck, "1000", out),
        build(lanterns(here, 1000), out),
        (*by_hand("by_hand"), "1000", out),
    )
    print(f"{'  their file':34}{size(build(lanterns(here, 1000), out), out)}")
    game = here / "hexagons"
    write_game(game)
    row("49 hexagons of 24 triangles", (*hexagons, out), build(game, out, "tiles"))
    row("the 49 tiles of Advaya", (*advaya, out), build("advaya", out, "tiles"))


def commands(here: Path) -> None:
    """Commands whose cost has no like."""
    out = str(here / "out.pdf")
    row("Talavera, the whole kit", build("talavera", out))
    row("check talavera", (*PNP, "check", "talavera"))
    row("check, 1,000 cards", (*PNP, "check", str(lanterns(here, 1000))), runs=3)
    export = (*PNP, "export", "talavera", "--to", "png", "-o", str(here / "pictures"))
    row("export talavera --to png", export, runs=3)
    row("list", (*PNP, "list"))
    row("--help, beside bare Python", (sys.executable, "-c", "pass"), (*PNP, "--help"))
    games = sorted(path.parent.name for path in (ROOT / "templates").glob("*/game.toml"))
    print(f"{'every game (make all)':34}{sum(cost_of(build(g, out)).cpu for g in games):7.2f}")


def edits(here: Path) -> None:
    """Waits for the preview of 54 cards, twelve of them visible."""
    browser = find("browser")
    if not browser:
        print("edit to pixels: not measured, as there is no Chromium")
        return
    names = "a template, 12 cards", "a row, one card"
    for name, waits in zip(names, time_edits(lanterns(here, 54), PNP, browser), strict=True):
        of = f"edit to pixels, {name}"
        print(f"{of:40}{waits.median:5.0f} ms, at most {waits.worst:.0f}")
    waits = time_keys(lanterns(here, 54), PNP, browser)
    print(f"{'Enter in a cell to pixels, one card':40}{waits.median:5.0f} ms, at most {waits.worst:.0f}")


def growth(here: Path) -> None:
    """Time, memory and size of decks of a template, drawn in docs/images/growth.svg."""
    out = str(here / "out.pdf")
    print("cards, CPU seconds, MB of all processes, KB of the file, seconds of the clock")
    rows = []
    for cards in GROWTH:
        command = build(lanterns(here, cards), out)
        cost, memory = cost_and_peak_of(command)
        rows.append(Growth(cards, cost.cpu, memory, Path(out).stat().st_size / 1024))
        print(f"{cards:6}{cost.cpu:8.2f}{memory:8.0f}{rows[-1].size:9.0f}{cost.wall:8.0f}", flush=True)
    draw_growth(rows, ROOT / "docs/images/growth.svg")


def row(name: str, *commands: Command, runs: int = RUNS) -> None:
    """The costs of commands, and their ratios to the first."""
    first, *others = costs_of(*commands, runs=runs)
    print(f"{name:34}{typical(first).cpu:7.2f}", end="")
    for costs in others:
        print(f"{typical(costs).cpu:7.2f}{ratio(costs, first):6.1f}x", end="")
    print()


def size(command: Command, out: str) -> str:
    cost_of(command)
    return f"{Path(out).stat().st_size / 1024:7.0f} KB"


def build(game: str | Path, out: str, only: str = "") -> Command:
    return (*PNP, "build", str(game), "-o", out, *(("--only", only) if only else ()))


def by_hand(name: str) -> Command:
    return (sys.executable, str(HAND / f"{name}.py"))


def lanterns(folder: Path, cards: int) -> Path:
    """Title, picture, frame and a paragraph with icons, all of it drawn from a template."""
    game = folder / f"lanterns-{cards}"
    if not game.exists():
        shutil.copytree(ROOT / "tests/templates/lanterns", game)
        (game / "cards.csv").write_text(table(cards), "utf-8")
    return game


if __name__ == "__main__":
    main()
