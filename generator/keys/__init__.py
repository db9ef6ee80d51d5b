"""Classes whose fields are the keys of a table: raw values -> an object, or every fault of them.

A key's type says what its value may be, with these annotations:

    size: Annotated[float, describe("the size of the text", least=6, most=20)] = 10.0

`read` makes an object of a table. `json_schema` describes the table for editors.
"""

from __future__ import annotations

from generator.keys.declaring import (
    After,
    Before,
    Beside,
    Key,
    Keys,
    Reads,
    ReadsWith,
    Schema,
    describe,
    strip,
)
from generator.keys.reading import KeyFault, KeyPath
from generator.keys.tables import fields_of, json_schema, kind_of, read

__all__ = [
    "After",
    "Before",
    "Beside",
    "Key",
    "KeyFault",
    "KeyPath",
    "Keys",
    "Reads",
    "ReadsWith",
    "Schema",
    "describe",
    "fields_of",
    "json_schema",
    "kind_of",
    "read",
    "strip",
]
