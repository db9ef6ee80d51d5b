"""Faces of pieces: layers, with their art and their words; faces placed on paper.

Also what is read back from a finished page, in mm from its top left, y down.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple, Self

from msgspec import Struct, field, msgpack
from msgspec.structs import replace

from generator.basics.geometry import IDENTITY, Affine, Point, Rect, Size, decimal, quarter_turns, translation
from generator.basics.phrases import Phrases, read_phrases
from generator.basics.shapes import Outline, box_of, carried, common, grown, pierced, rounded

Side = Literal["front", "back"]
FaceKey = tuple[str, str, Side]  # component, piece, side
SIDES: tuple[Side, Side] = ("front", "back")
Turn = Literal[0, 90, 180, 270]
HALF_TURN = 180
_LONGEST_PACKED = 64 * 1024  # characters; longer texts hold photographs, which are packed already
WORDS_MARK = "pnp-words"  # with a number: the instruction in the art where these words are
_MARK = re.compile(rf"<\?{WORDS_MARK} (\d+)\?>")
_AT_THE_CUT = 0.5  # mm: layers of a bleed overlap the piece by less
Flip = Literal["long", "short"]  # the edge on which a sheet printed on both sides turns

# the kinds of marks beside the art, each a separate layer in the file
Mark = Literal["cut", "corner", "outline", "fold", "register", "frame", "cutter", "slug"]

# how fronts get their backs: the printer turns the sheet on its long or short edge, the sheet is
# folded, not at all, or a hand turns the stack for a file of backs
Way = Literal["long", "short", "fold", "single", "separate-long", "separate-short"]
# the edge that sheets turn on; without one, only one side of the paper is printed
FLIPS: dict[Way, Flip] = {"long": "long", "short": "short", "separate-long": "long", "separate-short": "short"}
SEPARATE: tuple[Way, ...] = ("separate-long", "separate-short")
Orientation = Literal["auto", "portrait", "landscape"]

# neighbours touch, have a gutter for all bleeds, have the gap that was asked for, touch at corners,
# lie in squares that touch, lie where the template of a cutting machine has them
Cut = Literal["shared", "double", "gap", "straight", "squares", "template"]
# what the mark of a form on the page of a proof begins with: one mark stands for one form
FORM_MARK = "ProofForm"


class LackingWords(Struct, frozen=True):
    """Words whose family does not have the style they ask for: "bold", "italic"."""

    words: str
    family: str
    style: str


class SetWords(Struct, frozen=True, array_like=True):
    """Words that are set: in one font and colour, their left end at a place on their baseline.

    Size and place are user units of the drawing, in steady numbers. `text` is in reading order.
    """

    text: str
    family: str
    weight: int
    is_italic: bool
    size: float
    colour: str
    x: float
    y: float

    @property
    def look(self) -> dict[str, str]:
        """The attributes of its letters in SVG; upright is the default."""
        slope = {"font-style": "italic"} if self.is_italic else {}
        return {
            "fill": self.colour,
            "font-family": self.family,
            "font-weight": str(self.weight),
            "font-size": decimal(self.size),
        } | slope


SetLine = tuple[SetWords, ...]  # on one baseline
_read_lines = msgpack.Decoder(tuple[SetLine, ...]).decode


class Layer(Struct, frozen=True):
    """A drawing whose user unit is the millimetre: art, which is SVG, and the words that we have
    set in it. It is typeset once and placed often.

    `name` is for error messages; `id` is a digest of all that it shows; `content` is `art`, and
    `words` are `lines` as MessagePack; both are packed in a deck that has many thousands. `lacking`
    are the words whose family lacks the style that they ask for. A layer of a page to read has a
    `role`: "H1" and "H2" for headings, "P", "Artifact" for what is not read out.
    """

    id: str
    name: str
    content: bytes | str
    size: Size
    lacking: tuple[LackingWords, ...] = ()
    words: bytes = b""
    role: str = ""

    @property
    def art(self) -> str:
        """The drawing without the words that we have set, as SVG: a mark is where a line is."""
        if isinstance(self.content, str):
            return self.content
        return zlib.decompress(self.content).decode()

    @property
    def lines(self) -> tuple[SetLine, ...]:
        """The lines of words that we have set, by the numbers of their marks."""
        if not self.words:
            return ()
        is_packed = isinstance(self.content, bytes)
        return _read_lines(zlib.decompress(self.words) if is_packed else self.words)

    @property
    def svg(self) -> str:
        """The whole drawing as SVG."""
        lines = self.lines
        return _MARK.sub(lambda mark: write_words(lines[int(mark[1])]), self.art)

    def packed(self) -> Self:
        """The layer with its art and words packed, unless that is long."""
        content = self.content
        if isinstance(content, bytes) or len(content) > _LONGEST_PACKED:
            return self
        return replace(
            self, content=zlib.compress(content.encode(), 1), words=self.words and zlib.compress(self.words, 1)
        )

    @classmethod
    def of(
        cls, name: str, art: str, size: Size, lacking: tuple[LackingWords, ...] = (), lines: Sequence[SetLine] = ()
    ) -> Self:
        """A layer whose id is a digest of its art and its lines."""
        words = msgpack.encode(lines) if lines else b""
        return cls(blake2b(art.encode() + words, digest_size=12).hexdigest(), name, art, size, lacking, words)


def write_words(line: SetLine) -> str:
    """A line of words as a <text> of SVG; attributes that they share are written once."""
    first, *rest = looks = [words.look for words in line]
    y = {"y": decimal(line[0].y)}
    if not rest:
        return _write_some("text", line[0], y | first)
    common = {k: v for k, v in first.items() if all(look.get(k) == v for look in rest)}
    spans = (
        _write_some("tspan", words, {k: v for k, v in look.items() if k not in common})
        for words, look in zip(line, looks, strict=True)
    )
    return _write_element("text", common | y, "".join(spans))


def _write_some(tag: str, words: SetWords, attributes: dict[str, str]) -> str:
    from html import escape  # a build needs none

    place, text = {"x": decimal(words.x)}, escape(words.text, quote=False)
    return _write_element(tag, place | attributes, text)


def _write_element(tag: str, attributes: Mapping[str, str], content: str) -> str:
    from html import escape

    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{content}</{tag}>"


class PlacedLayer(NamedTuple):
    """A layer with its top left corner at a point of a face, then moved by `motion`.

    Only the part within `clip` shows; all of it, if `clip` is None.
    """

    layer: Layer
    at: Point
    motion: Affine = IDENTITY
    clip: Outline | None = None

    @property
    def place(self) -> Affine:
        """Map the layer to the face."""
        return self.motion @ translation(*self.at)

    def carried(self, by: Affine) -> PlacedLayer:
        """The layer moved on its face, with its clip."""
        clip = self.clip and carried(self.clip, by)
        return self._replace(motion=by @ self.motion, clip=clip)

    def to_text(self) -> str:
        """A text of its content, in steady numbers: layers with equal texts look the same."""
        return f"{self.layer.id} {_write_frame(self.at, self.motion, self.clip)}"


@lru_cache  # the faces of a component have the same
def _write_frame(at: Point, motion: Affine, clip: Outline | None) -> str:
    """A text of the place and the clip of a layer."""
    place = (motion @ translation(*at)).to_text()
    corners = " ".join(decimal(length) for point in clip or () for length in point)
    return f"{place} {'all' if clip is None else corners}"


@lru_cache
def _reaches(clip: Outline, piece: Outline) -> bool:
    """Whether a clip reaches further into a piece than the overlap of a bleed."""
    return bool(common(clip, grown(piece, -_AT_THE_CUT)))


class Face(Struct, frozen=True):
    """One side of a piece: layers on its bleed box, the lowest first. Holes are cut out of it.

    turn: the degrees clockwise from how the face is read to how it lies on the piece.
    """

    id: str
    name: str
    layers: tuple[PlacedLayer, ...]
    size: Size
    outline: Outline  # of the cut piece
    corner_radius: float
    turn: Turn = 0
    holes: tuple[Outline, ...] = ()

    @classmethod
    def of(
        cls,
        placed_layers: Sequence[PlacedLayer],
        name: str,
        size: Size,
        outline: Outline,
        corner_radius: float = 0.0,
        turn: Turn = 0,
        holes: tuple[Outline, ...] = (),
    ) -> Self:
        """A face whose id is a digest of its layers."""
        id_ = blake2b("\n".join(placed.to_text() for placed in placed_layers).encode(), digest_size=12).hexdigest()
        return cls(id_, name, tuple(placed_layers), size, outline, corner_radius, turn, holes)

    def with_layers(self, layers: Sequence[PlacedLayer]) -> Face:
        """The face with other layers."""
        return Face.of(layers, self.name, self.size, self.outline, self.corner_radius, self.turn, self.holes)

    @property
    def upright(self) -> Face:
        """The face as it is read, for pictures of it alone."""
        if not self.turn:
            return self
        back = quarter_turns(self.size, -self.turn)
        size = self.size if self.turn == HALF_TURN else self.size.turned()
        layers = [placed.carried(back) for placed in self.layers]
        outline, holes = carried(self.outline, back), [carried(hole, back) for hole in self.holes]
        return Face.of(layers, self.name, size, outline, self.corner_radius, holes=tuple(holes))

    @property
    def trim(self) -> Rect:
        """The box around the cut piece."""
        return box_of(self.outline)

    @property
    def cut_out(self) -> tuple[PlacedLayer, ...]:
        """The layers without those that only make its bleed, such as mirrored edges."""
        return tuple(s for s in self.layers if s.clip is None or _reaches(s.clip, self.outline))

    @property
    def cut(self) -> Outline:
        """The outline with its corners rounded and with its holes, see `pierced`."""
        return pierced(rounded(self.outline, self.corner_radius), self.holes)


class BoardPanel(Struct, frozen=True):
    """A part of a piece that is larger than a sheet: its name ("A1"), and its box on the piece, in
    mm from the corner of the trim.

    The next panels cover what of its front is not `seen`; from behind, it covers what of them is
    not `seen_behind`. All boxes are as seen from the front.
    """

    name: str
    box: Rect
    seen: Rect
    seen_behind: Rect


class Tiling(Struct, frozen=True):
    """A piece of a size (mm) as panels. `lefts` and `tops` are where the columns and the rows begin on its front,
    the first at 0; `overlap` is how far each reaches beneath the next. `remedy` is what prints it whole."""

    size: Size
    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    overlap: float = 0.0
    remedy: str = ""

    @property
    def panels(self) -> tuple[BoardPanel, ...]:
        """Row by row; a row is a letter, a column a number."""
        columns = list(self._spans(self.lefts, self.size.width))
        rows = list(self._spans(self.tops, self.size.height))
        return tuple(
            BoardPanel(
                f"{chr(ord('A') + row)}{column}",
                Rect(x0, y0, x1, y1),
                Rect(x0, y0, right, foot),
                Rect(left, top, x1, y1),
            )
            for row, (y0, top, foot, y1) in enumerate(rows)
            for column, (x0, left, right, x1) in enumerate(columns, 1)
        )

    def _spans(self, starts: Sequence[float], end: float) -> Iterator[tuple[float, float, float, float]]:
        """Where each panel starts, where it is seen from behind, where the next starts, where it ends."""
        for number, start in enumerate(starts):
            hidden = self.overlap if number else 0.0
            is_last = number == len(starts) - 1
            following = end if is_last else starts[number + 1]
            yield start, start + hidden, following, end if is_last else following + self.overlap

    @property
    def names(self) -> str:
        """The first name and the last: "A1–B3"."""
        first, *_, last = self.panels
        return f"{first.name}–{last.name}"


class Placement(Struct, frozen=True):
    """A face on a page: `affine` maps it to the page; `clip`, on the page, is the area to ink.

    With a `panel`, only that part of the piece is cut.
    """

    face: str
    piece: str
    affine: Affine
    clip: Outline
    panel: BoardPanel | None = None


class MarkLine(Struct, frozen=True):
    """A mark on the page. `halo` is the width of the paper-white line beneath, 0 for none; a mark
    of `width` 0 is only that line.
    """

    start: Point
    end: Point
    width: float
    halo: float = 0.0
    kind: Mark = "slug"


class Label(Struct, frozen=True):
    """A line of text: `affine` maps the start of its baseline to the page; text runs in +x.

    What `is_pale` hardly shows.
    """

    text: str
    size: float
    affine: Affine
    bold: bool = False
    is_pale: bool = False


class Page(Struct, frozen=True):
    """One side of a sheet, with everything in its place. `trim` is the box around all pieces.

    `correction` (page to page) is applied to all content and cancels a printer's misprint of the
    back. `trim` and `bleed` already include it.
    """

    side: Side
    placements: tuple[Placement, ...]
    marks: tuple[MarkLine, ...]
    labels: tuple[Label, ...]
    trim: Rect
    bleed: Rect
    correction: Affine = IDENTITY


class Sheet(Struct, frozen=True):
    """One piece of paper: its front, and its back if `flip` is not None.

    `component` is "mixed" if the sheet has pieces of several components. `bleed` (mm) is that of the sheet, if it is
    narrower than the game's. `layout` names where its pieces lie, if a machine cuts them. `tiling` has the panels, if
    its pieces are parts of larger ones. `stock` names its paper, if that is not the usual one.
    """

    component: str
    title: str
    number: int
    total: int
    paper: Size
    flip: Flip | None
    pages: tuple[Page, ...]
    seats: int = 1  # pieces that it has room for
    cuts: Cut = "shared"
    bleed: float | None = None
    layout: str = ""
    tiling: Tiling | None = None
    stock: str = ""


class Imprint(Struct, frozen=True):
    """The metadata of a file."""

    title: str
    author: str
    subject: str
    phrases: Phrases = field(default_factory=read_phrases)


class Ink(NamedTuple):
    """A colour, each part 0 to 255; alpha 255 is opaque."""

    red: int
    green: int
    blue: int
    alpha: int


class FacePages(NamedTuple):
    """The pages of a proof that make one face, by their numbers from 0, the lowest first.

    `painted` one above the other are the face; `read` have the contents of the piece, without those of mirrored edges.
    """

    painted: tuple[int, ...]
    read: tuple[int, ...]


class PrintedWord(Struct, frozen=True):
    """Letters without a space between. `size` is that of the printed font in pt, after scaling."""

    text: str
    size: float
    ink: Ink
    letters: tuple[Rect, ...]

    @property
    def box(self) -> Rect:
        """The box around its letters."""
        return Rect.around(*self.letters)


class PageContents(Struct, frozen=True):
    """The contents of a page.

    `lines` are the different widths of its thin lines in mm. `pictures` are the different
    resolutions of its pixel images in dpi, the lesser of across and down.
    """

    words: tuple[PrintedWord, ...] = ()
    lines: tuple[float, ...] = ()
    pictures: tuple[float, ...] = ()

    @property
    def letters(self) -> tuple[Rect, ...]:
        """The boxes of all letters."""
        return tuple(letter for word in self.words for letter in word.letters)
