"""Files read within a folder and never outside it.

Text is distinguished from other data. First bytes show the kind of a file that cannot be read: a
new name converts nothing.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import tomllib
from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any
from unicodedata import normalize

from generator.basics.bounds import at_work_on
from generator.basics.errors import NO_LINE, MisfitError, Place, Problem, fail, nearest, quote, raise_all

if TYPE_CHECKING:
    from lxml import etree

MEGABYTE = 1024 * 1024
_MAX_OWN = MEGABYTE // 16  # tomllib takes 2 s for a key that fills it
MAX_ENTRIES = 1000  # files and folders that `list_within` reads
_MAX_LISTED = 1000  # names of a folder to compare with a missing one
_SHARE_OF_NULS = 4  # of the bytes of a text in UTF-16, more than a quarter are 0
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = {ord(char): f"\\{letter}" for char, letter in zip("\b\t\n\f\r", "btnfr", strict=True)}
_FOLDERS = re.compile(r"\S{1,60}\.\w{2,5}")  # a file's path with escapes such as "\f" undone
_DEAD_LINK = ("a broken link", "put the file itself there")
_KEEP_WITHIN = "keep every file of a game in its own folder"
_SIGNATURES = (
    (b"%PDF", "a PDF file"),
    (b"%!PS", "a PostScript file"),
    (b"8BPS", "a Photoshop file"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"PK\3\4", "a packed file, as spreadsheets are"),
    (b"\xd0\xcf\x11\xe0", "an Excel file that is old or has a password"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
)
_HEIF = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypmsf1")


def read_within(folder: Path, name: str, limit: int, place: Place) -> bytes:
    """Read the bytes of a file in `folder`, at most `limit` of them.

    Raises PnpError at `place` if the path leaves the folder (also through a link), or if the file
    is missing, too large, unreadable, or not a plain file.
    """
    path = resolve_within(folder, name, place)
    at_work_on(quote(f"{folder.name}/{name}"))
    try:
        if not path.is_file():
            raise fail(place, *_absence(folder, name, path))
        _check_spelling(folder, name, place)
        with path.open("rb") as file:
            content = read_at_most(file, limit + 1)
    except OSError as error:
        is_held = sys.platform == "win32" and isinstance(error, PermissionError)
        hint = "close it in the program that has it open, such as Excel" if is_held else ""
        raise fail(place, f"the file {quote(name)} cannot be read: {error.strerror}", hint) from None
    if len(content) > limit:
        what = f"the file {quote(name)} is too large: {path.stat().st_size / MEGABYTE:.1f} MB"
        raise fail(place, what, f"at most {limit / MEGABYTE:.4g} MB")
    return content


def read_own_table(path: Path, repair: str) -> dict[str, Any]:
    """The TOML table in a file of the user's configuration, through a link; empty without a file.

    Raises PnpError if it is damaged; `repair` is the hint.
    """
    place = Place(str(path))
    file = Path(os.path.realpath(path))
    try:
        if not file.exists():
            return {}
    except OSError as error:
        raise fail(place, f"cannot be read: {error.strerror}") from None
    text = decode(read_within(file.parent, file.name, _MAX_OWN, place), place)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits too
        raise fail(place, f"the file is damaged: {error}", repair) from None


def list_within(folder: Path, name: str, endings: Collection[str]) -> list[str]:
    """The files with one of these endings, in upper or lower case, in the folder `name` of `folder`
    and below: their paths in `folder`, sorted. The list is empty if there is no such folder.

    Raises PnpError with every entry that is neither a plain file nor a folder, whatever its ending, and with links out
    of `folder` and links to folders. It also raises PnpError if a folder has one of the endings, cannot be read, or has
    more than MAX_ENTRIES. Places begin with the name of `folder`.
    """
    paths: list[str] = []
    problems: list[Problem] = []
    entries = _walk(folder, name, problems)
    for path, mode in islice(entries, MAX_ENTRIES):
        is_folder, has_ending = stat.S_ISDIR(mode), path.suffix.lower() in endings
        # a plain file of a folder that was walked to lies within it
        fault = None if is_folder or stat.S_ISREG(mode) else _fault_of_file(path, folder)
        if is_folder and has_ending:
            fault = "a folder, not a file", "give it a name without an ending"
        if fault:
            problems.append(Problem(_place(folder, path), *fault))
        elif has_ending:
            paths.append(path.relative_to(folder).as_posix())
    if next(entries, None):
        what = f"the folder has more than {MAX_ENTRIES:,} files"
        problems.append(Problem(_place(folder, folder / name), what, "remove unused files"))
    raise_all(sorted(problems, key=lambda problem: problem.place))
    return sorted(paths)


def _walk(folder: Path, name: str, problems: list[Problem]) -> Iterator[tuple[Path, int]]:
    """All entries of a folder and its folders, each with its mode, 0 if that cannot be read.

    Links are not followed.
    """
    top = folder / name
    if not os.path.lexists(top):
        return
    fault = _fault_of_target(top, folder) or (None if top.is_dir() else ("not a folder", ""))
    if fault:
        problems.append(Problem(_place(folder, top), fault[0], "make it a folder, or remove it"))
    waiting = [] if fault else [top]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    path, mode = Path(entry.path), _mode(entry)
                    if path.name.startswith(".") and not path.exists():
                        continue  # a broken link: Emacs marks a file that it edits like this
                    waiting += [path] if stat.S_ISDIR(mode) else []
                    yield path, mode
        except OSError as error:
            problems.append(Problem(_place(folder, here), f"the folder cannot be read: {error.strerror}"))


def _mode(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mode
    except OSError:
        return 0


def _fault_of_file(path: Path, folder: Path) -> tuple[str, str] | None:
    """The fault of an entry that is not a folder, and a hint; None without a fault."""
    fault = _fault_of_target(path, folder)
    if fault or path.is_file():
        return fault
    if path.is_dir():
        return "a link to a folder", "put the folder itself there"
    return "not a plain file", "remove it"


def _fault_of_target(path: Path, folder: Path) -> tuple[str, str] | None:
    try:
        target = path.resolve(strict=True)
    except (FileNotFoundError, RuntimeError):  # Python before 3.13: links in a circle
        return _DEAD_LINK
    except OSError as error:
        return _DEAD_LINK if error.errno == errno.ELOOP else (f"cannot be read: {error.strerror}", "")
    is_within = target.is_relative_to(folder.resolve())
    return None if is_within else ("a link out of the game's folder", _KEEP_WITHIN)


def _place(folder: Path, path: Path) -> Place:
    return Place.in_folder(folder, path.relative_to(folder).as_posix())


def resolve_within(folder: Path, name: str, place: Place) -> Path:
    """The path of a file in a folder. Raises PnpError if it leaves the folder, also by a link."""
    try:
        path = find_alike(folder, name).resolve()
    except (OSError, RuntimeError):  # Python before 3.13: links in a circle
        raise fail(place, *_dead_link(name)) from None
    except ValueError:
        raise fail(place, f"{quote(name)} is not a path", _KEEP_WITHIN) from None
    if not path.is_relative_to(folder.resolve()):
        if not (Path(name).is_absolute() or ".." in Path(name).parts):
            raise fail(place, f"the file {quote(name)} is a link out of the game's folder", _KEEP_WITHIN)
        raise fail(place, f"the path {quote(name)} leaves the game's folder", _KEEP_WITHIN)
    return path


def find_alike(folder: Path, name: str) -> Path:
    """The path of a file in a folder, its accents stored as they are there: macOS and its archives
    store them apart from their letters (NFD)."""
    if name.isascii() or os.path.lexists(folder / name):
        return folder / name
    for part in PurePosixPath(name).parts:
        with suppress(OSError):  # there is no such folder, or it may not be read
            listed = (entry.name for entry in folder.iterdir())
            part = next((entry for entry in listed if normalize("NFC", entry) == normalize("NFC", part)), part)
        folder /= part
    return folder


def _absence(folder: Path, name: str, path: Path) -> tuple[str, str]:
    """The fault of a path that is not a plain file, and a hint."""
    if path.is_dir():
        return f"{quote(name)} is a folder, not a file", ""
    if path.exists():
        return f"{quote(name)} is not a plain file", ""
    if (folder / name).is_symlink():
        return _dead_link(name)
    elsewhere = _elsewhere(folder, path.name)
    hint = f"did you mean {quote(elsewhere)}?" if elsewhere else f"looked in {folder.name}/"
    if "\\" in name:
        hint = "write folders with '/': 'art/star.svg'"
    elif path.parent.is_dir():
        near = nearest(path.name, islice((p.name for p in path.parent.iterdir()), _MAX_LISTED))
        hint = f"did you mean {quote(Path(name).with_name(near).as_posix())}?" if near else hint
    return f"the file {quote(name)} does not exist", hint


def _check_spelling(folder: Path, name: str, place: Place) -> None:
    """Raises PnpError for a path that another system would not find: macOS and Windows also find a
    file by other capitals, Windows by backslashes and with a dot at the end."""
    if sys.platform == "linux" or Path(name).is_absolute():
        return
    spelt = list[str]()
    for part in Path(name).parts:
        listed = [normalize("NFC", entry.name) for entry in folder.joinpath(*spelt).iterdir()]
        like = [entry for entry in listed if entry.casefold() == normalize("NFC", part).casefold()]
        is_listed = part == ".." or normalize("NFC", part) in like
        spelt.append(part if is_listed else next(iter(like), ""))
    found = "/".join(spelt)
    if normalize("NFC", found) != normalize("NFC", PurePosixPath(name).as_posix()):
        what = f"the file {quote(name)} is not found on every system"
        raise fail(place, what, f"write {quote(found)}" if "" not in spelt else "")


def _elsewhere(folder: Path, name: str) -> str:
    """The path of a file of that name in the folder, or in a folder there; "" if there is none."""
    with suppress(OSError):  # a folder that may not be read, a name that is too long
        places = (folder, *sorted(islice(folder.iterdir(), _MAX_LISTED)))
        found = (place / name for place in places if name and (place / name).is_file())
        return next((path.relative_to(folder).as_posix() for path in found), "")
    return ""


def _dead_link(name: str) -> tuple[str, str]:
    what, hint = _DEAD_LINK
    return f"the file {quote(name)} is {what}", hint


def read_at_most(file: IO[bytes], most: int) -> bytes:
    """Read part by part, since one large read would reserve all the memory at once."""
    parts = []
    while most > 0 and (part := file.read(min(most, MEGABYTE))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def decode(content: bytes, place: Place) -> str:
    """Decode UTF-8 text and drop a byte order mark. Raises PnpError naming the first bad byte or character."""
    hint = "save it as UTF-8 in the editor or spreadsheet"
    hint += "; Excel calls it 'CSV UTF-8'" if place.file.endswith(".csv") else ""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise fail(place.at_line(line), f"the text is not UTF-8 (byte 0x{content[error.start]:02x})", hint) from None
    bad = _NO_TEXT.search(text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        what = f"this character is not text (U+{ord(bad[0]):04X})"
        is_utf_16 = content.count(b"\0") > len(content) / _SHARE_OF_NULS
        raise fail(place.at_line(line), what, hint if is_utf_16 else "delete it")
    return text


def plain_text(text: str) -> str:
    """Return the text. Raises MisfitError if it has a control character other than a line break."""
    bad = _NO_TEXT.search(text)
    if bad:
        raise MisfitError(f"this character is not text (U+{ord(bad[0]):04X})")
    return text


def is_one_line(text: str) -> bool:
    """Whether a text has no line breaks and no control characters."""
    return NO_LINE.search(text) is None


def one_line(text: str) -> str:
    """Return the text. Raises MisfitError if it has a line break or a control character."""
    bad = NO_LINE.search(text)
    if bad:
        written = text.translate(_ESCAPES)
        if _FOLDERS.fullmatch(written) and is_one_line(written):
            raise MisfitError(f"there is a backslash in '{written}'", "write folders with '/'")
        what = f"{quote(text)} is not one line of plain text"
        raise MisfitError(what, f"remove the line break or character U+{ord(bad[0]):04X}")
    return text


def kind_of(content: bytes) -> str:
    """The kind of a file in a few words; "" for any other."""
    if content[4:12] in _HEIF:
        return "a HEIC picture"
    start = content[:99].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((kind for magic, kind in _SIGNATURES if start.startswith(magic.lower())), "")


def xml_parser(*, puts_in_entities: bool = False) -> etree.XMLParser:
    """A parser for one untrusted document: nothing in it is resolved, loaded or fetched, unless entities that it
    declares are put in, as far as they do not grow. It logs its errors, and drops comments."""
    from lxml import etree  # most commands parse none

    return etree.XMLParser(
        resolve_entities="internal" if puts_in_entities else False, load_dtd=False, no_network=True,
        huge_tree=False, remove_comments=True,
    )  # fmt: skip
