"""What is wrong with a built site is found: dead links, and what is loaded from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.site import faults, main

SOUND = '<a href="#top">up</a> <a href="other.html#there">on</a> <a href="https://a.org">out</a>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(f'<p id="top">{SOUND}<img src="a.png"></p>', "utf-8")
    (tmp_path / "other.html").write_text('<h2 id="there">There</h2>', "utf-8")
    (tmp_path / "a.png").write_bytes(b"")
    (tmp_path / "style.css").write_text('p { src: url("a.ttf") }', "utf-8")
    return tmp_path


def test_a_sound_site_has_no_fault(site: Path) -> None:
    assert not list(faults(site))
    assert main(str(site)) == 0


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ('<a href="gone.html">', "gone.html leads nowhere"),
        ('<a href="../out.html">', "../out.html leads nowhere"),
        ('<a href="other.html#gone">', "other.html#gone leads nowhere"),
        ('<a href="#gone">', "#gone leads nowhere"),
        ('<img src="gone.png">', "gone.png leads nowhere"),
        ('<link rel="stylesheet" href="gone.css">', "gone.css leads nowhere"),
        ('<script src="https://a.org/a.js">', "loads https://a.org/a.js"),
        ('<img src="//a.org/a.png">', "loads //a.org/a.png"),
    ],
)
def test_a_fault_is_found(planted: str, told: str, site: Path) -> None:
    with (site / "index.html").open("a", encoding="utf-8") as page:
        page.write(planted)
    assert list(faults(site)) == [f"index.html: {told}"]
    assert main(str(site)) == 1


@pytest.mark.parametrize("rule", ['@import "https://a.org/a.css";', "p { src: url(//a.org/a.ttf) }"])
def test_a_style_that_loads_from_elsewhere_is_found(rule: str, site: Path) -> None:
    (site / "style.css").write_text(rule, "utf-8")
    (fault,) = faults(site)
    assert fault.startswith("style.css: loads ")


def test_a_folder_without_pages_is_a_fault(tmp_path: Path) -> None:
    assert main(str(tmp_path)) == 1
