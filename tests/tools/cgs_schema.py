"""Hold exports of Card Game Simulator against its public schema.

`python -m tests.tools.cgs_schema SCHEMA EXPORT...`: SCHEMA is the folder docs/schema of its
repository, each EXPORT a folder that `pnp export --to cgs` wrote.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from jsonschema import Draft4Validator


def faults(schema: Path, export: Path) -> Iterator[str]:
    """What the schema finds in an export, a line each."""
    validator = Draft4Validator(json.loads((schema / "cgs.json").read_text("utf-8")))
    spec = json.loads((export / "cgs/cgs.json").read_text("utf-8"))
    for fault in validator.iter_errors(spec):
        yield f"{export}: {fault.json_path}: {fault.message}"


def main(arguments: Sequence[str]) -> int:
    """The number of faults; writes each."""
    schema, *exports = map(Path, arguments)
    found = [fault for export in exports for fault in faults(schema, export)]
    told = "\n".join(found) or f"{len(exports)} exports are valid"
    sys.stdout.write(f"{told}\n")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
