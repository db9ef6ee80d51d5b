"""Whatever the blocks are: every word stands there once, in its order, within the text area."""

from __future__ import annotations

import io
import re
import shutil
from base64 import b64encode
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace
from PIL import Image

from generator import booklet, pipeline
from generator.basics.errors import MisfitError, Place, PnpError
from generator.basics.geometry import Rect, Size
from generator.basics.shapes import box_of
from generator.booklet.paging import PageBlock, paginate
from generator.booklet.reading import Block, Footnotes, Heading, MarkdownFigure, MarkdownTable, Paragraph, Words, read
from generator.model import Art, Face
from generator.pipeline.game import draw
from generator.pipeline.sheets import silent
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from tests.booklet.talavera import HALF_LETTER, rules, set_pages, talavera

SIDE, FOOT = 13.0, 215.9 - 8.5  # mm: the margins, the baseline of the foot
TESTS = Path(__file__).parents[1]
SECTION = re.compile(r"## (.*)")
WORDS = st.lists(st.sampled_from(["oak", "elm", "ash", "yew", "willow", "hornbeam"]), min_size=1, max_size=90)


def numbered(blocks: Sequence[tuple[str, list[str]]]) -> tuple[str, list[str]]:
    """Markdown of blocks whose words are numbered, and these words."""
    made: list[str] = []
    text: list[str] = []
    for kind, words in blocks:
        own = [f"{word}{len(made) + i}" for i, word in enumerate(words)]
        own = own[:4] if kind in ("##", "###", "row") else own
        made += own
        text.append(block(kind, own))
    return "\n\n".join(text), made


def block(kind: str, words: list[str]) -> str:
    plain = " ".join(words)
    match kind:
        case "list" | "numbers":
            mark = "1." if kind == "numbers" else "-"
            parts = [words[i : i + 20] for i in range(0, len(words), 20)]
            return f"{plain_words(kind)}\n\n" + "\n".join(f"{mark} {' '.join(part)}" for part in parts)
        case "aside":
            return f"> {plain}"
        case "table":
            rows = [words[i : i + 2] for i in range(0, len(words), 2)]
            cells = "\n".join(f"| {' | '.join(row)} |" for row in rows)
            return f"| | |\n|---|---|\n{cells}"
        case "row":
            return f"::: row {plain}\ncards 3\ncards 7 back\n:::"
        case "figure":
            lines = "\n".join(f"cards {n} at {n * 30} {n * 90}" for n in range(1, 5))
            return f"::: table {plain}\n{lines}\nring 0 0 20\n:::"
        case "break":
            return f"---\n\n{plain}"
        case "##" | "###":
            return f"{kind} {plain}"
    return plain


def plain_words(kind: str) -> str:
    """Two lists in a row would be one: a comment between them, which is no word of ours."""
    return "—" if kind else ""


def drawn(face: Face) -> etree._Element:
    """All of a page but its pictures, as one drawing."""
    root, *others = (etree.fromstring(placed.layer.svg.encode()) for placed in face.layers if placed.layer.role)
    for other in others:
        root.extend(other)
    return root


def words_of(face: Face) -> list[tuple[str, float, float, float]]:
    """Each word of a page with the left end of what it is drawn with, its baseline and size."""
    found = []
    for text in drawn(face).iter("{*}text"):
        for span in list(text) or [text]:
            y, size = (float(span.get(key) or text.get(key)) for key in ("y", "font-size"))
            x = float(span.get("x") or text.get("x"))
            found += [(word, x, y, size) for word in (span.text or "").split()]
    return found


def pictures_of(face: Face) -> Rect | None:
    clips = [corner for placed in face.layers[1:] if placed.clip for corner in placed.clip]
    return box_of(clips) if clips else None


KINDS = ["", "", "##", "###", "list", "numbers", "aside", "table", "row", "figure", "break"]


@settings(max_examples=12, phases=[Phase.generate])
@given(st.lists(st.tuples(st.sampled_from(KINDS), WORDS), min_size=1, max_size=14))
def test_nothing_is_lost_and_all_keeps_its_place(blocks: list[tuple[str, list[str]]]) -> None:
    text, words = numbered(blocks)
    faces = set_pages(text)[1:]
    seen = []
    for face in faces:
        on_page = [word for word in words_of(face) if word[2] < FOOT - 2.0]
        seen += [word for word, *_ in on_page if re.search(r"\d", word)]
        for word, x, y, size in on_page:
            assert x >= SIDE - 0.01, word
            assert word == "•" or y - 0.6 * size >= 12.9, word  # a large sign, but low
            assert y + 0.25 * size <= FOOT - 7.9, word
        bands = sorted({round(y, 3) for _, _, y, _ in on_page})
        assert all(below - above > 3.3 for above, below in pairwise(bands)), bands
    # a number that a list gives, a word that is cut at a line's end: neither is ours
    assert [word for word in seen if not re.fullmatch(r"\d+\.", word)] == words


def test_pictures_and_lines_keep_apart() -> None:
    text = "\n\n".join(["Some words above.", block("figure", ["one"]), block("row", ["two"])] * 6)
    faces = set_pages(text)[1:]
    assert len(faces) > 3
    for face in faces:
        box = Rect(13.0, 13.0, HALF_LETTER.width - 13.0, FOOT - 8.0).grown(0.02)
        for placed in face.layers[1:]:
            corners = [*placed.clip] if placed.clip else []
            assert all(box.holds(corner) for corner in corners)
    for face in faces:
        heights = [box_of(placed.clip) for placed in face.layers[1:] if placed.clip]
        for _, _, y, size in words_of(face):
            for picture in heights:
                assert y <= picture.y0 + 0.01 or y - 0.6 * size >= picture.y1 - 0.01


def test_a_long_paragraph_runs_on_and_leaves_no_line_alone() -> None:
    text = "\n\n".join(" ".join(f"w{n}x{i}" for i in range(470 + 17 * n)) for n in range(8))
    faces = set_pages(text)[1:]
    assert len(faces) > 2
    for before, after in pairwise(faces):
        last, first = lines_of(before), lines_of(after)
        paragraph = last[-1][0].partition("x")[0]
        if first[0][0].startswith(f"{paragraph}x"):  # it runs on: two lines or more on each page
            assert last[-2][0].startswith(f"{paragraph}x")
            assert first[1][0].startswith(f"{paragraph}x")


def lines_of(face: Face) -> list[list[str]]:
    rows: dict[float, list[str]] = {}
    for word, _, y, _ in words_of(face):
        if y < FOOT - 2.0:
            rows.setdefault(y, []).append(word)
    return list(rows.values())


def test_headings_stay_with_what_they_head() -> None:
    for lines in range(20, 45):
        text = "\n\n".join(["A line."] * lines + ["## Head", "### Part", "It begins.", "A line."])
        faces = set_pages(text)[1:]
        (page,) = [face for face in faces if ["Head"] in lines_of(face)]
        rows = lines_of(page)
        assert rows[rows.index(["Head"]) + 1] == ["Part"]
        assert rows[rows.index(["Head"]) + 2] == ["It", "begins."]
        assert rows[rows.index(["Head"]) + 3] == ["A", "line."]  # no heading with a single line


@pytest.mark.parametrize("rule", ["The rule.", "- An item.\n- The rule.", "> The rule."])
def test_an_aside_stays_with_the_rule_before_it(rule: str) -> None:
    for lines in range(20, 45):
        text = "\n\n".join(["A line."] * lines + [rule, "> Aside.", "An end."])
        pages = [words for face in set_pages(text)[1:] if (words := lines_of(face))]
        (page,) = [words for words in pages if ["Aside."] in words]
        assert page[page.index(["Aside."]) - 1][-2:] == ["The", "rule."], lines


def test_an_aside_may_begin_a_page() -> None:
    _, second = set_pages("A line.\n\n---\n\n> Aside.\n")[1:]
    assert lines_of(second) == [["Aside."]]


def test_a_figure_larger_than_a_page_is_made_smaller() -> None:
    text = "::: table Large\ncards 3 at 0 0\ncards 3 at 900 1500\n:::\n"
    page = set_pages(text)[1]
    box = pictures_of(page)
    assert box is not None
    assert box.height < 0.65 * HALF_LETTER.height
    assert box.width < HALF_LETTER.width - 26


def test_a_table_without_words_in_its_head_has_none() -> None:
    """Its first row is where the head would be, below the rule."""
    row, body = "|---|---|\n| one | two |\n", "A line.\n\n"
    (bare,) = set_pages(f"{body}| | |\n{row}")[1:]
    (headed,) = set_pages(f"{body}| Head | |\n{row}")[1:]
    (alone,) = set_pages(f"{body}A line.\n")[1:]
    lows = [max(y for _, _, y, _ in words_of(face)[:4]) for face in (bare, headed, alone)]
    assert lows[2] < lows[0] < lows[1] - 3.0
    assert lows[0] - lows[2] < 3.0


@pytest.mark.parametrize("above", ["## Head", "### Part", "A line."])
def test_one_rule_is_above_a_table_without_a_head(above: str) -> None:
    (page,) = set_pages(f"{above}\n\n| | |\n|---|---|\n| one | two |\n")[1:]
    (first,) = [y for word, _, y, _ in words_of(page) if word == "one"]
    lines = [box for box in drawn(page).iter("{*}rect") if float(box.get("height")) < 0.5]
    assert sum(float(line.get("y")) < first for line in lines) == 1


@pytest.mark.parametrize(("lines", "pages", "is_smaller"), [(200, 8, False), (206, 8, True), (218, 9, False)])
def test_text_becomes_smaller_only_to_save_a_sheet(lines: int, pages: int, is_smaller: bool) -> None:
    """Eight pages are two sheets; a ninth that needs no third is worth a size a little smaller."""
    faces = set_pages("\n\n".join(["A line of words."] * lines))
    (size,) = {size for word, _, _, size in words_of(faces[3]) if word == "line"}
    assert len(faces) == pages
    assert (0.94 * 3.5 <= size < 3.5) == is_smaller


def test_a_small_figure_is_as_large_as_life() -> None:
    page = set_pages("::: table One\ncards 3 at 0 0\n:::\n")[1]
    box = pictures_of(page)
    assert box is not None
    assert Size(box.width, box.height) == (63.5, 88.9)


def test_a_picture_in_a_figure_is_to_scale_with_its_pieces() -> None:
    star = "picture star at 31.75 44.45 20"
    for scale, wider in ((1.0, ""), (0.5, "cards 7 at 163.9 0\n")):
        (page,) = set_pages(f"::: table One\ncards 3 at 0 0\n{wider}{star}\n:::\n")[1:]
        (marks,) = [mark.layer for mark in page.layers if mark.layer.name == "marks of a figure"]
        (image,) = etree.fromstring(marks.svg.encode()).iter("{*}image")
        x, width = (float(image.get(key) or 0) for key in ("x", "width"))
        assert width == pytest.approx(scale * 20, rel=0.01)
        assert x + width / 2 == pytest.approx(scale * 31.75, rel=0.02)


def test_a_picture_that_is_not_there_is_named() -> None:
    with pytest.raises(PnpError) as raised:
        set_pages("::: table One\npicture sttar at 0 0 20\npicture star at 0 0 -2\n:::\n")
    assert [(problem.place.line, problem.what) for problem in raised.value.problems] == [
        (2, "there is no picture 'sttar'"),
        (3, "the width must be more than 0"),
    ]


def test_an_icon_in_a_table_is_as_high_as_a_letter() -> None:
    page = set_pages("| Cards |\n|---|\n| Ab :star: |\n")[1]
    (image,) = drawn(page).iter("{*}image")
    top, height = (float(image.get(key) or 0) for key in ("y", "height"))
    ((_, _, baseline, size),) = [word for word in words_of(page) if word[0] == "Ab"]
    font = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY, 400)
    letter = font.ink("b", size)
    assert letter.height <= height <= 1.2 * letter.height
    assert top >= baseline + letter.y0 - 0.1 * size
    assert top + height <= baseline + 0.15 * size


def test_a_margin_that_the_printer_leaves_bare_is_kept() -> None:
    for face in set_pages("Words. " * 300, bare=20.0)[1:]:
        for word, x, y, _ in words_of(face):
            assert 22.0 - 0.01 <= x <= HALF_LETTER.width - 22.0, word
            assert y <= HALF_LETTER.height - 22.0 + 0.01


def test_marks_are_read_and_escaped_ones_are_signs() -> None:
    (paragraph,) = read("# T\n\nA *b* **c**\\\nd\\: :sun: \\*e [x]\n", Place("x")).blocks
    assert isinstance(paragraph, Paragraph)
    first, second = paragraph.words
    assert [(span.text, span.look.italic, span.look.bold) for span in first] == [
        ("A ", False, False),
        ("b", True, False),
        (" ", False, False),
        ("c", False, True),
    ]
    assert [span.icon or span.text for span in second] == ["d: ", "sun", " *e [x]"]


def told(blocks: Sequence[Block]) -> list[str]:
    """Each block in a line: its kind, and its words with the addresses that they lead to."""
    return [f"{type(block).__name__}: {' / '.join(said_in(block))}" for block in blocks]


def said_in(block: Block) -> list[str]:
    match block:
        case MarkdownFigure():
            return [block.kind, block.head, *(line.text for line in block.body)]
        case Footnotes():
            return [str(block.first), *map(say, block.items)]
        case MarkdownTable():
            return [*block.columns, *map(say, chain(block.head, *block.rows))]
        case Heading():
            return [str(block.level), say(block.words)]
        case Paragraph():
            return [say(block.words)]
    return []


def say(words: Words) -> str:
    looks = (("bold", "*"), ("strike", "~"), ("rise", "^"))
    parts = []
    for span in chain(*words):
        marks = "".join(mark for name, mark in looks if getattr(span.look, name))
        parts.append(f"{marks}{span.icon or span.text}{f'<{span.link}>' if span.link else ''}")
    return "".join(parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'Watch [the **video**](https://a.org/b_(c) "A title"), <you@a.org> or [see](#setup).',
            "Paragraph: Watch the <https://a.org/b_(c)>*video<https://a.org/b_(c)>, "
            "you@a.org<mailto:you@a.org> or see.",
        ),
        (
            "Look:\n![A *map*](art/my%20map.svg)\nMore words\n![](<b c.png>)",
            "Paragraph: Look:\nMarkdownFigure: picture / art/my map.svg / A *map*\n"
            "Paragraph: More words\nMarkdownFigure: picture / b c.png",
        ),
        ("#### A\n###### B", "Heading: 4 / A\nHeading: 4 / B"),
        (
            "a | b | c\n:-: | -: | ---\n**1** | x \\| y",
            "MarkdownTable: centre / right / left / a / b / c / *1 / x | y / ",
        ),
        ("| a |\n|---|\n| 1<br>2 |", "MarkdownTable: left / a / 12"),
        ("One<br/>two\\\n~~three~~ <!-- no --> four", "Paragraph: Onetwo~three four"),
        ("<!-- not\nprinted -->\n\nWords", "Paragraph: Words"),
        (
            "A[^b] and[^a].\n[^a]: First\n[^b]: Second [x](http://a.org)\n\n## S\n\n"
            "| c[^d] |\n|---|\n\n> e[^a]\n\n[^d]: Third,\nlong\n## T",
            "Paragraph: A^1 and^2.\nFootnotes: 1 / Second x<http://a.org> / First\nHeading: 2 / S\n"
            "MarkdownTable: left / c^3\nAside: \nFootnotes: 3 / Third, long\nHeading: 2 / T",
        ),
        ("\\[^1] and \\[a](b)", "Paragraph: [^1] and [a](b)"),
    ],
)
def test_what_people_write_is_read(text: str, expected: str) -> None:
    assert "\n".join(told(read(text, Place("x")).blocks)) == expected


def test_a_note_ends_its_section() -> None:
    (page,) = set_pages("## A\n\nOne[^1] two.\n\n[^1]: Below.\n\nLast.\n\n## B\n\nEnd.")[1:]
    (size,) = {size for word, _, _, size in words_of(page) if word == "two."}
    assert [word for word, *_ in words_of(page)][:8] == ["A", "One", "1", "two.", "Last.", "1", "Below.", "B"]
    assert all(small < size for word, _, _, small in words_of(page) if word in ("1", "Below."))


def png_of(width: int, height: int, **options: tuple[float, float]) -> str:
    stream = io.BytesIO()
    Image.new("L", (width, height)).save(stream, "PNG", **options)
    return f"data:image/png;base64,{b64encode(stream.getvalue()).decode()}"


def svg_of(frame: str) -> str:
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" {frame}/>'
    return f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"


COLUMN = HALF_LETTER.width - 2 * SIDE


@pytest.mark.parametrize(
    ("uri", "width", "height"),
    [
        (svg_of('width="30mm" height="20mm" viewBox="0 0 300 200"'), 30.0, 20.0),
        (svg_of('width="600" height="400" viewBox="0 0 60 40"'), 60.0, 40.0),
        (svg_of('viewBox="0 0 1000 500"'), COLUMN, COLUMN / 2),
        (svg_of('viewBox="0 0 20 600"'), None, 0.62 * (FOOT - 8 - SIDE)),
        (png_of(300, 150, dpi=(300, 300)), 25.4, 12.7),
        (png_of(300, 150, dpi=(72, 72)), 50.8, 25.4),
        (png_of(300, 150), 50.8, 25.4),
        (png_of(3000, 600), COLUMN, COLUMN / 5),
    ],
)
def test_a_picture_is_as_large_as_it_says(uri: str, width: float | None, height: float) -> None:
    """At most as wide as the column, and never coarser than 150 dpi."""
    game, drawn_faces = talavera()
    design = replace(rules("![](map.svg)"), icons={"map.svg": Art("map.svg", uri)})
    page = booklet.pages(game, design, drawn_faces, HALF_LETTER, 6.35)[1]
    (image,) = etree.fromstring(page.layers[-1].layer.svg.encode()).iter("{*}image")
    assert float(image.get("height")) == pytest.approx(height, abs=0.1)
    assert width is None or float(image.get("width")) == pytest.approx(width, abs=0.1)


def feet(text: str) -> list[list[tuple[str, float, float, float]]]:
    """What stands at the foot of each page but the title page, from left to right."""
    low = ([word for word in words_of(face) if word[2] > FOOT - 2.0] for face in set_pages(text)[1:])
    return [sorted(words, key=lambda word: word[1]) for words in low]


def test_a_long_section_is_shortened_at_the_foot() -> None:
    words = [f"word{n}" for n in range(40)]
    left, right = feet(f"## {' '.join(words)}\n\nA line.\n\n---\n\nA line.\n")
    number, *shown, dots = (word for word, *_ in left)
    assert (number, dots) == ("2", "…")
    assert shown == words[: len(shown)]
    assert 8 < len(shown) < 18  # as many as the line holds
    assert [word for word, *_ in right] == [*shown, "…", "3"]


def test_the_foot_names_the_section_of_the_first_block() -> None:
    text = "One.\n\n## Two\n\n2.\n\n---\n\n3.\n\n## Four\n\n4.\n\n---\n\n## Five\n\n5.\n"
    names = [{word for word, *_ in words if not word.isdecimal()} for words in feet(text)]
    assert names == [{"Talavera"}, {"Two"}, {"Five"}]


def test_a_section_ends_before_the_number_of_its_page() -> None:
    font = FontBook([HOUSE_FONTS]).find(HOUSE_FAMILY)
    for count in range(30, 70):
        (_, *_, last, number) = feet(f"## {'a ' * count}\n\nA\n\n---\n\nB\n")[1]
        word, x, _, size = last
        assert x + font.width(word, size) < number[1] - 1.0, count


def test_a_foot_says_what_the_title_font_alone_can(tmp_path: Path) -> None:
    """The title's letters, and numbers, in a font that has no others."""
    shutil.copytree(TESTS / "bad_specs" / "_tiny", tmp_path / "tiny")
    shutil.copytree(TESTS / "fonts" / "noto-sans-thai", tmp_path / "tiny" / "fonts")
    spec = tmp_path / "tiny" / "game.toml"
    fonts = 'title_font = "Noto Sans Thai"\ntext_font = "Alegreya Sans"'
    spec.write_text(spec.read_text("utf-8") + f"\n[booklet]\n{fonts}\n", "utf-8")
    (tmp_path / "tiny" / "rules.md").write_text("## ภาษาไทย\n\nWords.\n", "utf-8")
    loaded = pipeline.read(str(tmp_path / "tiny"))
    game = loaded.game
    assert game.booklet is not None
    faces = booklet.pages(game, game.booklet, draw(loaded, silent), HALF_LETTER, 6.35)
    assert "ภาษาไทย" in "".join(drawn(faces[1]).itertext())


def test_a_figure_that_cannot_shrink_goes_to_the_next_page() -> None:
    """Its letters have one size, so that it may need more room than is left."""

    def lower(height: float) -> PageBlock:
        raise MisfitError(f"{height} mm is too low")

    figure = PageBlock(60.0, lower=lower)
    first, second = paginate([PageBlock(50.0), figure], 100.0)
    assert [block.height for _, block in first.placed] == [50.0]
    assert [block.height for _, block in second.placed] == [60.0]
