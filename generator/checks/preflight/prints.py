"""Faces as they will print, and the flaws of each: thin lines, coarse pictures, too much ink, and text that is hard to
read.

Only the file's text counts, with its size and ink after all scaling, not letters that are drawn as shapes or are part
of a picture. Also words that ask for bold or italic, where their family has none.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import ceil, inf, log2, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from generator.basics.colours import LEAST_CONTRAST
from generator.basics.errors import Level, Place, Problem, list_names, quote
from generator.basics.geometry import Rect
from generator.basics.shapes import Outline, pierced, rounded
from generator.checks.preflight import eyes
from generator.model import LEAFLETS, Component, Face, FaceKey, Game, LackingWords, Side
from generator.model.face import Ink, PageContents, PrintedWord

_PITCH = 0.5  # mm: finer than a symbol, coarser than the grain of a print
_MOST_PIXELS = 3e6
_REDUCED = 2.0  # pixels of a picture made smaller in whole steps, for an eighth of the precision

Bytes = NDArray[np.uint8]
THINNEST = 0.1  # mm, 0.28 pt: print shops ask for 0.25 pt; thinner lines break up
COARSEST = 300.0  # dpi, which print shops ask for
_HAIR = 0.001  # mm
_NEARLY = 0.99  # of the resolution: a picture is a whole number of pixels
MOST_INK = 1.5  # solid layers: half as much again as a solid black piece
FLOOR = 6.0  # pt, the least that print shops accept
PREFERRED = 7.0  # pt, legible on a card held in the hand
_HAIR_PT = 0.05
LARGE_CONTRAST = 3.0  # WCAG 2.2, success criterion 1.4.3
LARGE = 18.0  # pt
_NEAR = 0.12  # mm: the soft edge of letters
_AROUND = 0.4  # mm: the ground beside them
_FAINT = 0.6  # of an ink: even a thin stroke shows more
_NAMED = 3  # words that a finding lists
Numbers = NDArray[np.float64]
Packed = NDArray[np.uint32]  # pixels, of red, green, blue and a byte without meaning
STYLE = "font.style"  # the kind of a finding
_HINT = "put that font into fonts/, choose another family, or leave the text plain"
_Groups = dict[tuple[str, Side, str, str], dict[LackingWords, dict[str, None]]]


class FaceLook(Struct, frozen=True):
    """A face as it will print: the pixels (high, wide, 4) of its whole bleed box, as red, green,
    blue and a byte without meaning, and the contents of its piece."""

    pixels: Bytes
    contents: PageContents


class ShopLimits(Struct, frozen=True):
    """The limits that a print shop sets for faces: bleed and safe zone in mm, the resolution of pictures in dpi,
    and the most ink at a point in percent of a solid layer, if it states that. Its files keep to that limit if they
    are in inks."""

    title: str
    bleed: float
    safe: float
    dpi: int
    ink: int | None
    is_in_inks: bool = False


class Print(Struct, frozen=True, dict=True):
    """One side of a component as it will print.

    `component` is seen from that side. `drift` (mm): how far the cut may be off. `count`: the
    number of its faces. `limits` are those of the shop that prints it, if one does.
    """

    component: Component
    side: Side
    drift: float
    count: int
    limits: ShopLimits | None = None

    @property
    def key(self) -> Hashable:
        """All that the inspection of one face depends on."""
        component = self.component
        shape = component.shape, component.corner_radius, component.bleed, component.safe
        return self.side, self.drift, self.pitch, self.limits, *shape

    @cached_property
    def cut(self) -> Outline:
        return rounded(self.component.outline, self.component.corner_radius)

    def scale(self, look: FaceLook) -> float:
        """Pixels per millimetre."""
        wide: int = look.pixels.shape[1]
        return wide / self._width

    @cached_property
    def _width(self) -> float:
        width, _ = self.component.bleed_size
        return width

    def part(self, look: FaceLook, box: Rect) -> tuple[slice, slice]:
        """The rows and the columns of a face within a box (mm), clipped to the picture."""
        x0, y0, x1, y1 = self._pixels(look, box)
        return slice(y0, y1), slice(x0, x1)

    def _pixels(self, look: FaceLook, box: Rect) -> tuple[int, int, int, int]:
        high, wide, _ = look.pixels.shape
        scale = wide / self._width
        left, top = max(round(box.x0 * scale), 0), max(round(box.y0 * scale), 0)
        right, bottom = min(round(box.x1 * scale), wide), min(round(box.y1 * scale), high)
        return left, top, max(right, left), max(bottom, top)

    @cached_property
    def pitch(self) -> float:
        """The distance of pixels for comparing areas (mm); larger if there are very many faces.

        Their number counts in powers of two, so that one more face rarely changes it.
        """
        width, height = self.component.size
        count = 2 ** ceil(log2(max(self.count, 1)))
        return max(_PITCH, sqrt(width * height * count / _MOST_PIXELS))

    def piece(self, look: FaceLook) -> Bytes:
        """The pixels within the cut of a face (pixels, 3), each the mean of its area."""
        high, wide, _ = look.pixels.shape
        image = Image.frombuffer("RGBX", (wide, high), look.pixels, "raw", "RGBX", 0, 1)
        box = self._pixels(look, self.component.trim)
        size, cells = self._cells
        small = image.resize(size, Image.Resampling.BOX, box, _REDUCED)
        return np.asarray(small).reshape(-1, 4).take(cells, axis=0)[:, :3]

    @cached_property
    def _cells(self) -> tuple[tuple[int, int], NDArray[np.intp]]:
        """The size of a picture with one pixel for each pitch, and the numbers of its pixels within the cut."""
        width, height = self.component.size
        wide, high = max(round(width / self.pitch), 1), max(round(height / self.pitch), 1)
        return (wide, high), np.flatnonzero(np.asarray(self._mask(wide, high)))

    def _mask(self, wide: int, high: int) -> Image.Image:
        trim, mask = self.component.trim, Image.new("1", (wide, high))
        across, down = wide / trim.width, high / trim.height
        cut = pierced(self.cut, self.component.holes)
        corners = [((x - trim.x0) * across, (y - trim.y0) * down) for x, y in cut]
        ImageDraw.Draw(mask).polygon(corners, fill=1)
        return mask


class Flaw(Struct, frozen=True):
    """A flaw of a face, or of some faces together.

    `pieces` have it; a flaw of one face gets them later. Of all flaws of one kind on one side, the
    finding describes the one with the least `measure`.
    found: the measure as a bound: "at least 6.5 pt", "at most 160 %".
    """

    kind: str
    measure: float
    what: str
    hint: str
    found: str
    level: Level = "warning"
    pieces: tuple[str, ...] = ()


def mm(length: float) -> str:
    return f"{round(length, 1) or 0.0:g}"


def badly_inked(look: FaceLook, piece: Bytes) -> Iterator[Flaw]:
    """Thin lines, coarse pictures and too much ink on a face; `piece` has its pixels (n, 3)."""
    yield from _thin(look)
    yield from coarse(look, "image.coarse", COARSEST, " when printed")
    yield from _find_soaked(piece)


def _thin(look: FaceLook) -> Iterator[Flaw]:
    width = min(look.contents.lines, default=THINNEST)
    if width < THINNEST - _HAIR:
        hint = f"at least {THINNEST:g}mm, and light on dark twice that: thinner lines break up"
        what, figures = f"a line {width:.2g} mm wide", f"at least {width:.3f} mm"
        yield Flaw("line.thin", width, what, hint, figures)


def coarse(look: FaceLook, kind: str, least: float, clause: str) -> Iterator[Flaw]:
    """A picture with fewer pixels than so many dpi; the clause says why that is too few."""
    dpi = min(look.contents.pictures, default=least)
    if dpi < least * _NEARLY:
        hint = f"at least {least:g} dpi: use a picture with more pixels, or SVG"
        yield Flaw(kind, dpi, f"a picture has {dpi:.0f} dpi{clause}", hint, f"at least {dpi:.0f} dpi")


def _find_soaked(pixels: Bytes) -> Iterator[Flaw]:
    ink = ink_of(pixels)
    if ink > MOST_INK:
        hint = "use a lighter ground or a pattern: much ink curls paper and empties cartridges"
        what = f"it takes {ink:.0%} of the ink of a solid black piece"
        yield Flaw("ink.much", -ink, what, hint, f"at most {100 * ink:.0f} %")


def ink_of(pixels: Bytes) -> float:
    """The mean ink of (n, 3) pixels in solid layers of cyan, magenta, yellow and black, 0 to 2.

    Black replaces the part that all three share, as in drivers of home printers. Drivers limit
    the ink at a point (240 % at print shops), but not the sum. The test pages for the yield of
    cartridges (ISO/IEC 24712) have a fifth of a layer.
    """
    if not len(pixels):
        return 0.0
    red, green, blue = pixels.T
    lightest = np.maximum(np.maximum(red, green), blue)  # it needs the least ink
    light = int(pixels.sum()) - 2 * int(lightest.sum())
    return 1 - light / (255 * len(pixels))


def hard_to_read(prints: Print, look: FaceLook) -> Iterator[Flaw]:
    """Small and faint text on a face."""
    trim = prints.component.trim
    boxed = [(word, word.box) for word in look.contents.words]
    placed = [(word, box) for word, box in boxed if _is_on(box, trim)]
    yield from _small([word for word, _ in placed])
    yield from _faint(prints, look, placed)


def _is_on(box: Rect, trim: Rect) -> bool:
    is_beside = max(box.x0, trim.x0) >= min(box.x1, trim.x1)
    return not is_beside and max(box.y0, trim.y0) < min(box.y1, trim.y1)


def _small(words: Sequence[PrintedWord]) -> Iterator[Flaw]:
    tiny = [word for word in words if word.size < FLOOR - _HAIR_PT]
    small = [word for word in words if FLOOR - _HAIR_PT <= word.size < PREFERRED - _HAIR_PT]
    if tiny:
        hint = f"at least {FLOOR:g} pt, better {PREFERRED:g}: smaller letters run together"
        size = min(word.size for word in tiny)
        texts = (_describe_size(tiny, size), hint, _at_least(size))
        yield Flaw("text.tiny", size, *texts, "error")
    if small:
        hint = f"better {PREFERRED:g} pt; if it may be smaller, as a corner index, [[accept]] it"
        size = min(word.size for word in small)
        yield Flaw("text.small", size, _describe_size(small, size), hint, _at_least(size))


def _describe_size(words: Sequence[PrintedWord], size: float) -> str:
    return f"{_list_words([word.text for word in words])} at {size:.3g} pt"


def _at_least(size: float) -> str:
    return f"at least {round(size, 2):g} pt"


def _faint(prints: Print, look: FaceLook, words: Sequence[tuple[PrintedWord, Rect]]) -> Iterator[Flaw]:
    faint: list[tuple[float, PrintedWord, str]] = []
    margin = max(round((_AROUND - _NEAR) * prints.scale(look)), 1)
    packed = look.pixels.view(np.uint32)[..., 0]
    for word, box in words:
        part = prints.part(look, box.grown(_AROUND))
        pixels = packed[part]
        if min(pixels.shape) <= 2 * margin:
            continue  # nearly all of it is cut away
        enough = LARGE_CONTRAST if word.size >= LARGE else LEAST_CONTRAST
        if _is_plain(pixels, margin, word.ink, enough):
            continue
        pairs = _inks_and_grounds(look.pixels[part], margin, word.ink)
        ratio, colours = _contrast(pairs, enough)
        if ratio < enough:
            faint.append((ratio, word, colours))
    if faint:
        ratio, _, colours = min(faint, key=lambda pair: pair[0])
        words_list = _list_words([word.text for _, word, _ in faint])
        what = f"{words_list} with a contrast of {ratio:.1f} to the ground ({colours})"
        hint = f"at least {LEAST_CONTRAST:g}, or {LARGE_CONTRAST:g} from {LARGE:g} pt on (WCAG)"
        yield Flaw("text.contrast", ratio, what, hint, f"at least {ratio:.1f}")


def _contrast(pairs: Iterable[tuple[eyes.Rgb, eyes.Rgb]], enough: float) -> tuple[float, str]:
    """The best contrast of some pairs, or the first that is enough, and its colours; inf without pairs."""
    best = (inf, "")
    for pair in pairs:
        ratio = eyes.contrast(*pair)
        if best[0] == inf or ratio > best[0]:
            best = (ratio, " on ".join(map(eyes.format_colour, pair)))
        if ratio >= enough:
            break
    return best


def _is_plain(pixels: Packed, margin: int, ink: Ink, enough: float) -> bool:
    """Whether some letters show their whole ink on an even ground of enough contrast: what the
    first of `_inks_and_grounds` finds, in a tenth of the time."""
    if ink.alpha < 255:
        return False
    ground, inner = pixels[0, 0], slice(margin, -margin)
    is_ground, within = pixels == ground, pixels[inner, inner]
    of_ground = np.count_nonzero(is_ground) - np.count_nonzero(is_ground[inner, inner])
    if 2 * of_ground <= pixels.size - within.size:
        return False
    if not np.count_nonzero(within == _pack(ink)):
        return False
    return eyes.contrast(ink[:3], _unpack(int(ground))) >= enough


@lru_cache(1024)
def _pack(ink: Ink) -> np.uint32:
    """An opaque ink as a pixel."""
    return np.uint32(np.frombuffer(bytes(ink), np.uint32)[0])


@lru_cache(1024)
def _unpack(pixel: int) -> eyes.Rgb:
    """The colour of a pixel."""
    red, green, blue, _ = np.array([pixel], np.uint32).view(np.uint8).tolist()
    return red, green, blue


def _inks_and_grounds(picture: Bytes, margin: int, letters: Ink) -> Iterator[tuple[eyes.Rgb, eyes.Rgb]]:
    """Pairs of ink and ground. The ground is the median colour beside the word, or that of its box
    without its ink (a halo). The ink is the file's, or paler if the picture shows it so."""
    pixels = np.asarray(picture[..., :3], float)
    is_within = np.zeros(pixels.shape[:2], bool)
    is_within[margin:-margin, margin:-margin] = True
    within, beside = pixels[is_within], pixels[~is_within]
    opaque, alpha = np.array(letters[:3], float), letters.alpha / 255
    for is_halo in (False, True):
        ground = _unlike(within, opaque) if is_halo else np.median(beside, axis=0)
        ink = ground + (opaque - ground) * alpha
        share = _share_seen(within, ink, ground)
        yield _rgb(ground + (ink - ground) * share), _rgb(ground)


def _unlike(pixels: Numbers, ink: Numbers) -> Numbers:
    """The median of the half of the pixels (n, 3) that differ most from an ink."""
    order = np.linalg.norm(pixels - ink, axis=1).argsort(kind="stable")
    median: Numbers = np.median(pixels[order[len(order) // 2 :]], axis=0)
    return median


def _share_seen(pixels: Numbers, ink: Numbers, ground: Numbers) -> float:
    """How near pixels (n, 3) come to the ink, from 0 (ground) to 1; 1 if as near as letters do."""
    way = ink - ground
    length = float(way @ way)
    if not length or not len(pixels):
        return 1.0
    most = float(((pixels - ground) @ way).max()) / length
    return 1.0 if most >= _FAINT else max(most, 0.0)


def _rgb(colour: Numbers) -> eyes.Rgb:
    red, green, blue = (round(float(part)) for part in colour.clip(0, 255))
    return red, green, blue


def _list_words(words: Sequence[str]) -> str:
    """Words as a list: "‘Hands’, ‘first’ and 4 more words"."""
    distinct = list(dict.fromkeys(words))
    shown = [f"‘{word if len(word) <= 20 else word[:19] + '…'}’" for word in distinct]
    rest = len(shown) - _NAMED
    return list_names(shown if rest <= 1 else [*shown[:_NAMED], f"{rest} more words"])


def styles_lacking(game: Game, faces: Mapping[FaceKey, Face]) -> Iterator[Problem]:
    """A warning for each style that a family lacks, for each side of each component and for the
    rules, with the first words that ask for it and the number of the others."""
    groups: _Groups = {}
    for (component, piece, side), face in faces.items():
        for words in (words for placed in face.layers for words in placed.layer.lacking):
            key = component, side, words.family, words.style
            groups.setdefault(key, {}).setdefault(words, {})[piece] = None
    components = {component.id: component for component in game.components}
    for (part, side, family, style), group in groups.items():
        first = next(iter(group))
        more = f", and {len(group) - 1} more" if len(group) > 1 else ""
        place = game.booklet.place if game.booklet else Place(game.name)
        on: tuple[str, ...] = ()
        if part not in LEAFLETS:
            place = components[part].find_place(side)
            on = tuple(dict.fromkeys(f"{part}/{lacking}" for ones in group.values() for lacking in ones))
        what = f"{quote(first.words)}{more}: {family} has no {style}, so it is printed without"
        yield Problem(place, what, _HINT, "warning", STYLE, on, f"{family}: {style}")
