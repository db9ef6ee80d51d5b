"""ZIPs: the same files make the same bytes, at any time and on any system."""

from __future__ import annotations

import zipfile
from io import BytesIO

from generator.basics.writing import archive


def test_a_zip_knows_no_time_and_no_system() -> None:
    content = archive({"b.json": b"{}" * 500, "a/c.png": b"picture"})
    with zipfile.ZipFile(BytesIO(content)) as found:
        entries = found.infolist()
        assert [entry.filename for entry in entries] == ["b.json", "a/c.png"]
        assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.create_system for entry in entries} == {3}
        assert entries[0].compress_size < entries[0].file_size
        assert entries[1].compress_size == entries[1].file_size
        assert found.read("a/c.png") == b"picture"
