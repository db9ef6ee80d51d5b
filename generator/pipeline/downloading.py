"""The bytes at an address of the web: the only module of pnp that asks other machines."""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from contextlib import closing
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from time import monotonic
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit, urlunsplit

from generator.basics.errors import Place, fail, quote
from generator.basics.files import MEGABYTE

_REDIRECTS = 5
_SECONDS, _SECONDS_IN_ALL = 20.0, 180.0  # without a byte; for one address
_CHUNK = 64 * 1024
_SHEET = re.compile(r"(/spreadsheets/d/[\w-]+)/(?:edit|view)\b.*")
_TAB = re.compile(r"gid=(\d+)")


def file_address(address: str) -> str:
    """The address of the file itself, for the link that a browser shows of a Google sheet or of a
    file in Dropbox (their help pages describe both)."""
    parts = urlsplit(address)
    if parts.hostname == "docs.google.com" and (sheet := _SHEET.fullmatch(parts.path)):
        tab = _TAB.search(f"{parts.fragment}&{parts.query}")
        query = urlencode({"format": "csv", "gid": tab[1] if tab else "0"})
        return urlunsplit(("https", "docs.google.com", f"{sheet[1]}/export", query, ""))
    if parts.hostname in ("www.dropbox.com", "dropbox.com"):
        query = urlencode(parse_qs(parts.query) | {"dl": ["1"]}, doseq=True)
        return urlunsplit(parts._replace(query=query))
    return urlunsplit(parts._replace(fragment=""))


def download(address: str, most: int, place: Place) -> bytes:
    """The bytes at an address, through at most five redirects. Raises PnpError."""
    end = monotonic() + _SECONDS_IN_ALL
    address = file_address(address)
    for _ in range(_REDIRECTS + 1):
        parts = urlsplit(address)
        if parts.scheme != "https" or not parts.hostname or parts.port or parts.username:
            raise fail(place, f"the address {quote(address)} is not allowed", "it is https://HOST/…")
        try:
            with closing(_connect(parts.hostname, place)) as connection:
                target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
                headers = {"Accept-Encoding": "identity", "User-Agent": "pnp"}
                connection.request("GET", target, headers=headers)
                with connection.getresponse() as answer:
                    if answer.status not in (301, 302, 303, 307, 308):
                        return _read(answer, most, end, place)
                    address = urljoin(address, answer.getheader("Location", ""))
        except (OSError, HTTPException, ValueError) as error:
            what = f"{quote(parts.hostname)} does not answer: {error}"
            raise fail(place, what, "try again later, or open the address in a browser") from None
    raise fail(place, "the address is redirected too often", f"at most {_REDIRECTS} redirects")


def _read(answer: HTTPResponse, most: int, end: float, place: Place) -> bytes:
    if answer.status != 200:
        hint = "publish it to everybody who has the link"
        raise fail(place, f"the server answers {answer.status} {answer.reason}", hint)
    content = bytearray()
    while chunk := answer.read1(_CHUNK):
        content += chunk
        if len(content) > most:
            raise fail(place, "the file is too large", f"at most {most // MEGABYTE} MB")
        if monotonic() > end:
            raise fail(place, f"the file took more than {_SECONDS_IN_ALL:.0f} s", "try again later")
    return bytes(content)


def _connect(host: str, place: Place) -> HTTPSConnection:
    """A connection to a host of the internet. It goes to the very address that was looked at, so
    that no second answer of the name's server leads elsewhere. Raises PnpError, OSError."""
    found = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not all(ipaddress.ip_address(address).is_global for address in addresses):
        raise fail(place, f"{quote(host)} is an address of this network", "only servers of the internet are asked")
    connection = HTTPSConnection(host, timeout=_SECONDS)
    plain = socket.create_connection((addresses[0], 443), _SECONDS)
    connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    return connection
