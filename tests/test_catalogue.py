"""Names and what they stand for: loaded when asked for, added by installed packages alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from generator.catalogue import Addition, Catalogue
from generator.errors import PnpError
from generator.pipeline.game import CHECKS, RENDERERS

GROUP = "pnp.things"
OWN = {"own": "fractions:Fraction"}


def install(site: Path, package: str, code: str, *names: str) -> None:
    """A package with a module and entry points to its Thing, as pip lays it out."""
    module = package.replace("-", "_")
    (site / f"{module}.py").write_text(code, "utf-8")
    metadata = site / f"{module}-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {package}\nVersion: 1.2\n", "utf-8")
    points = "".join(f"{name} = {module}:Thing\n" for name in names)
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{points}", "utf-8")


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
    assert catalogue.additions() == [
        Addition(GROUP, "bulb", "pnp-light 1.2"),
        Addition(GROUP, "lamp", "pnp-light 1.2"),
    ]


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


def test_an_unknown_name_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        things()["lamp"]


def test_every_name_of_the_house_loads_and_says_itself() -> None:
    assert {name: CHECKS[name].kind for name in CHECKS} == {name: name for name in CHECKS}  # type: ignore[attr-defined]
    assert all(callable(RENDERERS[name].draw) for name in RENDERERS)
