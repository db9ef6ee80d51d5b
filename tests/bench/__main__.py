"""`make bench`: whole-process times beside the floor, run in turn so that both see one machine."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from generator.geometry import Rect
from tests.support.deck import table
from tests.support.printing import alone
from tests.text.specimen import compositor, style

ROOT = Path(__file__).parents[2]
PNP = (sys.executable, "-m", "generator")
FLOOR = (sys.executable, str(ROOT / "tests/bench/floor.py"))
DECK_FLOOR = (sys.executable, str(ROOT / "tests/bench/deck.py"))
RUNS = 5
CARDS = 1000
WORDS = 30


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        out = str(here / "out.pdf")
        game = str(generated_game(here / "thousand"))
        print(f"whole process, median of {RUNS} runs in turn with the floor, after a warm-up")
        print(f"{'':34}{'pnp':>8}{'floor':>8}{'ratio':>8}")
        build = (*PNP, "build", "talavera", "-o", out)
        row("pnp build talavera --only cards", (*build, "--only", "cards"), (*FLOOR, "18", out))
        row("pnp build talavera, the whole kit", build, (*FLOOR, "18", out))
        row(
            f"pnp build, {CARDS} unique cards",
            (*PNP, "build", game, "-o", out),
            (*FLOOR, str(CARDS), out),
        )
        for cards in (54, CARDS):
            deck = str(lanterns(here / f"lanterns-{cards}", cards))
            row(
                f"pnp build, {cards} cards of a template",
                (*PNP, "build", deck, "-o", out),
                (*DECK_FLOOR, str(cards), out),
            )
        print(f"{f'{CARDS} paragraphs set, of {WORDS} words':34}{paragraphs():7.2f}s")
        row("pnp --help, beside bare python", (*PNP, "--help"), (sys.executable, "-c", "pass"))


def row(name: str, command: Sequence[str], floor: Sequence[str]) -> None:
    seconds(command)
    seconds(floor)
    pairs = [(seconds(command), seconds(floor)) for _ in range(RUNS)]
    ours, theirs = (median(side) for side in zip(*pairs, strict=True))
    ratio = median(a / b for a, b in pairs)
    print(f"{name:34}{ours:7.2f}s{theirs:7.2f}s{ratio:7.1f}x")


def seconds(command: Sequence[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def paragraphs() -> float:
    """Seconds that the rules of a thousand cards take to be set, each with two icons."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdeimnorstu", k=chance.randint(2, 9))) for _ in range(400)]
    texts = []
    for _ in range(CARDS):
        said = chance.choices(words, k=WORDS)
        said[5], said[12], said[20] = "2:coin:", f"**{said[12]}**", ":ship:"
        texts.append(" ".join(said))
    started = time.perf_counter()
    setter = compositor()
    for text in texts:
        setter.set(text, Rect(0.0, 0.0, 45.0, 60.0), style())
    return time.perf_counter() - started


def lanterns(folder: Path, cards: int) -> Path:
    """Title, picture, frame and a paragraph with icons, all of it drawn from a template."""
    shutil.copytree(ROOT / "tests/templates/lanterns", folder)
    (folder / "cards.csv").write_text(table(cards), "utf-8")
    return folder


def generated_game(folder: Path) -> Path:
    """Talavera's faces turned round: each card a tile face of its own, one back for all."""
    alone(folder.parent).rename(folder)
    spec = (folder / "game.toml").read_text("utf-8")
    spec = spec.partition("# What must hold of the deck.")[0]
    spec = spec.replace("[component.front]", "[component.was_front]")
    spec = spec.replace("[component.back", "[component.front").replace("was_front", "back")
    (folder / "game.toml").write_text(spec, "utf-8")
    dice = random.Random(1)
    lines = ["id,yellow,azure,sky,red,order_yellow,order_azure,order_sky,order_red"]
    for number in range(1, CARDS + 1):
        slots = dice.sample([c for c in range(4) for _ in range(3)], 4)
        lines.append(",".join(map(str, [number, *map(slots.count, range(4)), 1, 2, 3, 4])))
    (folder / "cards.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


if __name__ == "__main__":
    main()
