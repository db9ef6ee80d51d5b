"""The cover sheet says what is in the kit and how this very print becomes one."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from math import ceil
from pathlib import Path
from shutil import copytree
from typing import get_args

import pikepdf
import pypdfium2
import pytest
from msgspec.structs import replace

from generator import booklet, layout, pipeline
from generator.basics.errors import PnpError
from generator.basics.geometry import Rect, Size
from generator.basics.phrases import read_phrases
from generator.model import COVER, LEAFLETS, RULEBOOK, SIDES, Face, FaceKey, Game, Imprint, SetWords, Way
from generator.pdf import Job, press_worker
from generator.pipeline import PrintOptions, Request, parse_request
from generator.pipeline.game import draw
from generator.pipeline.imposing import impose_kit
from generator.pipeline.request import Binding
from generator.pipeline.sheets import silent
from generator.text import FontBook
from tests.booklet.talavera import TEMPLATES, folder_with, printed, talavera, words_of
from tests.conftest import Pnp
from tests.game.tiny import tiny, write
from tests.support.hearing import alternatives
from tests.support.printing import kit, request_of

RECIPES = Path(__file__).parents[1] / "recipes"
GAMES = ("advaya", "talavera", "toripoka")


@cache
def cover_of(
    game: str = "talavera", way: Way = "long", *, only: Sequence[str] = (), mix: bool = True, booklet: Binding = "fold"
) -> str:
    if not only and mix and booklet == "fold" and way in ("long", "fold"):
        return words_of(kit(game, way))  # which other tests need too
    return first_words(request_of(game, "letter", way, only=only, mix=mix, booklet=booklet))


@cache
def game_drawn(name: str) -> tuple[Game, dict[FaceKey, Face]]:
    if name == "talavera":
        return talavera()
    loaded = pipeline.read(name)
    return loaded.game, draw(loaded, silent)


@cache
def first_words(request: Request) -> str:
    """What stands on the cover of a print that is no whole kit; the other sheets stay unprinted."""
    game, drawn = game_drawn(request.game)
    pages, sheets = impose_kit(game, request, drawn, silent)
    assert sheets[0].component == COVER
    folders = [str(folder) for folder in game.font_folders]
    imprint = Imprint(game.title, game.designer, game.about)
    return words_of(press_worker.print_job(Job(sheets[:1], list(pages.values()), imprint, folders)))


def steps(words: str) -> list[str]:
    """The first word of each step, in their order."""
    return re.findall(r"(Print|Measure|Fold|Cut|Score|Glue)(?=the|this|with|each|what|along)", words)


@pytest.mark.parametrize("name", GAMES)
def test_every_part_is_reported_with_its_number(name: str) -> None:
    words = cover_of(name)
    game = pipeline.read(name).game
    for component in game.components:
        assert f"{len(component.copies())}{component.title}".replace(" ", "") in words
    assert "1Rules" in words
    assert game.terms
    assert all(term.replace(" ", "") in words for term in game.terms)


@pytest.mark.parametrize(
    ("way", "binding", "told"),
    [
        ("long", "fold", "Print Measure Fold Score Cut Fold Glue"),
        ("long", "off", "Print Measure Score Cut Fold Glue"),
        ("single", "fold", "Print Measure Fold Score Cut Fold Glue"),
        ("fold", "fold", "Print Measure Fold Fold Glue Score Cut Fold Glue"),
    ],
)
def test_steps_are_those_of_this_print(way: Way, binding: Binding, told: str) -> None:
    words = cover_of(way=way, booklet=binding)
    assert steps(words) == told.split()
    assert ("Gluethehalves" in words) == (way == "fold")
    assert ("staplethem" in words) == (binding == "fold")
    assert ("openedges" in words) == (way != "long")


@pytest.mark.parametrize(("way", "edge"), [("long", "longedge"), ("short", "shortedge")])
def test_the_edge_to_flip_on_is_named(way: Way, edge: str) -> None:
    assert f"flippedonthe{edge}" in cover_of(way=way)


def test_the_scale_of_the_pieces_is_reported_and_changes_nothing_to_read() -> None:
    request = request_of("talavera")
    request = replace(request, printing=replace(request.printing, scale=0.75))
    assert "Thepiecesareat75%oftheirsize." in first_words(request)
    assert "oftheirsize" not in cover_of()
    game, drawn = talavera()
    (pages, sheets), whole = (impose_kit(game, asked, drawn, silent) for asked in (request, request_of("talavera")))
    rules = {key: page for key, page in pages.items() if key[0] == RULEBOOK}
    assert rules == {key: page for key, page in whole.pages.items() if key[0] == RULEBOOK}
    read = [sheet for sheet in sheets if sheet.component == RULEBOOK]
    assert read == [sheet for sheet in whole.sheets if sheet.component == RULEBOOK]


@pytest.mark.parametrize("name", GAMES)
def test_each_part_is_on_the_pages_that_are_named(name: str) -> None:
    """As a screen reader finds its pieces."""
    pdf, told = kit(name), {}
    for count, title, pages in re.findall(r"(\d+)([^\d–,]+)pages?([\d–,]+)", words_of(pdf)):
        ends = [part.split("–") for part in pages.split(",")]
        numbers = [n for part in ends for n in range(int(part[0]), int(part[-1]) + 1)]
        told[count + title] = numbers
    heard = list(enumerate(alternatives(pdf), 1))
    printed = {n for n, page in heard if page}
    for component in pipeline.read(name).game.components:
        named = f"{len(component.copies())}{component.title}".replace(" ", "")
        own = [n for n, page in heard if any(mark.startswith(component.title) for mark in page)]
        both_sides = {side for n in own for side in (n, n + 1 if n % 2 else n - 1)}
        own = sorted(both_sides & printed)
        (key,) = [message for message in told if message.endswith(named)]
        assert told[key] == own
    with pikepdf.open(io.BytesIO(pdf)) as document:
        labels = list(document.Root.PageLabels.Nums)
    rules = [int(n) + 1 for n, label in zip(labels[::2], labels[1::2], strict=True) if is_rules(label)]
    (key,) = [message for message in told if message.endswith("1Rules")]
    assert told[key] == rules


@pytest.mark.parametrize("name", GAMES)
def test_pages_that_stay_blank_are_named(name: str) -> None:
    pdf = kit(name)
    with pypdfium2.PdfDocument(pdf) as document:
        pages = enumerate(document, 1)
        blank = [n for n, page in pages if next(page.get_objects(), None) is None]
    told = re.findall(r"sidedsheetsstayblank:pages?([\d,]+)\.", words_of(pdf))
    assert told == ([",".join(map(str, blank))] if blank else [])


def test_a_score_pad_is_on_the_back_of_the_cover() -> None:
    with pypdfium2.PdfDocument(kit("talavera")) as document:
        words = Counter(document[1].get_textpage().get_text_bounded().split())
    tables = words.pop("Total")
    assert tables >= 6
    assert words == {"Scores": 1, "Talavera": 1} | dict.fromkeys(("Yellow", "Red", "Sky", "Azure"), tables)
    assert pipeline.read("talavera", "de").game.scores[0] == "Gelb"


@pytest.mark.parametrize("way", ["single", "fold"])
def test_a_score_pad_takes_no_sheet_of_its_own(way: Way) -> None:
    game, drawn = game_drawn("talavera")
    pages, _ = impose_kit(game, request_of("talavera", "letter", way), drawn, silent)
    assert [number for part, number, _ in pages if part == COVER] == ["1"]


def test_a_score_that_is_too_long_is_one_message() -> None:
    game, _ = game_drawn("talavera")
    assert game.booklet
    for scores in (("Trees " * 30,), ("Trees",) * 90):
        with pytest.raises(PnpError, match=r"Trees.*' needs more than a row of"):
            booklet.score_pad(replace(game, scores=scores), game.booklet, Size(210.0, 297.0), 5.0)


def test_no_page_is_blank_where_one_side_is_printed() -> None:
    assert "stayblank" not in cover_of(way="single", only=("cover", "cards"))


def is_rules(label: pikepdf.Object) -> bool:
    return str(label.P).startswith("Rules")


def test_in_one_file_with_other_games_the_pages_are_not_named(tmp_path: Path, pnp: Pnp) -> None:
    both = tmp_path / "both.pdf"
    assert pnp("build", "talavera", "advaya", "--only", "cover,box", "-o", both).exit_code == 0
    words = words_of(both.read_bytes())
    assert "1Boxthickpaper" in words


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("single", "18Cardspages2–5thickpaper,oneside"),
        ("fold", "18Cardspages2–6foldedandglued"),
        ("separate-long", "18Cardspages2–3ofthefrontsthickpaper"),
    ],
)
def test_pages_and_paper_are_those_of_the_way(way: Way, told: str) -> None:
    assert told in cover_of(way=way, only=("cover", "cards"))


@pytest.mark.parametrize(("name", "hidden"), [("talavera", []), ("toripoka", ["cards"])])
def test_one_side_has_each_back_but_those_that_sleeves_hide(name: str, hidden: list[str]) -> None:
    game, drawn = game_drawn(name)
    _, sheets = impose_kit(game, request_of(name, way="single"), drawn, silent)
    placed = [mark for sheet in sheets for page in sheet.pages for mark in page.placements]
    found = Counter((mark.piece, mark.face) for mark in placed)
    for component in game.components:
        for side in SIDES if component.id not in hidden else SIDES[:1]:
            for piece in component.pieces:
                face = drawn.get((component.id, piece.id, side))
                assert face is None or found.pop((piece.id, face.id)) == piece.copies
    left_out = {drawn[key].id for key in drawn if key[0] in hidden and key[2] == "back"}
    assert left_out.isdisjoint(face for _, face in found)
    words = cover_of(name, way="single")
    assert "Slipeachback" in words
    assert ("sleeveswithopaquebacks" in words) == bool(hidden)


def test_a_part_of_the_kit_has_a_cover_of_its_own() -> None:
    words = cover_of(only=("cover", "cards"))
    assert "18Cardspages3–6thickpaper,bothsides" in words
    assert "Rules" not in words
    assert steps(words) == ["Print", "Measure", "Cut"]


def test_alone_it_tells_of_the_whole_kit() -> None:
    alone = cover_of(only=("cover",))
    assert alone == cover_of()


@pytest.mark.parametrize("paper", ["a5", "tabloid", "210x330mm"])
def test_it_fits_every_paper(paper: str) -> None:
    """On small paper it goes on to the next page; nothing comes near the edge."""
    game, drawn = talavera()
    request = request_of("talavera", paper, "long", only=(COVER,))
    pages, sheets = impose_kit(game, request, drawn, silent)
    assert {sheet.component for sheet in sheets} == {COVER}
    for face in pages.values():
        baselines = [float(y) for placed in face.layers for y in re.findall(r' y="([\d.]+)"', placed.layer.svg)]
        assert max(baselines, default=0.0) < face.size.height - 6.35


def test_pages_are_counted_behind_a_cover_of_two() -> None:
    request = request_of("talavera", "a6", "single", only=(COVER, "cards"))
    assert "18Cardspages3–38" in first_words(request)


def test_it_is_the_first_sheet_and_keeps_the_others_in_step() -> None:
    game, drawn = talavera()
    request = request_of("talavera")
    pages, sheets = impose_kit(game, request, drawn, silent)
    order = list(dict.fromkeys(sheet.component for sheet in sheets))
    assert order == [*LEAFLETS, game.components[0].id, layout.MIXED]
    assert all(len(sheet.pages) == 2 for sheet in sheets), "a duplex printer prints both sides"
    assert {key[0] for key in pages} == set(LEAFLETS)


def test_it_is_one_side_of_paper_where_nothing_has_a_back(tmp_path: Path) -> None:
    [pdf] = printed(request_of("talavera", only=("cover", "box")), tmp_path / "k.pdf")
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert len(document.pages) == 2


def test_it_may_be_left_out(tmp_path: Path, pnp: Pnp) -> None:
    folder = folder_with("# Talavera\n\nWords.\n", tmp_path / "talavera")
    assert "[booklet]\ncover = false" in (folder / "game.toml").read_text("utf-8")
    loaded = pipeline.read(str(folder))
    request, drawn = request_of(str(folder)), draw(loaded, silent)
    pages, _ = impose_kit(loaded.game, request, drawn, silent)
    assert COVER not in {key[0] for key in pages}
    told = pnp("build", folder, "--only", "cover")
    assert "has no part 'cover'" in told.output
    plain = write(tiny(tmp_path / "plain"), "")
    for option in (), ("--plan",):
        told = pnp("build", plain, "--only", "cover", *option)
        assert told.stderr == "error: --only: Tiny has no part 'cover'\n    hint: known: cards\n"


def test_every_step_has_its_words_and_its_picture() -> None:
    folder = Path(str(TEMPLATES)).parent / "generator/booklet"
    phrases = (name.split(".") for name in read_phrases().patterns)
    names = {name for group, name in phrases if group == "steps"}
    drawn = {path.stem.partition("-")[0] for path in (folder / "pictures").glob("*.svg")}
    shown = {*drawn, "glue", "join", "sleeve", "slip"}  # the board itself shows its joints
    assert all(name.partition("-")[0] in shown for name in names)
    assert {f"print-{way}" for way in get_args(Way)} <= names


def test_the_plan_tells_of_what_is_read(pnp: Pnp) -> None:
    told = pnp("build", "talavera", "--plan").output.splitlines()
    assert told[:2] == ["cover: 1 sheet", "rules: 2 sheets"]
    assert told[-2:] == ["mixed: Rule cards, Box together on 1 sheet", "all: 6 sheets"]


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ("track", ["the outer edges last"]),
        ("tokens", ["then one side after another"]),
        ("box", ["Score what is folded", "Glue the box at its side and its foot"]),
    ],
)
def test_steps_are_those_of_the_pieces(part: str, told: list[str]) -> None:
    words = cover_of("advaya", only=("cover", part))
    every = (
        "the outer edges last",
        "then one side after another",
        "Score what is folded",
        "Glue each bare tab behind its neighbour",
        "Glue the box at its side and its foot",
    )
    assert [step for step in every if step.replace(" ", "") in words] == told


@pytest.mark.parametrize(
    ("recipe", "in_order"),
    [
        ("screen", ["Score", "from tick to tick", "the outer edges last", "sharply"]),
        ("dial", ["then one side after another", "Holes and windows come first"]),
        ("quad-fold-board", ["Score", "is cut along its outline", "folds along its lines too"]),
    ],
)
def test_steps_of_flat_pieces_with_folds_and_holes(recipe: str, in_order: list[str], tmp_path: Path) -> None:
    folder = tmp_path / recipe
    copytree(RECIPES / recipe, folder)
    (folder / "rules.md").write_text("# Rules\n\nWords.\n", "utf-8")
    spec = folder / "game.toml"
    spec.write_text(spec.read_text("utf-8").replace("[[", "[booklet]\n\n[[", 1), "utf-8")
    words = first_words(request_of(str(folder)))
    places = [words.find(part.replace(" ", "")) for part in in_order]
    assert -1 not in places
    assert places == sorted(places)


def test_a_machine_cuts_and_scores() -> None:
    options = PrintOptions(cutter="silhouette", only=("cover", "cards", "box"))
    words = first_words(parse_request("talavera", options))
    assert "Cuteachsheetbymachine" in words
    assert "Foldalongthescoredlines" in words
    assert "steelruler" not in words


def test_what_shares_sheets_is_reported_and_nothing_else_of_those_names() -> None:
    """The pyramids of every size have the same ids: yellow, green, red."""
    words = cover_of("toripoka", only=("cover", "reference", "small"), mix=True)
    assert "2Referencecardspages3–4thickpaper,bothsides" in words
    assert "5Smallpyramidspages3–4thickpaper,bothsides" in words
    assert "Mediumpyramids" not in words


def test_steps_are_those_of_the_pieces_that_share_sheets() -> None:
    only = ("cover", "medium", "small")
    words = cover_of("toripoka", only=only, mix=True)
    assert steps(words) == ["Print", "Measure", "Score", "Cut", "Fold", "Glue"]


@pytest.mark.parametrize(
    ("paper", "told"),
    [
        ("a4", "A4"),
        ("LETTER", "Letter"),
        ("arch-b", "ArchB"),
        ("210x297mm", "210x297mm"),
        ("210 × 297 mm", "210x297mm"),
    ],
)
def test_the_paper_is_named_as_one_writes_it(paper: str, told: str) -> None:
    request = request_of("talavera", paper, "long", only=("cover", "box"))
    assert f"Laidoutfor{told}paperwitha6.35mmmargin." in first_words(request)


def lengthen(pattern: str) -> str:
    """A phrase whose words are 40 % longer, as in a language with longer ones."""
    parts = re.split(r"(\{[^}]*\})", pattern)
    parts[::2] = (re.sub(r"[^\W\d_]+", lambda word: stretch(word[0]), part) for part in parts[::2])
    return "".join(parts)


def stretch(word: str) -> str:
    return word + (word * 2)[: ceil(0.4 * len(word))]


@pytest.mark.parametrize(("name", "paper"), [("talavera", "a4"), ("taluva", "letter")])
def test_words_of_any_language_have_room(name: str, paper: str) -> None:
    game, drawn = game_drawn(name)
    longer = {key: lengthen(pattern) for key, pattern in game.phrases.patterns.items()}
    own = replace(game, phrases=replace(game.phrases, patterns=longer))
    request = request_of(name, paper)
    pages, sheets = impose_kit(own, request, drawn, silent)
    for sheet in sheets:
        labels = [label.text for label in sheet.pages[0].labels]
        assert sheet.component == COVER or longer["sheet.front"] in " ".join(labels)
    bare = Rect(0.0, 0.0, *request.printing.paper).grown(-request.printing.margin)
    for page in (page for (part, _, _), page in pages.items() if part == COVER):
        boxes = [(words.text, inked(words, game)) for words in words_on(page)]
        assert [text for text, box in boxes if not bare.encloses(box)] == []
        pairs = combinations(boxes, 2)
        assert [(one, two) for (one, box), (two, other) in pairs if box.overlaps(other)] == []


@pytest.mark.parametrize("name", ["taluva", "toripoka"])
def test_six_or_seven_parts_stand_beside_the_poster(name: str) -> None:
    """Their lines are higher than what is seen of them: there is nothing above digits."""
    game, drawn = game_drawn(name)
    request = request_of(name, "letter")
    pages, _ = impose_kit(game, request, drawn, silent)
    cover = pages[COVER, "1", "front"]
    (heading,) = (words for words in words_on(cover) if words.text == "In this kit")
    assert heading.x > request.printing.paper.width / 2


def words_on(page: Face) -> Iterator[SetWords]:
    """The words of a page that are no part of its pictures."""
    return chain.from_iterable(page.layers[0].layer.lines)


def inked(words: SetWords, game: Game) -> Rect:
    font = FontBook(game.font_folders).find(words.family, words.weight)
    return font.ink(words.text, words.size).moved(words.x, words.y).grown(-0.15)  # words may be kerned
