"""Names and what they stand for: loaded when asked for, added by installed packages alone."""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import TracebackType

import pytest

from generator import game, plugins
from generator.basics.catalogue import Addition, Catalogue, SelfNamed
from generator.basics.errors import PnpError
from generator.cli.messages import print_fault
from generator.game import library
from generator.pipeline.game import CHECKS, RENDERERS
from tests.bad_specs.games import HERE
from tests.conftest import Pnp

GROUP = "pnp.things"
HOUSE = Path(game.__file__).parents[1]
OWN = {"own": "fractions:Fraction"}


def install(site: Path, package: str, code: str, *names: str, group: str = GROUP) -> None:
    """A package with a module and entry points to its Thing, as pip lays it out."""
    module = package.replace("-", "_")
    (site / f"{module}.py").write_text(code, "utf-8")
    metadata = site / f"{module}-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {package}\nVersion: 1.2\n", "utf-8")
    points = "".join(f"{name} = {module}:Thing\n" for name in names)
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{points}", "utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def things() -> Catalogue[object]:
    return Catalogue(GROUP, OWN)


def refusal(catalogue: Catalogue[object], name: str) -> str:
    with pytest.raises(PnpError) as raised:
        catalogue[name]
    return str(raised.value.problems[0])


def test_an_own_name_stands_for_its_object() -> None:
    from fractions import Fraction

    assert things()["own"] is Fraction


def test_a_package_adds_names(site: Path) -> None:
    install(site, "pnp-light", "class Thing: pass", "lamp", "bulb")
    catalogue = things()
    assert list(catalogue) == ["own", "lamp", "bulb"]
    assert len(catalogue) == 3
    assert "lamp" in catalogue
    assert "pnp_light" not in sys.modules
    assert catalogue["lamp"] is sys.modules.pop("pnp_light").Thing
    assert catalogue.additions() == [Addition(GROUP, "bulb", "pnp-light 1.2"), Addition(GROUP, "lamp", "pnp-light 1.2")]


@pytest.mark.parametrize("version", [plugins.VERSION, plugins.VERSION + 1])
def test_a_package_says_which_contract_it_needs(site: Path, version: int) -> None:
    code = f"from generator.plugins import require; require({version})\nclass Thing: pass"
    install(site, "pnp-late", code, "late")
    if version == plugins.VERSION:
        assert things()["late"] is sys.modules.pop("pnp_late").Thing
        return
    needs = f"it needs version {version} of generator.plugins, and this pnp has {plugins.VERSION}"
    told = refusal(things(), "late")
    assert told.startswith(f"error: the package pnp-late 1.2: {needs}\n")
    assert "update pnp" in told


def test_a_package_never_replaces_an_own_name(site: Path) -> None:
    install(site, "pnp-thief", "raise SystemExit('run')", "own")
    catalogue = things()
    assert list(catalogue) == ["own"]
    assert catalogue["own"] is not None


def test_two_packages_lose_the_name_that_both_add(site: Path) -> None:
    install(site, "pnp-one", "class Thing: pass", "lamp")
    install(site, "pnp-two", "class Thing: pass", "lamp")
    told = refusal(things(), "lamp")
    assert "pnp-one 1.2" in told
    assert "pnp-two 1.2" in told


def test_a_package_that_cannot_be_loaded_is_named(site: Path) -> None:
    install(site, "pnp-broken", "import nothing_of_that_name", "lamp")
    told = refusal(things(), "lamp")
    assert told.startswith("error: the package pnp-broken 1.2: cannot load 'lamp': ModuleNotFound")


def test_a_renderer_that_is_no_class_of_keys_is_named(site: Path) -> None:
    install(site, "pnp-old", "class Thing: pass", "lamp", group="pnp.renderers")
    told = refusal(Catalogue("pnp.renderers", {}), "lamp")
    assert told.startswith("error: the package pnp-old 1.2: 'lamp' is not a class of generator.plugins.Keys")


def games_package(site: Path, code: str = "") -> None:
    """A package that adds a game, as pip lays it out."""
    package = site / "pnp_beacons"
    shutil.copytree(HERE / "_tiny", package / "beacons")
    (package / "__init__.py").write_text(code, "utf-8")
    metadata = site / "pnp_beacons-2.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: pnp-beacons\nVersion: 2.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text("[pnp.games]\nbeacons = pnp_beacons\n", "utf-8")


@pytest.fixture
def catalogues(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """As a process sees them that starts now."""
    monkeypatch.setattr(library, "GAMES", Catalogue("pnp.games", {}))
    monkeypatch.setattr(game, "GAMES", library.GAMES)
    yield site
    sys.modules.pop("pnp_beacons", None)


def test_a_package_adds_a_game(catalogues: Path, pnp: Pnp) -> None:
    games_package(catalogues)
    assert "beacons" in game.names()
    assert game.find("beacons") == (catalogues / "pnp_beacons/beacons", "")
    listed = pnp("list").output
    assert "\nbeacons " in listed
    assert listed.endswith("packages add:\ngame      beacons              pnp-beacons 2.0\n")
    assert "pnp-beacons" not in pnp("list", "--names").output
    assert pnp("build", "beacons", "--plan").exit_code == 0


def test_a_game_of_the_house_is_found_whatever_packages_do(catalogues: Path, pnp: Pnp) -> None:
    games_package(catalogues, "raise ValueError('away')")
    assert pnp("build", "talavera", "--plan", "--only", "cards").exit_code == 0
    told = pnp("build", "beacons").output
    assert told.startswith("error: the package pnp-beacons 2.0: cannot load 'beacons': ValueError")


def test_games_stand_in_a_package_not_in_a_module(catalogues: Path, pnp: Pnp) -> None:
    games_package(catalogues)
    shutil.rmtree(catalogues / "pnp_beacons")
    (catalogues / "pnp_beacons.py").touch()
    told = pnp("list").output
    assert told.startswith("error: the package pnp-beacons 2.0: 'beacons' names a module; games")


def test_a_package_at_fault_is_named(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "def Thing(): return 1 / 0"
    install(site, "pnp-faulty", code, "lamp", group="pnp.checks")
    try:
        import_module("pnp_faulty").Thing()
    except ZeroDivisionError as error:
        print_fault(error)
    told = capsys.readouterr().err
    assert told.startswith("error: the package pnp-faulty 1.2 is at fault: ZeroDivisionError: ")
    assert "(pnp_faulty.py:1)" in told


def test_a_fault_of_our_own_is_none_of_a_package(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, "pnp-idle", "", "lamp", group="pnp.checks")
    print_fault(ZeroDivisionError("planted").with_traceback(traceback_here()))
    assert capsys.readouterr().err.startswith("error: pnp itself is at fault: ZeroDivisionError")


def traceback_here() -> TracebackType | None:
    try:
        raise RuntimeError
    except RuntimeError as error:
        return error.__traceback__


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        things()["lamp"]


@pytest.mark.parametrize(
    ("catalogue", "attribute", "method"), [(CHECKS, "kind", "columns"), (RENDERERS, "renderer", "draw")]
)
def test_every_class_that_says_its_name_is_found_by_it(catalogue: Catalogue[type], attribute: str, method: str) -> None:
    """Wherever it is in the house; each name once."""
    rooms = ("checks", "faces", "games")
    paths = [path for room in rooms for path in (HOUSE / room).rglob("*.py")]
    paths.append(HOUSE / "play/odds/rule.py")
    kinds = [
        node for path in paths for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.ClassDef)
    ]
    names = []
    for line in (line for kind in kinds for line in kind.body):
        match line:
            case ast.Assign([ast.Name(found)], ast.Constant(str(name))) if found == attribute:
                names.append(name)
    assert sorted(catalogue) == sorted(names)
    for name in catalogue:
        assert getattr(catalogue[name], attribute) == name
        assert callable(getattr(catalogue[name], method))


def test_a_name_loads_one_module(site: Path) -> None:
    """To list the names loads all."""
    room = site / "lit_room"
    (room / "quay").mkdir(parents=True)
    for module in ("plain", "lamp", "bulb", "quay/lights"):
        name = {"plain": "glow", "quay/lights": "quay.beam"}.get(module, f"{module}.on")
        text = f"class Thing:\n    light = {name!r}\nclass Other(Thing):\n    light: str\n"
        (room / f"{module}.py").write_text(text, "utf-8")
    for package in (room, room / "quay"):
        (package / "__init__.py").touch()

    def loaded() -> set[str]:
        return {name.partition(".")[2] for name in sys.modules if name.startswith("lit_room.")}

    names = SelfNamed("light", "lit_room.plain", "lit_room.{}", "lit_room.{}.lights")
    assert names["lamp.on"] == "lit_room.lamp:Thing"
    assert loaded() == {"plain", "lamp"}
    assert names["quay.beam"] == "lit_room.quay.lights:Thing"
    assert [name for name in ("lamp.off", "lamp", "", ".", "__init__.on") if name in names] == []
    assert list(names) == ["glow", "bulb.on", "lamp.on", "quay.beam"]
    assert len(names) == 4
