"""Text on faces as they will print that is hard to read.

Only the file's text counts, with its size and ink after all scaling, not letters that are drawn as
shapes or are part of a picture.

Also words that ask for bold or italic, where their family has none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from generator.basics.errors import Place, Problem, quote
from generator.basics.geometry import Rect
from generator.checks.preflight import eyes
from generator.checks.preflight.prints import Bytes, FaceLook, Flaw, Print
from generator.model import LEAFLETS, Face, FaceKey, Game, LackingWords, Side
from generator.model.face import Ink, PrintedWord

FLOOR = 6.0  # pt, the least that print shops accept
PREFERRED = 7.0  # pt, legible on a card held in the hand
_HAIR = 0.05  # pt
CONTRAST = 4.5  # WCAG 2.2, success criterion 1.4.3
LARGE_CONTRAST = 3.0  # the same, of large text
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
    tiny = [word for word in words if word.size < FLOOR - _HAIR]
    small = [word for word in words if FLOOR - _HAIR <= word.size < PREFERRED - _HAIR]
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
        enough = LARGE_CONTRAST if word.size >= LARGE else CONTRAST
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
        hint = f"at least {CONTRAST:g}, or {LARGE_CONTRAST:g} from {LARGE:g} pt on (WCAG)"
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
    """As in "‘Hands’, ‘first’ and 4 more words"."""
    distinct = list(dict.fromkeys(words))
    shown = [f"‘{word if len(word) <= 20 else word[:19] + '…'}’" for word in distinct]
    rest = len(shown) - _NAMED
    if rest <= 1:
        return " and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
    return f"{', '.join(shown[:_NAMED])} and {rest} more words"


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
