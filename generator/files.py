"""Read within a folder and never outside it; write a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from generator.errors import fail

MEGABYTE = 1024 * 1024


def read_within(folder: Path, name: str, limit: int, where: str) -> bytes:
    """The bytes of a file in `folder`, at most `limit` of them.

    Raises PnpError at `where`: the path leaves the folder (also through a link), nothing is
    there, it is no plain file, it is too large, it cannot be read.
    """
    path = _inside(folder, name, where)
    try:
        if not path.is_file():
            kind = "is not a plain file" if path.exists() else "does not exist"
            raise fail(where, f"the file {name!r} {kind}", f"looked in {folder.name}/")
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise fail(where, f"the file {name!r} cannot be read: {error.strerror}") from None
    if len(content) > limit:
        size = path.stat().st_size / MEGABYTE
        raise fail(
            where,
            f"the file {name!r} is too large: {size:.1f} MB",
            f"at most {limit / MEGABYTE:g} MB",
        )
    return content


def _inside(folder: Path, name: str, where: str) -> Path:
    hint = "keep every file of a game in its own folder"
    try:
        path = (folder / name).resolve()
    except (OSError, ValueError, RuntimeError):
        raise fail(where, f"{name!r} is not a path", hint) from None
    if not path.is_relative_to(folder.resolve()):
        raise fail(where, f"the path {name!r} leaves the game's folder", hint)
    return path


def decode(content: bytes, where: str) -> str:
    """UTF-8 text, a byte order mark dropped. Raises PnpError naming the first bad byte."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise fail(
            f"{where}:{line}",
            f"the text is not UTF-8 (byte 0x{content[error.start]:02x})",
            "save it as UTF-8 in the editor or spreadsheet",
        ) from None


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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
