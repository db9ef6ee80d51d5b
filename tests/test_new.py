"""`pnp new`: a stranger's first game builds at once, and nothing that was there is lost."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
import tomllib
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
import resvg_py
from lxml import etree
from PIL import Image

from generator import faces, pipeline
from generator.basics.errors import Place, PnpError, Problem
from generator.basics.geometry import Point
from generator.basics.writing import write_folder
from generator.cli.preview import KINDS
from generator.faces.standing import draw_template
from generator.layout import solids
from generator.layout.nets import Net
from generator.pipeline.starting import DECKS, FOLDING, STARTERS
from generator.play.engine import make_engine
from generator.text import HOUSE_FONTS
from tests.conftest import Pnp
from tests.game.tiny import DOT, drawn, words
from tests.review.history.repository import Repository
from tests.support.engines import walk
from tests.tables.test_table_kinds import write_xlsx

DRAWINGS = sorted(STARTERS.glob("*/*.svg"))
SOLD = ("cards", "hexes", "tokens", "die")  # no shop sells screens, pads, small discs
BUILT = {  # of the others, a check says what a build would refuse
    "cards": ("letter", "a4"),
    "deck": ("letter",),
    "skirmish": ("letter",),
    "die": ("letter",),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def held(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_every_starter_can_be_asked_for() -> None:
    folders = {folder.name for folder in STARTERS.iterdir()}
    assert set(KINDS) == folders - {"folding"} | set(FOLDING)


@pytest.mark.parametrize("kind", KINDS)
def test_it_builds_and_passes_its_checks_at_once(kind: str, here: Path, pnp: Pnp) -> None:
    made = pnp("new", "first-try", "--kind", kind)
    assert (made.exit_code, made.stdout) == (0, "first-try\n")
    assert "pnp build ./first-try" in made.stderr
    checked = pnp("check", "./first-try", "--paper", "letter")
    assert checked.output == "./first-try: 0 errors, 0 warnings, 0 notes\n"
    if kind in SOLD:
        sold = pnp("check", "./first-try", "--for", "thegamecrafter").output
        assert "./first-try: 0 errors, 0 warnings" in sold
    for paper in BUILT.get(kind, ()):
        built = pnp("build", "./first-try", "--paper", paper)
        assert (built.exit_code, built.stdout) == (0, "output/first-try.pdf\n")
    assert held(here) == ({"first-try", "output"} if kind in BUILT else {"first-try"})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("here")
def test_it_is_titled_by_its_name_and_tells_editors_its_schema(kind: str) -> None:
    folder = pipeline.start("games/my-2nd_game", kind)
    spec, readme = ((folder / name).read_text("utf-8") for name in ("game.toml", "README.md"))
    assert tomllib.loads(spec)["game"]["title"] == "My 2nd Game"
    assert readme.startswith("# My 2nd Game\n")
    if (folder / "rules.md").exists():  # the booklet has the title of the game, which has no other
        assert not re.findall("^# ", (folder / "rules.md").read_text("utf-8"), re.MULTILINE)
    first = spec.splitlines()[0]
    assert first == "#:schema game.schema.json"
    assert (folder / first.split()[1]).read_text("utf-8") == pipeline.schema_text()


@pytest.mark.usefixtures("here")
def test_git_leaves_its_bytes_alone_and_passes_over_what_is_made(pnp: Pnp) -> None:
    """Also where git for Windows, by its default, writes the line ends of Windows."""
    folder = pipeline.start("mine", "tokens")
    pnp("build", "./mine", "-o", "mine/output/mine.pdf")
    Repository.at(folder).commit()
    git = ["git", "-c", "core.autocrlf=true"]
    subprocess.run([*git, "clone", "--quiet", "mine", "clone"], check=True)
    for path in (path for path in Path("clone").rglob("*") if path.is_file() and ".git/" not in str(path)):
        assert path.read_bytes() == (folder / path.relative_to("clone")).read_bytes()
    assert (held(folder) - held(Path("clone")), held(Path("clone")) - held(folder)) == ({"output"}, set())


@pytest.mark.parametrize("kind", sorted(DECKS))
def test_the_rules_of_a_deck_are_a_package_beside_it(
    kind: str, here: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp
) -> None:
    """What is played there keeps to what every engine must, and hides what the other seat holds."""
    name = f"my-{kind}"
    made = pnp("new", name, "--kind", kind, "--engine")
    assert (made.exit_code, made.stdout) == (0, f"{name}\n")
    assert f"pip install -e {name}-engine" in made.stderr
    assert held(here) == {name, f"{name}-engine"}
    if kind == "cards":  # as clean as without the package
        assert pnp("check", f"./{name}").output == f"./{name}: 0 errors, 0 warnings, 0 notes\n"
    spec = tomllib.loads((here / name / "game.toml").read_text("utf-8"))
    project = tomllib.loads((here / f"{name}-engine/pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pnp.engines"] == {spec["play"]["engine"]: f"pnp_my_{kind}.engine:Tricks"}
    monkeypatch.syspath_prepend(here / f"{name}-engine")
    module = import_module(f"pnp_my_{kind}.engine")
    decks = {component.id: component.copies() for component in pipeline.read(f"./{name}").game.components}
    engine, rng = make_engine(module.Tricks, decks, {}), Random(1)
    for state in walk(engine, 1):
        for seat in range(engine.seats):
            assert engine.lay(engine.deal_unseen(state, seat, rng), seat) == engine.lay(state, seat)
    assert len(engine.lay(state)) == len(decks[DECKS[kind][0]])


def test_a_package_is_made_with_its_game_or_not_at_all(here: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    (here / "full-engine").mkdir()
    (here / "full-engine/kept").write_text("mine", "utf-8")
    (here / "cards.csv").write_text("title,value\nSun,1\n", "utf-8")
    refused = {
        "already exists and is not empty": ("full",),
        "the starter 'board' has no deck to play with": ("x", "--kind", "board"),
        "--engine needs no --table, --pictures or --layout": ("x", "--table", "cards.csv"),
    }
    for told, asked in refused.items():
        result = pnp("new", *asked, "--engine")
        assert result.exit_code != 0
        assert told in result.output

    def fill(path: Path, files: dict[str, bytes]) -> None:
        if "game.toml" in files:
            raise PnpError([Problem(Place(str(path)), "the disk is full")])
        write_folder(path, files)

    monkeypatch.setattr("generator.pipeline.starting.write_folder", fill)
    assert "the disk is full" in pnp("new", "x", "--engine").stderr
    assert held(here) == {"full-engine", "cards.csv"}


@pytest.mark.usefixtures("here")
def test_a_net_is_drawn_with_upright_panels() -> None:
    """Its layers are where the panels are, and are turned as they are; the guides do not print."""
    folder = pipeline.start("boxed", "tuckbox")
    design = pipeline.read(str(folder)).designs[0]
    net = design.component.shape
    assert isinstance(net, Net)
    root = etree.parse(folder / "net.svg").getroot()
    layers = {group.get("id"): group for group in root.iter("{*}g")}
    shown = [panel for panel in net.panels if not panel.is_glued]
    assert set(layers) == {panel.name for panel in shown} | {"guides"}
    bleed = design.component.bleed
    for panel in shown:
        parts = re.findall(r"[-.\d]+", layers[panel.name].get("transform", ""))
        a, b, c, d, e, f = map(float, parts)
        for x, y in ((0.0, 0.0), (panel.size.width, 0.0), (0.0, panel.size.height)):
            spot = panel.place.apply(Point(x, y))
            assert (a * x + c * y + e, b * x + d * y + f) == pytest.approx((spot.x + bleed, spot.y + bleed), abs=1e-3)
    (_, face), *_ = faces.draw(design, "front")
    assert "stroke-dasharray" not in face.layers[0].layer.svg
    assert (STARTERS / "folding/net.svg").read_text("utf-8") == draw_template(solids.die(6, 20.0), 1.5)


@pytest.mark.parametrize("kind", [*sorted(held(STARTERS))])
def test_the_readme_is_short_and_tells_of_every_file(kind: str, pnp: Pnp) -> None:
    text = (STARTERS / kind / "README.md").read_text("utf-8")
    told = {name.rstrip("/") for name in re.findall(r"`([\w.-]+/?)`", text)}
    files_ = held(STARTERS / kind) - {"README.md"} | {"game.schema.json"}
    assert files_ <= told
    lines = [line for line in text.splitlines() if line and "```" not in line]
    assert len(lines) <= 13
    commands = [line.removeprefix("pnp ").split("  ")[0] for line in lines if line[:4] == "pnp "]
    assert len(commands) == 5
    assert all(command.split()[1] == "." for command in commands)
    for command in ("preview .", "check .", "build .", "diff .", "export . --to png"):
        assert command in commands
        assert pnp(*command.split(), "--help").exit_code == 0


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_drawing_shows_in_an_editor_as_it_stands(path: Path) -> None:
    """Another engine, which knows nothing of templates, draws it: words, colours and pictures."""
    root = etree.parse(path).getroot()
    if "{{" in path.read_text("utf-8") or "pnp:" in path.read_text("utf-8"):
        assert "pnp" in root.nsmap
    for image in root.iter("{*}image"):
        assert (path.parent / image.get("href", "")).is_file()
    png = resvg_py.svg_to_bytes(
        svg_path=str(path),
        resources_dir=str(path.parent),
        width=300,
        dpi=96,
        skip_system_fonts=True,
        font_dirs=[str(folder) for folder in HOUSE_FONTS.iterdir()],
    )
    shown = Image.open(io.BytesIO(bytes(png))).convert("RGB")
    colours = shown.getcolors(shown.width * shown.height) or []
    least = shown.width * shown.height / 400
    assert len([count for count, _ in colours if count > least]) >= 3
    assert sum(shown.convert("L").histogram()[:90]) > 100  # words, dark lines


NAMES = {
    "": "a new game needs a name",
    ".": "a new game needs a name",
    "..": "a new game needs a name",
    "/": "a new game needs a name",
    "My Game": "at most 60 characters, such as my-game",
    "Schöner Tag!": "at most 60 characters, such as schoner-tag",
    "日本": "at most 60 characters, such as my-game",
    "_x": "at most 60 characters, such as x",
    "a\nb": "at most 60 characters, such as a-b",
    "x" * 300: "not a valid name",
    "full": "already exists and is not empty",
    "file": "a file with this name already exists",
    "lost": "a file with this name already exists",
    "full/kept/deep": "cannot be made",
    "../stands": "this is the working folder",
    "nul\0/x": "this is not a path",
}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_there_is_never_written_over(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp
) -> None:
    here = tmp_path / "stands"
    here.mkdir()
    monkeypatch.chdir(here)
    if name != "../stands":
        (here / "full").mkdir()
        for file in ("full/kept", "file"):
            (here / file).write_text("mine", "utf-8")
        (here / "lost").symlink_to("nowhere")
    before = sorted(here.rglob("*"))
    result = pnp("new", name)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("error: ") == 1
    assert NAMES[name] in result.stderr
    assert "itself is at fault" not in result.stderr
    assert sorted(here.rglob("*")) == before
    assert held(tmp_path) == {"stands"}


ODD = "\n".join(
    (
        "My Heroes (draft 3);;;;;",
        "Hero Name;ATK/DEF;Type;Type;Text;Qty;",
        f'"Ysolde ""the Bold""";3/4;Ally;North;{"Draw a card. " * 40};2;',
        "Bram;;;;;;",
    )
)
SHEET = [["ID", "Titel", "Art", "Text", None], ["C#1", "Die Krabbe", "art/dot.svg", "Läuft.", None]]
SHEET += [[f"C#{number}", f"Karte {number}", None, None, None] for number in range(2, 61)]
CARDS_JSON = '{"cards": [{"name": "Axe", "tags": ["steel", "heavy"], "cost": 0}]}'
# file: its content, the number of rows, and words on its first card
TABLES: dict[str, tuple[Any, int, str]] = {
    "heroes.csv": (ODD, 2, 'Ysolde "the Bold" ATK/DEF 3/4'),
    "utf16.txt": ("Card\tNumber\nSun\t2\nMoon\t\n".encode("utf-16"), 2, "Sun"),
    "cards.json": (CARDS_JSON, 1, "Axe 0 STEEL, HEAVY"),
    "game.xlsx": (SHEET, 60, "Die Krabbe"),
}


@pytest.mark.parametrize("file", TABLES)
def test_a_table_becomes_a_deck(file: str, here: Path, pnp: Pnp) -> None:
    """Odd headings, a line above them, empty cells, names that are no ids."""
    content, rows, told = TABLES[file]
    if file.endswith(".xlsx"):
        (here / "art").mkdir()
        (here / "art/dot.svg").write_text(DOT, "utf-8")
        write_xlsx(here / file, content)
    else:
        (here / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = (here / file).read_bytes()
    made = pnp("new", "deck", "--table", file)
    assert (made.exit_code, made.stdout) == (0, "deck\n"), made.output
    assert (here / file).read_bytes() == before
    assert pnp("check", "./deck").output.endswith("./deck: 0 errors, 0 warnings, 0 notes\n")
    (cards,) = pipeline.read("./deck").game.components
    assert len(cards.pieces) == rows
    assert "back" in cards.columns
    first = next(iter(drawn(here / "deck").values()))
    shown = words(first)
    assert [word for word in told.split() if word not in shown] == []
    assert ("<image" in first.layers[0].layer.svg) == (file == "game.xlsx")
    is_kept = file == "cards.json"
    assert ((here / "deck" / file).exists() and (here / "deck" / file).read_bytes() == before) == (is_kept)
    assert ("go on with cards.csv" in made.stderr) == (file in ("heroes.csv", "game.xlsx"))


@pytest.mark.parametrize("file", ["t.csv", "t.xlsx"])
def test_copies_that_other_tools_count_are_printed(file: str, here: Path, pnp: Pnp) -> None:
    (here / "t.csv").write_text("name,Qty\nSun,3\nMoon,\n", "utf-8")
    write_xlsx(here / "t.xlsx", [["name", "Qty"], ["Sun", "3"], ["Moon", None]])
    assert pnp("new", "deck", "--table", file).exit_code == 0
    (cards,) = pipeline.read("./deck").game.components
    assert [piece.copies for piece in cards.pieces] == [3, 1]


@pytest.mark.parametrize(
    ("cells", "pictures", "found"),
    [
        (["+1", "-1"], ["+1.png", "-1.png"], ["+1.png", "-1.png"]),
        (["Король", "Дракон", "Пешка", ""], ["Король.png", "Дракон.png"], ["Король.png", "Дракон.png", "", ""]),
        (["King", "x"], ["king.png", "Дракон.png"], ["king.png", ""]),
        (["Card 1+", "CARD-1"], ["Card 1+.png", "card-1.png"], ["Card 1+.png", "card-1.png"]),
        (["The Old Abbey"], ["the-old-abbey.png"], ["the-old-abbey.png"]),
    ],
)
def test_a_picture_belongs_to_the_row_of_its_name(
    cells: list[str], pictures: list[str], found: list[str], here: Path, pnp: Pnp
) -> None:
    (here / "art").mkdir()
    for shade, name in enumerate(pictures):
        Image.new("L", (9, 9), shade).save(here / "art" / name)
    (here / "t.csv").write_text("name,words\n" + "".join(f"{cell},w\n" for cell in cells), "utf-8")
    made = pnp("new", "deck", "--table", "t.csv", "--pictures", "art")
    assert made.exit_code == 0, made.output
    rows = list(csv.DictReader((here / "deck/cards.csv").read_text("utf-8").splitlines()))
    assert [row["picture"].removeprefix("art/") for row in rows] == found
    assert ("these rows have no picture" in made.stderr) == ("" in found)
    assert "picture: ''" not in made.stderr


def test_a_fault_of_a_table_is_told_at_its_own_line(here: Path, pnp: Pnp) -> None:
    (here / "t.csv").write_text('A deck;\nName;Count\n;\n"A\nb";1\nB;-1\n', "utf-8")
    told = pnp("new", "deck", "--table", "t.csv").stderr
    assert told.startswith(f"error: {here.name}/t.csv:6: -1 is not between")


SIZES = {(745, 1040): "63.5 88.9 cut", (822, 1122): "63.5 88.9", (1040, 745): "88.9 63.5 cut"}
SIZES |= {(500, 900): "63.5 114.3 cut", (600, 600): "70 70"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("has_back", [True, False])
def test_pictures_become_a_deck(size: tuple[int, int], has_back: bool, here: Path, pnp: Pnp) -> None:
    names = ["Red Dragon.png", "red dragon.jpg", 'Grün & "Gold" #1.png']
    (here / "scans").mkdir()
    for shade, name in enumerate([*names, "Back.png"][: 3 + has_back]):
        Image.new("L", size, 70 * shade).save(here / "scans" / name)
    (here / "scans/notes.txt").write_text("mine", "utf-8")
    made = pnp("new", "deck", "--pictures", "scans")
    assert (made.exit_code, made.stdout) == (0, "deck\n"), made.output
    (cards,) = pipeline.read("./deck").game.components
    assert {piece.row["picture"] for piece in cards.pieces} == set(names)
    width, height, *cut = SIZES[size].split()
    assert (cards.size.width, cards.size.height) == (float(width), float(height))
    assert cards.edges.get("front", "drawn") == ("mirror" if cut else "drawn")
    assert "error" not in pnp("check", "./deck").output.replace("0 errors", "")
    assert (here / "deck/back.svg").exists() != has_back


def test_pictures_keep_their_numbers_and_their_back(here: Path, pnp: Pnp) -> None:
    (here / "scans").mkdir()
    for name in ("card 1", "card 10", "card 2", "back"):
        Image.new("L", (745, 1040)).save(here / f"scans/{name}.png")
    assert pnp("new", "deck", "--pictures", "scans", "--layout", "poker-classic").exit_code == 0
    (cards,) = pipeline.read("./deck").game.components
    assert [piece.id for piece in cards.pieces] == ["card-1", "card-2", "card-10"]
    assert 'template = "pictures/back.png"' in (here / "deck/game.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--table", "none.csv"), "the file 'none.csv' does not exist"),
        (("--table", "odd.csv"), "not valid CSV"),
        (("--table", "empty.csv"), "the table is empty"),
        (("--table", "scans"), "is not a table that pnp can read"),
        (("--table", "book.xlsx#Nothing"), "book.xlsx"),
        (("--pictures", "nowhere"), "there is no such folder"),
        (("--pictures", "empty"), "the folder has no pictures"),
        (("--pictures", "scans"), "this is not a readable PNG picture"),
        (("--pictures", "scans", "--kind", "cards"), "--kind needs no --table, --pictures"),
        (("--layout", "domino"), "--layout needs a --table or --pictures"),
        (("--table", "ok.csv", "--layout", "pokr-classic"), "did you mean 'poker-classic'?"),
        (("--table", "ok.csv", "--pictures", "dots"), "has the name of a picture in the folder"),
    ],
)
def test_what_makes_no_deck_leaves_no_folder(options: tuple[str, ...], told: str, here: Path, pnp: Pnp) -> None:
    (here / "scans").mkdir()
    (here / "empty").mkdir()
    (here / "scans/a.png").write_text("x", "utf-8")
    (here / "odd.csv").write_text('a,b\n"x,y\n', "utf-8")
    (here / "empty.csv").touch()
    (here / "ok.csv").write_text("title,text\nSun,Shines.\n", "utf-8")
    (here / "dots").mkdir()
    Image.new("L", (9, 9)).save(here / "dots/moon.png")
    write_xlsx(here / "book.xlsx", [["a"], ["b"]])
    result = pnp("new", "deck", *options)
    assert result.exit_code != 0
    assert told in result.output
    assert "itself is at fault" not in result.output
    assert not (here / "deck").exists()


def test_an_empty_folder_is_filled(here: Path, pnp: Pnp) -> None:
    (here / "empty").mkdir()
    assert pnp("new", "empty", "--kind", "tokens").exit_code == 0
    assert "game.toml" in held(here / "empty")


def test_no_half_folder_is_left(here: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    """The disk is full at the third file."""
    synced = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = pnp("new", "first-try")
    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert held(here) == set()


@pytest.mark.usefixtures("here")
def test_it_is_open_to_whom_other_new_folders_are() -> None:
    os.mkdir("other")  # noqa: PTH102  what a shell would make
    folder = pipeline.start("mine", "tokens")
    assert folder.stat().st_mode == Path("other").stat().st_mode
    assert (folder / "art").stat().st_mode == Path("other").stat().st_mode
