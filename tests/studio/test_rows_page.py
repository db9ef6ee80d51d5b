"""The panel of tables: cells and rows change as in a spreadsheet, and the files with them."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.studio.showing import QUEST, Shown, showing
from tests.support.browsing import Visits, waited

TABLE = (QUEST / "cards.csv").read_text("utf-8")
TITLE, COST, COLOUR, ART, SYMBOLS = 1, 3, 4, 5, 6
_SHELLS = """
[[component]]
id = "shells"
title = "Shells"
cuts = "squares"
bleed = "2mm"
[[component.row]]
id = "shell" # as it is
worth = 1
[[component.row]]
id = "pearl"
[component.shape]
kind = "circle"
diameter = "20mm"
[component.front]
template = "shell.svg"
[[component]]
id = "more"
title = "More"
table = "more.xlsx"
cuts = "squares"
bleed = "2mm"
[component.shape]
kind = "circle"
diameter = "20mm"
[component.front]
template = "shell.svg"
"""
_SHELL = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24mm" height="24mm">
<text x="12" y="13" font-family="Alegreya Sans" font-size="4" text-anchor="middle">{{ id }} {{ worth }}</text></svg>"""
_MANY = """async () => {
  const { Grid } = await import("/grid.js");
  const host = document.body.appendChild(document.createElement("div"));
  host.id = "many";
  host.style.height = "300px";
  const nothing = () => false;
  const acts = { write: nothing, tell: nothing, moved: nothing, key: nothing, leave: nothing };
  const grid = new Grid(host, acts);
  const suggestions = { items: [], hasColours: false };
  const column = { kind: "text", colour: () => "", suggestions };
  const columns = ["id", "a", "b"].map((name) => ({ name, ...column }));
  const rows = Array.from({ length: 10000 }, (_, row) => [`r${row}`, "x", "y"]);
  grid.show({ label: "Many", columns, rows, locked: "", canGrow: true, fault: () => undefined });
  grid.go(0, 0);
}"""


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("rows")
    shutil.copytree(QUEST, folder / "quest")
    (folder / "quest/shell.svg").write_text(_SHELL, "utf-8")
    with (folder / "quest/game.toml").open("a", encoding="utf-8") as file:
        file.write(_SHELLS)
    book = openpyxl.Workbook()
    for cells in (["id", "worth"], ["clam", 3]):
        book.active.append(cells)
    book.save(folder / "quest/more.xlsx")
    with showing(folder / "quest", journals=folder / "journals") as shown:
        yield shown


@pytest.fixture(scope="module")
def visited(browser: Browser, quest: Shown) -> Iterator[Page]:
    """The page with its panel of tables; what its console says is wrong fails the last test."""
    visits = Visits(browser, quest.server.address)
    page = visits.open(quest.server.invitation, (1440, 900))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#rows-tab").click()
    yield page
    visits.close()
    assert [wrong for wrong in visits.wrong if "409 (Conflict)" not in wrong] == []


@pytest.fixture
def page(visited: Page, quest: Shown) -> Page:
    """The page with the table as it was first."""
    if (quest.folder / "cards.csv").read_text("utf-8") != TABLE:
        quest.save("cards.csv", TABLE)
    expect(visited.locator("#broken")).to_be_hidden()
    cells = "rows => rows.map(row => [...row.querySelectorAll('.words')].map(cell => cell.textContent))"
    header, *rows = [[text.replace("\n", " ↵ ") for text in row] for row in read(quest)]
    rows.append([""] * len(header))  # for a new row
    waited(visited, lambda: visited.locator("tr[data-row]").evaluate_all(cells) == rows)
    return visited


def cell(page: Page, row: int, column: int) -> Any:
    return page.locator(f"tr[data-row='{row}'] [data-column='{column}']")


def words(page: Page, row: int, column: int) -> Any:
    return cell(page, row, column).locator(".words")


def read(quest: Shown) -> list[list[str]]:
    with (quest.folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def await_rows(page: Page, quest: Shown, expected: list[list[str]]) -> None:
    waited(page, lambda: read(quest) == expected)


def names(page: Page, quest: Shown, *expected: str) -> None:
    waited(page, lambda: [row[0] for row in read(quest)[1:]] == list(expected))


def saves(quest: Shown) -> int:
    journal = quest.session.editor.journal
    assert journal is not None
    return journal.position


def active(page: Page) -> str:
    return str(page.evaluate("document.activeElement.ariaLabel"))


def test_what_is_typed_is_saved_and_drawn_and_undone(page: Page, quest: Shown) -> None:
    picture = page.locator('[data-key="cards/key/front"] img')
    before = str(picture.get_attribute("src"))
    cell(page, 1, TITLE).click()
    page.keyboard.type("Golden")
    page.keyboard.press("Alt+Enter")
    page.keyboard.type('5" Key')
    page.keyboard.press("Enter")
    expect(picture).not_to_have_attribute("src", before)
    typed = TABLE.replace("Rusty Key", '"Golden\n5"" Key"')
    assert (quest.folder / "cards.csv").read_text("utf-8") == typed
    next_cell = "title of potion: Salve & Bandage <small>"
    warning = "a text holds marks that are printed as they are: '<small>'"
    waited(page, lambda: active(page) == f"{next_cell}. warning: {warning}")
    page.keyboard.press("Control+z")
    waited(page, lambda: (quest.folder / "cards.csv").read_text("utf-8") == TABLE)
    page.keyboard.type("not this")
    page.keyboard.press("Escape")
    expect(words(page, 2, TITLE)).to_have_text("Salve & Bandage <small>")
    assert (quest.folder / "cards.csv").read_text("utf-8") == TABLE


def test_cells_are_copied_and_pasted_as_one_save(page: Page, quest: Shown) -> None:
    rows = read(quest)
    cell(page, 0, COLOUR).click()
    cell(page, 1, ART).click(modifiers=["Shift"])
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == "ember\tdragon\ndusk\tart/key.svg"
    pasted = 'a\t5" disc\t"x\ny ""z"" "\r\nb\t=1+1\t007\r\nc\t1/2\t\r\n'
    page.evaluate("(text) => navigator.clipboard.writeText(text)", pasted)
    cell(page, 5, 0).click()
    before = saves(quest)
    page.keyboard.press("Control+v")
    rows[6][:3] = ["a", '5" disc', 'x\ny "z"']
    rows += [["b", "=1+1", "007", *[""] * 6], ["c", "1/2", *[""] * 7]]
    await_rows(page, quest, rows)
    assert saves(quest) == before + 1
    cell(page, 0, COLOUR).click()
    cell(page, 3, COLOUR).click(modifiers=["Shift"])
    page.keyboard.press("Control+d")
    for row in rows[1:5]:
        row[COLOUR] = "ember"
    await_rows(page, quest, rows)
    page.keyboard.press("Delete")
    for row in rows[1:5]:
        row[COLOUR] = ""
    await_rows(page, quest, rows)


def test_rows_are_added_copied_moved_and_deleted(page: Page, quest: Shown) -> None:
    cell(page, 1, -1).click()
    page.keyboard.press("Alt+Shift+ArrowDown")
    names(page, quest, "dragon", "key", "key-2", "potion", "sword", "ford", "inn")
    expect(words(page, 2, 0)).to_have_text("key-2")
    page.keyboard.press("Alt+ArrowUp")
    names(page, quest, "dragon", "key-2", "key", "potion", "sword", "ford", "inn")
    page.keyboard.press("Alt+Enter")
    names(page, quest, "dragon", "key-2", "new", "key", "potion", "sword", "ford", "inn")
    expect(words(page, 2, 0)).to_have_text("new")
    assert read(quest)[3] == ["new", "", "", "1", *[""] * 5], "a column of numbers has none that is empty"
    page.get_by_role("button", name="Delete rows").click()
    names(page, quest, "dragon", "key-2", "key", "potion", "sword", "ford", "inn")
    assert read(quest)[2] == ["key-2", *read(quest)[3][1:]]


def test_a_colour_is_chosen_and_a_number_stepped(page: Page, quest: Shown) -> None:
    cell(page, 1, COLOUR).dblclick()
    options = page.locator(".suggestions:popover-open [role=option]")
    expect(options).to_have_text(["ember", "moss", "dusk", "paper"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    waited(page, lambda: read(quest)[2][COLOUR] == "moss")
    cell(page, 1, SYMBOLS).dblclick()
    page.keyboard.type(" swo")
    expect(options).to_have_text(["sword", "swords"])
    expect(options.locator("img")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    waited(page, lambda: read(quest)[2][SYMBOLS] == "coin sword")
    cell(page, 2, COST).click()
    page.get_by_role("button", name="One more").click()
    page.get_by_role("button", name="One more").click()
    waited(page, lambda: read(quest)[3][COST] == "5")
    page.get_by_role("button", name="One less").click()
    waited(page, lambda: read(quest)[3][COST] == "4")


def test_a_face_leads_to_its_row_and_back(page: Page) -> None:
    page.locator('[data-key="cards/ford/front"]').focus()
    page.keyboard.press("r")
    expect(page.get_by_label("id of ford")).to_be_focused()
    expect(page.locator("#faces .is-chosen")).to_have_attribute("data-key", "cards/ford/front")
    page.locator('[data-key="cards/inn/front"]').click()
    page.get_by_role("button", name="Row", exact=True).click()
    expect(page.get_by_label("id of inn")).to_be_focused()
    page.get_by_role("button", name="Sheets").click()
    page.get_by_label("id of inn").press("Control+Enter")
    expect(page.locator('[data-key="cards/inn/front"]')).to_be_in_viewport()


def test_a_fault_stands_in_its_cell(page: Page) -> None:
    expect(cell(page, 2, TITLE)).to_have_attribute(
        "title", "a text holds marks that are printed as they are: '<small>'"
    )
    cell(page, 0, 0).click()
    page.keyboard.type("inn")
    page.keyboard.press("Tab")
    expect(cell(page, 5, 0)).to_have_attribute("aria-invalid", "true")
    cell(page, 5, 0).click()
    expect(page.locator(".rows-note")).to_contain_text("the id 'inn' is taken by line 2")


def test_what_is_typed_stays_when_the_file_changes(page: Page, quest: Shown) -> None:
    cell(page, 3, TITLE).click()
    page.keyboard.type("Great Sword")
    line = "rope,Rope,item,1,dusk,art/key.svg,coin,Climb.,"
    quest.save("cards.csv", TABLE.replace("key,", f"{line}\nkey,", 1))
    expect(page.get_by_role("alert").filter(has_text="cards.csv")).to_contain_text(
        "cards.csv has changed meanwhile: what you typed is still there."
    )
    page.keyboard.press("Enter")
    waited(page, lambda: [row[TITLE] for row in read(quest) if row[0] == "sword"] == ["Great Sword"])
    assert read(quest)[2][TITLE] == "Rope"
    assert read(quest)[4][TITLE] == "Salve & Bandage <small>"


def test_a_new_row_is_typed_without_a_pause(page: Page, quest: Shown) -> None:
    cell(page, 0, 0).click()
    for key in ("Control+End", "ArrowDown", "Home"):
        page.keyboard.press(key)
    typed = ["owl", "Wise Owl", "foe", "7"]
    for text in typed:
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    waited(page, lambda: len(read(quest)) == 8 and read(quest)[7][:4] == typed)
    expect(words(page, 6, COST)).to_have_text("7")
    expect(page.locator("#complaint")).to_be_empty()


def test_an_edit_of_rows_that_another_program_changed_is_refused(page: Page, quest: Shown) -> None:
    (file,) = (file for file in quest.session.editor.files() if file.name == "cards.csv")
    cell(page, 3, TITLE).click()
    page.route("**/edit", lambda route: route.continue_(
        post_data=str(route.request.post_data).replace(file.digest, "0" * 32)
    ))  # fmt: skip
    page.keyboard.type("Great Sword")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="cards.csv")).to_contain_text(
        "another program has changed the file"
    )
    expect(page.locator(".cell-input")).to_have_value("Great Sword")
    page.unroute("**/edit")
    assert (quest.folder / "cards.csv").read_text("utf-8") == TABLE
    page.keyboard.press("Enter")
    waited(page, lambda: read(quest)[4][TITLE] == "Great Sword")


def test_columns_are_added_renamed_and_resized_by_keyboard(page: Page, quest: Shown) -> None:
    cell(page, 1, TITLE).click()
    page.keyboard.press("Alt+Shift+Enter")
    page.keyboard.type("Fine print")
    page.keyboard.press("Enter")
    waited(page, lambda: active(page) == "Fine print of key: empty")
    before = read(quest)
    assert [row[-1] for row in before] == ["Fine print", *[""] * 6]
    page.keyboard.press("Shift+F2")
    use = page.get_by_role("dialog", name="Rename the column Fine print")
    expect(use).to_contain_text("{{ fine_print }}")
    page.keyboard.type("Title")
    expect(use).to_contain_text("There is a column title")
    page.keyboard.press("Enter")
    expect(use).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("note")
    page.keyboard.press("Enter")
    await_rows(page, quest, [[*before[0][:-1], "note"], *before[1:]])
    assert page.evaluate("scrollY") == 0  # what is typed does not move the faces away
    waited(page, lambda: active(page) == "note of key: empty")
    page.keyboard.press("Control+z")
    await_rows(page, quest, before)
    expect(page.locator("[data-head][title='Fine print']")).to_have_count(1)
    head = page.locator("[data-head='1']")
    width = head.evaluate("head => head.offsetWidth")
    cell(page, 1, TITLE).click()
    page.keyboard.press("Alt+ArrowRight")
    assert head.evaluate("head => head.offsetWidth") == pytest.approx(width + 16, abs=1)
    edge = head.locator(".edge").bounding_box()
    assert edge
    page.mouse.move(edge["x"] + 4, edge["y"] + 9)
    page.mouse.down()
    page.mouse.move(edge["x"] - 44, edge["y"] + 9)
    spec, title = quest.folder / "game.toml", page.locator("#title").inner_text()
    spec.write_text(spec.read_text("utf-8").replace(f'"{title}"', '"Meanwhile"'), "utf-8")
    expect(page.locator("#title")).to_have_text("Meanwhile")
    page.mouse.up()  # after the table was shown again
    page.locator("#text-tab").click()
    page.locator("#rows-tab").click()
    assert head.evaluate("head => head.offsetWidth") == pytest.approx(width - 32, abs=1)
    head.locator(".edge").dblclick()
    assert head.evaluate("head => head.offsetWidth") == pytest.approx(width, abs=1)
    page.locator("[data-head][title='Fine print']").click()
    page.keyboard.press("Alt+Shift+Delete")
    expect(page.get_by_role("dialog", name="Delete the column Fine print?")).to_contain_text("Undo brings it back")
    page.keyboard.press("Enter")
    waited(page, lambda: (quest.folder / "cards.csv").read_text("utf-8") == TABLE)


def test_a_column_is_renamed_with_what_names_it_told(page: Page, quest: Shown) -> None:
    cell(page, 1, TITLE).click()
    page.get_by_role("button", name="Delete column").click()
    dialog = page.get_by_role("dialog", name="Delete the column title?")
    expect(dialog).to_contain_text("It stays named in front.svg")
    dialog.get_by_role("button", name="Close").click()
    page.locator("[data-head='1']").dblclick()
    dialog = page.get_by_role("dialog", name="Rename the column title")
    expect(dialog).to_contain_text("The old name stays in front.svg")
    dialog.get_by_label("Name").fill("name")
    dialog.get_by_role("button", name="Rename").click()
    waited(page, lambda: read(quest)[0][TITLE] == "name")
    expect(page.locator("#broken")).to_contain_text("title")
    expect(page.locator("#broken")).to_be_in_viewport()


def test_rows_of_game_toml_are_edited_as_a_table(page: Page, quest: Shown) -> None:
    file = quest.folder / "game.toml"
    before = file.read_text("utf-8")
    page.locator("select[aria-label=Table]").select_option(label="Shells: game.toml")
    expect(words(page, 1, 0)).to_have_text("pearl")
    cell(page, 1, 1).click()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    pearl = before.replace('"pearl"', '"pearl"\nworth = 5')
    waited(page, lambda: file.read_text("utf-8") == pearl)
    cell(page, 0, 1).click()
    page.keyboard.type("2b")
    page.keyboard.press("Enter")
    waited(page, lambda: file.read_text("utf-8") == pearl.replace("worth = 1", 'worth = "2b"'))
    page.keyboard.press("Alt+Enter")
    new = '\n[[component.row]]\nid = "new"'
    waited(page, lambda: f"worth = 5{new}\n" in file.read_text("utf-8"))
    expect(words(page, 2, 0)).to_have_text("new")
    cell(page, 0, 1).click()
    page.keyboard.press("Alt+Shift+Delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    waited(page, lambda: "worth =" not in file.read_text("utf-8"))
    for _ in range(4):
        page.keyboard.press("Control+z")
        page.wait_for_timeout(50)
    waited(page, lambda: file.read_text("utf-8") == before)
    page.locator('[data-key="shells/pearl/front"]').focus()
    page.locator("select[aria-label=Table]").select_option(label="Cards: cards.csv")
    face = page.locator('[data-key="shells/pearl/front"]')

    def is_led() -> bool:
        face.press("r")  # the page may still show the game of a moment ago, with the row at another line
        with suppress(AssertionError):
            expect(page.get_by_label("id of pearl")).to_be_focused(timeout=5000)
            return True
        return False

    waited(page, is_led)
    page.locator("select[aria-label=Table]").select_option(label="Cards: cards.csv")


def test_headings_of_a_spreadsheet_are_changed(page: Page, quest: Shown) -> None:
    def last_heading() -> object:
        return openpyxl.load_workbook(quest.folder / "more.xlsx").active["C1"].value

    page.locator("select[aria-label=Table]").select_option(label="More: more.xlsx")
    expect(words(page, 0, 0)).to_have_text("clam")
    expect(page.get_by_role("button", name="Delete column")).to_be_hidden()
    cell(page, 0, 1).click()
    for key, typed in (("Alt+Shift+Enter", "Depth"), ("Shift+F2", "deep")):
        page.keyboard.press(key)
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(page.locator(f"[data-head][title='{typed}']")).to_have_count(1)
        assert last_heading() == typed
    page.locator("select[aria-label=Table]").select_option(label="Cards: cards.csv")


def test_many_rows_are_drawn_as_they_are_seen(page: Page) -> None:
    page.evaluate(_MANY)
    page.keyboard.press("Control+End")
    assert active(page) == "b of r9999: y"
    grid = page.get_by_role("grid", name="Many")
    assert grid.locator("tr").count() < 60
    page.keyboard.press("ArrowDown")
    assert active(page) == "b of new row: empty"
    page.evaluate("document.getElementById('many').remove()")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_all_can_use_it(page: Page, scheme: Any) -> None:
    """axe-core finds nothing in the panel, at rest and while a cell is edited."""
    axe = find_spec("axe_core_python")
    if axe is None or axe.origin is None:
        pytest.skip("axe-core is not installed (pip install axe-core-python)")
    page.emulate_media(color_scheme=scheme)
    page.evaluate(Path(axe.origin).with_name("axe.min.js").read_text("utf-8"))
    cell(page, 1, COLOUR).click()
    for key in ("Shift+ArrowDown", "F2"):
        page.keyboard.press(key)
        run = "axe.run('#dock, .suggestions', {resultTypes: ['violations']})"
        found = page.evaluate(run)["violations"]
        assert [(fault["id"], node["html"]) for fault in found for node in fault["nodes"]] == []
    page.keyboard.press("Escape")


def test_a_phone_shows_no_panel(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#dock")).to_be_hidden()
    page.set_viewport_size({"width": 1440, "height": 900})
