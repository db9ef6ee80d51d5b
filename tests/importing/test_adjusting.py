"""The page on which the cards of a PDF are moved: who may ask for what, and what a person does on it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from generator.importing.adjusting import AdjustServer, adjusting
from generator.importing.folder import ImportOptions
from tests.importing.test_backs import OFF_CENTRE, mirrored, pdf_of
from tests.importing.test_import import rows_of, spec_of
from tests.support.browsing import Visits
from tests.support.declared import declared_types, misfits
from tests.support.processes import PATIENCE, started
from tests.support.serving import Reply, ask

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.pdf"
    path.write_bytes(pdf_of(OFF_CENTRE, mirrored(OFF_CENTRE)))
    return path


@pytest.fixture
def server(old: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AdjustServer]:
    monkeypatch.chdir(old.parent)
    with adjusting(Path(old.name), Path("old"), ImportOptions(), 0, None) as server:
        yield server


def look(server: AdjustServer, said: object, path: str = "/look", **headers: str) -> Reply:
    return ask(server, path, {"X-Key": server.key, **headers}, "POST", json.dumps(said).encode())


def test_options_go_in_and_outlines_come_out(server: AdjustServer) -> None:
    """A grid that is said lies on the backs at its mirror image, and the command says the same."""
    told: dict[str, Any] = json.loads(look(server, None).content)
    assert list(misfits(declared_types("generator.importing"), told, "Told")) == []
    assert (told["command"], len(told["cards"])) == ("pnp import old.pdf", 6)
    wanted = {"size": [60, 80.5], "grid": [3, 2], "at": [13, 22.5], "gap": [3.5, 8.4]}
    said = {"wanted": wanted, "pages": [], "backs": "next", "turns_backs": False}
    told = json.loads(look(server, said).content)
    command = "pnp import old.pdf --size 60x80.5mm --at 13,22.5mm --gap 3.5,8.4mm --grid 3x2 --backs next"
    assert told["command"] == command
    assert [tuple(told["cards"][0][side]["cell"]) for side in ("front", "back")] == [
        (13, 22.5, 73, 103),
        (137, 22.5, 197, 103),
    ]
    told = json.loads(look(server, {**said, "pages": [1]}).content)
    assert (told["fault"], told["cards"]) == ("1 page with cards cannot be fronts and backs in turn", [])


def test_others_get_nothing(server: AdjustServer) -> None:
    said = {"wanted": {}, "pages": [], "backs": "", "turns_backs": False}
    assert look(server, said).status == 200
    assert look(server, said, Origin="http://evil.example").status == 403
    assert look(server, said, **{"Sec-Fetch-Site": "cross-site"}).status == 403
    for path in ("/look", "/make"):
        assert look(server, said, path, **{"X-Key": "x"}).status == 401
    for wrong in (
        {"wanted": {"grid": [9999, 3]}},
        {"wanted": {"at": [-3, 0]}},
        {"pages": [3]},
        {"backs": "/etc"},
        {"backs": 1},
    ):
        assert look(server, {**said, **wrong}).status == 400, wrong
    assert look(server, said, "/else").status == 404
    pictures = {f"/{server.key}/page1.png": 200, f"/{server.key}/page1-1-2.png": 200, f"/{server.key}/page3.png": 404}
    for path, status in {**pictures, "/x/page1.png": 404, "/old.pdf": 404}.items():
        answer = ask(server, path)
        assert (answer.status, answer.content[1:4] == b"PNG") == (status, status == 200)


def test_a_corner_is_dragged_and_the_game_is_made(browser: Browser, old: Path) -> None:
    """By pointer, keyboard and field, in a process that ends by itself."""
    command = [sys.executable, "-m", "generator", "import", old.name, "--adjust", "--no-open"]
    with started(command, cwd=old.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        address = running.stdout.readline().split()[0]
        visits = Visits(browser, address.partition("#")[0])
        page = visits.open(address, (1280, 900))
        said = page.locator("#command code")
        expect(said).to_have_text("pnp import old.pdf")
        expect(page.locator(".cut")).to_have_count(12)
        sheet = page.locator("figure svg").first.bounding_box()
        assert sheet
        x, y = (side * sheet["width"] / 210 for side in (OFF_CENTRE[0].x1, OFF_CENTRE[0].y1))
        page.mouse.move(sheet["x"] + x, sheet["y"] + y)
        page.mouse.down()
        page.mouse.move(sheet["x"] + x - 30, sheet["y"] + y - 30)
        expect(page.locator("#lens")).to_be_visible()
        page.mouse.up()
        by = round(30 * 210 / sheet["width"], 1)
        size = "x".join(f"{side:g}" for side in (round(63.5 - by, 1), round(88.9 - by, 1)))
        expect(said).to_contain_text(f"--size {size}mm --at 12,20mm --grid 3x2 --backs next")
        page.get_by_label("Right edge").press("ArrowLeft")
        page.get_by_label("Height").fill("")
        page.get_by_label("Height").press_sequentially("80,5")
        size = f"{round(63.6 - by - 0.2, 1):g}x80.5mm"
        expect(said).to_contain_text(f"--size {size}")
        repeats = said.inner_text()
        page.get_by_role("button", name="Make the game").click()
        expect(page.get_by_role("heading", name="old is made")).to_be_focused()
        assert (running.wait(PATIENCE), running.stdout.read()) == (0, "old\n")
        visits.close()
    assert visits.wrong == []
    assert spec_of(old.parent / "old")["size"] == size
    assert [row["back"] for row in rows_of(old.parent / "old")] != [""] * 6
    assert repeats.startswith(f"pnp import old.pdf --size {size}")
