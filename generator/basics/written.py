"""Write a file or a folder whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from generator.basics.errors import PnpError, fail, quote
from generator.basics.place import Place

_SHORT_NAME = 40  # letters: short enough for any file system, with a suffix
_PICTURES = (".png", ".jpg", ".jpeg", ".svg")
_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


def resolve_output(output: Path | None, usual: Path) -> Path:
    """The path of a PDF to write: `output`, or the usual name in it if `output` is a folder.

    Raises PnpError if something other than a plain file is there, or for the name of a picture.
    """
    if output is not None:
        with suppress(OSError):  # `check_output` reports the fault
            output = output / usual.name if output.is_dir() else output
    path = usual if output is None else output
    if path.suffix.lower() in _PICTURES:
        hint = "name it .pdf; `pnp export` makes pictures"
        raise fail(Place(str(path)), "a PDF is written here, not a picture", hint)
    check_output(path)
    return path


def check_output(path: Path) -> Path:
    """The file to write for `path`: its target, if it is a link.

    Raises PnpError if something other than a plain file is there, or if the link is broken.
    """
    kind = _kind_at(path)
    if kind not in ("", "a file"):
        raise fail(
            Place(str(path)),
            f"this is {kind}, which is never replaced",
            "name a plain file or a folder",
        )
    return path.resolve() if path.is_symlink() else path


def check_folder(path: Path) -> None:
    """Raises PnpError if something other than a folder is at `path`."""
    kind = _kind_at(path)
    if kind not in ("", "a folder"):
        raise fail(Place(str(path)), f"this is {kind}, not a folder", "name a folder")


def _kind_at(path: Path) -> str:
    """The kind of a path, through links; "" if it is missing. Raises PnpError if a link is
    broken."""
    try:
        return _KINDS.get(stat.S_IFMT(path.stat().st_mode), "a special file")
    except OSError as error:
        is_absent = isinstance(error, FileNotFoundError)
        if error.errno == errno.ELOOP or (is_absent and path.is_symlink()):
            hint = "name the file itself, or repair the link"
            raise fail(Place(str(path)), "this is a broken link", hint) from None
        if is_absent:
            return ""
        raise _cannot_write(path, error) from None


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` to `path` in one step: a kill at any moment leaves the earlier file intact.

    A link stays, and its target is replaced. Raises PnpError like `check_output`, and if the folder
    cannot be made or written.
    """
    target = check_output(path)
    made: list[Path] = []
    try:
        made += _make_folder(target.parent)
        handle, temporary = tempfile.mkstemp(prefix=_hide(target), dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            for folder in made:
                folder.rmdir()
            raise
    except OSError as error:
        raise _cannot_write(path, error) from None


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder; returns the folders that are new, the innermost first."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return new


@contextmanager
def staging(folder: Path) -> Iterator[Callable[[str, bytes], None]]:
    """Writes files into `folder`, by their paths within it, after the block: all of them, or none
    if the block raises an exception. Other files of the folder stay.

    Raises PnpError like `write_whole`.
    """
    check_folder(folder)
    target = folder.resolve()
    beside = target if target.is_dir() else target.parent
    try:
        beside.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=_hide(target), dir=beside))
    except OSError as error:
        raise _cannot_write(folder, error) from None
    names: list[str] = []

    def write(name: str, content: bytes) -> None:
        check_output(folder / name)
        write_whole(temporary / name, content)
        names.append(name)

    try:
        yield write
        for name in names:
            path = check_output(target / name)
            path.parent.mkdir(parents=True, exist_ok=True)
            (temporary / name).replace(path)
    except OSError as error:
        raise _cannot_write(folder, error) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_together(folder: Path, files: Mapping[Path, bytes]) -> None:
    """Write files in or below a folder: all of them, or none if one cannot be written.

    Raises PnpError like `write_whole`.
    """
    if len(files) == 1:
        for path, content in files.items():
            write_whole(path, content)
        return
    with staging(folder) as write:
        for path, content in files.items():
            write(str(path.relative_to(folder)), content)


def _hide(path: Path) -> str:
    """A short prefix for the name of a temporary file beside `path`."""
    return f".{path.name[:_SHORT_NAME]}."


def _cannot_write(path: Path, error: OSError) -> PnpError:
    if isinstance(error, FileExistsError):  # a file in place of the folder
        return fail(Place(str(path)), f"cannot be written: {error.filename} is not a folder")
    return fail(Place(str(path)), f"cannot be written: {error.strerror}")


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Make a new folder at `path` in one step, with `files` by their names.

    Raises PnpError, and changes nothing, if a file or a folder with content is there, if it is the
    working folder, or if the folder cannot be made.
    """
    place = Place(quote(str(path)))
    try:
        _check_free(path, place)
        target = path.resolve()  # a link to an empty folder stays
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=_hide(target), dir=target.parent))
        try:
            for name, content in files.items():
                write_whole(temporary / name, content)
            temporary.chmod(0o777 & ~_umask())
            temporary.rename(target)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is not a path"
        raise fail(place, f"cannot be made: {reason}") from None


def _check_free(path: Path, place: Place) -> None:
    if path.is_dir():
        if path.resolve() == Path.cwd():
            raise fail(place, "this is the working folder", "name a new folder")
        if any(path.iterdir()):
            what = "this folder already exists and is not empty"
            raise fail(place, what, "choose another name; nothing was changed")
    elif path.exists() or path.is_symlink():
        raise fail(place, "a file with this name already exists", "choose another name")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
