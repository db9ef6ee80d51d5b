"""Take files, make a ZIP of them; the same files make the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_PACKED = (".json", ".xml")  # pictures are packed already


def archive(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of files by their path, in the given order, without dates of its own."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archived:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.create_system = _UNIX
            entry.external_attr = 0o644 << 16
            if path.endswith(_PACKED):
                entry.compress_type = zipfile.ZIP_DEFLATED
            archived.writestr(entry, content)
    return buffer.getvalue()
