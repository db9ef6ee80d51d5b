"""The dialogs of the studio in a real browser: print, export, a new game, a printer."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from generator.basics.phrases import read_phrases
from generator.layout.printers import Store
from generator.layout.printers.profile import FILE
from generator.pipeline import measure_printer
from generator.studio import commands
from generator.web.server import page_files
from tests.studio.showing import Shown, showing
from tests.support.browsing import Visits, waited
from tests.support.wording import cut_off, mark, unmarked

_CARDS = ("dragon", "key", "potion", "sword", "ford", "inn")


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("dialogs")
    with showing(folder / "quest", journals=folder / "journals") as shown:
        yield shown


@pytest.fixture(scope="module")
def studio(browser: Browser, quest: Shown) -> Iterator[Page]:
    visits = Visits(browser, quest.server.address)
    page = visits.open(quest.server.invitation, (1440, 900))
    expect(page.locator(".cell")).to_have_count(7)
    yield page
    visits.close()
    assert visits.wrong == []


def test_the_pdf_is_printed_by_keyboard(studio: Page, tmp_path: Path) -> None:
    studio.get_by_role("button", name="Print…").focus()
    studio.keyboard.press("Enter")
    dialog = studio.get_by_role("dialog", name="Print")
    said = dialog.get_by_role("status")
    expect(said).to_contain_text("cards: 6 pieces on 1 sheet")
    expect(dialog.get_by_label("Draft")).to_be_visible()  # beside the other main options
    expect(dialog.get_by_label("Sides").locator("option").first).to_have_text("both sides")
    dialog.get_by_label("Copies").focus()
    studio.keyboard.press("End")
    studio.keyboard.type("0")
    expect(said).to_contain_text("cards: 60 pieces on 7 sheets")
    studio.keyboard.type("00")
    expect(said.locator(".error")).to_contain_text("a piece can be printed 1 to 100 times")
    for _ in range(3):
        studio.keyboard.press("Backspace")
    dialog.get_by_role("button", name="Make the PDF").focus()
    studio.keyboard.press("Enter")
    with studio.expect_download() as download:
        dialog.get_by_role("link", name="Save quest.pdf").click()
    download.value.save_as(tmp_path / "quest.pdf")
    assert (tmp_path / "quest.pdf").read_bytes().startswith(b"%PDF")
    studio.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_only_pieces_with_shrunk_texts_are_shown(studio: Page) -> None:
    """The inn has a long title and a long text, the sword neither."""
    shrunk, inn = studio.get_by_role("button", name="Shrunk texts"), '[data-key="cards/inn/front"]'
    shrunk.click()
    expect(studio.locator('[data-key="cards/sword/front"]')).to_have_count(0)
    expect(studio.locator(f"{inn}.cell")).to_be_visible()
    shrunk.click()
    expect(studio.locator(".cell")).to_have_count(7)


def test_a_page_without_the_key_makes_nothing(browser: Browser, quest: Shown) -> None:
    visits = Visits(browser, quest.server.address)
    page = visits.open(quest.server.address, (1440, 900))
    expect(page.locator(".cell")).to_have_count(7)
    expect(page.get_by_role("button", name="Print…")).to_have_count(0)
    visits.close()


def test_a_finding_leads_to_its_place_and_is_accepted_with_a_reason(studio: Page, quest: Shown) -> None:
    findings = studio.get_by_role("group", name="List of findings")
    studio.evaluate("""() => document.addEventListener("open-row", (event) => (window.opened = event.detail))""")
    held: list[Route] = []
    studio.route("**/rows?*", lambda route: held.append(route))
    findings.get_by_role("button", name="quest/cards.csv:6 column title").click()
    opened = studio.evaluate("window.opened")
    assert opened["file"] == "cards.csv"
    assert opened["where"] == "quest/cards.csv:6"
    before = (quest.folder / "game.toml").read_text("utf-8")
    findings.get_by_role("button", name="Accept…").focus()
    studio.keyboard.press("Enter")
    studio.keyboard.type("a name ")
    waited(studio, lambda: bool(held))
    for route in held:
        route.continue_()
    studio.unroute("**/rows?*")
    row = studio.locator("tr[data-row='2'] .is-active")
    expect(row).to_be_visible()  # late, which takes no focus from what is typed
    studio.keyboard.type("with marks")
    studio.keyboard.press("Enter")
    folded = findings.get_by_text("Accepted (1)")
    folded.click()
    expect(findings.get_by_text("Accepted: a name with marks")).to_be_visible()
    expect(findings.get_by_role("button", name="Accept…")).to_have_count(0)
    after = (quest.folder / "game.toml").read_text("utf-8")
    assert after.startswith(before)
    [accept] = tomllib.loads(after)["accept"]
    assert accept["reason"] == "a name with marks"
    assert accept["on"] == "cards"


def test_a_deck_is_begun_with_a_table_by_keyboard(studio: Page, quest: Shown, tmp_path: Path) -> None:
    (tmp_path / "birds.csv").write_text("name,text\nOwl,Flies\nHen,Walks\n", "utf-8")
    studio.get_by_role("button", name="New…").focus()
    studio.keyboard.press("Enter")
    dialog = studio.get_by_role("dialog", name="New game")
    expect(dialog.get_by_role("group", name="Starter").get_by_role("radio")).to_have_count(21)
    dialog.get_by_label("Name").focus()
    studio.keyboard.type("birds")
    dialog.get_by_label("A starter").focus()
    studio.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("group", name="Starter")).to_be_hidden()
    dialog.get_by_label("A table").set_input_files(tmp_path / "birds.csv")
    dialog.get_by_role("radio", name="tarot classic").focus()
    studio.keyboard.press("Space")
    dialog.get_by_role("button", name="Make the game").focus()
    studio.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Open it")).to_be_focused()
    made = quest.folder.parent / "birds"
    assert 'layout = "tarot-classic"' in (made / "game.toml").read_text("utf-8")
    assert "Hen" in (made / "cards.csv").read_text("utf-8")
    studio.keyboard.press("Escape")


def test_a_printer_is_measured_where_its_scales_stand(
    studio: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    studio.get_by_role("button", name="Printer…").click()
    dialog = studio.get_by_role("dialog", name="Measure a printer")
    said = dialog.get_by_role("status")
    dialog.get_by_role("button", name="Make the sheet").click()
    expect(said.get_by_role("link", name="Save calibration.pdf")).to_be_visible()
    dialog.get_by_label("Name").fill("desk")
    readings = ("E14", "E2", "d57", "E0", "E1", "E2", "D56", "E3")
    for number, reading in enumerate(readings, 1):
        dialog.get_by_label(f"Scale {number},").fill(reading)
    dialog.get_by_role("button", name="Keep the readings").click()
    expect(said).to_contain_text("desk: flipped on the long edge")
    gauged = measure_printer("desk", "long", "letter", [reading.upper() for reading in readings], pins=False)
    [kept] = tmp_path.rglob(FILE)
    assert Store(kept.parent).load("desk") == gauged
    dialog.get_by_label("Scale 1,").fill("Z9")
    dialog.get_by_role("button", name="Keep the readings").click()
    assert not dialog.get_by_label("Scale 1,").evaluate("input => input.checkValidity()")
    dialog.get_by_label("Scale 1,").fill("A0")  # no printer does this
    dialog.get_by_role("button", name="Keep the readings").click()
    expect(said.locator(".error")).to_be_visible()
    studio.keyboard.press("Escape")


def test_all_can_use_the_dialogs(studio: Page) -> None:
    """axe-core finds nothing in them."""
    axe = find_spec("axe_core_python")
    if axe is None or axe.origin is None:
        pytest.skip("axe-core is not installed (pip install axe-core-python)")
    studio.evaluate(Path(axe.origin).with_name("axe.min.js").read_text("utf-8"))
    for button in ("New…", "Print…", "Export…", "Printer…"):
        studio.get_by_role("button", name=button).click()
        expect(studio.locator(".making .go")).to_be_visible()
        for more in studio.locator(".making summary").all():
            more.click()
        found = studio.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        faults = [(each["id"], node["html"]) for each in found for node in each["nodes"]]
        assert faults == []
        studio.keyboard.press("Escape")
        expect(studio.locator(".making")).to_have_count(0)


def test_every_word_is_of_the_catalogue_and_has_room_on_a_phone(
    browser: Browser, quest: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the command line says, too, is in English: findings, and the options of commands."""
    room = Path(commands.__file__).parent
    files = page_files(room / "page", mark(read_phrases("", room / "languages")))
    monkeypatch.setattr(quest.server, "files_for", lambda _: files)
    known = ["Quest", "Cards", "Places", "Jo", *_CARDS, "back", "game.toml", "cards.csv", "quest", "Ctrl"]
    apart = ".cell, td, tbody th, #designer, .finding, .field, .said, .prism-code-editor, [role=grid], option"
    apart += ", fieldset label, .swatches li, .icons, .fonts, .contrasts, svg"
    visits = Visits(browser, quest.server.address)
    page = visits.open(quest.server.invitation, (1280, 800))
    expect(page.locator(".cell")).to_have_count(7)
    wrong: dict[str, set[str]] = {"faces": unmarked(page, known, apart)}

    def look(name: str) -> None:
        wrong[name] = unmarked(page, known, apart)

    for panel in ("rows", "text", "colours", "icons"):
        page.locator(f"#{panel}-tab").click()
        expect(page.locator(f"#{panel}-panel")).not_to_be_empty()
        look(panel)
        if panel == "rows":
            page.locator("[aria-keyshortcuts='Shift+F2']").click()
            expect(page.locator("dialog[open]")).to_have_count(1)
            wrong["column"] = unmarked(page, known, apart.replace(" .field,", ""))
            page.keyboard.press("Escape")
    page.locator('[data-key="cards/key/front"]').click()
    expect(page.locator(".part-list li")).not_to_have_count(0)
    look("face")
    page.keyboard.press("Escape")
    for button in ("print", "new", "printer", "real", "help"):
        page.locator(f"#{button}-button, #{button}").first.click()
        expect(page.locator("dialog[open]")).to_have_count(1)
        look(button)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    for tab in ("faces", "sheets"):
        page.locator(f'nav [data-tab="{tab}"]').click()
        look(tab)
        wrong[f"{tab} on a phone"] = set(cut_off(page))
    page.locator("#menu-button").click()
    look("menu")
    wrong["menu on a phone"] = set(cut_off(page))
    visits.close()
    assert {name: found for name, found in wrong.items() if found} == {}
