"""A site of two small games, made once for all tests here, and a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from generator.pipeline.sheets import silent
from generator.pipeline.siting import build_site
from tests.game.tiny import GAME, HEAD, tiny, write
from tests.review.history.repository import Repository

HOSTILE = '</title><script>alert(1)</script>"onload="x" & <b>'
RULES = r"""# Rules

## Setup & \<script>

Lay **one** card. *Any* :star: \<img src=x onerror=alert(1)\>
See [a **video**](https://example.com/?a=1&b="2") or [below](#third).[^1]
![<i>A map</i> \<b>](map.svg)

1. One
2. Two

- a
  - b

> Aside.

| left | right |
|---|--:|
| a \| b | 2 |

### A part

::: face cards a <u>one</u>
:::

## Setup & \<script>

::: kit
1 Cards: all of \<i>
:::

## Third

Text.

### Small

#### Fifth

~~Text~~<br>Text.

[^1]: A note.

## Fourth

Text.
"""


class BuiltGames(Struct, frozen=True):
    """The folder of a site, and the games it is of: one with rules, and one with a single face."""

    site: Path
    games: list[str]


@pytest.fixture(scope="session", autouse=True)
def drafted_scenes() -> Iterator[None]:
    """The pictures of tables are drafts: a full one takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("generator.pipeline.siting.QUALITY", "draft")
        yield


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("games")
    bare = write(tiny(folder / "bare"), '<rect width="40" height="60" fill="#c03020"/>')
    hostile = write(tiny(folder / "hostile"), "<text x='2' y='9'>{{ x }}</text>", "first")
    spec = GAME.replace('"Tiny"', f"'{HOSTILE}'").replace('"A. Designer"', f"'{HOSTILE}'")
    spec = spec.replace('"One card."', f"'{HOSTILE}'")
    terms = f"players = '{HOSTILE}'\ntime = '5 minutes'\nage = 'age 8 and up'\n"
    spec = spec.replace("[palette]", f"{terms}[palette]")
    (hostile / "game.toml").write_text(f"{spec}[booklet]\n", "utf-8")
    (hostile / "rules.md").write_text(RULES, "utf-8")
    (hostile / "map.svg").write_text(f"{HEAD}<rect width='9' height='9'/></svg>", "utf-8")
    repository = Repository.at(hostile)
    repository.commit("one")
    repository.git("tag", "v1<i>")
    (hostile / "LICENSE").write_text(f"Nobody may. {HOSTILE}\n", "utf-8")
    write(hostile, "<text x='2' y='9'>{{ x }}</text>", "<u>second</u>")
    repository.commit("two")
    return [str(hostile), str(bare)]


@pytest.fixture(scope="session")
def built(games: list[str], tmp_path_factory: pytest.TempPathFactory) -> BuiltGames:
    folder = tmp_path_factory.mktemp("sites") / "site"
    page, notes = build_site(games, folder, "", silent)
    assert page == folder / "index.html"
    assert all("no Card Game Simulator" in note for note in notes)  # they have no cards
    return BuiltGames(folder, games)
