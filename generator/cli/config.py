"""`pnp config`: the user's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import printer_store, say, settings

if TYPE_CHECKING:
    from generator.cli.settings import Setting

_NAMES = ("paper", "margin")


@click.command()
@click.argument("name", type=click.Choice(_NAMES), required=False)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Remove the setting NAME from the file.")
def config(name: str | None, value: str | None, unset: bool) -> None:
    """Show the settings and where they are from; or keep VALUE for the setting NAME.

    `pnp config paper a4` prints on A4 from now on, `pnp config --unset paper` no longer.

    An option of a command comes first, then PNP_PAPER and PNP_MARGIN, then the file that this
    command writes, then the printer that you measured (its margin), then the country of the locale
    (its paper).
    """
    if unset and (name is None or value is not None):
        raise click.UsageError("--unset takes a setting: pnp config --unset paper")
    if name and (unset or value is not None) and settings().write(name, value):
        say(f"{settings().file}: what was damaged in it is dropped", err=True)
    _show((name,) if name else _NAMES)


def _show(names: tuple[str, ...]) -> None:
    """Print settings. Raises PnpError with the faults of all that have no valid value."""
    from generator.basics.errors import PnpError, Problem

    problems: dict[Problem, None] = {}
    for name in names:
        try:
            setting = settings().paper() if name == "paper" else _margin()
            say(f"{name} = {setting.value} ({setting.source})")
        except PnpError as error:
            problems.update(dict.fromkeys(error.problems))
    if problems:
        raise PnpError(list(problems))


def _margin() -> Setting:
    from generator.cli.settings import Setting

    if found := settings().find("margin"):
        return found
    store = printer_store()
    name = store.default()
    margin = store.load(name).margin if name else 0.0
    return Setting(f"{margin:g}mm", f"the printer {name}") if margin else Setting("usual", "pnp")
