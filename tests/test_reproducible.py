"""The same game gives the same bytes: elsewhere, later, for another person on another machine."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass, field, replace
from inspect import getsource
from pathlib import Path

import pikepdf
import pytest

from tests.support.editing import edit
from tests.support.printing import kit, published

ROOT = Path(__file__).parent.parent
TALAVERA = ROOT / "templates/talavera"
QUEST = ROOT / "tests/templates/quest"

# Where what was compiled lies: else each of these processes compiles all modules anew.
COMPILED = {name: path for name, path in os.environ.items() if name == "PYTHONPYCACHEPREFIX"}

# Python started with this on its path lives in another year; its children too.
LATER = """
import time
YEARS = 11 * 365.25 * 86400
now, local, utc = time.time, time.localtime, time.gmtime
time.time = lambda: now() + YEARS
time.localtime = lambda seconds=None: local(time.time() if seconds is None else seconds)
time.gmtime = lambda seconds=None: utc(time.time() if seconds is None else seconds)
"""

# Python started with this computes as another machine does: every length is off in its last two
# bits, by which ones depending on the length alone, and floats are summed as since Python 3.12.
SHAKEN = """
import builtins
import math
import struct

from generator.basics.geometry import Affine, Point, Rect, Size

plain_sum = sum

def shaken(length):
    if not isinstance(length, float) or length.is_integer():
        return length
    (bits,) = struct.unpack("<q", struct.pack("<d", length))
    last = (bits >> 2) * 0x9E3779B97F4A7C15 >> 61 & 3
    return struct.unpack("<d", struct.pack("<q", bits & ~3 | last))[0]

def shake(kind):
    make = kind.__new__
    kind.__new__ = lambda cls, *numbers, **named: tuple.__new__(
        cls, map(shaken, make(cls, *numbers, **named))
    )

def compensated_sum(terms, /, start=0):
    terms = list(terms)
    is_float = any(type(term) is float for term in terms)
    return math.fsum((start, *terms)) if is_float else plain_sum(terms, start)

builtins.sum = compensated_sum
for kind in (Affine, Point, Rect, Size):
    shake(kind)
"""


@dataclass(frozen=True)
class Place:
    """Where and when a game is built, and by whom."""

    folder: str
    environment: Mapping[str, str]
    umask: int
    is_later: bool = False
    edits: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    game: Path = TALAVERA


HERE = Place(
    "here/talavera", {"TZ": "UTC", "LC_ALL": "C", "LANG": "C", "PYTHONHASHSEED": "0", "PYTHONUTF8": "0"}, 0o022
)
THERE = Place(
    "another folder/Spiel-ü",
    {
        "TZ": "Pacific/Auckland",
        "LC_ALL": "tr_TR.UTF-8",
        "LANG": "de_DE.UTF-8",
        "PYTHONHASHSEED": "4242",
        "PYTHONUTF8": "1",
        "RAYON_NUM_THREADS": "1",
    },
    0o077,
    is_later=True,
)


def run(place: Place, root: Path, *arguments: str) -> Path:
    """Run pnp on a copy of the game in `place`, or a script; the folder it ran in."""
    game = root / place.folder
    copy_game(game, place)
    home = game.parent / "home"
    home.mkdir(exist_ok=True)
    environment = {"PATH": os.environ["PATH"], **COMPILED, "HOME": str(home), **place.environment}
    if place.is_later:
        (home / "sitecustomize.py").write_text(LATER)
        environment["PYTHONPATH"] = str(home)
    command = ["-m", "generator"] if arguments[1:] else ["-c"]
    subprocess.run(
        [sys.executable, *command, arguments[0], str(game), *arguments[1:]],
        check=True,
        cwd=game.parent,
        env=environment,
        umask=place.umask,
        capture_output=True,
    )
    return game.parent


def copy_game(game: Path, place: Place) -> None:
    """The files in another order and with other dates, as another checkout has them."""
    files = sorted((f for f in place.game.rglob("*") if f.is_file()), reverse=place.is_later)
    for source in files:
        target = game / source.relative_to(place.game)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        os.utime(target, (1e9, 1e9) if place.is_later else (1.5e9, 1.5e9))
    for file, (old, new) in place.edits.items():
        edit(game / file, old, new)


def pdf_of(place: Place, root: Path, *only: str) -> bytes:
    built = run(place, root, "build", "--paper", "a4", *only, "-o", "out.pdf")
    return (built / "out.pdf").read_bytes()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return pdf_of(HERE, tmp_path_factory.mktemp("reproducible"))


def test_pdf_is_the_same_bytes(here: bytes, tmp_path: Path) -> None:
    assert pdf_of(THERE, tmp_path) == here


SHEETS = """
from generator.pipeline import read
from generator.pipeline.printing import impose_game
from generator.pipeline.request import parse_request
from generator.pipeline.sheets import silent

pieces = [component.id for component in read("toripoka").game.components]
print(impose_game(parse_request("toripoka", {"paper": "a4", "only": pieces}), silent).sheets)
"""


def test_pieces_have_the_same_places_on_the_same_sheets(tmp_path: Path) -> None:
    """However strings are hashed: the last pieces of Toripoka are put together in many ways."""
    one, other = (
        subprocess.run(
            [sys.executable, "-c", SHEETS],
            check=True,
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], **COMPILED, "HOME": str(tmp_path), **hashes},
            capture_output=True,
        ).stdout
        for hashes in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"})
    )
    assert one.count(b"Sheet(") > 3
    assert one == other


@pytest.mark.parametrize("game", ["advaya", "talavera", "toripoka"])
def test_no_byte_rests_on_the_last_bits_of_a_float(game: str, tmp_path: Path) -> None:
    """So that another Python, another libm and another processor print the same: hexagons and a
    track, cards, pyramids that share sheets."""
    (tmp_path / "sitecustomize.py").write_text(SHAKEN)
    out = tmp_path / "shaken.pdf"
    command = [sys.executable, "-m", "generator", "build", game, "-o", str(out)]
    path = {"HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    environment = {"PATH": os.environ["PATH"], **COMPILED, **path}
    subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True)
    assert out.read_bytes() == kit(game)


def test_the_shaken_place_computes_otherwise(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SHAKEN)
    lengths = "[Point(n / 10, n / 7) for n in range(100)]"
    printed = f"print(sum([0.1] * 10), {lengths}, sum([1, 2]))"
    command = [sys.executable, "-c", f"from generator.basics.geometry import Point; {printed}"]
    plain, shaken = (
        subprocess.run(command, check=True, capture_output=True, env={"PYTHONPATH": path}).stdout
        for path in ("", str(tmp_path))
    )
    assert plain != shaken
    assert shaken.startswith(b"1.0 ")
    assert shaken.endswith(b" 3\n")


def export_all(game: str) -> None:
    """By each exporter, those of packages aside; by default the paper is the same everywhere."""
    from generator import export_game
    from generator.export import EXPORTERS

    few = {"png": "20", "tts": "50", "pcio": "50", "cgs": "50", "vassal": "50", "grid": "50"}
    for to in EXPORTERS:
        settings = {"dpi": few[to]} if to in few else {}
        settings |= {"width": "320", "height": "200"} if to == "scene" else {}
        settings |= {"shop": "makeplayingcards"} if to == "shop" else {}
        export_game(game, to, f"all/{to}", settings=settings)


EXPORTS = f"import sys\n\n{getsource(export_all)}\nexport_all(sys.argv[1])"


# Then a small game has pictures of every kind.
LEAFLETS = """
[booklet]
title_font = "Abril Fatface"
accent = "ember"

[[box]]
ground = "paper"
"""


def test_exports_are_the_same_bytes(tmp_path: Path) -> None:
    """Here by this process, which shares its workers, and elsewhere by one of its own."""
    game = tmp_path / "quest"
    shutil.copytree(QUEST, game)
    (game / "rules.md").write_text("# Quest\n\nBeat the dragon.\n", "utf-8")
    table = (game / "cards.csv").read_text("utf-8")
    (game / "cards.csv").write_text(table[: table.index("potion,")], "utf-8")
    with (game / "game.toml").open("a", encoding="utf-8") as spec:
        spec.write(LEAFLETS)

    # some files have the name of the folder
    there, here = (replace(place, game=game, folder=f"{place.folder}/quest") for place in (THERE, HERE))
    other = files_in(run(there, tmp_path, EXPORTS) / "all")
    copy_game(tmp_path / here.folder, here)
    with chdir((tmp_path / here.folder).parent):
        export_all(str(tmp_path / here.folder))
        one = files_in(Path("all"))
    of_rules = 2 + 2  # pages, and the sides of the sheet they are folded from
    of_cover = 2  # its page, and its sheet
    of_box = 2  # its face, and how it stands; it shares the sheet of the cards
    overview, sums = 1, 1
    pictures = [name for name in one if name.startswith("png/")]
    assert len(pictures) == (2 + 1) * 2 + of_cover + of_rules + of_box + overview + sums
    assert len({name.partition("/")[0] for name in one}) == 12
    assert [name for name in one.keys() | other if one.get(name) != other.get(name)] == []


def files_in(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def test_another_colour_is_another_file(tmp_path: Path) -> None:
    """The comparison can fail."""
    edits = {"game.toml": ('glaze = "#fbf8f0"', 'glaze = "#fbf8f1"')}
    alone = [pdf_of(place, tmp_path, "--only", "box") for place in (HERE, THERE)]
    assert alone[0] == alone[1]
    other = replace(HERE, folder="other/talavera", edits=edits)
    assert pdf_of(other, tmp_path, "--only", "box") != alone[0]


def test_the_later_place_is_later(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LATER)
    years = [
        subprocess.run(
            [sys.executable, "-c", "import time; print(time.localtime().tm_year)"],
            check=True,
            capture_output=True,
            env={"PYTHONPATH": path},
        ).stdout
        for path in ("", str(tmp_path))
    ]
    assert int(years[1]) - int(years[0]) in (10, 11, 12)


@pytest.mark.parametrize("prefix", ["/work", "/tmp", "/home", str(ROOT)])
def test_no_path_of_this_machine_is_in_the_file(prefix: str) -> None:
    with pikepdf.open(io.BytesIO(published())) as pdf:
        streams = [s.read_bytes() for s in pdf.objects if isinstance(s, pikepdf.Stream)]
    assert len(streams) > 50
    assert not [s for s in [published(), *streams] if prefix.encode() in s]
