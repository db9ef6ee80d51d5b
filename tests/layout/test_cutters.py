"""The option --cutter: names of machines and their settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.basics.errors import PnpError
from generator.basics.geometry import Point, Size, lattice
from generator.layout import MACHINES, parse_cutter

FAULTS = {
    "silhouet": "there is no cutter 'silhouet'; did you mean 'silhouette'?",
    "": "there is no cutter ''",
    "none,inset=10mm": "there is no cutter 'none'",
    "silhouette,lenght=9mm": "'lenght' cannot be set for silhouette; did you mean 'length'?",
    "silhouette,": "'' cannot be set for silhouette",
    "silhouette,marks=5": "Silhouette's marks are three or four; marks=3 or marks=4",
    "silhouette,layout=edge": "there is no layout 'edge'; layout=borderless",
    "laser,layout=borderless": "'layout' cannot be set for laser",
    "silhouette,inset=9mm": "the inset of these marks can be 10 to 86.36 mm; inset=10mm is usual",
    "silhouette,stroke=2mm": "the stroke of these marks can be 0.5 to 1 mm; stroke=1mm is usual",
    "silhouette,length=1cm=2": "'1cm=2' is not a length; a number and its unit: length=10mm",
    "opos,inset=7": "the length '7' has no unit; a number and its unit: inset=10mm",
    "opos,marks=4": "'marks' cannot be set for opos",
    "laser,skip=left": "'left' is no corner of the page; skip=top-left or skip=top-right or skip=bottom-left",
    "silhouette,skip=bottom-right": "there is no mark at the bottom-right; leave out that skip, or add marks=4",
    "contour,skip=top-left": "'skip' cannot be set for contour; write only contour",
    "cricut,inset=7mm": "'inset' cannot be set for cricut; write only cricut",
}


@pytest.mark.parametrize("text", FAULTS)
def test_each_fault_is_one_message(text: str) -> None:
    with pytest.raises(PnpError) as caught:
        parse_cutter(text)
    (problem,) = caught.value.problems
    assert f"{problem.what}; {problem.hint}".startswith(FAULTS[text])
    assert str(problem.place) == f"cutter '{text}'"


@pytest.mark.parametrize("machine", MACHINES)
def test_every_machine_has_a_name(machine: str) -> None:
    cutter = parse_cutter(machine.upper())
    assert cutter
    assert cutter.machine == machine


def test_the_page_on_exports_has_every_machine_and_its_settings() -> None:
    page = (Path(__file__).parents[2] / "docs/exports.md").read_text("utf-8")
    table = page.partition("| `--cutter` |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert {row[0].strip("`") for row in rows} == set(MACHINES)
    for machine, _, settings, _ in rows:
        for setting in re.findall(r"`(\S+)`", settings):
            assert parse_cutter(f"{machine.strip('`')},{setting}")


def test_settings() -> None:
    assert parse_cutter("none") is None
    cutter = parse_cutter("silhouette, marks=4, inset=0.625in, length=12mm, stroke=0.5mm")
    assert cutter
    assert (cutter.inset, cutter.length, cutter.stroke) == (15.875, 12.0, 0.5)
    assert cutter.is_four
    assert not cutter.is_usual
    usual = parse_cutter("silhouette,marks=4")
    assert usual
    assert usual.is_usual


@pytest.mark.parametrize(("corners", "left_out"), [("top-left", {0}), ("bottom-left,skip=top-right", {2, 6})])
def test_no_piece_lies_beside_a_mark_that_is_misread(corners: str, left_out: set[int]) -> None:
    cutter = parse_cutter(f"silhouette,skip={corners}")
    assert cutter
    middles = [*lattice(Point(45.0, 60.0), Size(63.0, 88.0), 3, 3)]
    assert {*range(9)} - {*cutter.keep_clear(Size(215.9, 279.4), middles)} == left_out


def test_a_piece_that_is_alone_stays_beside_a_mark_that_is_misread() -> None:
    cutter = parse_cutter("laser,skip=bottom-right")
    assert cutter
    assert cutter.keep_clear(Size(215.9, 279.4), [Point(100.0, 140.0)]) == [0]
