"""Take files, make a zip of them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

_PACKED = (".png", ".webp", ".jpg", ".pdf", ".zip")  # another compression gains nothing
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first that a zip can say: no time of ours is in the file


def pack(files: Mapping[str, bytes]) -> bytes:
    """A zip of files by their paths. The same files give the same bytes."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for path, content in sorted(files.items()):
            entry = ZipInfo(path, _EPOCH)
            entry.compress_type = ZIP_STORED if path.endswith(_PACKED) else ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return buffer.getvalue()
