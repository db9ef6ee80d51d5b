"""The content of a game's page: values and addresses, before they are HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from generator.booklet.reading import Manuscript
from generator.web.shell import Accent, TypeFace


class ShownPicture(Struct, frozen=True):
    """A picture: its address from the page, its size in CSS pixels, and what it shows."""

    address: str
    width: int
    height: int
    alt: str


class Download(Struct, frozen=True):
    """A file to fetch: its address from the page, the name to save it as, its size in bytes, the
    SHA-256 digest of it."""

    title: str
    note: str
    address: str
    name: str
    size: int
    digest: str


class PaperRow(Struct, frozen=True):
    """A way to print on one paper. `pages` are those of a print dialog; `cuts` are straight lines
    to cut, on all sheets."""

    paper: str
    way: str
    sheets: int
    pages: int
    cuts: int
    pdf: Download


class ShownFace(Struct, frozen=True):
    """A face that `copies` pieces have."""

    picture: ShownPicture
    copies: int


class PartRow(Struct, frozen=True):
    """The pieces of a component: how many, their size in mm, and their different faces."""

    id: str
    title: str
    copies: int
    width: float
    height: float
    fronts: Sequence[ShownFace]
    backs: Sequence[ShownFace]
    is_folded: bool


class ShownFigure(Struct, frozen=True):
    """A figure of the rules with its caption."""

    picture: ShownPicture
    caption: str


class KitEntry(Struct, frozen=True):
    """A line of the kit's contents in the rules."""

    number: str
    title: str
    remark: str
    picture: ShownPicture | None


class Rules(Struct, frozen=True):
    """The text of the rules, and by the lines of the file its figures and lists of the kit.
    `icons` are the addresses of pictures among words."""

    text: Manuscript
    figures: Mapping[int, ShownFigure]
    kits: Mapping[int, Sequence[KitEntry]]
    icons: Mapping[str, str]


class News(Struct, frozen=True):
    """The changes since a tag, one to a line."""

    tag: str
    lines: Sequence[str]


class Notice(Struct, frozen=True):
    """A text about the terms of a game, as it is."""

    title: str
    text: str


class GamePage(Struct, frozen=True):
    """Everything on the page of one game."""

    name: str
    title: str
    designer: str
    about: str
    language: str
    accent: Accent
    scene: ShownPicture
    parts: Sequence[PartRow]
    printed: Sequence[PaperRow]
    others: Mapping[str, Sequence[Download]]  # by heading
    rules: Rules | None
    news: News | None
    notices: Sequence[Notice]
    inputs: str  # the SHA-256 digest of the game's files
    type_faces: Sequence[TypeFace]
    url: str  # of this page on the web, "" if it is unknown
