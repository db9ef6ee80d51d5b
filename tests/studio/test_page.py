"""The real page in a real browser: what a designer sees and does, by hand and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.studio.showing import Shown, await_event, showing
from tests.support.browsing import Visits, waited

FRONTS = ("dragon", "key", "potion", "sword", "ford", "inn")
_COUNT_DECODED = """() => {
  window.decoded = 0;
  const decode = HTMLImageElement.prototype.decode;
  HTMLImageElement.prototype.decode = function () {
    return decode.call(this).finally(() => window.decoded++);
  };
}"""
_PHONE = (390, 844)
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def _quest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with showing(tmp_path_factory.mktemp("page") / "quest") as shown:
        yield shown


@pytest.fixture
def quest(_quest: Shown) -> Iterator[Shown]:
    files = [path for path in _quest.folder.iterdir() if path.is_file()]
    before = {path.name: path.read_text("utf-8") for path in files}
    yield _quest
    edited = [name for name in before if (_quest.folder / name).read_text("utf-8") != before[name]]
    for file in edited:
        _quest.save(file, before[file])
    if edited:
        settle(_quest)  # or the next page sees it change back


def settle(quest: Shown) -> None:
    """Waits until the last state tells what the files say. The files are changed and restored for
    that: the state before an edit and the one after its undoing are equal."""
    listener = quest.session.listen()
    for old, new in (("Rusty Key", "Settled Key"), ("Settled Key", "Rusty Key")):
        quest.edit("cards.csv", old, new)
        while new not in str(await_event(listener, "state")):
            pass
    quest.session.leave(listener)


@pytest.fixture
def held(quest: Shown, monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What sends each picture that pages wait for, as it is not sent now."""
    waiting: dict[str, Callable[[], None]] = {}
    send = quest.session._send_picture

    def hold(channel: Any, id_: str, *, is_last: bool) -> None:
        if id_ in channel.coming and id_ not in waiting:
            waiting[id_] = partial(send, channel, id_, is_last=is_last)
            sends.append(waiting[id_])

    sends: list[Callable[[], None]] = []
    monkeypatch.setattr(quest.session, "_send_picture", hold)
    return sends


@pytest.fixture
def opened(browser: Browser, quest: Shown) -> Iterator[Open]:
    """`opened("?tab=sheets", size=(390, 844))` is the page; what it asks of others, or says is
    wrong, fails the test."""
    visits = Visits(browser, quest.server.address)

    def open_(query: str = "", size: tuple[int, int] = (1280, 800)) -> Page:
        page = visits.open(f"{quest.server.address}{query}", size)
        expect(page.locator(".cell")).to_have_count(7)
        return page

    yield open_
    visits.close()
    assert visits.wrong == []


def picture(page: Page, key: str) -> Any:
    return page.locator(f'[data-key="{key}"] img')


def source(page: Page, key: str) -> str:
    return str(picture(page, key).get_attribute("src"))


def start_counting(page: Page) -> Callable[[], int]:
    """What counts the fronts whose pictures are others than now."""
    keys = [f"cards/{card}/front" for card in FRONTS]
    before = [source(page, key) for key in keys]
    return lambda: sum(source(page, key) != was for key, was in zip(keys, before, strict=True))


def ink(page: Page, key: str, x: float, y: float) -> list[int]:
    """The colour of a face's picture at a place, in shares of its trim box."""
    found: list[int] = picture(page, key).evaluate(
        """async (image, [x, y]) => {
          await image.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          return [...context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data];
        }""",
        [x, y],
    )
    return found[:3]


def test_all_faces_are_shown(opened: Open) -> None:
    page = opened()
    for card in FRONTS:
        assert picture(page, f"cards/{card}/front").evaluate(
            "async (image) => (await image.decode(), image.naturalWidth)"
        ) == pytest.approx(63.5 / 25.4 * 96, abs=1)
    expect(page.locator("#faces")).to_contain_text("back of all 6")
    assert ink(page, "cards/potion/front", 0.02, 0.5) == pytest.approx([0x4D, 0x6B, 0x32], abs=6)


def test_edit_changes_the_picture_and_no_other(opened: Open, quest: Shown) -> None:
    page = opened()
    before = {card: source(page, f"cards/{card}/front") for card in FRONTS}
    quest.edit("cards.csv", "potion,Salve & Bandage <small>,item,3,moss", "potion,Salve,item,3,#ff0000")
    expect(picture(page, "cards/potion/front")).not_to_have_attribute("src", before["potion"])
    assert ink(page, "cards/potion/front", 0.02, 0.5) == pytest.approx([255, 0, 0], abs=6)
    after = {card: source(page, f"cards/{card}/front") for card in FRONTS}
    assert {card for card in FRONTS if after[card] != before[card]} == {"potion"}


def test_picture_of_an_edit_has_the_pixels_of_the_screen(opened: Open, quest: Shown) -> None:
    page = opened()
    seen_on(quest, page, "key")
    key = "cards/key/front"
    before = source(page, key)
    quest.edit("cards.csv", "Rusty Key", "Small Key")
    expect(picture(page, key)).not_to_have_attribute("src", before)
    shown, made = picture(page, key).evaluate(
        "async (image) => (await image.decode(), [image.clientWidth, image.naturalWidth])"
    )
    assert made == pytest.approx(shown, abs=3)


def test_pictures_are_shown_as_they_are_sent(opened: Open, quest: Shown, held: list[Callable[[], None]]) -> None:
    page = opened()
    seen_on(quest, page, *FRONTS)
    changed = start_counting(page)
    quest.edit("front.svg", '"#e6dcc0"', '"#c0dce6"')
    waited(page, lambda: len(held) == len(FRONTS))
    *soon, late = held
    page.wait_for_timeout(200)  # the session waits no longer for the others
    assert changed() == 0
    for send in soon:
        send()
    waited(page, lambda: changed() == len(soon))
    late()
    waited(page, lambda: changed() == len(FRONTS))


def test_pictures_that_are_requested_together_are_shown_together(
    opened: Open, quest: Shown, held: list[Callable[[], None]]
) -> None:
    """And one that comes late holds up the others for a tenth of a second."""
    page = opened()
    seen_on(quest, page, *FRONTS)
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.evaluate(_COUNT_DECODED)
    changed = start_counting(page)
    late: list[Route] = []

    def delay_one(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append(route)

    listener = quest.session.listen()
    await_event(listener, "state")
    quest.edit("front.svg", '"#e6dcc0"', '"#c0dce6"')
    waited(page, lambda: len(held) == len(FRONTS))
    await_event(listener, "state")  # or the page shows the last one again
    quest.session.leave(listener)
    page.route(re.compile("/face/"), delay_one)
    page.evaluate(_HIDE, True)
    page.evaluate(_HIDE, False)
    waited(page, lambda: page.evaluate("decoded") == len(FRONTS) - 1)
    page.wait_for_timeout(300)
    assert changed() == 0
    page.clock.run_for(100)
    assert changed() == len(FRONTS) - 1
    late[0].continue_()
    waited(page, lambda: changed() == len(FRONTS))
    page.unroute(re.compile("/face/"))


def test_pictures_sent_while_there_was_no_connection_are_requested(
    opened: Open, quest: Shown, held: list[Callable[[], None]]
) -> None:
    page = opened()
    seen_on(quest, page, "key")
    before = source(page, "cards/key/front")
    quest.edit("cards.csv", "Rusty Key", "Lost Key")
    waited(page, lambda: len(held) == 1)
    page.evaluate(_HIDE, True)
    page.evaluate(_HIDE, False)
    expect(picture(page, "cards/key/front")).not_to_have_attribute("src", before)
    assert source(page, "cards/key/front").startswith("/face/")


def test_row_more_is_a_face_more(opened: Open, quest: Shown) -> None:
    page = opened()
    table = (quest.folder / "cards.csv").read_text("utf-8")
    quest.save("cards.csv", table + "inn-2,Another Inn,place,2,ember,art/inn.svg,coin,Rest.,\n")
    expect(page.locator(".cell")).to_have_count(8)
    quest.save("cards.csv", table)
    expect(page.locator(".cell")).to_have_count(7)


def test_fault_is_shown_in_place_and_the_last_good_state_stays(opened: Open, quest: Shown) -> None:
    page = opened()
    quest.edit("cards.csv", "id,title", "id,titel")
    broken = page.get_by_role("alert")
    expect(broken).to_be_visible()
    expect(broken).to_contain_text("quest/cards.csv:1")
    expect(broken).to_contain_text("there is 'titel': one of the two is misspelt")
    expect(page.locator("#findings")).to_contain_text("once the errors are repaired")
    expect(page.locator(".cell")).to_have_count(7)
    expect(page.locator("main")).to_have_css("filter", "grayscale(1)")
    quest.edit("cards.csv", "id,titel", "id,title")
    expect(broken).to_be_hidden()
    expect(page.locator("main")).to_have_css("filter", "none")


def test_face_that_cannot_be_drawn_has_its_finding_beside_it(opened: Open, quest: Shown) -> None:
    page = opened()
    quest.edit("cards.csv", "sword,Plain Sword,item,4,dusk", "sword,Plain Sword,item,4,dsk")
    cell = page.locator('[data-key="cards/sword/front"]')
    expect(cell.locator(".badge")).to_have_text("1")
    expect(cell).to_have_attribute("aria-label", re.compile("1 finding"))
    cell.click()
    expect(page.locator("#large")).to_contain_text("unknown colour 'dsk'")


def test_keys_lead_through_the_faces(opened: Open) -> None:
    page = opened()
    press = page.keyboard.press
    focused = "document.activeElement.dataset.key"
    press("ArrowRight")
    assert page.evaluate(focused) == "cards/dragon/front"
    press("ArrowRight")
    press("ArrowDown")
    below = page.evaluate(focused)
    assert below not in ("cards/key/front", None)
    press("ArrowUp")
    assert page.evaluate(focused) == "cards/key/front"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press("Enter")
    title = page.locator("#large-title")
    expect(title).to_have_text("key Cards, front")
    press("ArrowRight")
    expect(title).to_have_text("potion Cards, front")
    press("f")
    expect(title).to_have_text("potion Cards, back")
    press("Escape")
    expect(page.locator("#large")).to_be_hidden()
    press("?")
    expect(page.locator("#help")).to_be_visible()
    press("Escape")
    expect(page.locator("#help")).to_be_hidden()


_HAS_LINES = "document.querySelector('#large .lines .bleed:not(.under)')?.getBBox().width > 0"


def test_lines_lie_where_the_face_is_cut(opened: Open) -> None:
    page = opened()
    page.locator('[data-key="cards/key/front"]').click()
    within = "line => { const {x, y, width, height} = line.getBBox(); return [x, y, width, height] }"
    page.wait_for_function(_HAS_LINES)
    for name, inset in (("bleed", 0.0), ("trim", 3.0), ("safe", 6.0)):
        box = page.locator(f"#large .lines .{name}:not(.under)").evaluate(within)
        size = [69.5 - 2 * inset, 94.9 - 2 * inset]
        assert box == pytest.approx([inset, inset, *size], abs=0.01), name  # mm
    drawn, image = (page.locator(f"#large .card {part}") for part in (".lines", "img"))
    expect(image).to_have_attribute("src", re.compile("/whole-300.jpg"))
    assert drawn.bounding_box() == pytest.approx(image.bounding_box(), abs=0.5)
    page.keyboard.press("t")
    expect(page.locator("#large .lines .trim").first).to_be_hidden()
    page.keyboard.press("b")  # without its bleed a face is seen as it is cut
    expect(page.locator("#large .lines .bleed").first).to_be_hidden()
    assert "polygon" in page.locator("#large .card img").evaluate("i => i.style.clipPath")


SEARCHES = {
    "cost>3": {"dragon", "sword"},
    "kind:place": {"ford", "inn"},
    "kind=item -colour:dusk": {"potion"},
    "bandage": {"potion"},
    'title="Rusty Key"': {"key"},
    "cost<=1 kind:item": {"key"},
    "cost>=9": {"dragon"},
    "cost<1": {"ford"},
}


def test_search_by_words_and_columns(opened: Open) -> None:
    page = opened()
    for words, left in SEARCHES.items():
        page.keyboard.press("/")
        page.keyboard.type(words)
        expect(page.locator(".cell")).to_have_count(len(left) + 1)
        keys = page.locator(".cell").evaluate_all("cells => cells.map(cell => cell.dataset.key)")
        assert {key.split("/")[1] for key in keys if key.endswith("front")} == left
        page.keyboard.press("Escape")
        expect(page.locator(".cell")).to_have_count(7)
    page.select_option("#column", "kind")
    page.keyboard.type("foe")
    expect(page.locator(".cell")).to_have_count(2)


@pytest.mark.parametrize("tab", ["faces", "sheets"])
def test_phone_needs_no_scrolling_sideways(opened: Open, tab: str) -> None:
    page = opened(f"?tab={tab}", size=_PHONE)
    widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    scrolled, shown = page.evaluate(widths)
    assert scrolled <= shown
    if tab == "faces":
        page.locator(".cell").first.click()
        expect(page.locator("#large")).to_be_visible()
        box = page.locator("#large").bounding_box()
        assert box is not None
        assert box["width"] <= _PHONE[0]
        assert page.locator("#large").evaluate("d => d.scrollWidth <= d.clientWidth")


def test_a_sheet_is_what_is_printed_and_on_the_light_table_backs_lie_behind_fronts(opened: Open) -> None:
    page = opened("?tab=sheets")
    shows_what_is_printed(page)
    page.keyboard.press("l")
    expect(page.locator(".sheet .back image")).to_have_count(6)
    middles = """images => images.map(image => {
      const box = image.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    })"""
    fronts = page.locator(".sheet .front image").evaluate_all(middles)
    backs = page.locator(".sheet .back image").evaluate_all(middles)
    assert len(fronts) == 6
    for (x, y), (u, v) in zip(sorted(fronts), sorted(backs), strict=True):
        assert (x, y) == pytest.approx((u, v), abs=0.5)
    mirrored = page.locator(".sheet .back").evaluate("g => g.getScreenCTM().a")
    assert mirrored < 0


def shows_what_is_printed(page: Page) -> None:
    expect(page.locator(".sheet image")).to_have_count(12)
    front, back = (page.locator(".sheet svg").nth(at) for at in (0, 1))
    expect(front).to_contain_text("Quest · Cards · sheet 1 of 1 · FRONT")
    assert front.locator("line").count() > 8
    expect(back).to_contain_text("BACK")


def test_greys_stay_as_they_are_in_every_view() -> None:
    page = Path(__file__).parents[2] / "generator/studio/page/index.html"
    filters = re.findall(r'<filter id="(\w+)"><feColorMatrix values="([^"]+)"', page.read_text("utf-8"))
    assert len(filters) == 4
    for name, values in filters:
        numbers = [float(value) for value in values.split()]
        for row in range(3):
            assert sum(numbers[5 * row : 5 * row + 3]) == pytest.approx(1.0, abs=1e-5), name


def test_views_are_seen_and_kept_when_the_page_is_loaded_again(opened: Open) -> None:
    page = opened()
    image = picture(page, "cards/key/front")
    for view in ("grey", "deuteranopia", "protanopia", "tritanopia"):
        page.keyboard.press("v")
        expect(image).to_have_css("filter", f'url("#{view}")')
    page.keyboard.press("v")
    expect(image).to_have_css("filter", "none")
    page.keyboard.press("v")
    page.fill("#search", "kind:foe")
    page.reload()
    expect(page.locator(".cell")).to_have_count(2)
    expect(page.locator("body")).to_have_attribute("data-view", "grey")


def seen_on(quest: Shown, page: Page, *cards: str, unseen: str = "") -> set[str]:
    """The cards that a page says it shows, once these are among them and another is not."""
    name = page.evaluate("import('/sight.js').then((sight) => sight.name)")

    def seen() -> set[str]:
        return {key[1] for key in quest.server.pages[name].seen}

    waited(page, lambda: seen().issuperset(cards) and unseen not in seen())
    return seen()


def test_page_tells_what_is_seen_on_it(opened: Open, quest: Shown) -> None:
    page, other = opened(size=(390, 200)), opened(size=(1280, 1600))
    assert seen_on(quest, other, "dragon") == set(FRONTS)
    back = page.locator('[data-key="cards/dragon/back"]')  # the last
    back.scroll_into_view_if_needed()
    seen_on(quest, page, "dragon", unseen="key")
    back.click()
    page.keyboard.press("f")
    page.keyboard.press("ArrowRight")
    assert "key" in seen_on(quest, page, "key")


_HIDE = """is => {
  Object.defineProperty(document, "hidden", {value: is, configurable: true});
  document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));
}"""


def test_hidden_page_holds_no_connection_and_comes_back(opened: Open, quest: Shown) -> None:
    page = opened()
    seen_on(quest, page, "key")
    page.evaluate(_HIDE, True)
    before = source(page, "cards/key/front")
    quest.edit("cards.csv", "Rusty Key", "Hidden Key")
    page.wait_for_timeout(600)
    assert source(page, "cards/key/front") == before
    page.evaluate(_HIDE, False)
    expect(picture(page, "cards/key/front")).not_to_have_attribute("src", before)


def test_face_that_cannot_be_painted_stays_as_it_was(
    opened: Open, quest: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened()
    seen_on(quest, page, "sword")
    send = quest.session._send_picture
    monkeypatch.setattr(quest.session.pictures, "find", lambda _: None)
    monkeypatch.setattr(quest.session, "_send_picture", lambda channel, id_, **_: send(channel, id_, is_last=True))
    image = picture(page, "cards/sword/front")
    before = source(page, "cards/sword/front")
    page.route(lambda url: "/face/" in url and before not in url, lambda route: route.fulfill())
    quest.edit("cards.csv", "Plain Sword", "No Sword")
    expect(page.locator('[data-key="cards/sword/front"]')).to_have_class(re.compile("is-missing"))
    expect(image).to_have_attribute("src", before)


def test_picture_of_a_face_by_itself_stays_until_the_new_one_is_there(opened: Open, quest: Shown) -> None:
    page = opened()
    page.locator('[data-key="cards/key/front"]').click()
    image = page.locator("#large .card img")
    expect(image).to_have_attribute("src", re.compile("/whole-300.jpg"))
    before = str(image.get_attribute("src"))
    page.route(re.compile("/whole-"), lambda _: None)  # never answered
    quest.edit("cards.csv", "Rusty Key", "Large Key")
    expect(page.locator("#large table")).to_contain_text("Large Key")
    assert image.get_attribute("src") == before
    page.unroute(re.compile("/whole-"))
