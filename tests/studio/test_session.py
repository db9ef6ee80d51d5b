"""What is shown follows the files: all that changed, nothing else, faults told, repairs seen."""

from __future__ import annotations

import io
import json
import os
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.pdf.pictures.picture_pool import Wish
from generator.studio.session import Listener
from tests.studio.showing import ROOT, Shown, await_event, face_ids, paint_all, showing
from tests.support.processes import PATIENCE


@pytest.fixture(scope="module")
def _quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with showing(tmp_path_factory.mktemp("session") / "quest") as shown:
        yield shown


@pytest.fixture
def quest(_quest: Shown) -> Iterator[Shown]:
    """The game as it was, after each test too."""
    files = ("game.toml", "cards.csv", "front.svg", "art/sword.svg")
    before = {file: (_quest.folder / file).read_text("utf-8") for file in files}
    listener = _quest.session.listen()
    sound = await_event(listener, "state")
    yield _quest
    for file, content in before.items():
        if (_quest.folder / file).read_text("utf-8") != content:
            while not listener.empty():  # what was told of the edit may be sound too
                listener.get()
            _quest.save(file, content)
            while await_event(listener, "state") != sound:
                pass
    _quest.session.leave(listener)


# An edit, and the faces that differ then. Quest has six fronts and one back.
CARDS = ("dragon", "key", "potion", "sword", "ford", "inn")
EDITS = {
    "one row": ("cards.csv", "Rusty Key", "Rusty Keys", {"cards/key/front"}),
    "art of one card": ("art/sword.svg", "<svg ", '<svg opacity="0.5" ', {"cards/sword/front"}),
    "the template": ("front.svg", "#f7f0de", "#ffffff", {f"cards/{c}/front" for c in CARDS}),
    "a remark": ("game.toml", "# Six cards", "# All six cards", set[str]()),
    "a colour of one": (
        "game.toml",
        'moss = "#4d6b32"',
        'moss = "#0d6b32"',
        {"cards/potion/front", "cards/ford/front"},
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_only_faces_that_changed_are_painted(quest: Shown, name: str) -> None:
    file, old, new, differing = EDITS[name]
    listener = quest.session.listen()
    before = await_event(listener, "state")
    painted = paint_all(quest, before)
    quest.edit(file, old, new)
    after = await_event(listener, "state")
    changed = {key for key, id_ in face_ids(after).items() if face_ids(before)[key] != id_}
    assert changed == differing
    assert paint_all(quest, after) - painted == len(differing)
    quest.session.leave(listener)


def test_faces_are_reported_before_the_whole_game(quest: Shown) -> None:
    listener = quest.session.listen()
    key = "cards/key/front"
    old = face_ids(await_event(listener, "state"))[key]
    quest.edit("cards.csv", "Rusty Key", "Golden Key")
    while (told := await_event(listener, "faces")).get(key, old) == old:
        pass  # those of the first painting are told too
    assert set(told) == {key}
    quest.session.leave(listener)


def test_fault_is_reported_and_its_repair_seen(quest: Shown) -> None:
    listener = quest.session.listen()
    sound = await_event(listener, "state")
    quest.edit("game.toml", 'bleed = "3mm"', 'bleed = "3m"')
    (problem,) = await_event(listener, "broken")
    assert problem["where"] == "quest/game.toml:23"
    assert problem["what"] == "bleed: '3m' is not a length"
    assert problem["hint"]
    quest.edit("game.toml", 'bleed = "3m"', 'bleed = "3mm"')
    assert await_event(listener, "state") == sound
    quest.session.leave(listener)


def test_who_comes_while_it_is_broken_sees_both(quest: Shown) -> None:
    listener = quest.session.listen()
    await_event(listener, "state")
    quest.edit("cards.csv", "id,title", "id,titel")
    await_event(listener, "broken")
    late = quest.session.listen()
    told = [late.get(timeout=PATIENCE) for _ in range(4)]
    assert {event.name for event in told if event} == {"choices", "state", "findings", "broken"}
    quest.session.leave(late)
    quest.session.leave(listener)


def test_text_that_is_too_long_is_shown_with_its_finding(quest: Shown) -> None:
    listener = quest.session.listen()
    before = await_event(listener, "state")
    quest.edit("cards.csv", "Fight with", "Fight " * 400 + "with")
    after = await_event(listener, "state")
    ids = face_ids(before), face_ids(after)
    assert {key for key in ids[0] if ids[0][key] != ids[1][key]} == {"cards/sword/front"}
    assert after["sheets"] == []
    found = await_event(listener, "findings")["findings"]
    (finding,) = [fault for fault in found if fault["level"] == "error"]
    assert finding["faces"] == ["cards/sword/front"]
    assert "higher than its box" in finding["what"]
    quest.session.leave(listener)


def test_folder_may_go_and_come_back(quest: Shown) -> None:
    listener = quest.session.listen()
    sound = await_event(listener, "state")
    away = quest.folder.with_name("away")
    quest.folder.rename(away)
    assert "does not exist" in await_event(listener, "broken")[0]["what"]
    away.rename(quest.folder)
    assert await_event(listener, "state") == sound
    quest.session.leave(listener)


STRAYS: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a link that leads nowhere": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link out of the folder": lambda path: path.symlink_to("/"),
    "a folder": Path.mkdir,
}


PLACES = [
    *(("fonts/own.ttf", stray) for stray in STRAYS),
    *(("fonts", stray) for stray in ("a pipe", "a link to itself")),
    ("icons/own.svg", "a pipe"),
]


@pytest.mark.parametrize(("place", "stray"), PLACES)
def test_what_is_no_file_is_reported_and_its_repair_seen(quest: Shown, place: str, stray: str) -> None:
    listener = quest.session.listen()
    sound = await_event(listener, "state")
    path = quest.folder / place
    path.parent.mkdir(exist_ok=True)
    STRAYS[stray](path)
    (problem,) = await_event(listener, "broken")
    assert problem["where"].startswith(f"quest/{place}")
    if stray == "a folder":
        path.rmdir()
    else:
        path.unlink()
    assert await_event(listener, "state") == sound
    if place.startswith("fonts/"):
        path.parent.rmdir()
    quest.session.leave(listener)


def test_a_damaged_font_is_reported_and_its_repair_seen(quest: Shown) -> None:
    """The game is shown meanwhile."""
    listener = quest.session.listen()
    font = quest.folder / "fonts/own.ttf"
    font.parent.mkdir()
    font.touch()
    while "font.unread" not in rules_of(await_event(listener, "findings")):
        pass
    font.unlink()
    while "font.unread" in rules_of(await_event(listener, "findings")):
        pass
    font.parent.rmdir()
    quest.session.leave(listener)


def rules_of(told: Any) -> set[str]:
    return {finding["rule"] for finding in told["findings"]}


def test_unknown_language_at_the_start_is_a_fault_that_a_choice_repairs(tmp_path: Path) -> None:
    with showing(tmp_path / "quest", options={"language": "de"}) as shown:
        listener = shown.session.listen()
        assert await_event(listener, "choices")["language"]["chosen"] == "de"
        (problem,) = await_event(listener, "broken")
        assert "in the language 'de'" in problem["what"]
        shown.session.choose({"language": ""})
        assert face_ids(await_event(listener, "state"))


def test_findings_beside_their_faces(tmp_path: Path) -> None:
    with showing(tmp_path / "talavera", ROOT / "templates/talavera") as shown:
        listener = shown.session.listen()
        await_event(listener, "state")
        told = await_event(listener, "findings")
        alike = next(message for message in told["findings"] if "12 and 15 are alike" in message["what"])
        assert alike["faces"] == ["cards/12/front", "cards/12/back"] or alike["faces"] == [
            "cards/15/front",
            "cards/15/back",
        ]


def test_findings_are_those_of_check(tmp_path: Path) -> None:
    from generator import pipeline

    with showing(tmp_path / "quest") as shown:
        shown.edit("front.svg", 'x="9" y="8" width="51.5"', 'x="4" y="8" width="56.5"')
        listener = shown.session.listen()
        while not (told := await_event(listener, "findings"))["isChecked"] or not told["findings"]:
            pass
        expected = pipeline.check(str(shown.folder))
        assert [message["what"] for message in told["findings"]] == [piece.what for piece in expected]
        text = next(message for message in told["findings"] if message["rule"] == "drift.text")
        assert "cards/dragon/front" in text["faces"]


def test_what_is_seen_is_reported_first(quest: Shown) -> None:
    """Seen on one of two pages; the table has them last."""
    listeners = [quest.session.listen() for _ in range(2)]
    for listener, card in zip(listeners, ("inn", "ford"), strict=True):
        await_event(listener, "state")
        listener.seen = [("cards", card, "front")]
    quest.edit("front.svg", "#f7f0de", "#fffff0")
    told: list[str] = []
    while len(told) < len(CARDS):
        told += next_told(listeners[0], "coming", "faces")
    assert {name.split("/")[1] for name in told[:2]} == {"inn", "ford"}
    assert {name.split("/")[1] for name in told} == set(CARDS)
    for listener in listeners:
        quest.session.leave(listener)


def next_told(listener: Listener, *names: str) -> Any:
    """What the next event with one of the names says."""
    while (event := listener.get(timeout=PATIENCE)) is None or event.name not in names:
        assert event is not None, "the session ended"
    return json.loads(event.data)


@pytest.mark.parametrize(("patience", "events"), [(PATIENCE, 1), (0.0, 2)])
def test_pictures_of_what_is_seen_are_sent(
    quest: Shown, patience: float, events: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that another page requests, and no others, as fine as the page shows them; together,
    unless that takes too long."""
    monkeypatch.setattr("generator.studio.session._TOGETHER", patience)
    listener = quest.session.listen()
    await_event(listener, "state")
    seen = ("cards/dragon/front", "cards/inn/front")
    listener.seen = [("cards", name.split("/")[1], "front") for name in seen]
    listener.dpi = 60
    quest.edit("front.svg", "#f7f0de", "#f0fff0")
    coming: dict[str, str] = {}
    pictures: dict[str, str] = {}
    sent = 0
    while len(pictures) < len(seen):
        told = next_told(listener, "coming", "pictures")
        if told.keys() <= set(coming.values()):
            pictures |= told
            sent += 1
        else:
            coming |= told
    assert set(coming) == set(seen)
    assert sent == events
    for id_, picture in pictures.items():
        assert id_ in coming.values()
        assert b64decode(picture) == quest.session.picture(Wish(id_, "piece", 60))
        with Image.open(io.BytesIO(b64decode(picture))) as image:
            assert image.width == pytest.approx(63.5 / 25.4 * 60, abs=1)
    await_event(listener, "state")
    quest.session.leave(listener)
