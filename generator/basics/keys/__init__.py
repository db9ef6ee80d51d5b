"""Classes whose fields are the keys of a table: they read raw values, or report every fault.

A key's type says what its value may be, with these annotations:

    size: Annotated[float, describe("the size of the text", ge=6, le=20)] = 10.0

`read` makes an object of a table. `json_schema` describes the table for editors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.basics.keys.reading import (
    After,
    Before,
    KeyFault,
    KeyMisfitError,
    KeyPath,
    Keys,
    Reads,
    ReadsWith,
    Schema,
    describe,
    described,
    json_schema,
    matching,
    read,
    strip,
)

if TYPE_CHECKING:
    from typing import Annotated as Custom
else:
    from generator.basics.keys.reading import Custom
