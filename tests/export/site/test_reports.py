"""Reports: one file that runs and fetches nothing, in which no text becomes markup."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from jinja2 import TemplateAssertionError, UndefinedError
from lxml import html
from msgspec.structs import replace

from generator.export.site.pages import ShownPicture
from generator.play.batches import Counts
from generator.play.figures import Estimate, FigureChange, PieceFigures, SkillStep, find_figures
from generator.play.odds.answers import OddsAnswer, OddsRow, Plot, counted
from generator.play.reports import AnswerSection, PlaytestPage, write_odds, write_playtest_page
from generator.web import shell
from generator.web.shell import choose_accent
from tests.export.site.conftest import HOSTILE

ACCENT = choose_accent([])
SURE = Estimate(60.0, 55.0, 65.0, "%")


def write_playtest(games: int = 100) -> bytes:
    """A page that says HOSTILE wherever a text of a game may stand."""
    pieces = [PieceFigures(id_, 10, SURE.minus(50), 20, SURE, 50.0) for id_ in ("1", "2")]
    figures = replace(
        find_figures(Counts(games=games), seats=2, bots=["a", "b"]), pieces=pieces, facts={HOSTILE: {1: 1}}
    )
    changes = [FigureChange(HOSTILE, SURE, SURE, SURE.minus(other)) for other in (60.0, 0.0)]
    page = PlaytestPage(
        title=HOSTILE,
        language="en",
        accent=ACCENT,
        figures=figures,
        bots=["greedy", HOSTILE],
        rules={HOSTILE: HOSTILE},
        names={"1": HOSTILE},
        command=f"pnp playtest {HOSTILE}",
        again=f"pnp playtest {HOSTILE} --games 400",
        other=HOSTILE,
        changes=changes,
        broken=[HOSTILE],
        skill=[SkillStep(HOSTILE, HOSTILE, SURE, SURE)],
        faces=dict.fromkeys(("1", "2"), [ShownPicture("data:,", 1, 2, HOSTILE)] * 2),
    )
    return write_playtest_page(page)


def write_answers() -> bytes:
    """A page that says HOSTILE likewise: a long table with hands, and a short one with a chart."""
    hands = [[ShownPicture("data:,", 1, 2, HOSTILE)]]
    sections = [AnswerSection(answer_of(300, ""), hands), AnswerSection(answer_of(3, "bars"), [])]
    return write_odds(HOSTILE, "en", ACCENT, sections)


def answer_of(rows: int, plot: Plot) -> OddsAnswer:
    return OddsAnswer(
        kind="deck",
        title=HOSTILE,
        component=HOSTILE,
        said=(HOSTILE,),
        heads=(HOSTILE, HOSTILE),
        rows=tuple(OddsRow(HOSTILE, counted(1, 30), HOSTILE) for _ in range(rows)),
        plot=plot,
        of_rows=HOSTILE,
        chance=counted(1, 30),
    )


@pytest.mark.parametrize(("write", "times"), [(write_playtest, 15), (write_answers, 400)])
def test_no_text_of_a_report_is_markup_and_it_fetches_nothing(write: Callable[[], bytes], times: int) -> None:
    page = write()
    assert write() == page
    document = html.fromstring(page)
    assert document.xpath("string(//title)").startswith(HOSTILE)
    assert document.text_content().count("<script>alert(1)</script>") >= times
    assert not document.xpath("//script | //link | //a | //*[@style] | //@onload")
    addresses = document.xpath("//@src | //@href | //@*[name() = 'xlink:href']")
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert {address[1:] for address in addresses if address[0] == "#"} <= set(document.xpath("//symbol/@id"))
    (policy,) = document.xpath("//meta[@http-equiv]/@content")
    assert policy.startswith("default-src 'none'; img-src data:; font-src data:; style-src 'sha256-")


def test_a_page_shows_each_face_once_and_uses_it_beside_each_figure() -> None:
    """Two pieces that look alike share a symbol, with both sides."""
    document = html.fromstring(write_playtest())
    assert document.xpath("count(//symbol)") == 1
    assert document.xpath("count(//symbol/image)") == 2
    assert document.xpath("count(//*[@id='pieces']//figure//use)") == 4
    assert document.xpath("count(//*[@id='pieces']//td//use)") == 2


@pytest.mark.parametrize(
    ("games", "sections", "charts", "next_"),
    [
        (49, ["findings", "changes", "wins", "skill", "words"], 2, "More games show that"),
        (
            50,
            ["findings", "changes", "wins", "pieces", "course", "facts", "skill", "words"],
            5,
            "Change a card or a rule",
        ),
    ],
)
def test_few_games_show_who_wins_and_a_command_goes_on(
    games: int, sections: list[str], charts: int, next_: str
) -> None:
    document = html.fromstring(write_playtest(games))
    assert document.xpath("//section/@id") == sections
    said = document.xpath("string(//section[@id='findings'])")
    assert next_ in said
    assert f"pnp playtest {HOSTILE} --games 400" in " ".join(said.split())
    assert document.xpath("count(//section[@id='wins']//figure)") == charts


def test_questions_with_the_same_axes_stand_in_a_row() -> None:
    """Three of one card, the second of another deck: two rows of one and of two."""
    plain = replace(answer_of(3, "bars"), kind="draw", title="A tile with a lake", hand=1)
    other = replace(plain, title="A tile with a hill")
    decks = [plain, replace(plain, component="Cards"), plain, other]
    page = write_odds("G", "en", ACCENT, [AnswerSection(answer, []) for answer in decks])
    sections = html.fromstring(page).xpath("//section")
    assert [section.xpath("string(h2)") for section in sections] == [
        "A tile with a lake",
        "A tile with a lake",
        "A tile with a …",
    ]
    assert [section.xpath("count(.//*[@class='multiples']/figure)") for section in sections] == [0, 0, 2]


def test_the_first_changes_are_the_sure_ones_in_bold() -> None:
    table = html.fromstring(write_playtest()).xpath("//section[@id='changes']//tbody")[0]
    assert [row.xpath("count(td/b)") for row in table] == [1, 0]
    assert table.xpath("count(.//td[@class='number'])") == 8


def test_a_long_table_is_cut_and_says_so() -> None:
    first, second = html.fromstring(write_answers()).xpath("//section")
    assert first.xpath("count(.//tbody/tr)") == 200
    assert "And 100 more: pnp odds --format json" in first.text_content()
    assert second.xpath("count(.//details//tbody/tr)") == 3
    assert "more:" not in second.text_content()


def test_a_template_lacks_no_value_and_cannot_make_markup() -> None:
    with pytest.raises(UndefinedError, match="'lead' is undefined"):
        shell.write_document("report.html", title="", language="en", style="")
    with pytest.raises(TemplateAssertionError, match="No filter named 'safe'"):
        shell._templates().from_string("{{ title | safe }}")
