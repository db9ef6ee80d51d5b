"""Faces from templates: as another engine draws them, in whatever unit they were drawn."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from generator import faces, game, pipeline
from generator.model import Design, Face
from tests.faces import shaped
from tests.faces.templating.test_template import QUEST
from tests.faces.test_oracle import CLOSE, difference


def design(folder: Path) -> Design:
    return game.read(folder, "", pipeline.KINDS).designs[0]


@cache
def quest() -> dict[str, Face]:
    return shaped.drawn(design(QUEST))


def in_points(folder: Path) -> Path:
    """Quest as a program leaves it that draws in points and scales its layers."""
    shutil.copytree(QUEST, folder)
    template = (folder / "front.svg").read_text("utf-8")
    head, body = re.fullmatch(r"(.*?<svg[^>]*>)(.*)</svg>\s*", template, re.DOTALL).groups()  # type: ignore[union-attr]
    head = head.replace('viewBox="0 0 69.5 94.9"', 'viewBox="0 0 197.0079 269.0079"')
    body = f'<g transform="scale(5.6692914)"><g transform="matrix(.5 0 0 .5 0 0)">{body}</g></g>'
    (folder / "front.svg").write_text(f"{head}{body}</svg>", "utf-8")
    return folder


def test_printed_as_another_engine_draws_it() -> None:
    some = list(quest().values())
    pictures = shaped.printed(some)
    for face, picture in zip(some, pictures, strict=True):
        assert difference(picture, shaped.trimmed(face, picture)) < CLOSE, face.name
    other = shaped.trimmed(some[1], pictures[0])
    assert difference(pictures[0], other) > 3 * CLOSE, "the measure can fail"


def test_the_unit_of_the_drawing_does_not_matter(tmp_path: Path) -> None:
    """Texts shrink to the same size on paper, and stand in the same places."""
    some = list(quest().values())
    others = list(shaped.drawn(design(in_points(tmp_path / "quest"))).values())
    assert sizes_of(others) == sizes_of(some)
    for one, other in zip(shaped.printed(some), shaped.printed(others), strict=True):
        assert difference(one, other) < CLOSE


def sizes_of(some: list[Face]) -> list[list[str]]:
    """The sizes of the texts that were set in boxes, in mm."""
    groups = (re.findall(r'<text [^>]*font-size="([0-9.]+)"', f.layers[-1].layer.svg) for f in some)
    return [list(sizes) for sizes in groups]


def test_the_layers_of_a_large_deck_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faces, "_MOST_UNPACKED", 1)
    layers = [face.layers[-1].layer for face in shaped.drawn(design(QUEST)).values()]
    assert [type(layer.content) for layer in layers[:2]] == [str, bytes]
    as_usual = [face.layers[-1].layer for face in quest().values()]
    assert [(layer.id, layer.svg) for layer in layers] == [(name.id, name.svg) for name in as_usual]


def test_a_long_title_is_set_smaller_than_a_short_one() -> None:
    short, long = sizes_of([quest()["ford"], quest()["inn"]])
    assert float(long[0]) < float(short[0])
