"""The panels of texts, colours and icons: what is typed and chosen there is in the game's files."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from generator.basics.errors import Place
from generator.checks.preflight import eyes
from generator.checks.preflight.colours import palette_alike
from tests.studio.showing import Shown, showing, with_rules
from tests.support.browsing import Visits, waited

KNOWN: dict[str, Any] = {
    "colours": ["ember", "moss"],
    "arts": ["dragon"],
    "fonts": ["Fraunces"],
    "icons": ["sword", "swap"],
    "files": ["front.svg", "cards.csv"],
    "components": [{"id": "cards", "columns": ["id", "title"]}],
}


@pytest.fixture(scope="module")
def quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("texts")
    with showing(with_rules(folder), journals=folder / "journals") as shown:
        yield shown


@pytest.fixture(scope="module")
def visits(browser: Browser, quest: Shown) -> Iterator[Visits]:
    made = Visits(browser, quest.server.address)
    yield made
    made.close()
    assert [wrong for wrong in made.wrong if "409" not in wrong] == []  # an edit was refused


@pytest.fixture
def page(visits: Visits, quest: Shown) -> Iterator[Page]:
    """A page of its own, with its drafts; the game's files are restored after it."""
    before = {path: path.read_text("utf-8") for path in quest.folder.iterdir() if path.is_file()}
    opened = visits.open(quest.server.invitation, (1440, 900))
    expect(opened.locator(".cell")).to_have_count(7)
    yield opened
    opened.context.close()
    for path, text in before.items():
        if path.read_text("utf-8") != text:
            quest.save(path.name, text)


def open_text(page: Page, name: str = "game.toml") -> Any:
    page.locator("#text-tab").click()
    area = page.locator(".code textarea")
    expect(area).to_have_attribute("aria-label", "game.toml")
    expect(area).to_have_attribute("aria-autocomplete", "list")  # the schema is there
    if name != "game.toml":
        page.get_by_label("File").select_option(name)
        expect(area).to_have_attribute("aria-label", name)
    area.focus()
    return area


def state(page: Page) -> Any:
    return page.locator("#text-panel .bar [role=status]")


def type_behind(page: Page, words: str, typed: str) -> None:
    """Types behind some words of the text."""
    page.locator(".code textarea").evaluate(
        "(area, words) => { const at = area.value.indexOf(words) + words.length; area.setSelectionRange(at, at); }",
        words,
    )
    page.keyboard.insert_text(typed)


def text_of(quest: Shown, name: str = "game.toml") -> str:
    return (quest.folder / name).read_text("utf-8")


_STALE = """async (was) => {
  const { edit, fileNamed, takeFiles } = await import("/edit.js");
  const why = await edit("game.toml", { do: "values", values: [[["game", "title"], "Later"]] });
  const digest = fileNamed("game.toml").digest;
  takeFiles(was);
  return [why, digest === fileNamed("game.toml").digest];
}"""


def test_what_was_on_its_way_while_an_edit_was_answered_is_old(page: Page, quest: Shown) -> None:
    assert page.evaluate(_STALE, quest.session.editor.describe()) == ["", True]


def test_text_is_saved_once_the_typing_rests(page: Page, quest: Shown) -> None:
    before, saves = text_of(quest), page.locator("#saves li").count()
    open_text(page)
    type_behind(page, 'title = "Que', "e")
    expect(page.locator("#title")).to_have_text("Queest")
    assert text_of(quest) == before.replace('"Quest"', '"Queest"')
    expect(state(page)).to_have_text("saved")
    page.locator("#undo").click()
    expect(page.locator(".code textarea")).to_have_value(before)
    assert text_of(quest) == before
    expect(page.locator("#saves li")).to_have_count(saves)


def test_what_is_no_toml_is_a_draft_that_outlives_the_page(page: Page, quest: Shown) -> None:
    before = text_of(quest)
    open_text(page)
    type_behind(page, "[palette]\n", "blue\n")
    line = before[: before.index("[palette]")].count("\n") + 2
    note = page.locator(".notes .error")
    expect(note).to_contain_text(f"Line {line}")
    expect(page.locator(f".pce-line >> nth={line - 1}")).to_have_attribute("data-level", "error")
    assert text_of(quest) == before
    page.reload()
    area = open_text(page)
    expect(area).to_have_value(before.replace("[palette]\n", "[palette]\nblue\n"))
    type_behind(page, "\nblue", ' = "#0000ff"')
    expect(state(page)).to_have_text("saved")
    assert tomllib.loads(text_of(quest))["palette"]["blue"] == "#0000ff"
    expect(note).to_have_count(0)


def test_another_program_wins_and_the_draft_is_kept(page: Page, quest: Shown) -> None:
    before = text_of(quest, "rules.md")
    area = open_text(page, "rules.md")
    page.route("**/edit", lambda route: route.fulfill(status=409, body="no"))
    type_behind(page, "# Quest", " of mine")
    quest.save("rules.md", before.replace("# Quest", "# Theirs"))
    expect(page.locator(".notice")).to_contain_text("changed elsewhere")
    expect(area).to_have_value(before.replace("# Quest", "# Theirs"))
    page.unroute("**/edit")
    page.get_by_role("button", name="Show what I typed").click()
    expect(state(page)).to_have_text("saved")
    assert text_of(quest, "rules.md") == before.replace("# Quest", "# Quest of mine")


def test_a_file_never_gets_the_text_of_another(page: Page, quest: Shown) -> None:
    spec, rules = text_of(quest), text_of(quest, "rules.md")
    area = open_text(page)
    type_behind(page, 'title = "Quest', "s")
    page.get_by_label("File").select_option("rules.md")
    expect(area).to_have_value(rules)
    expect(page.locator(".pages img")).not_to_have_count(0)
    type_behind(page, "# Quest", "s")
    page.get_by_label("File").select_option("game.toml")
    expect(area).to_have_value(spec.replace('"Quest"', '"Quests"'))
    assert text_of(quest) == spec.replace('"Quest"', '"Quests"')
    assert text_of(quest, "rules.md") == rules.replace("# Quest", "# Quests")


CASES = [
    ("[[comp|", ["component"], "[[component]]"),
    ('[[component]]\nid = "cards"\n[[component.ru|', ["rule"], "[[component.rule]]"),
    ('[game]\ntitle = "x"\nd|', ["designer"], 'designer = ""'),
    ('[[component]]\n[component.front]\nrenderer = "tok|', ["token.art"], 'token.art"'),
    ('[[component]]\n[component.front]\nrenderer = "token.art"\ng|', ["ground_by", "grounds"], ""),
    ('[[component]]\nfront.renderer = "token.art"\nfront.art_b|', ["art_by"], 'art_by = ""'),
    ('[[component]]\n[component.front]\ntemplate = "a.svg"\ncol|', ["columns"], "columns = "),
    ('[[component]]\n[component.front]\nrenderer = "token.art"\ngrounds = { a = "|" }', None, ""),
    ('[[component]]\n[component.back]\nedge = "em|"', ["ember"], "ember"),
    ("[cover]\nfills = t|", ["true"], "true"),
    ('[[component]]\nid = "cards"\n[[component.rule]]\nkind = "unique"\nof = [\n "t|', ["title"], ""),
    ('[game]\nabout = "a :sw|"', ["sword", "swap"], "sword:"),
    ("# [co|", [], ""),
    ('[game]\nabout = """\nd|', [], ""),
]


def test_completion_offers_what_may_stand_there(page: Page) -> None:
    found = page.evaluate(
        """async ([known, cases]) => {
          const { complete } = await import("/complete.js");
          await (await import("/schema.js")).loadSchema();
          return cases.map((text) => {
            const at = text.indexOf("|");
            const offers = complete(text.replace("|", ""), at, known, true)?.offers ?? [];
            return offers.map(({ label, text }) => [label, text]);
          });
        }""",
        [KNOWN, [text for text, *_ in CASES]],
    )
    for (text, labels, first), offers in zip(CASES, found, strict=True):
        starts = [label for label, _ in offers][: len(labels or list(KNOWN["colours"]))]
        assert starts == (KNOWN["colours"] if labels is None else labels), text
        assert not first or offers[0][1] == first, text


_SCROLL = """one => new Promise((done) => {
  one.dispatchEvent(new Event("scroll"));
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def test_keys_choose_what_is_offered(page: Page, quest: Shown) -> None:
    open_text(page)
    type_behind(page, 'template = "back.svg"\nedge = "', "")
    page.keyboard.press("Control+Space")
    offers = page.locator("#offers li")
    expect(offers).not_to_have_count(0)
    expect(page.locator("#offer-about")).to_contain_text("how the bleed is filled")
    page.keyboard.press("Escape")
    expect(offers.first).to_be_hidden()
    page.keyboard.press("Shift+End")
    page.keyboard.type("m")
    expect(offers.first).to_have_text("moss")
    page.locator(".prism-code-editor").evaluate(_SCROLL)  # as typing at the end of a long line does
    page.keyboard.press("ArrowDown")
    expect(offers.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    waited(page, lambda: 'edge = "moss"' in text_of(quest))


def test_colours_change_under_the_hand(page: Page, quest: Shown) -> None:
    page.locator("#colours-tab").click()
    swatch = page.locator("li[data-name=dusk]")
    before = text_of(quest)
    for colour in ("#112233", "#112244", "#117755"):
        swatch.get_by_label("Colour dusk").evaluate(
            "(input, colour) => { input.value = colour; input.dispatchEvent(new Event('input')); }", colour
        )
    waited(page, lambda: text_of(quest) == before.replace("#3b3f73", "#117755"))
    page.locator("#undo").click()
    waited(page, lambda: text_of(quest) == before)


def test_a_colour_is_renamed_wherever_it_is_named(page: Page, quest: Shown) -> None:
    page.locator("#colours-tab").click()
    rules = text_of(quest, "rules.md")
    quest.save("rules.md", f"{rules}\nTake [this]{{dusk}}.\n")
    name = page.get_by_label("Name of dusk")
    name.fill("moss")
    name.press("Enter")
    expect(page.locator("#complaint")).to_contain_text("there is a colour moss already")
    page.get_by_role("button", name="Remove dusk").click()
    expect(page.locator("#complaint")).to_contain_text("dusk is used: component.0.back.edge")
    expect(page.locator("#complaint")).to_contain_text("cards.csv")
    name.fill("night")
    name.press("Enter")
    waited(page, lambda: "[this]{night}" in text_of(quest, "rules.md"))
    spec = tomllib.loads(text_of(quest))
    assert spec["palette"]["night"] == "#3b3f73"
    assert spec["component"][0]["back"]["edge"] == "night"
    assert "dusk" not in text_of(quest, "cards.csv")
    expect(page.locator(".finding.error")).to_have_count(0)


def test_colours_come_and_go(page: Page, quest: Shown) -> None:
    page.locator("#colours-tab").click()
    page.get_by_label("Name of a new colour").fill("rose")
    page.keyboard.press("Enter")
    value = page.get_by_label("Value of rose")
    value.fill("#d4567a")
    value.press("Enter")
    waited(page, lambda: 'rose = "#d4567a"\n' in text_of(quest))
    page.get_by_role("button", name="Remove rose").click()
    waited(page, lambda: "rose" not in text_of(quest))


def test_eyes_are_those_of_the_checks(page: Page) -> None:
    chance = random.Random(38)
    named = [(f"c{i}", f"#{chance.randrange(0x1000000):06x}") for i in range(14)]
    named += [("red", "#a63a24"), ("green", "#4d6b32"), ("white", "#ffffff"), ("black", "#000000")]
    told = page.evaluate(
        """async (named) => {
          const { alike, contrast, difference } = await import("/eyes.js");
          const pairs = named.flatMap(([, one], i) =>
            named.slice(i + 1).map(([, other]) => [one, other]));
          return {
            contrasts: pairs.map(([one, other]) => contrast(one, other)),
            differences: pairs.map(([one, other]) => difference(one, other)),
            alike: alike(named).map(({ names, sight }) => [sight, ...names]),
          };
        }""",
        named,
    )
    colours = [eyes.parse_colour(colour) for _, colour in named]
    pairs = list(combinations(range(len(named)), 2))
    apart = eyes.differences(eyes.coordinates(colours))
    assert told["differences"] == pytest.approx([apart[i, j] for i, j in pairs], abs=1e-6)
    contrasts = [eyes.contrast(colours[i], colours[j]) for i, j in pairs]
    assert told["contrasts"] == pytest.approx(contrasts, abs=1e-9)
    (problem,) = palette_alike(dict(named), Place("game.toml"))
    found = [f"{one} and {other} {'in' if sight == 'grey' else 'with'} {sight}" for sight, one, other in told["alike"]]
    assert ", ".join(found) == problem.found


def test_an_icon_goes_where_the_user_typed(page: Page, quest: Shown) -> None:
    open_text(page, "rules.md")
    type_behind(page, "# Quest", " ")
    page.locator("#icons-tab").click()
    expect(page.locator(".icons button")).to_have_count(96)  # three are the game's own
    expect(page.locator(".icons .is-own")).to_have_count(3)
    page.get_by_label("Search icons").fill("coin")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".code textarea")).to_be_focused()
    waited(page, lambda: text_of(quest, "rules.md").startswith("# Quest :coin:\n"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_can_use_the_panels(visits: Visits, quest: Shown, scheme: str) -> None:
    """axe-core finds nothing."""
    axe = find_spec("axe_core_python")
    if axe is None or axe.origin is None:
        pytest.skip("axe-core is not installed (pip install axe-core-python)")
    how = {"color_scheme": scheme, "reduced_motion": "reduce", "bypass_csp": True}
    page = visits.open(quest.server.invitation, (1440, 900), **how)
    open_text(page)
    page.keyboard.press("Control+Space")
    page.evaluate(Path(axe.origin).with_name("axe.min.js").read_text("utf-8"))
    for panel, shown in (("text", ".code"), ("colours", ".contrasts td"), ("icons", ".icons img")):
        if panel != "text":
            page.keyboard.press("Escape")  # the list of offers
            page.locator(f"#{panel}-tab").click()
        expect(page.locator(shown).first).to_be_visible()
        result = page.evaluate("axe.run('#dock', {resultTypes: ['violations']})")
        found = result["violations"]
        faults = [(fault["id"], node["html"]) for fault in found for node in fault["nodes"]]
        assert faults == [], json.dumps(faults, indent=1)
