"""The address where the files of an export will be, as an option."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from generator.basics.errors import fail, quote
from generator.basics.place import Place

WEB = ("http", "https")


def check_address(to: str, address: str, schemes: Collection[str] = WEB) -> str:
    """The address with a slash at its end. Raises PnpError if it is not one of these schemes."""
    parts = urlsplit(address)
    if parts.scheme not in schemes or not (parts.netloc or parts.scheme == "file"):
        what = f"base_url {quote(address)} is not an address"
        raise fail(Place(f"--to {to}"), what, "begin it with https://")
    return address if address.endswith("/") else f"{address}/"
