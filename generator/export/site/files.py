"""Pictures and files of games' pages, each named by its content and written.

Finished pages get the letters that they show, as parts of the games' own fonts. The colour of a
game's pages is chosen here.
"""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import file_digest, sha256
from html import unescape
from pathlib import Path

from msgspec.structs import replace
from PIL import Image

from generator.basics.errors import Place
from generator.basics.files import decode, read_within
from generator.export import site
from generator.export.site import Download, Notice
from generator.model import Game
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, Font, FontBook
from generator.text.fonts import subset
from generator.web.shell import Accent, TypeFace, choose_accent

Write = Callable[[str, bytes], None]

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


class SiteFiles:
    """Writes the files beside a page. The name of each ends with a digest, so that a browser never
    shows an old one."""

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
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=_QUALITY, method=4)
    return buffer.getvalue()


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


def letter_page(page: site.GamePage, game: Game) -> site.GamePage:
    """The page with the fonts of the game's rules, or those of the house."""
    return replace(page, type_faces=cut_letters(game, site.write_game(page)))


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


def write_index(pages: Sequence[site.GamePage], url: str) -> bytes:
    """The first page, in the fonts of the house; each title in that of its own page."""
    house = FontBook([HOUSE_FONTS])
    letters = _list_letters(site.write_index(pages, [], url).decode())
    own = [_cut("title", house.find(_DISPLAY, _BOLD), letters)]
    own += _text_faces(house, HOUSE_FAMILY, letters)
    return site.write_index(pages, own, url)


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
