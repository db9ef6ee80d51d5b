"""Tables and pictures of a game from the web, pinned: [source] of game.toml, and its lock file.

This is the only module of pnp that asks other machines.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit, urlunsplit

from msgspec import MsgspecError, Struct, json

from generator import game
from generator.art.pixels import FORMATS
from generator.basics.errors import Place, PnpError, Problem, collecting, fail, quote, raise_all
from generator.basics.files import MEGABYTE, is_one_line, kind_of, read_at_most, read_within, resolve_within
from generator.basics.writing import read_part, staging
from generator.game.document import ADDRESS, Sources
from generator.game.spec import LOCK, Source, table_of
from generator.tables.table import SUFFIXES

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from socket import socket

_MOST = {"table": 8 * MEGABYTE, "picture": 20 * MEGABYTE, "folder": 200 * MEGABYTE}
_MOST_PICTURES = 1_000  # of a folder
_PICTURES = (".svg", *FORMATS)
_REDIRECTS = 5
_SECONDS, _SECONDS_IN_ALL = 20.0, 180.0  # without a byte; for one address
_HEADERS = "User-Agent: pnp\r\nAccept-Encoding: identity\r\nConnection: close\r\n"
_ADDRESS = re.compile(ADDRESS)
_SHEET = re.compile(r"(?:/[au]/[\w.-]+)?/spreadsheets(?:/u/\d+)?(/d/(?:e/)?[\w-]+)/(edit|view|pub|pubhtml)\b.*")


class FetchedFile(Struct, frozen=True):
    """A file as it was brought: its path in the game's folder, from where, its SHA-256, and the day
    (UTC) on which this content was first brought."""

    path: str
    address: str
    sha256: str
    day: str


class Fetched(Struct, frozen=True):
    """The files that are new at the addresses, that have changed, and that are gone: paths in the folder."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    files: int


def fetch(name: str, *, is_check: bool = False) -> Fetched:
    """Brings the files that [source] of a game names, all of them or none, and locks their digests.
    With `is_check` it only compares them, and writes nothing.

    Raises PnpError with every file that cannot be brought, and every one that was changed here since the last time.
    """
    folder, _ = game.find(name)
    locked = {file.path: file for file in _read_lock(folder)}
    found: dict[str, tuple[str, bytes]] = {}
    problems: list[Problem] = []
    for path, (address, place) in _read_sources(folder).items():
        with collecting(problems):
            for file, content in _bring(folder, path, address, place):
                if file in found:
                    problems.append(Problem(place, f"two files would be {quote(file)}", "rename one at its source"))
                found[file] = address, content
    day = datetime.now(UTC).date().isoformat()
    files = [_lock(path, address, content, locked.get(path), day) for path, (address, content) in sorted(found.items())]
    problems += [] if is_check else _find_changes(folder, locked, files)
    raise_all(problems)
    if not is_check:
        with staging(folder) as write:
            for path, (_, content) in found.items():
                write(path, content)
            write(LOCK, json.format(json.encode(files), indent=1) + b"\n")
    return Fetched(
        tuple(file.path for file in files if file.path not in locked),
        tuple(file.path for file in files if file != locked.get(file.path, file)),
        tuple(sorted(locked.keys() - found.keys())),
        len(files),
    )


def say_versions(folder: Path) -> list[str]:
    """A line on the files of a game that `fetch` brought, and one on each changed here since; none without a lock."""
    files = _read_lock(folder)
    if not files:
        return []
    ours = [file.path for file in files if _digest(folder, file.path) not in ("", file.sha256)]
    first = f"{len(files)} fetched files, the newest of {max(file.day for file in files)}"
    return [first, *(f"{path}: changed here since it was fetched" for path in ours)]


def _read_sources(folder: Path) -> Mapping[str, tuple[str, Place]]:
    """The addresses by path, each with its place in the spec. Raises PnpError."""
    source = Source(folder)
    table = source.validate(Sources, table_of(source.raw, "source"), ("source",), None)
    if table is None:
        raise PnpError(source.problems)
    if not table:
        hint = "[source] names files: 'cards.csv' = 'https://…'; 'art/' = a ZIP of pictures"
        raise fail(source.spec, "the game has no [source]", hint)
    return {path: (address, source.place(("source", path))) for path, address in table.items()}


def _bring(folder: Path, path: str, address: str, place: Place) -> Iterator[tuple[str, bytes]]:
    """The files at an address, by their paths in the game's folder. Raises PnpError, also for a page to sign in."""
    resolve_within(folder, path, place)
    suffix = PurePosixPath(path).suffix.lower()
    if path.endswith("/"):
        yield from _unpack(path, download(address, _MOST["folder"], place), place)
    elif suffix in SUFFIXES or suffix in _PICTURES:
        content = download(address, _MOST["table" if suffix in SUFFIXES else "picture"], place)
        kind = kind_of(content)
        if kind == "a web page" or (kind and suffix in (".csv", ".tsv", ".json", ".svg")):
            hint = "publish it to everybody who has the link, and name the link of the file itself"
            raise fail(place, f"at the address is {kind}, not a file {suffix}", hint)
        yield path, content
    else:
        hint = "name a table, a picture, or a folder that ends in '/'"
        raise fail(place, f"a file {quote(suffix)} is never fetched", hint)


def _unpack(path: str, content: bytes, place: Place) -> Iterator[tuple[str, bytes]]:
    """The pictures of a ZIP, without its folders. Raises PnpError."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        entries = [entry for entry in archive.infolist() if _is_picture(entry)]
        sizes = [entry.file_size for entry in entries]
        if sum(sizes) > _MOST["folder"] or max(sizes, default=0) > _MOST["picture"]:
            raise fail(place, "the pictures of the ZIP are too large", "at most 20 MB each, 200 MB in all")
        if not 0 < len(entries) <= _MOST_PICTURES:
            hint = f"1 to {_MOST_PICTURES:,}: {', '.join(_PICTURES)}"
            raise fail(place, f"the ZIP has {len(entries):,} pictures", hint)
        for entry in entries:
            yield f"{path}{PurePosixPath(entry.filename).name}", read_part(archive, entry)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, ValueError) as error:
        hint = "name a ZIP, as clouds make of a shared folder when it is downloaded"
        raise fail(place, f"no ZIP that can be read is at the address: {error}", hint) from None


def _is_picture(entry: zipfile.ZipInfo) -> bool:
    """Raises ValueError for a picture whose name is no file's everywhere."""
    name, path = entry.orig_filename, PurePosixPath(entry.filename)
    if entry.is_dir() or path.suffix.lower() not in _PICTURES:
        return False
    if not is_one_line(name) or "\\" in name or ":" in name or ".." in path.parts:
        raise ValueError(f"the name {quote(name)} is not allowed")
    return not any(part.startswith((".", "__MACOSX")) for part in path.parts)


def _find_changes(folder: Path, locked: Mapping[str, FetchedFile], files: Iterable[FetchedFile]) -> Iterator[Problem]:
    """The files that would be replaced though somebody changed or made them here."""
    for file in files:
        before = locked.get(file.path)
        if _digest(folder, file.path) not in {"", file.sha256, before.sha256 if before else ""}:
            hint = "make the change at its source, then delete the file here; or leave it out"
            what = "it was changed here since it was fetched" if before else "it is here already"
            yield Problem(Place.in_folder(folder, file.path), what, hint)


def _digest(folder: Path, path: str) -> str:
    """The SHA-256 of a file; "" if it is not there."""
    if not (folder / path).exists():
        return ""
    return sha256(read_within(folder, path, _MOST["picture"], Place.in_folder(folder, path))).hexdigest()


def _lock(path: str, address: str, content: bytes, before: FetchedFile | None, day: str) -> FetchedFile:
    digest = sha256(content).hexdigest()
    same = before and (before.sha256, before.address) == (digest, address)
    return before if before and same else FetchedFile(path, address, digest, day)


def _read_lock(folder: Path) -> list[FetchedFile]:
    """The files that an earlier fetch brought; none if there was none. Raises PnpError if the lock is damaged."""
    if not (folder / LOCK).is_file():
        return []
    place = Place.in_folder(folder, LOCK)
    try:
        return json.decode(read_within(folder, LOCK, MEGABYTE, place), type=list[FetchedFile])
    except (MsgspecError, RecursionError) as error:
        raise fail(place, f"the lock file is damaged: {error}", "delete it, and run pnp fetch again") from None


def file_address(address: str) -> str:
    """The address of the file itself, for the link that a browser shows of a Google sheet, also one that is
    published to the web, or of a file in Dropbox (their help pages describe both)."""
    parts = urlsplit(address)
    sheet = _SHEET.fullmatch(parts.path)
    if parts.hostname == "docs.google.com" and sheet and "output=" not in parts.query:
        page, form = ("pub", "output") if sheet[2].startswith("pub") else ("export", "format")
        tab = parse_qs(f"{parts.fragment}&{parts.query}").get("gid")
        query = urlencode({form: "csv"} | ({"gid": tab[0], "single": "true"} if tab else {}))
        parts = parts._replace(path=f"/spreadsheets{sheet[1]}/{page}", query=query)
    if parts.hostname in ("www.dropbox.com", "dropbox.com"):
        parts = parts._replace(query=urlencode(parse_qs(parts.query) | {"dl": ["1"]}, doseq=True))
    return urlunsplit(parts._replace(fragment=""))


def download(address: str, most: int, place: Place) -> bytes:
    """The bytes at an address, through at most five redirects, all within one time. Raises PnpError."""
    from http.client import HTTPException, HTTPResponse  # a build, which only reads the lock, opens no connection

    end = monotonic() + _SECONDS_IN_ALL
    address = file_address(address)
    for _ in range(_REDIRECTS + 1):
        if not _ADDRESS.fullmatch(address):
            raise fail(place, f"the address {quote(address)} is not allowed", "it is https://HOST/…")
        parts = urlsplit(address)
        target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        try:
            with _connect(parts.netloc, end, place) as server, HTTPResponse(server) as answer:
                server.sendall(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\n{_HEADERS}\r\n".encode())
                answer.fp = io.BufferedReader(_TimedReader(server, end))
                answer.begin()
                if answer.status not in (301, 302, 303, 307, 308):
                    return _read(answer, most, place)
                address = urljoin(address, answer.getheader("Location", ""))
        except (OSError, HTTPException, ValueError) as error:
            why = error if monotonic() < end else f"it took more than {_SECONDS_IN_ALL:.0f} s"
            what = f"{quote(parts.netloc)} does not answer as it should: {why}"
            raise fail(place, what, "try again later, or open the address in a browser") from None
    raise fail(place, "the address is redirected too often", f"at most {_REDIRECTS} redirects")


def _read(answer: HTTPResponse, most: int, place: Place) -> bytes:
    """Raises PnpError, and OSError for an answer that is cut off."""
    if answer.status != 200:
        raise fail(place, f"the server answers {answer.status} {answer.reason}", "publish it for all who have the link")
    content = read_at_most(answer, most + 1)
    if len(content) > most:
        raise fail(place, "the file is too large", f"at most {most // MEGABYTE} MB")
    if answer.length:
        raise OSError(f"{answer.length:,} bytes are missing")
    return content


class _TimedReader(io.RawIOBase):
    """What a server sends until `end`: however slowly its bytes drip, reading raises ValueError then."""

    def __init__(self, server: socket, end: float) -> None:
        self._server, self._end = server, end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._server.settimeout(min(_SECONDS, self._end - monotonic()))
        return self._server.recv_into(buffer)


def _connect(host: str, end: float, place: Place) -> socket:
    """A connection to a host of the internet. It goes to the very address that was looked at, so that no
    second answer of the name's server leads elsewhere. Raises PnpError, OSError, and ValueError after `end`."""
    import socket
    import ssl

    addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)]
    if not all(map(_is_public, addresses)):
        raise fail(place, f"{quote(host)} is an address of this network", "only servers of the internet are asked")
    plain = socket.create_connection((addresses[0], 443), min(_SECONDS, end - monotonic()))
    plain.settimeout(min(_SECONDS, end - monotonic()))
    # where the length is unknown, an end without TLS's last word is a cut
    return ssl.create_default_context().wrap_socket(plain, server_hostname=host, suppress_ragged_eofs=False)


def _is_public(text: str) -> bool:
    """Whether an IP address is of a server of the internet: of what wraps IPv4, only NAT64 (RFC 6052) leads there."""
    from ipaddress import ip_address, ip_network

    address = ip_address(text)
    if address in ip_network("64:ff9b::/96"):
        address = ip_address(address.packed[-4:])
    is_server = address.version == 4 or address in ip_network("2000::/3")
    return is_server and address.is_global and not address.is_multicast and address not in ip_network("2002::/16")
