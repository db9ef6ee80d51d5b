"""What was set is what the finished file shows: every glyph in its place, in every script."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
import resvg_py
import uharfbuzz
from PIL import Image, ImageChops, ImageFilter, ImageStat

from generator.basics.geometry import Point, Rect, Size
from generator.faces.canvas import Canvas
from generator.model import Layer
from generator.text.flow import Flow
from generator.text.placing import TextLine, WordRun
from tests.support.printing import page_of
from tests.support.shown import shown_glyphs
from tests.text.specimen import FOLDERS, RULES, SIZE, WORDS, compositor, flow, style

SCRIPTS = sorted(WORDS)
PAGE = Size(100.0, 60.0)
CLOSE = 0.02  # mm
LEADING = 2.0
MM = 25.4 / 72
UNSEEN = dict.fromkeys(map(ord, "\u200e\u200f"))
ALIKE = 0.1  # of the ink: two engines smooth edges each in its way


def drawn(flow: Flow) -> Layer:
    canvas = Canvas(PAGE)
    canvas.flow(flow.lines)
    return canvas.layer("specimen")


def pdf(layer: Layer) -> bytes:
    return page_of(layer, FOLDERS)


def glyphs(content: bytes) -> list[Point]:
    """The origins of the glyphs of the first page, in mm from its top left corner; without blanks
    and marks of direction."""
    return [
        Point(glyph.at.x * MM, PAGE.height - glyph.at.y * MM)
        for glyph in shown_glyphs(content)
        if glyph.text.translate(UNSEEN).strip() or not glyph.text
    ]


def on(line: TextLine, found: list[Point]) -> list[float]:
    """Where along a line there are glyphs; lines stand far enough apart for any mark."""
    return sorted(p.x for p in found if abs(p.y - line.y) < LEADING * SIZE / 2)


def shaped(word: str, run: WordRun) -> Iterator[float]:
    """Where HarfBuzz puts the glyphs of a whole word, in mm from its left end."""
    face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(run.font.path)))
    buffer = uharfbuzz.Buffer()
    buffer.direction = "rtl" if run.is_rtl else "ltr"
    buffer.add_str(word)
    buffer.guess_segment_properties()
    uharfbuzz.shape(uharfbuzz.Font(face), buffer)
    x = 0
    for position in buffer.glyph_positions:
        yield (x + position.x_offset) * run.size / face.upem
        x += position.x_advance


@pytest.mark.parametrize("script", SCRIPTS)
def test_glyphs_stand_where_the_words_were_set(script: str) -> None:
    """A word a line, each as HarfBuzz shapes it in one piece; another shaper makes the file."""
    family, text = WORDS[script]
    words = text.split()
    set_ = flow("\n".join(words), 100, family=family, leading=LEADING)
    found = glyphs(pdf(drawn(set_)))
    assert len(set_.lines) == len(words)
    for line, word in zip(set_.lines, words, strict=True):
        left = min(run.x for run in line.runs)
        expected = [left + x for x in shaped(word, line.runs[0])]
        assert on(line, found) == pytest.approx(sorted(expected), abs=CLOSE), word


@pytest.mark.parametrize("script", SCRIPTS)
def test_runs_begin_where_they_were_set(script: str) -> None:
    """The words of a paragraph in justified lines, as they stand in the file."""
    family, text = WORDS[script]
    set_ = flow(text, 35, family=family, align="justified", leading=LEADING)
    found = glyphs(pdf(drawn(set_)))
    assert len(set_.lines) > 1
    for line in set_.lines:
        expected = [run.x + x for run in line.runs for x in shaped(run.text, run)]
        assert on(line, found) == pytest.approx(sorted(expected), abs=CLOSE)


@pytest.mark.parametrize("script", SCRIPTS)
def test_words_drawn_in_one_go_stand_where_each_was_set(script: str) -> None:
    family, text = WORDS[script]
    set_ = flow(text, 60, family=family, leading=LEADING)
    found = glyphs(pdf(drawn(set_)))
    for line in set_.lines:
        expected = [run.x + x for run in line.runs for x in shaped(run.text, run)]
        assert on(line, found) == pytest.approx(sorted(expected), abs=CLOSE)


def spans(line: TextLine) -> list[str]:
    return [run.text for run in line.stretches]


def test_words_of_one_look_are_drawn_in_one_go() -> None:
    (line,) = flow("Gain two **gold coins** at :ship: [one]{red} turn", 100).lines
    assert spans(line) == ["Gain two", "gold coins", "at", "one", "turn"]
    full = flow("Gain two and at once sail home", 20, align="justified").lines
    assert all(spans(line) == [run.text for run in line.runs] for line in full[:-1])


def test_words_that_kerning_joins_across_a_blank_are_drawn_apart() -> None:
    """The blank of this italic is narrower before and behind dots."""
    (line,) = flow("*so it is … or not*", 100, leading=LEADING).lines
    assert spans(line) == ["so it is", "…", "or not"]
    expected = [run.x + x for run in line.runs for x in shaped(run.text, run)]
    found = glyphs(pdf(drawn(Flow((line,), SIZE, SIZE))))
    assert on(line, found) == pytest.approx(sorted(expected), abs=CLOSE)


def test_a_colour_within_a_word_leaves_its_letters_joined() -> None:
    whole, parted = (flow(text, 60, family="Noto Naskh Arabic") for text in ("سفينة", "س[في]{red}نة"))
    assert len(parted.lines[0].runs) == 3
    found = on(parted.lines[0], glyphs(pdf(drawn(parted))))
    assert found == pytest.approx(on(whole.lines[0], glyphs(pdf(drawn(whole)))), abs=CLOSE)


@pytest.mark.parametrize("blank", "\u00a0\u202f\u2007")
def test_blanks_within_words_are_as_wide_as_they_were_set(blank: str) -> None:
    """Though the font has no glyph for the last two."""
    (run,) = (set_ := flow(f"10{blank}mm", 60)).lines[0].runs
    expected = [x + run.x for x in shaped(run.text, run)]
    del expected[2]
    assert on(set_.lines[0], glyphs(pdf(drawn(set_)))) == pytest.approx(expected, abs=CLOSE)


def ink(picture: Image.Image) -> Image.Image:
    """What is drawn, white on black, a little soft."""
    return ImageChops.invert(picture.convert("L")).filter(ImageFilter.GaussianBlur(1.5))


def by_typst(layer: Layer) -> Image.Image:
    picture: Image.Image = pypdfium2.PdfDocument(pdf(layer))[0].render(scale=200 / 72).to_pil()
    return picture


def by_resvg(layer: Layer) -> Image.Image:
    width, height = by_typst(layer).size
    png = resvg_py.svg_to_bytes(
        svg_string=layer.svg,
        width=width,
        height=height,
        dpi=96,
        background="white",
        skip_system_fonts=True,
        font_dirs=[str(path) for folder in FOLDERS for path in Path(folder).iterdir()],
    )
    return Image.open(io.BytesIO(bytes(png)))


def unlike(layer: Layer) -> float:
    """How much of the ink two engines do not agree on."""
    one, other = ink(by_typst(layer)), ink(by_resvg(layer))
    difference = ImageStat.Stat(ImageChops.difference(one, other)).mean[0]
    return float(difference / ImageStat.Stat(other).mean[0])


@pytest.mark.parametrize("script", SCRIPTS)
def test_another_engine_draws_the_same(script: str) -> None:
    family, text = WORDS[script]
    assert unlike(drawn(flow(text, 40, family=family))) < ALIKE


def test_another_engine_draws_the_same_rules() -> None:
    assert unlike(drawn(flow(RULES, 45, align="justified"))) < ALIKE


def test_words_in_one_part_are_drawn_as_they_are_shaped() -> None:
    """The engine overlaps these letters, which would be seen: why Font.parts is there."""
    canvas = Canvas(PAGE)
    family, text = WORDS["Devanagari"]
    run = flow(text, 60, family=family).lines[0].runs[0]
    canvas.write(text.split()[1], run.font, 12.0, Point(5.0, 30.0), "#000000")
    layer = canvas.layer("words")
    assert unlike(layer) < ALIKE
    by_the_engine = Layer.of("engine", layer.svg.replace(">", "><style/>", 1), layer.size)
    assert unlike(by_the_engine) > ALIKE


def test_full_stops_stay_at_the_end_of_words_that_run_left() -> None:
    """The run that holds one is drawn as a whole, its last sign at the left."""
    set_ = flow("שלום.", 60, family="Noto Sans Hebrew")
    (run,) = set_.lines[0].runs
    _, *letters = shaped(run.text, run)
    first, *rest = sorted(p.x for p in glyphs(pdf(drawn(set_))))
    assert first == pytest.approx(run.x, abs=CLOSE)
    assert rest == pytest.approx([run.x + x for x in letters], abs=CLOSE)


def test_text_stays_text() -> None:
    """Words can be found in the file, and copied out of it."""
    content = pdf(drawn(flow(RULES, 45)))
    text = pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()
    assert text.split()[:3] == ["Gain", "2", "at"]
    assert "".join(text.split()).endswith("token.Endoftheround.")


def test_size_of_the_drawing_is_that_of_the_flow() -> None:
    set_ = compositor().set("Hxg", Rect(10, 10, 50, 50), style(valign="middle"))
    canvas = Canvas(PAGE)
    canvas.flow(set_.lines)
    found = Image.eval(by_typst(canvas.layer("one")).convert("L"), lambda v: 255 - v).getbbox()
    assert found is not None
    (run,) = set_.lines[0].runs
    box = run.font.ink(run.text, SIZE)
    expected = (run.x + box.x0, run.y + box.y0, run.x + box.x1, run.y + box.y1)
    assert [v * 25.4 / 200 for v in found] == pytest.approx(expected, abs=2 * 25.4 / 200)


def test_who_sets_no_text_loads_nothing_of_it() -> None:
    loads = "import sys, generator.pipeline, generator.faces, generator.cli; "
    lists = "print([m for m in ('icu4py', 'pyphen', 'generator.text.flow') if m in sys.modules])"
    run = [sys.executable, "-c", loads + lists]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "[]\n"
