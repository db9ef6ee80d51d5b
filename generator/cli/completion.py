"""What a shell completes: names of games, parts, papers, printers, formats, shops and machines.

click writes the scripts of the shells and reads the line; see docs/install.md for the line that
switches it on. A fault of a game or of a setting offers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from generator.basics import papers
from generator.basics.errors import PnpError

_Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]


def _offer(find: Callable[[click.Context], Iterable[str]]) -> _Completer:
    """Offers those names that begin as the last of the words between commas does."""

    def complete(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem[str]]:
        before, comma, last = begun.rpartition(",")
        with suppress(PnpError, OSError):
            names = [name for name in find(context) if name.startswith(last)]
            return [CompletionItem(f"{before}{comma}{name}") for name in names]
        return []

    return complete


def _find_games(_: click.Context) -> list[str]:
    from generator import pipeline
    from generator.game.spec import SPEC

    folders = sorted(path.parent.name for path in Path.cwd().glob(f"*/{SPEC}"))
    return [*pipeline.names(), *(f"./{name}" for name in folders)]


def complete_game(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Names of games, and of folders in the working folder that hold one; any folder for a path."""
    found = _offer(_find_games)(context, parameter, begun)
    is_path = begun.startswith((".", "~")) or "/" in begun or "\\" in begun
    return found or ([CompletionItem(begun, type="dir")] if is_path else [])


def _find_parts(context: click.Context) -> list[str]:
    import generator

    # an option that lacks its value keeps click from telling arguments apart
    given = context.params.get("games") or [context.params.get("game") or "", *context.args]
    parts = [part.id for game in given if game for part in generator.load_game(game).components]
    return ["cover", "rules", *parts]


def _late(module: str, find: Callable[[Any], Iterable[str]]) -> _Completer:
    """Offers names that a module knows, which is imported only then."""
    return _offer(lambda _: find(import_module(f"generator.{module}")))


def _find_printers(printers: Any) -> list[str]:
    return [*printers.Store(Path(click.get_app_dir("pnp"))).names(), "none"]


complete_parts = _offer(_find_parts)
complete_papers = _offer(lambda _: papers.paper_names())
complete_margins = _offer(lambda _: papers.margins())
complete_printers = _late("layout.printers", _find_printers)
complete_formats = _late("pipeline", lambda pipeline: sorted(pipeline.EXPORTERS))
complete_shops = _late("export.shop.shops", lambda shops: shops.shop_names())
complete_machines = _late("layout", lambda layout: [*layout.MACHINES, layout.NO_CUTTER])
