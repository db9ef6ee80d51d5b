"""Make the picture that stands in for one that is missing or refused: a red crossed box."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator

FAULT_RED = "#d81e2c"  # of every mark of a draft
_START = "data:image/svg+xml;base64,"
_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><title>'
_TAIL = (
    '</title><path d="M2 2H98V98H2Z" fill="#fff" fill-opacity="0.75"/>'
    f'<path d="M2 2H98V98H2ZM2 2L98 98M98 2L2 98" fill="none" stroke="{FAULT_RED}"'
    ' stroke-width="4"/></svg>'
)
_PREFIX = b64encode(_HEAD.encode()[: len(_HEAD) // 3 * 3]).decode()
_CROSSED = re.compile(re.escape(_START) + f"({re.escape(_PREFIX)}[A-Za-z0-9+/=]*)")


def crossed(file: str) -> str:
    """The data URI of a crossed box. It holds the name of the file, for `find_crossed`."""
    from html import escape  # rarely needed

    return _START + b64encode(f"{_HEAD}{escape(file)}{_TAIL}".encode()).decode()


def find_crossed(svg: str) -> Iterator[str]:
    """The files whose crossed boxes a drawing shows."""
    from html import unescape

    for uri in _CROSSED.findall(svg):
        title = b64decode(uri).decode().removeprefix(_HEAD)
        yield unescape(title.removesuffix(_TAIL))
