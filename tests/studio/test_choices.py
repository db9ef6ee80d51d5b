"""What is chosen on a page: every page shows it, and the files are built as it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.basics.errors import PnpError
from generator.basics.papers import paper_names
from generator.layout.printers import Profile, Store
from tests.studio.showing import Shown, await_event, face_ids, showing, varied
from tests.support.declared import declared_types, misfits


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Shown]:
    """A game with a language, a variant and a printer."""
    Store(tmp_path / "printers").save(Profile("laser", "long", dx=0.5, margin=12.0))
    with showing(varied(tmp_path)) as shown_page:
        yield shown_page


def chosen_state(shown: Shown, **values: str) -> Any:
    listener = shown.session.listen()
    await_event(listener, "state")
    shown.session.choose(values)
    state = await_event(listener, "state")
    shown.session.leave(listener)
    return state


def choices_of(shown: Shown) -> Any:
    listener = shown.session.listen()
    await_event(listener, "state")
    shown.session.leave(listener)
    listener = shown.session.listen()
    choices = await_event(listener, "choices")
    shown.session.leave(listener)
    return choices


def test_what_a_game_has_is_offered(shown: Shown) -> None:
    choices = choices_of(shown)
    assert {name: choice["offered"] for name, choice in choices.items()} == {
        "paper": paper_names(),
        "language": ["", "de"],
        "variant": ["", "few"],
        "printer": ["", "laser"],
        "draft": ["off", "on"],
    }
    assert [choice["chosen"] for choice in choices.values()] == ["", "", "letter", "", "off"]
    assert list(misfits(declared_types("generator.studio"), choices, "Choices")) == []


def test_nothing_else_is_offered(tmp_path: Path) -> None:
    with showing(tmp_path / "quest") as shown:
        choices = choices_of(shown)
        assert [choices[name]["offered"] for name in ("language", "variant", "printer")] == [[""]] * 3


def test_paper_changes_sheets_and_no_face(shown: Shown) -> None:
    before = chosen_state(shown, language="de")
    after = chosen_state(shown, paper="a4")
    papers = [sheet["paper"] for state in (before, after) for sheet in state["sheets"]]
    assert papers == [pytest.approx([215.9, 279.4]), pytest.approx([210.0, 297.0])]
    assert face_ids(after) == face_ids(before)


def test_language_and_variant_change_faces(shown: Shown) -> None:
    german = chosen_state(shown, language="de")
    few = chosen_state(shown, variant="few")
    plain = chosen_state(shown, language="", variant="")
    assert face_ids(german).items() >= face_ids(few).items()
    assert len(face_ids(few)) == 3 * 2
    backs = {key for key, id_ in face_ids(plain).items() if face_ids(german)[key] == id_}
    assert {key.rpartition("/")[2] for key in backs} == {"back"}


def test_printer_corrects_the_backs(shown: Shown) -> None:
    chosen_state(shown, language="de")
    states = [chosen_state(shown, printer=name) for name in ("laser", "")]
    corrected, plain = ([page["correction"] for page in state["sheets"][0]["pages"]] for state in states)
    assert plain == [None, None]
    assert corrected[1] not in (None, corrected[0])


def test_all_pages_follow_at_once(shown: Shown) -> None:
    listeners = [shown.session.listen() for _ in range(2)]
    for listener in listeners:
        await_event(listener, "state")
    shown.session.choose({"paper": "a4"})
    for listener in listeners:
        choices = await_event(listener, "choices")
        while choices["paper"]["chosen"] != "a4":
            choices = await_event(listener, "choices")
        assert await_event(listener, "state")["sheets"][0]["paper"] == [210.0, 297.0]


def test_what_is_chosen_holds_when_a_file_is_saved(shown: Shown) -> None:
    chosen_state(shown, language="de", paper="a4")
    listener = shown.session.listen()
    before = face_ids(await_event(listener, "state"))
    shown.edit("cards.csv", "Rusty Key (de)", "Schlüssel")
    after = await_event(listener, "state")
    ids = face_ids(after)
    assert {key for key in ids if ids[key] != before[key]} == {"cards/key/front"}
    assert after["sheets"][0]["paper"] == [210.0, 297.0]


def test_draft_marks_the_face_at_fault(shown: Shown) -> None:
    listener = shown.session.listen()
    sound = face_ids(await_event(listener, "state"))
    shown.edit("cards.csv", "art/potion.svg", "art/none.svg")
    assert await_event(listener, "state")["sheets"] == []
    found = await_event(listener, "findings")["findings"]
    (problem,) = [fault for fault in found if fault["level"] == "error"]
    shown.session.choose({"draft": "on"})
    state = await_event(listener, "state")
    ids = face_ids(state)
    assert {key for key in ids if ids[key] != sound[key]} == {"cards/potion/front"}
    assert state["game"]["title"].startswith("DRAFT")
    assert [sheet["title"] for sheet in state["sheets"]] == ["Faults", "Cards"]
    findings = await_event(listener, "findings")["findings"]
    assert [finding["what"] for finding in findings if finding["level"] == "error"] == [problem["what"]]
    shown.edit("cards.csv", "art/none.svg", "art/potion.svg")
    assert face_ids(await_event(listener, "state")) == sound


def test_options_are_what_is_chosen_at_first(tmp_path: Path) -> None:
    with showing(varied(tmp_path), variant="-few", options={"paper": "99x99mm"}) as shown:
        choices = choices_of(shown)
        assert (choices["variant"]["chosen"], choices["paper"]["chosen"]) == ("few", "99x99mm")
        chosen_state(shown, paper="a4")
        assert chosen_state(shown, paper="99x99mm")["components"]


def test_printers_that_cannot_be_read_are_one_message(tmp_path: Path) -> None:
    store = tmp_path / "printers/printers.toml"
    store.parent.mkdir()
    store.write_text("printer = 1", "utf-8")
    with pytest.raises(PnpError, match="printers"), showing(tmp_path / "quest"):
        pass
