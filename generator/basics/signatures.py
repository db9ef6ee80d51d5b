"""Take a file that cannot be read, say which kind it is by its first bytes: a new name converts
nothing."""

from __future__ import annotations

_KINDS = (
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


def kind_of(content: bytes) -> str:
    """The kind of a file in a few words; "" for any other."""
    if content[4:12] in _HEIF:
        return "a HEIC picture"
    start = content[:99].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((kind for magic, kind in _KINDS if start.startswith(magic.lower())), "")
