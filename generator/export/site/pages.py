"""Pages of games and their reports as HTML, the page that leads to them, and the files beside them.

The content of a page is values and addresses. Pictures and files are each named by their content. Finished pages get
the letters that they show, as parts of the games' own fonts. The colour of a game's pages is chosen here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import file_digest, sha256
from html import unescape
from itertools import count, groupby
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from generator.art.pixels import save_picture
from generator.basics.errors import Place
from generator.basics.files import decode, read_within
from generator.basics.geometry import MM_PER_INCH
from generator.basics.phrases import Phrases
from generator.booklet.reading import Heading, Manuscript, plain
from generator.model import Game
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook
from generator.text.fonts import subset
from generator.web.shell import Accent, TypeFace, choose_accent, write_document, write_style

_KILOBYTE, _MEGABYTE = 1000, 1_000_000
_MOST_LISTED = 3  # sections of the rules that need no list of contents
_NO_NAME = re.compile(r"[^a-z0-9]+")
_DIGITS = 10  # of a digest in the name of a file
_QUALITY = 84  # of a WebP
_NOTICES = ("CREDITS", "LICENSE", "LICENCE", "COPYING")
_ENDINGS = ("", ".md", ".txt")
_MOST_NOTICE = 64 * 1024  # bytes
_MADE_HERE = ("output", "__pycache__")
_TAG = re.compile("<[^<>]*>")
_HEADING = re.compile(r"<(h[1-3])\b[^>]*>(.*?)</\1>", re.DOTALL)
_BOLD = 700
_DISPLAY = "Fraunces"  # of the first page
Write = Callable[[str, bytes], None]


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


def _write_first(games: Sequence[GamePage], letters: Sequence[TypeFace], url: str) -> bytes:
    """The first page, in these letters; each title in those of its own page. `url` is the address of this page."""
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


class SiteFiles:
    """Writes the files beside a page. The name of each ends with a digest, so that a browser never shows an old one."""

    def __init__(self, folder: str, write: Write) -> None:
        self._folder, self._write = folder, write
        self._written: set[str] = set()

    def add(self, name: str, content: bytes) -> str:
        """Writes a file; returns its address from the page."""
        path = Path(name)
        digest = sha256(content).hexdigest()[:_DIGITS]
        address = path.with_name(f"{path.stem}-{digest}{path.suffix}").as_posix()
        if address not in self._written:
            self._written.add(address)
            self._write(f"{self._folder}/{address}", content)
        return address

    def keep(self, path: str, content: bytes) -> None:
        """Writes a file by the path that other files name."""
        self._write(f"{self._folder}/{path}", content)

    def add_download(self, name: str, content: bytes, title: str, note: str = "") -> Download:
        address = self.add(name, content)
        return Download(title, note, address, name, len(content), sha256(content).hexdigest())


def encode_webp(image: Image.Image) -> bytes:
    return save_picture(image, "WEBP", quality=_QUALITY, method=4)


def digest_folder(folder: Path, but: Path) -> str:
    """The SHA-256 digest of a game's files and their paths, without hidden ones, `output`, the
    modules that Python compiled, and the folder `but`."""
    whole = sha256()
    for path in sorted(_list_files(folder, but.resolve())):
        whole.update(path.relative_to(folder).as_posix().encode() + b"\0")
        with path.open("rb") as file:
            whole.update(file_digest(file, "sha256").digest())
    return whole.hexdigest()


def _list_files(folder: Path, but: Path) -> Iterable[Path]:
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name in _MADE_HERE or path.resolve() == but:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _list_files(path, but)
        elif path.is_file():
            yield path


def read_notices(folder: Path) -> list[Notice]:
    """The texts about credits and terms in a game's folder. Raises PnpError if one is no text."""
    names = [f"{name}{ending}" for name in _NOTICES for ending in _ENDINGS]
    there = [name for name in names if (folder / name).is_file()]
    return [Notice(Path(name).stem.capitalize(), _read_text(folder, name)) for name in there]


def _read_text(folder: Path, name: str) -> str:
    place = Place.in_folder(folder, name)
    return decode(read_within(folder, name, _MOST_NOTICE, place), place).strip()


def letter_page(page: GamePage, game: Game) -> GamePage:
    """The page with the fonts of the game's rules, or those of the house."""
    return replace(page, type_faces=cut_letters(game, write_game(page)))


def cut_letters(game: Game, page: bytes) -> list[TypeFace]:
    """The letters that a page shows, of the fonts of the game's rules, or of the house."""
    fonts = FontBook(game.font_folders or (HOUSE_FONTS,))
    design = game.booklet
    title = design.title_font if design else HOUSE_FAMILY
    text = design.text_font if design else HOUSE_FAMILY
    html = page.decode()
    heads = " ".join(match[2] for match in _HEADING.finditer(html))
    faces = [_cut("title", fonts.find(title, _BOLD), _list_letters(heads))]
    return [*faces, *_text_faces(fonts, text, _list_letters(html))]


def write_index(pages: Sequence[GamePage], url: str) -> bytes:
    """The first page, in the fonts of the house; each title in that of its own page."""
    house = FontBook([HOUSE_FONTS])
    letters = _list_letters(_write_first(pages, [], url).decode())
    own = [_cut("title", house.find(_DISPLAY, _BOLD), letters)]
    own += _text_faces(house, HOUSE_FAMILY, letters)
    return _write_first(pages, own, url)


def _text_faces(fonts: FontBook, family: str, letters: str) -> Iterator[TypeFace]:
    """The regular, bold and italic letters of a text, as far as the family has them."""
    seen = set()
    for weight, is_italic in ((400, False), (_BOLD, False), (400, True)):
        font = fonts.find(family, weight, italic=is_italic)
        if (font.path, font.weight) not in seen and font.italic == is_italic:
            seen.add((font.path, font.weight))
            yield _cut("text", font, letters)


def _cut(role: str, font: Font, letters: str) -> TypeFace:
    return TypeFace(role, font.weight, font.italic, subset(font, (letter for letter in letters if font.has(letter))))


def _list_letters(html: str) -> str:
    """The characters that people read, in order."""
    return "".join(sorted(set(unescape(_TAG.sub(" ", html)))))


def accent_of(game: Game) -> Accent:
    """The accent of the rules, else the first colour of the palette that is not a grey."""
    accent = [game.booklet.accent] if game.booklet else []
    return choose_accent([*accent, *game.palette.values()])
