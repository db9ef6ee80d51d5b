"""Games kept as folders of plain files, printed on both sides of the paper.

    import generator as pnp

    pnp.print_game("talavera", paper="a4")

docs/library.md explains every name. Each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

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
    "Component": "model",
    "Game": "model",
    "Piece": "model",
    "Place": "place",
    "Plan": "pipeline",
    "PlanRow": "pipeline",
    "PnpError": "errors",
    "PrintOptions": "pipeline",
    "PrintedGame": "pipeline",
    "Problem": "errors",
    "Profile": "printers",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"generator.{_MODULES.get(name, 'library')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
