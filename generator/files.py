"""Read within a folder and never outside it; write a file or a folder whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from generator.errors import MisfitError, fail, nearest, shown

MEGABYTE = 1024 * 1024
_MAX_LISTED = 1000  # names of a folder that are compared with the one not found
_NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
# Beyond those: what would break a line or turn its direction.
_NO_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
_ESCAPES = {ord(sign): f"\\{letter}" for sign, letter in zip("\b\t\n\f\r", "btnfr", strict=True)}
_FOLDERS = re.compile(r"\S{1,60}\.\w{2,5}")  # as a file's path was before "\f" in it was read


def read_within(folder: Path, name: str, limit: int, where: str) -> bytes:
    """The bytes of a file in `folder`, at most `limit` of them.

    Raises PnpError at `where`: the path leaves the folder (also through a link), nothing is
    there, it is no plain file, it is too large, it cannot be read.
    """
    path = _inside(folder, name, where)
    try:
        if not path.is_file():
            raise fail(where, *_absence(folder, name, path))
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise fail(where, f"the file {shown(name)} cannot be read: {error.strerror}") from None
    if len(content) > limit:
        what = f"the file {shown(name)} is too large: {path.stat().st_size / MEGABYTE:.1f} MB"
        raise fail(where, what, f"at most {limit / MEGABYTE:g} MB")
    return content


def _inside(folder: Path, name: str, where: str) -> Path:
    hint = "keep every file of a game in its own folder"
    try:
        path = (folder / name).resolve()
    except (OSError, RuntimeError):  # Python before 3.13: links in a circle
        raise fail(where, *_dead_link(name)) from None
    except ValueError:
        raise fail(where, f"{shown(name)} is not a path", hint) from None
    if not path.is_relative_to(folder.resolve()):
        if not (Path(name).is_absolute() or ".." in Path(name).parts):
            raise fail(where, f"the file {shown(name)} is a link out of the game's folder", hint)
        raise fail(where, f"the path {shown(name)} leaves the game's folder", hint)
    return path


def _absence(folder: Path, name: str, path: Path) -> tuple[str, str]:
    """What is wrong with a path that is no plain file, and a hint."""
    if path.is_dir():
        return f"{shown(name)} is a folder, not a file", ""
    if path.exists():
        return f"{shown(name)} is not a plain file", ""
    if (folder / name).is_symlink():
        return _dead_link(name)
    hint = f"looked in {folder.name}/"
    if "\\" in name:
        hint = "write folders with '/': 'art/star.svg'"
    elif path.parent.is_dir():
        near = nearest(path.name, islice((p.name for p in path.parent.iterdir()), _MAX_LISTED))
        hint = f"did you mean {shown(Path(name).with_name(near).as_posix())}?" if near else hint
    return f"the file {shown(name)} does not exist", hint


def _dead_link(name: str) -> tuple[str, str]:
    return f"the file {shown(name)} is a link that leads nowhere", "put the file itself there"


def decode(content: bytes, where: str) -> str:
    """UTF-8 text, a byte order mark dropped. Raises PnpError naming the first bad byte."""
    hint = "save it as UTF-8 in the editor or spreadsheet"
    hint += "; Excel calls it 'CSV UTF-8'" if where.endswith(".csv") else ""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"the text is not UTF-8 (byte 0x{content[error.start]:02x})"
        raise fail(f"{where}:{line}", what, hint) from None
    bad = _NO_TEXT.search(text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        what = f"a character stands here that is no text (U+{ord(bad[0]):04X})"
        raise fail(f"{where}:{line}", what, hint)
    return text


def plain_text(text: str) -> str:
    """The text itself. Raises MisfitError when it holds a control character; lines may break."""
    bad = _NO_TEXT.search(text)
    if bad:
        raise MisfitError(f"a character stands here that is no text (U+{ord(bad[0]):04X})")
    return text


def is_one_line(text: str) -> bool:
    """Whether no line breaks in it and all of it is text."""
    return _NO_LINE.search(text) is None


def one_line(text: str) -> str:
    """The text itself. Raises MisfitError when it holds a line break or a control character."""
    bad = _NO_LINE.search(text)
    if bad:
        written = text.translate(_ESCAPES)
        if _FOLDERS.fullmatch(written) and is_one_line(written):
            raise MisfitError(f"a backslash stands in '{written}'", "write folders with '/'")
        what = f"{shown(text)} is not one line of plain text"
        raise MisfitError(what, f"take out the line break or sign U+{ord(bad[0]):04X}")
    return text


def placed(output: Path | None, usual: Path) -> Path:
    """Where a file goes: to `output`, into it under its usual name where that is a folder."""
    if output is None:
        return usual
    return output / usual.name if output.is_dir() else output


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` at `path` in one step: a kill at any moment leaves the earlier file intact.

    Raises PnpError when the folder cannot be made or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise fail(str(path), f"cannot be written: {error.strerror}") from None


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Put a new folder with `files`, by their names within it, at `path` in one step.

    Raises PnpError and leaves what is there: it holds something, or is no folder, or is where
    the person stands; or the folder cannot be made.
    """
    where = shown(str(path))
    try:
        _check_free(path, where)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        try:
            for name, content in files.items():
                write_whole(temporary / name, content)
            temporary.chmod(0o777 & ~_umask())
            temporary.rename(path.resolve())
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is no path"
        raise fail(where, f"cannot be made: {reason}") from None


def _check_free(path: Path, where: str) -> None:
    if path.is_dir():
        if path.resolve() == Path.cwd():
            raise fail(where, "this is the folder you stand in", "name one that is not there yet")
        if any(path.iterdir()):
            what = "this folder is there already and not empty"
            raise fail(where, what, "another name; nothing was changed")
    elif path.exists() or path.is_symlink():
        raise fail(where, "a file of this name is there already", "another name")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
