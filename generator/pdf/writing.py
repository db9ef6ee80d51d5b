"""Take PDF objects one by one, make the bytes of a file: only the places of objects are kept.

So a file may be much larger than memory. Objects without a stream go together into object streams,
and the table of places is a stream at the end (ISO 32000-1, 7.5.7 and 7.5.8).
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Mapping
from hashlib import blake2b

from generator.pdf.syntax import write_array, write_dictionary

_HEADER = b"%PDF-1.5\n%\xbf\xf7\xa2\xfe\n"  # bytes that are no text: the file is binary
_TOGETHER = 100  # objects of one object stream
_AT_PLACE, _TOGETHER_IN = 1, 2  # kinds of entries in the table
_PLACE = 5  # bytes of a place in the file
_ROW = 1 + _PLACE + 2  # bytes of an entry: its kind, its place, its number among others


class PdfWriter:
    """Writes objects; `take` gives the bytes written so far, `close` writes the table.

    References are texts such as "12 0 R". The bytes depend on the objects and their order alone,
    not on when they are taken.
    """

    def __init__(self, *, is_compressed: bool = True) -> None:
        self._is_compressed = is_compressed
        self._kinds = array("B", [0])
        self._places = array("Q", [0])
        self._turns = array("H", [0xFFFF])
        self._waiting: list[tuple[int, bytes]] = []
        self._chunks: list[bytes] = []
        self._length = 0
        self._digest = blake2b(digest_size=16)
        self._put(_HEADER)

    def reserve(self) -> str:
        """A reference to an object that is written later."""
        self._kinds.append(0)
        self._places.append(0)
        self._turns.append(0)
        return f"{len(self._kinds) - 1} 0 R"

    def add(self, value: str, reference: str = "") -> str:
        """Write an object, for a reserved reference if there is one; returns its reference."""
        reference = reference or self.reserve()
        self._waiting.append((_number(reference), value.encode("ascii")))
        if len(self._waiting) == _TOGETHER:
            self._write_waiting()
        return reference

    def add_stream(
        self,
        entries: Mapping[str, object],
        content: bytes,
        reference: str = "",
        *,
        is_coded: bool = False,
    ) -> str:
        """Write a stream, compressed unless it is coded already; returns its reference."""
        reference = reference or self.reserve()
        entries = dict(entries)
        if not is_coded and self._is_compressed:
            content = zlib.compress(content)
            entries["/Filter"] = "/FlateDecode"
        entries["/Length"] = len(content)
        number = _number(reference)
        self._kinds[number], self._places[number] = _AT_PLACE, self._length
        head = f"{number} 0 obj\n{write_dictionary(entries)}\nstream\n".encode("ascii")
        self._put(head + content + b"\nendstream\nendobj\n")
        return reference

    def take(self) -> bytes:
        """What was written since the last time."""
        chunks, self._chunks = self._chunks, []
        return b"".join(chunks)

    def close(self, root: str, info: str) -> None:
        """Write the rest of the file; `root` and `info` are references."""
        if self._waiting:
            self._write_waiting()
        table, place = self.reserve(), self._length
        number = _number(table)
        self._kinds[number], self._places[number] = _AT_PLACE, place
        id_ = f"<{self._digest.hexdigest()}>"
        entries = {
            "/Type": "/XRef",
            "/Size": len(self._kinds),
            "/W": write_array((1, _PLACE, 2)),
            "/Root": root,
            "/Info": info,
            "/ID": write_array((id_, id_)),
            "/DecodeParms": write_dictionary({"/Predictor": 12, "/Columns": _ROW}),
            "/Filter": "/FlateDecode",
        }
        self.add_stream(entries, zlib.compress(self._table()), table, is_coded=True)
        self._put(f"startxref\n{place}\n%%EOF\n".encode("ascii"))

    def _put(self, content: bytes) -> None:
        self._chunks.append(content)
        self._length += len(content)
        self._digest.update(content)

    def _write_waiting(self) -> None:
        """Write the waiting objects as an object stream."""
        waiting, self._waiting = self._waiting, []
        holder = self.reserve()
        places, length = [], 0
        for turn, (number, value) in enumerate(waiting):
            places.append(f"{number} {length}")
            length += len(value) + 1
            self._kinds[number], self._places[number] = _TOGETHER_IN, _number(holder)
            self._turns[number] = turn
        head = f"{' '.join(places)}\n".encode("ascii")
        entries = {"/Type": "/ObjStm", "/N": len(waiting), "/First": len(head)}
        self.add_stream(entries, head + b"\n".join(value for _, value in waiting), holder)

    def _table(self) -> bytes:
        """The places of all objects, each row as its differences from the one above."""
        rows = zip(self._kinds, self._places, self._turns, strict=True)
        table = b"".join(
            kind.to_bytes() + place.to_bytes(_PLACE) + turn.to_bytes(2)
            for kind, place, turn in rows
        )
        above = bytes(_ROW) + table
        differences = bytes((one - other) & 0xFF for one, other in zip(table, above, strict=False))
        starts = range(0, len(differences), _ROW)
        return b"".join(b"\x02" + differences[start : start + _ROW] for start in starts)


def _number(reference: str) -> int:
    return int(reference.partition(" ")[0])
