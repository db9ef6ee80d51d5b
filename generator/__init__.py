"""Games kept as folders of plain files, printed on both sides of the paper.

    import generator as pnp

    pnp.print_game("talavera", paper="a4")

docs/library.md explains every name. Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.lazily import load_lazily

if TYPE_CHECKING:
    from generator.errors import PnpError, Problem
    from generator.library import (
        check_game,
        export_game,
        list_games,
        load_game,
        plan_game,
        print_game,
        print_games,
    )
    from generator.model import Component, Game, Piece
    from generator.pipeline import Plan, PlanRow, PrintedGame, PrintOptions
    from generator.place import Place
    from generator.printers import Profile

__version__ = "0.1.0"

__all__ = [
    "Component",
    "Game",
    "Piece",
    "Place",
    "Plan",
    "PlanRow",
    "PnpError",
    "PrintOptions",
    "PrintedGame",
    "Problem",
    "Profile",
    "check_game",
    "export_game",
    "list_games",
    "load_game",
    "plan_game",
    "print_game",
    "print_games",
]

_MODULES = {
    **dict.fromkeys(__all__, "generator.library"),
    "Component": "generator.model",
    "Game": "generator.model",
    "Piece": "generator.model",
    "Place": "generator.place",
    "Plan": "generator.pipeline",
    "PlanRow": "generator.pipeline",
    "PnpError": "generator.errors",
    "PrintOptions": "generator.pipeline",
    "PrintedGame": "generator.pipeline",
    "Problem": "generator.errors",
    "Profile": "generator.printers",
}

__getattr__ = load_lazily(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
