"""What several commands share: options, and where a person's printers are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from generator.printers import Store

PAPER_HELP = "letter, a4, legal, tabloid, a3, a5, arch-b or a size like 210x297mm."


def printer_store() -> Store:
    from generator.printers import Store

    return Store(Path(click.get_app_dir("pnp")))
