"""Drafts: what can be printed of a broken game is, with each fault marked and listed."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2
import pytest

import generator
from generator.basics.errors import PnpError, gather
from generator.model import Page
from tests.bad_specs.games import make_game
from tests.conftest import Pnp
from tests.game.tiny import BOX, HEAD, text, tiny, write

BODY = BOX.format(36, 8) + text("{{ t }}", 'pnp:box="box" pnp:least="8pt"')
# Of every kind of fault, some: in the spec, in a table, in art, in a face, in a deck, in the rules.
BROKEN = (
    *("booklet-figures", "booklet-id", "booklet-missing", "booklet-text", "box-holds-nothing-known"),
    *("bad-title", "csv-duplicate-id", "csv-missing-column", "csv-no-number", "csv-open-quote"),
    *("deck-17-cards", "deck-cannot-be-dealt", "duplicate-component", "face-no-glyph"),
    *("face-wide-grout", "faults-in-three-files", "fonts-strays", "icons-unsound", "json-faults"),
    *("missing-file", "nothing-to-print", "piece-larger-than-paper", "png-cut-off", "rule-options"),
    *("shape-nor-size", "svg-script", "template-attributes", "toml-no-quotes", "unknown-rule"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny(tmp_path / "tiny")


def cards(folder: Path, *texts: str, body: str = BODY) -> Path:
    """A game of a card for each text."""
    write(folder, body)
    rows = (f"c{number},{number},{words}" for number, words in enumerate(texts, 1))
    (folder / "cards.csv").write_text("\n".join(["id,x,t", *rows, ""]), "utf-8")
    return folder


def pages_of(pdf: Path) -> list[str]:
    """The letters of each page, without blanks."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [squeezed(page.get_textpage().get_text_bounded()) for page in document]


def squeezed(words: str) -> str:
    return "".join(words.split())


def drafted(folder: Path) -> tuple[list[str], list[str]]:
    """The words of each page of a draft, and its faults."""
    out = folder.parent / "draft.pdf"
    printed = generator.print_game(folder, out, draft=True)
    return pages_of(out), [str(problem) for problem in printed.faults]


@pytest.mark.parametrize("case", BROKEN)
def test_broken_game(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    """It is printed with its faults, or told as without --draft."""
    make_game(case, tmp_path / "game")
    monkeypatch.chdir(tmp_path)
    plain, draft = pnp("build", "./game"), pnp("build", "./game", "--draft", "-o", "draft.pdf")
    assert plain.exit_code == 1
    assert "pnp itself" not in draft.stderr
    if draft.exit_code:
        assert draft.stderr == plain.stderr
        assert not Path("draft.pdf").exists()
        return
    for message in re.findall(r"^error: .*", plain.stderr, re.MULTILINE):
        assert message in draft.stderr
    first, *others = pages_of(Path("draft.pdf"))
    count = int(re.findall(r"a draft with (\d+) fault", draft.stderr)[0])
    assert f":{count}fault" in first
    assert others
    assert all("DRAFT" in page for page in others if "sheet1of" in page)


def test_some_of_the_broken_games_are_printed(tmp_path: Path) -> None:
    """The test above could pass without a draft."""
    printed = 0
    for case in ("svg-script", "csv-no-number", "deck-17-cards", "booklet-missing"):
        make_game(case, tmp_path / case)
        printed += len(generator.print_game(tmp_path / case, tmp_path / "x", draft=True).paths)
    assert printed == 4


def test_text_too_long_is_marked_and_listed(folder: Path) -> None:
    pages, faults = drafted(cards(folder, "short", "verse " * 20, "short too"))
    listed, sheet = pages
    assert listed.startswith(squeezed("DRAFT · Tiny: 1 fault A red frame marks"))
    assert squeezed("a text on the front of c2 is too long") in listed
    assert squeezed("DRAFT · Tiny · Cards · sheet 1 of 1") in sheet
    assert sheet.count("verse") == 20
    assert sheet.count("mmhigherthanitsboxat8.0pt") == 1
    (fault,) = faults
    assert fault.startswith("error: tiny/cards.csv:3: ")


def test_faces_keep_their_places(folder: Path) -> None:
    """Backs behind fronts too: the sheets are those of the sound game."""
    spec = folder / "game.toml"
    back = '[component.back]\ntemplate = "front.svg"\nedge = "red"\n'
    spec.write_text(spec.read_text("utf-8") + back, "utf-8")

    def sheets(*texts: str) -> list[Page]:
        from generator import pipeline
        from generator.pipeline.printing import make_sheets

        request = pipeline.parse_request(str(cards(folder, *texts)), {"draft": True})
        made = make_sheets(request, pipeline.silent)
        return [page for sheet in made.sheets if sheet.component == "cards" for page in sheet.pages]

    sound = sheets(*["short"] * 12)
    broken = sheets(*["short"] * 5, "verse " * 20, ":nothing:", *["short"] * 5)
    assert len(sound) == len(broken) == 2
    for one, other in zip(sound, broken, strict=True):
        assert [(p.piece, p.affine) for p in one.placements] == [(p.piece, p.affine) for p in other.placements]


def test_missing_picture_is_a_crossed_box_that_is_reported(folder: Path) -> None:
    body = '<image href="{{ t }}" width="9" height="9"/><image href="dot" width="5" height="5"/>'
    (folder / "dot.svg").write_text("<svg onload='x()'/>", "utf-8")
    pages, faults = drafted(cards(folder, "dot", "gone.svg", body=body.replace('"dot"', '"dot.svg"')))
    assert "gone.svg" in "".join(faults)
    assert "dot.svg" in "".join(faults)
    assert "onload" not in (folder.parent / "draft.pdf").read_bytes().decode("latin-1")
    assert "gone.svg" in pages[1]


def test_a_row_at_fault_is_printed_and_marked(folder: Path) -> None:
    cards(folder, "one", "two", "three")
    table = folder / "cards.csv"
    table.write_text("id,x,t,count\na,1,alpha,1\nb,1,beta,many\na,1,gamma,1\n", "utf-8")
    pages, faults = drafted(folder)
    assert len(faults) == 2
    for words in ("alpha", "beta", "gamma", "'many' is not a whole number", "is taken by"):
        assert squeezed(words) in pages[1]


def test_a_row_elsewhere_that_is_missing_is_empty(folder: Path) -> None:
    cards(folder, "goblin", "orc", body=text("{{ t.name }} {{ x }}"))
    spec = folder / "game.toml"
    lookup = '[component.lookup.t]\ntable = "kinds.csv"\n'
    spec.write_text(spec.read_text("utf-8") + lookup, "utf-8")
    (folder / "kinds.csv").write_text("id,name\ngoblin,Gobbo\n", "utf-8")
    pages, (fault,) = drafted(folder)
    assert "has no row 'orc'" in fault
    assert "Gobbo1" in pages[1]
    assert "1kinds.csvhasnorow'orc'" in pages[1]


def test_a_count_that_stands_in_names_no_row_elsewhere(folder: Path) -> None:
    cards(folder, "one", body=text("{{ t }}"))
    (folder / "cards.csv").write_text("id,x,t,count\na,1,beta,many\n", "utf-8")
    spec = folder / "game.toml"
    lookup = '[component.lookup.count]\ntable = "kinds.csv"\n'
    spec.write_text(spec.read_text("utf-8") + lookup, "utf-8")
    (folder / "kinds.csv").write_text("id,name,name.de\nsome,a,b\n", "utf-8")
    pages, faults = drafted(folder)
    assert any("'many' is not a whole number" in fault for fault in faults)
    assert "beta" in pages[1]


def test_a_count_that_a_template_reads_has_a_stand_in(folder: Path) -> None:
    cards(folder, "one", body=text("{{ t }} {{ count }}"))
    (folder / "cards.csv").write_text("id,x,t,count\na,1,beta,many\n", "utf-8")
    pages, (fault,) = drafted(folder)
    assert "'many' is not a whole number" in fault
    assert "beta1" in pages[1]


def test_a_missing_column_is_empty(folder: Path) -> None:
    cards(folder, "one")
    (folder / "cards.csv").write_text("id,x\na,1\n", "utf-8")
    pages, (fault,) = drafted(folder)
    assert "the column 't' is missing" in fault
    assert len(pages) == 2


def test_what_cannot_be_drawn_is_blank_with_its_name(folder: Path) -> None:
    cards(folder, "one", "two")
    svg = (folder / "front.svg").read_text("utf-8")
    (folder / "front.svg").write_text(svg.replace("0 0 40 60", "0 0 30 60"), "utf-8")
    pages, (fault,) = drafted(folder)
    assert "the fronts of all 2 cannot be drawn" in fault
    assert "c1" in pages[1]
    assert "c2" in pages[1]


def test_missing_font_has_a_stand_in_that_is_reported(folder: Path) -> None:
    body = BODY.replace("<text", '<text font-family="Action Man"')
    pages, (fault,) = drafted(cards(folder, "one", body=body))
    assert fault.startswith("error: tiny/front.svg:2: there is no font family 'Action Man'")
    assert "one" in pages[1]


def test_broken_rule_marks_its_pieces(folder: Path) -> None:
    spec = folder / "game.toml"
    rule = '[[component.rule]]\nkind = "one_of"\nof = ["x"]\nnumbers = [1, 3]\n'
    spec.write_text(spec.read_text("utf-8") + rule, "utf-8")
    pages, (fault,) = drafted(cards(folder, "alpha", "beta", "gamma"))
    assert "cards.csv:3" in fault
    words = squeezed(fault.split(": ", 2)[2].split("\n")[0])
    assert words in pages[0]
    assert pages[1].count(words[:12]) == 1


def test_component_at_fault_is_left_out(folder: Path) -> None:
    cards(folder, "one")
    spec = folder / "game.toml"
    more = '[[component]]\nid = "more"\ntitle = "More"\ntable = "gone.csv"\nsize = "poker"\n'
    spec.write_text(spec.read_text("utf-8") + more + '[component.front]\ntemplate = "front.svg"\n', "utf-8")
    pages, (fault,) = drafted(folder)
    assert "gone.csv" in fault
    assert "one" in pages[1]
    assert len(pages) == 2


def test_side_whose_template_cannot_be_used_is_blank_and_marked(folder: Path) -> None:
    """Its pieces are printed with their names; the other components are as they are."""
    cards(folder, "one", "two", body=text("words") + "<script/>")
    spec = folder / "game.toml"
    component = spec.read_text("utf-8").partition("[[component]]")[2]
    more = component.replace('"cards"', '"more"').replace("front.svg", "more.svg")
    spec.write_text(f"{spec.read_text('utf-8')}[[component]]{more}", "utf-8")
    (folder / "more.svg").write_text(f"{HEAD}{text('sound')}</svg>", "utf-8")
    pages, (fault,) = drafted(folder)
    assert "front.svg:2: <script> is not printed" in fault
    (_, page) = pages  # both share a sheet
    assert page.count("1<script>") == page.count("c1") + page.count("c2") == 2
    assert "words" not in page
    assert page.count("sound") == 2


def test_template_of_two_components_is_marked_on_both(folder: Path) -> None:
    cards(folder, "one", "two", body="<script/>")
    spec = folder / "game.toml"
    component = spec.read_text("utf-8").partition("[[component]]")[2]
    more = component.replace('"cards"', '"more"')
    spec.write_text(f"{spec.read_text('utf-8')}[[component]]{more}", "utf-8")
    pages, faults = drafted(folder)
    assert len(faults) == 1
    assert [page.count("1<script>") for page in pages[1:]] == [4]


def test_sound_templates_are_used_beside_one_at_fault(folder: Path) -> None:
    spec = folder / "game.toml"
    spec.write_text(spec.read_text("utf-8").replace("front.svg", "{{ t }}.svg"), "utf-8")
    rows = ["id,t", "c1,sound", "c2,broken", "c3,missing", "c4,", ""]
    (folder / "cards.csv").write_text("\n".join(rows), "utf-8")
    (folder / "sound.svg").write_text(f"{HEAD}{text('drawn')}</svg>", "utf-8")
    (folder / "broken.svg").write_text(f"{HEAD}{text('drawn')}<script/></svg>", "utf-8")
    pages, faults = drafted(folder)
    assert pages[-1].count("drawn") == 1
    assert [f"c{number}" in pages[-1] for number in (1, 2, 3, 4)] == [False, True, True, True]
    places = {re.findall(r"tiny/([\w.]+:\d+)", fault)[0] for fault in faults}
    assert places == {"broken.svg:2", "cards.csv:3", "cards.csv:4", "cards.csv:5"}


def test_booklet_is_printed_without_the_parts_at_fault(folder: Path) -> None:
    cards(folder, "one")
    (folder / "rules.md").write_text(
        "# Rules\n\n## Setup\n\nFirst words.\n\n::: fase cards c1\n:::\n\n"
        "<b>Second</b> words\nin two lines.\n\n::: face cards c1\n:::\n\nLast words.\n"
        "![A map](gone.svg)\n",
        "utf-8",
    )
    spec = folder / "game.toml"
    spec.write_text(spec.read_text("utf-8") + '[booklet]\nfile = "rules.md"\n', "utf-8")
    pages, faults = drafted(folder)
    assert [re.findall(r"rules.md:\d+", fault) for fault in faults] == [
        ["rules.md:17"],
        ["rules.md:10"],
        ["rules.md:7"],
    ]
    rules = "".join(pages)
    rules += rules[::-1]  # some pages lie upside down on the sheet
    assert "Firstwords." in rules
    assert "Lastwords." in rules
    assert "Amap" in rules  # below a crossed box
    assert "Second" not in rules
    assert rules.count("Omitted:") == 2


def test_box_that_reads_a_column_is_left_out(folder: Path) -> None:
    """A box has no rows, so nothing stands in for the cell."""
    spec = cards(folder, "one") / "game.toml"
    box = '[[box]]\nid = "box"\nmark_by = "count"\n'
    spec.write_text(spec.read_text("utf-8") + box, "utf-8")
    pages, (fault,) = drafted(folder)
    assert "no column 'count'" in fault
    assert len(pages) == 2


def test_part_that_is_left_out_cannot_be_asked_for(folder: Path) -> None:
    """The reason is told, too."""
    cards(folder, "one")
    spec = folder / "game.toml"
    more = '[[component]]\nid = "more"\ntitle = "More"\ntable = "gone.csv"\nsize = "poker"\n'
    spec.write_text(spec.read_text("utf-8") + more + '[component.front]\ntemplate = "front.svg"\n', "utf-8")
    with pytest.raises(PnpError) as caught:
        generator.print_game(folder, folder.parent / "x.pdf", draft=True, only=["more"])
    assert "'gone.csv' does not exist" in str(caught.value)
    assert "has no part 'more'" in str(caught.value)


def test_titles_that_no_font_can_set_are_question_marks(folder: Path) -> None:
    spec = cards(folder, "one") / "game.toml"
    titled = re.sub(r'^title = ".*"', 'title = "語 Game"', spec.read_text("utf-8"), count=1, flags=re.M)
    spec.write_text(titled, "utf-8")
    pages, faults = drafted(folder)
    assert any("'語'" in fault for fault in faults)
    assert "DRAFT·?Game" in pages[0]


def test_many_faults_fill_more_than_a_page(folder: Path) -> None:
    cards(folder, *(f"'{'x' * number}'" for number in range(1, 40)), body=text("{{ t | nothing }}"))
    (folder / "front.svg").write_text(
        (folder / "front.svg").read_text("utf-8").replace("{{ t | nothing }}", "{{ t * t }}"), "utf-8"
    )
    pages, faults = drafted(folder)
    assert len(faults) >= 1
    assert pages[0].startswith("DRAFT")


def test_characters_that_no_font_has_are_question_marks(folder: Path) -> None:
    pages, faults = drafted(cards(folder, "語"))
    assert "語" in faults[0]
    assert "hasnoglyphfor" in pages[0]
    assert "語" not in "".join(pages)


def test_sound_game_has_a_draft_without_a_list(folder: Path, pnp: Pnp) -> None:
    game, out = str(cards(folder, "short")), str(folder.parent / "draft.pdf")
    result = pnp("build", game, "--draft", "-o", out)
    assert result.exit_code == 0
    assert "a draft with 0 faults" in result.stderr
    (page,) = pages_of(Path(out))
    assert "DRAFT·Tiny" in page


def test_draft_is_reproducible(folder: Path) -> None:
    cards(folder, "verse " * 30, "語", ":nothing:")
    first, second = folder.parent / "1.pdf", folder.parent / "2.pdf"
    generator.print_game(folder, first, draft=True)
    generator.print_game(folder, second, draft=True)
    assert first.read_bytes() == second.read_bytes()


def test_nothing_to_print_is_reported_as_without(folder: Path) -> None:
    (cards(folder, "one") / "cards.csv").unlink()
    told = []
    for draft in (False, True):
        with pytest.raises(PnpError) as caught:
            generator.print_game(folder, folder.parent / "x.pdf", draft=draft)
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert not (folder.parent / "x.pdf").exists()


def test_draft_and_revision_exclude_each_other(folder: Path, pnp: Pnp) -> None:
    result = pnp("build", str(cards(folder, "one")), "--draft", "--changed-since", "HEAD")
    assert result.exit_code == 1
    assert "a draft cannot be compared with a revision" in result.stderr


def test_faults_are_counted_by_message(folder: Path) -> None:
    printed = generator.print_game(cards(folder, *["verse " * 20] * 12), folder.parent / "x.pdf", draft=True)
    assert len(gather(printed.faults)) == 1
