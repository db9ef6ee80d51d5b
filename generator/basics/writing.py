"""Files and folders written whole or not at all, and temporary ones that leave no trace."""

import atexit
import errno
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from generator.basics.errors import Place, PnpError, Problem, collecting, fail, quote, raise_all
from generator.basics.files import read_within

_SHORT_NAME = 40  # letters: short enough for any file system, with a suffix
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # of files in a ZIP
_UNIX = 3
_PACKED = (".png", ".webp", ".jpg", ".pdf", ".zip")  # another compression gains nothing
_SCRATCH = "pnp-"  # in the names of temporary files
_NEW = 60.0  # s: a file of this age may not be locked yet
_OLD = 86_400.0  # s: a file of this age is no longer written, where there are no locks
_PICTURES = (".png", ".jpg", ".jpeg", ".svg")
# What Windows reports of a file that another program has open, or that is read-only.
_ACCESS_DENIED, _SHARING_VIOLATION = 5, 32
_TRIES, _PAUSE = 20, 0.1  # s: scanners and indexers hold a new file for a moment
_LONGEST_PATH = 259  # letters, as Windows is set up
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)  # to Windows
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

    Raises PnpError if something other than a plain file is there, if the link is broken, or if
    Windows keeps the name for a device.
    """
    _check_name(path)
    kind = _kind_at(path)
    if kind not in ("", "a file"):
        raise fail(Place(str(path)), f"this is {kind}, which is never replaced", "name a plain file or a folder")
    return path.resolve() if path.is_symlink() else path


def check_folder(path: Path) -> None:
    """Raises PnpError if something other than a folder is at `path`."""
    kind = _kind_at(path)
    if kind not in ("", "a folder"):
        raise fail(Place(str(path)), f"this is {kind}, not a folder", "name a folder")


def _check_name(path: Path) -> None:
    if sys.platform == "win32" and any(map(_DEVICE.fullmatch, path.parts)):
        raise fail(Place(str(path)), "Windows keeps this name for a device", "choose another name")


def _kind_at(path: Path) -> str:
    """The kind of a path, through links; "" if it is missing. Raises PnpError if a link is broken."""
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

    A link stays, and its target is replaced. Raises PnpError like `check_output`, and if the folder cannot be made or
    written. If another program keeps the file from being replaced, the new one is beside it.
    """
    target = check_output(path)
    made: list[Path] = []
    try:
        made += _make_folder(target.parent)
        _sweep(target.parent, _hide(target))
        handle, temporary = tempfile.mkstemp(prefix=_hide(target), dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file, _held(Path(temporary)):
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o666 & ~_umask())
            _replace(Path(temporary), target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            for folder in made:
                folder.rmdir()
            raise
    except OSError as error:
        raise _cannot_write(path, error) from None


def _replace(new: Path, target: Path) -> None:
    """Put a file in place of another. Raises OSError, or PnpError if a program keeps the other one
    open, as viewers on Windows do: the new file is beside it then."""
    for left in reversed(range(_TRIES)):
        try:
            new.replace(target)
            return
        except PermissionError as error:
            if getattr(error, "winerror", 0) not in (_ACCESS_DENIED, _SHARING_VIOLATION):
                raise
            if left:
                time.sleep(_PAUSE)
    beside = target.with_stem(f"{target.stem}-new")
    new.replace(beside)
    what = "another program has it open, or it is read-only: it cannot be replaced"
    raise fail(Place(str(target)), what, f"close it there; the new file is {beside.name}")


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder; returns the folders that are new, the innermost first."""
    new = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return new


@contextmanager
def staging(folder: Path, sums: str = "") -> Iterator[Callable[[str, bytes], None]]:
    """Writes files into `folder`, by their paths within it, after the block: all of them, or none
    if the block raises an exception. Other files of the folder stay.

    `sums` is a file that lists them all with their digests, as `sha256sum` does. Files that an
    earlier list names and this one lacks are removed, unless somebody has changed them.
    Raises PnpError like `write_whole`, and if two files have one name.
    """
    check_folder(folder)
    target = folder.resolve()
    stale = _read_sums(target, sums) if sums else {}
    is_new = not target.is_dir()
    beside = target.parent if is_new or os.access(target.parent, os.W_OK) else target
    digests: dict[str, str] = {}
    try:
        beside.mkdir(parents=True, exist_ok=True)
        with scratch(_hide(target), beside) as temporary:

            def write(name: str, content: bytes) -> None:
                check_output(folder / name)
                _write_new(temporary / name, content, folder / name)
                digests[name] = sha256(content).hexdigest()

            yield write
            if sums:
                listed = (f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
                write(sums, "".join(listed).encode())  # what `sha256sum --check` reads
            problems: list[Problem] = []
            for name in digests:
                with collecting(problems):  # the others are put in place
                    _move(temporary / name, check_output(target / name))
            raise_all(problems)
        for name in stale.keys() - digests.keys():
            _remove_unchanged(target, name, stale[name])
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _write_new(path: Path, content: bytes, place: Path) -> None:
    """Write a file that will be at `place`. Raises PnpError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        what = "two files would have this name"
        hint = "to some systems, capitals and small letters are the same in names"
        raise fail(Place(str(place)), what, hint) from None
    except OSError as error:
        raise _cannot_write(place, error) from None


def _move(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        _replace(path, target)
    except OSError as error:
        if error.errno != errno.EXDEV:  # the folder is on another disk than the one it is in
            raise
        write_whole(target, path.read_bytes())


def _read_sums(folder: Path, sums: str) -> dict[str, str]:
    """The digests by path of an earlier list; empty if there is none, or something else."""
    try:
        lines = (folder / sums).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines) if name}


def _remove_unchanged(folder: Path, name: str, digest: str) -> None:
    """Remove a file of a list, and its folder if that is empty then."""
    with suppress(PnpError, PermissionError):  # another program may have it open
        if sha256(read_within(folder, name, 1 << 30, Place(name))).hexdigest() == digest:
            (folder / name).unlink(missing_ok=True)
            with suppress(OSError):
                (folder / name).parent.rmdir()


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
    """The beginning of the name of a temporary file or folder for `path`."""
    return f".{path.name[:_SHORT_NAME]}.{_SCRATCH}"


@contextmanager
def scratch(prefix: str = _SCRATCH, beside: Path | None = None) -> Iterator[Path]:
    """A new folder `beside` others, by default in that of the system, removed after the block.

    Those of the same prefix are removed too, if the process that made them is gone.
    """
    beside = beside or Path(tempfile.gettempdir())
    _sweep(beside, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=beside))
    try:
        with _held(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def archive(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of files by their path, in the given order, without dates of its own."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archived:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.create_system = _UNIX
            entry.external_attr = 0o644 << 16
            is_packed = path.endswith(_PACKED)
            entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            archived.writestr(entry, content)
    return buffer.getvalue()


def read_part(archived: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """A part of a ZIP, of which no more is unpacked than the ZIP says. Raises BadZipFile if that is another size."""
    if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # zipfile unpacks others without a bound
        raise zipfile.BadZipFile(f"{quote(part.orig_filename)} is not packed by the method 'deflate'")
    with archived.open(part) as packed:  # its own `read` unpacks all, and cuts it then
        return packed.read(part.file_size + 1)


# Folders that are needed to the end of the process. `os._exit` does not close it by itself.
UNTIL_END = ExitStack()
atexit.register(UNTIL_END.close)
_RANDOM = re.compile("[a-z0-9_]{8}")  # as `tempfile` ends names


def _sweep(folder: Path, prefix: str) -> None:
    """Remove what killed processes have left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in [entry for entry in entries if entry.name.startswith(prefix)]:
            if not _RANDOM.fullmatch(entry.name.removeprefix(prefix)):
                continue
            path = Path(entry.path)
            age = abs(time.time() - entry.stat(follow_symlinks=False).st_mtime)  # clocks are set back too
            with _held(path) as is_held:
                if is_held is False or age < (_NEW if is_held else _OLD):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


@contextmanager
def _held(path: Path) -> Iterator[bool | None]:
    """Locks a file or a folder, as long as this process lives and for the block; gives whether it
    could: False if another process has it. None where that is not known: some file systems have no
    locks, and Windows has none for folders."""
    if sys.platform == "win32":
        yield None
        return
    import fcntl

    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        yield None
        return
    is_held: bool | None = True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        is_held = False
    except OSError:
        is_held = None
    try:
        yield is_held
    finally:
        os.close(handle)


def _cannot_write(path: Path, error: OSError) -> PnpError:
    if isinstance(error, FileExistsError):  # a file in place of the folder
        return fail(Place(str(path)), f"cannot be written: {error.filename} is not a folder")
    long = sys.platform == "win32" and len(str(path.absolute())) > _LONGEST_PATH
    hint = f"Windows allows {_LONGEST_PATH} letters for the whole path: shorten it" if long else ""
    return fail(Place(str(path)), f"cannot be written: {error.strerror}", hint)


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Make a new folder at `path` in one step, with `files` by their names.

    Raises PnpError, and changes nothing, if a file or a folder with content is there, if it is the
    working folder, or if the folder cannot be made.
    """
    place = Place(quote(str(path)))
    _check_name(path)
    try:
        check_free(path, place)
        target = path.resolve()  # a link to an empty folder stays
        target.parent.mkdir(parents=True, exist_ok=True)
        with scratch(_hide(target), target.parent) as temporary:
            for name, content in files.items():
                _write_new(temporary / name, content, path / name)
            temporary.chmod(0o777 & ~_umask())
            with suppress(FileNotFoundError):
                target.rmdir()  # it is empty; Windows does not rename over it
            temporary.rename(target)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is not a path"
        raise fail(place, f"cannot be made: {reason}") from None


def check_free(path: Path, place: Place) -> None:
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
