"""Glyphs of the runs of a text, in the places where the press's engine puts them.

The steps, with their peculiarities, are those of the engine (usvg in typst 0.15): see `Cluster`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from unicodedata import category, east_asian_width
from unicodedata import name as name_of

from msgspec import Struct

from generator.art.measure import Bend
from generator.art.texts import LetterStyle, Run, Stretch, chunks
from generator.basics.geometry import IDENTITY, ORIGIN, Affine, Point, translation, turning
from generator.text import Font
from generator.text.bidi import levels, order
from generator.text.fonts import Glyph, glyphs, metric

_JOINED = (  # scripts without letter spacing
    "ARABIC", "SYRIAC", "NKO", "MANICHAEAN", "PSALTER", "MANDAIC", "MONGOLIAN", "PHAGS-PA",
    "DEVANAGARI", "BENGALI", "GURMUKHI", "MODI", "SHARADA", "SYLOTI", "TIRHUTA", "OGHAM",
)  # fmt: skip
_VERTICAL = ("tb", "tb-rl", "vertical-rl", "vertical-lr")
_WORD_ENDS = " \u00a0\u1361\U00010100\U00010101\U0001039f\U0001091f"
_ALIGNED = {  # how far a baseline is lowered, by the ascent, the descent and the x-height
    "before-edge": (1.0, 0.0, 0.0),
    "text-before-edge": (1.0, 0.0, 0.0),
    "text-top": (1.0, 0.0, 0.0),
    "middle": (0.0, 0.0, 0.5),
    "central": (0.5, -0.5, 0.0),
    "after-edge": (0.0, -1.0, 0.0),
    "text-after-edge": (0.0, -1.0, 0.0),
    "text-bottom": (0.0, -1.0, 0.0),
    "ideographic": (0.0, -1.0, 0.0),
    "hanging": (0.8, 0.0, 0.0),
    "mathematical": (0.5, 0.0, 0.0),
}


class Cluster(Struct):
    """The glyphs of a letter with its marks. `place` maps its origin to its place in the text;
    `given` are the values of dx, dy and rotate for it.

    Its glyphs stand side by side. The engine, where it sets the text, takes it to be as wide as its
    widest glyph, so that Indic letters overlap.
    """

    character: str
    run: Run
    given: Mapping[str, float]
    glyphs: tuple[Glyph, ...]
    advance: float
    place: Affine = IDENTITY

    def each(self) -> Iterator[tuple[int, Affine]]:
        """Each glyph, and the map from ems to its place."""
        x, size = 0.0, self.run.look.size
        scale = Affine(a=size, d=size)
        for glyph in self.glyphs:
            yield glyph.id, self.place @ scale @ translation(x + glyph.x, glyph.y)
            x += glyph.advance


def set_runs(runs: Iterable[Run]) -> list[Cluster]:
    """The clusters of a text, each in its place."""
    placed: list[Cluster] = []
    pen = ORIGIN
    for chunk in chunks(runs):
        clusters = list(_clusters(chunk))
        _space(clusters)
        _stretch(clusters)
        first = chunk[0]
        if first.path is not None:
            pen = _along(clusters, first, first.path)
        else:
            start = Point(first.given.get("x", pen.x), first.given.get("y", pen.y))
            pen = _in_line(clusters, first.look, start)
        placed += clusters
    return placed


def _clusters(chunk: Sequence[Run]) -> Iterator[Cluster]:
    text = "".join(run.characters for run in chunk)
    owners = [run for run in chunk for _ in run.characters]
    embedding = levels(text, 0)
    visual = order(embedding)
    for level, stretch in groupby(visual, lambda at: embedding[at]):
        places = list(stretch)
        start, end = min(places), max(places) + 1
        shaped = sorted(
            _shape(text[start:end], owners[start:end], rtl=bool(level % 2)),
            key=lambda glyph: -glyph.at if level % 2 else glyph.at,
        )
        for index, group in groupby(shaped, lambda glyph: glyph.at):
            at = start + index
            own, run = tuple(group), owners[at]
            width = sum(glyph.advance for glyph in own)
            given = {} if at and owners[at - 1] is run else run.given
            yield Cluster(text[at], run, given, own, width * run.look.size)


def _shape(text: str, owners: Sequence[Run], *, rtl: bool) -> Iterator[Glyph]:
    """The glyphs of a text, which is shaped in each of its fonts; each letter uses its own font."""
    for way, run in {_way(run): run for run in owners}.items():
        for glyph in glyphs(run.font, text, rtl=rtl, features=run.look.features):
            if _way(owners[glyph.at]) == way:
                yield glyph


def _way(run: Run) -> tuple[Font, bool, bool]:
    return run.font, run.look.has_small_caps, run.look.is_kerned


def _space(clusters: Sequence[Cluster]) -> None:
    for cluster in clusters:
        look = cluster.run.look
        is_joined = name_of(cluster.character, "").startswith(_JOINED)
        if cluster is not clusters[-1] and not is_joined:
            cluster.advance = max(cluster.advance + look.spacing, 0.0)
        if cluster.character in _WORD_ENDS:
            cluster.advance += look.word_spacing


def _stretch(clusters: Sequence[Cluster]) -> None:
    stretches = dict.fromkeys(cluster.run.stretch for cluster in clusters)
    for stretch in filter(None, stretches):
        own = [cluster for cluster in clusters if cluster.run.stretch is stretch]
        _stretch_to(stretch, own)


def _stretch_to(stretch: Stretch, clusters: Sequence[Cluster]) -> None:
    width = sum(cluster.advance for cluster in clusters)
    if stretch.is_of_glyphs:
        factor = stretch.length / width if width else 1.0
        for cluster in clusters:
            cluster.advance *= factor
            cluster.place = cluster.place @ Affine(a=factor)
    elif len(clusters) > 1:
        for cluster in clusters:
            cluster.advance += (stretch.length - width) / (len(clusters) - 1)


def _in_line(clusters: Sequence[Cluster], look: LetterStyle, start: Point) -> Point:
    """Puts clusters on a line, and returns its end."""
    is_vertical = look.mode in _VERTICAL
    turn = turning(90.0, start) if is_vertical else IDENTITY
    x, y = _anchor_offset(clusters, look), 0.0
    for cluster in clusters:
        given = cluster.given
        x, y = x + given.get("dx", 0.0), y + given.get("dy", 0.0)
        down = _baseline_offset(cluster.run)
        if is_vertical:
            cluster.place = _upright(cluster) @ cluster.place
        place = turn @ translation(start.x + x, start.y + y + down)
        cluster.place = place @ turning(given.get("rotate", 0.0), ORIGIN) @ cluster.place
        x += cluster.advance
    return Point(start.x, start.y + x) if is_vertical else Point(start.x + x, start.y + y)


def _upright(cluster: Cluster) -> Affine:
    """The map by which the engine centres a letter on a vertical line, or turns it upright."""
    look, font = cluster.run.look, cluster.run.font
    if not _stays_upright(cluster.character):
        return translation(0.0, (font.ascent - font.descent) / 2 * look.size)
    half = cluster.advance / 2
    down = cluster.advance - (font.ascent + font.descent) * look.size
    return translation(half, 0.0) @ turning(-90.0, ORIGIN) @ translation(-half, -down)


def _stays_upright(character: str) -> bool:
    """Whether a letter is upright by UAX 50: those of East Asia, except small kana."""
    is_letter = category(character) == "Lo" and "SMALL LETTER" not in name_of(character, "")
    return is_letter and east_asian_width(character) == "W"


def _along(clusters: list[Cluster], first: Run, bend: Bend) -> Point:
    """Puts clusters on a path, without those beyond its ends, and returns the end of the text."""
    along = bend.offset + _anchor_offset(clusters, first.look) + first.given.get("x", 0.0)
    across, kept = 0.0, []
    pen = ORIGIN
    for cluster in clusters:
        given = cluster.given
        along, across = along + given.get("dx", 0.0), across + given.get("dy", 0.0)
        half = cluster.advance / 2
        middle = bend.at(along + half)
        along += cluster.advance
        if middle is None:
            continue
        down = across + _baseline_offset(cluster.run)
        place = middle @ translation(-half, down)
        cluster.place = place @ turning(given.get("rotate", 0.0), ORIGIN) @ cluster.place
        pen = middle.apply(Point(half, 0.0))
        kept.append(cluster)
    clusters[:] = kept
    return pen


def _anchor_offset(clusters: Iterable[Cluster], look: LetterStyle) -> float:
    width = sum(cluster.advance for cluster in clusters)
    return {"middle": -width / 2, "end": -width}.get(look.anchor, 0.0)


def _baseline_offset(run: Run) -> float:
    """The distance of letters below their line, in user units."""
    look, font = run.look, run.font
    baseline = look.dominant if look.aligned in ("auto", "baseline") else look.aligned
    ascent, descent, x_height = _ALIGNED.get(baseline, (0.0, 0.0, 0.0))
    shift = ascent * font.ascent + descent * font.descent
    if x_height:
        shift += x_height * metric(font, "x-height")
    return shift * look.size - look.raised
