"""HTML of games' pages, written from their content, and of the page that leads to them.

The content is values and addresses.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count, groupby
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from generator.basics.phrases import Phrases
from generator.basics.units import MM_PER_INCH
from generator.booklet.reading import Heading, Manuscript, plain
from generator.web.shell import Accent, TypeFace, write_document, write_style

_KILOBYTE, _MEGABYTE = 1000, 1_000_000
_MOST_LISTED = 3  # sections of the rules that need no list of contents
_NO_NAME = re.compile(r"[^a-z0-9]+")


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
    terms: Sequence[str]  # for how many it is, how long it takes, for whom
    phrases: Phrases
    accent: Accent
    scene: ShownPicture
    parts: Sequence[PartRow]
    printed: Sequence[PaperRow]
    others: Mapping[str, Sequence[Download]]  # by heading
    rules: Rules | None
    booklet: Download | None  # the rules, to read page by page
    news: News | None
    notices: Sequence[Notice]
    inputs: str  # the SHA-256 digest of the game's files
    type_faces: Sequence[TypeFace]
    url: str  # of this page on the web, "" if it is unknown


def write_game(page: GamePage) -> bytes:
    ids = _name_headings(page.rules) if page.rules else {}
    sections = [(id_, plain(heading.words)) for heading, id_ in ids.items() if heading.level == 2]
    others = {heading: files for heading, files in page.others.items() if files}
    say = page.phrases.say
    return write_document(
        "game.html",
        title=page.title,
        language=page.phrases.language,
        phrase=say,
        number=page.phrases.number,
        style=write_style(page.accent, page.type_faces),
        about=page.about or say("site.about", title=page.title),
        scene=page.scene,
        url=page.url,
        page=page,
        papers=[(paper, list(rows)) for paper, rows in groupby(page.printed, lambda row: row.paper)],
        others=others,
        contents=sections if len(sections) > _MOST_LISTED else [],
        ids=ids,
        kind_of=lambda block: type(block).__name__,
        say_size=partial(_say_size, page.phrases),
        mm_per_inch=MM_PER_INCH,
    )


def _name_headings(rules: Rules) -> dict[Heading, str]:
    """An id for each heading, with a number if its words give none or a taken one."""
    ids: dict[Heading, str] = {}
    headings = (block for block in rules.text.blocks if isinstance(block, Heading))
    for number, heading in enumerate(headings, 1):
        words = _NO_NAME.sub("-", plain(heading.words).casefold()).strip("-")
        id_ = f"rules-{words}" if words else f"rules-{number}"
        ids[heading] = f"{id_}-{number}" if id_ in ids.values() else id_
    return ids


def _say_size(phrases: Phrases, size: int) -> str:
    if size < _MEGABYTE:
        return f"{max(1, round(size / _KILOBYTE))} kB"
    return f"{phrases.number(size / _MEGABYTE, '.1f')} MB"


def write_index(games: Sequence[GamePage], letters: Sequence[TypeFace], url: str) -> bytes:
    """The first page, in these letters; each title in those of its own page. `url` is the address
    of this page."""
    first = games[0]
    say = first.phrases.say
    heading, lead = say("site.title"), say("site.lead")
    titles = [
        replace(face, role=f"title-{number}")
        for number, game in enumerate(games, 1)
        for face in game.type_faces
        if face.role == "title"
    ]
    families = "".join(map(_choose_family, titles, count(1)))
    return write_document(
        "index.html",
        title=first.title if len(games) == 1 else heading,
        language=first.phrases.language,
        phrase=say,
        style=write_style(first.accent, [*letters, *titles]) + families,
        about=first.about if len(games) == 1 and first.about else lead,
        scene=_picture_of(first),
        url=url,
        heading=heading,
        lead=lead,
        games=[(game, f"{quote(game.name)}/index.html", _picture_of(game)) for game in games],
    )


def _picture_of(game: GamePage) -> ShownPicture:
    return replace(game.scene, address=f"{quote(game.name)}/{game.scene.address}")


def _choose_family(face: TypeFace, number: int) -> str:
    family = f'"{face.role}",Georgia,serif'
    return f".games li:nth-child({number}) h2{{font-family:{family};font-weight:{face.weight}}}"
