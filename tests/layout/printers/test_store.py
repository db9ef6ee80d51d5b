"""What is kept of printers, and what a damaged file says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given

from generator.basics.errors import PnpError
from generator.layout.printers import Profile, Store
from tests.layout.printers.test_profile import profiles

LASER = Profile("laser", "long", 1.5, -0.25, 0.125, 1.001, 0.998, 0.2)
INK = Profile("ink-200g_card", "short")


def test_profiles_are_kept(tmp_path: Path) -> None:
    store = Store(tmp_path / "not yet there")
    assert (store.names(), store.default()) == ([], None)
    store.save(LASER)
    store.save(INK)
    assert store.names() == ["ink-200g_card", "laser"]
    assert (store.load("laser"), store.load("ink-200g_card")) == (LASER, INK)


@given(profiles())
def test_numbers_come_back_as_they_were(profile: Profile) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Store(Path(folder)).save(profile)
        assert Store(Path(folder)).load(profile.name) == profile


def test_a_printer_measured_again_replaces_the_earlier(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(LASER)
    again = Profile("laser", "short", 0.5)
    store.save(again)
    assert (store.names(), store.load("laser")) == (["laser"], again)


def test_a_link_to_profiles_elsewhere_is_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere/my-printers.toml"
    Store(elsewhere.parent).save(LASER)
    (elsewhere.parent / "printers.toml").rename(elsewhere)
    store = Store(tmp_path / "configuration")
    store.folder.mkdir()
    (store.folder / "printers.toml").symlink_to(elsewhere)
    store.save(INK)
    assert (store.folder / "printers.toml").is_symlink()
    assert store.names() == ["ink-200g_card", "laser"]
    assert "ink-200g_card" in elsewhere.read_text()


@pytest.mark.parametrize("name", ["x" * 300, "file/below"])
def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PnpError, match=r"cannot be (read: File name|written: Not a dir)"):
        Store(tmp_path / name).save(LASER)


def test_profiles_that_are_no_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "printers.toml")
    with pytest.raises(PnpError, match="is not a plain file"):
        Store(tmp_path).names()


def test_the_default_lasts_until_its_printer_goes(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(LASER)
    store.save(INK)
    store.set_default("laser")
    store.remove("ink-200g_card")
    assert (store.names(), store.default()) == (["laser"], "laser")
    store.set_default(None)
    assert store.default() is None
    store.set_default("laser")
    store.remove("laser")
    assert (store.names(), store.default()) == ([], None)


def test_a_printer_that_is_not_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(PnpError, match=r"no such printer\n.*pnp printer sheet"):
        store.load("laser")
    store.save(LASER)
    for act in (store.load, store.remove, store.set_default):
        with pytest.raises(PnpError, match=r"printer 'lasr': there is no such printer\n.*'laser'"):
            act("lasr")


@pytest.mark.parametrize("name", ["", "Laser", "a b", "ä", "../x", "x" * 41, 'a"b', "a\n", "none"])
def test_names_that_will_not_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(PnpError, match="is not a valid name for a printer"):
        Store(tmp_path).save(Profile(name, "long"))
    assert not list(tmp_path.iterdir())


WHOLE = '[printer.laser]\nflip = "long"\ndx = 1.0\ndy = 0\nangle = 0.0\nscale_x = 1.0\nscale_y = 1\n'
DAMAGED = [
    ("[printer.laser", ["the file is damaged"]),
    ("\0", ["this character is not text"]),
    ("printer = 3", ["printer must be a table, not 3"]),
    ("[printer]\nlaser = 3", ["printer: laser must be a table, not 3"]),
    ('colour = "red"\n' + WHOLE, ["unknown key 'colour'"]),
    ('default = "lasr"\n' + WHOLE, ["the default printer 'lasr' is not in the file"]),
    (WHOLE.replace('"long"', '"wide"'), ["laser.flip must be 'long' or 'short', not 'wide'"]),
    (WHOLE.replace('"long"', "[1]"), ["laser.flip must be 'long' or 'short', not a list"]),
    (WHOLE.replace("laser", '"La ser"'), ["'La ser' is not a valid name"]),
    (
        WHOLE.replace("1.0\ndy = 0", '"1"\ndy = true'),
        ["laser.dx must be a number, not '1'", "laser.dy must be a number, not true"],
    ),
    (".".join(3000 * "a") + " = 1", ["unknown key 'a'"]),
    (WHOLE.replace("dx = 1.0", "dx = nan"), ["dx must be a number, not nan"]),
    (WHOLE.replace("scale_x = 1.0", "scale_x = 100"), ["scale_x must be at most 1.25, not 100"]),
    (WHOLE.replace("angle = 0.0\n", ""), ["printer laser: the key 'angle' is missing"]),
    (WHOLE + "residual = -1\n", ["residual must be at least 0.0, not -1"]),
    (WHOLE.replace("angle", "angel"), ["printer laser: unknown key 'angel'"]),
    (WHOLE.replace("dx = 1.0", f"dx = {'9' * 5000}"), ["the file is damaged"]),
    (WHOLE.replace("dx = 1.0", f"dx = 0x{'f' * 5000}"), ["laser.dx must be"]),
    (f"default = 0x{'f' * 5000}\n" + WHOLE, ["default must be"]),
    ("[" * 60_000, ["the file is damaged"]),
    (".".join("a" * 50_000) + " = 1", ["'printers.toml' is too large"]),  # its time grows with the square
]


@pytest.mark.parametrize(("text", "faults"), DAMAGED)
def test_a_damaged_file_says_what_is_wrong(tmp_path: Path, text: str, faults: list[str]) -> None:
    path = tmp_path / "printers.toml"
    path.write_text(text)
    store = Store(tmp_path)
    for act in (store.names, store.default, lambda: store.load("laser"), lambda: store.save(INK)):
        with pytest.raises(PnpError) as caught:
            act()
        assert len(caught.value.problems) == len(faults)
        for problem, fault in zip(caught.value.problems, faults, strict=True):
            assert fault in str(problem)
            assert "printers.toml" in str(problem.place)
    assert path.read_text() == text


def test_a_whole_file_written_by_hand_is_read(tmp_path: Path) -> None:
    (tmp_path / "printers.toml").write_text('default = "laser"\n' + WHOLE)
    assert Store(tmp_path).load("laser") == Profile("laser", "long", 1.0)
    assert Store(tmp_path).load("laser").drift == 0.5, "kept before residuals were"
    (tmp_path / "printers.toml").write_text(WHOLE + "residual = 1.25\n")
    assert Store(tmp_path).load("laser").drift == 1.25
    (tmp_path / "printers.toml").write_text('default = "laser"\n' + WHOLE)
    assert Store(tmp_path).default() == "laser"
