"""`pnp list` and `pnp schema`: the installed games, and the schema of a spec."""

from __future__ import annotations

import click

import generator
from generator.cli.options import say


@click.command(name="list")
@click.option("--names", is_flag=True, help="Print only the names, for scripts.")
def list_games(names: bool) -> None:
    """List the games and their variants, then what installed packages add."""
    for name in generator.list_games():
        say(name if names else f"{name:<20} {_about(name)}")
    if not names:
        _list_additions()


def _about(name: str) -> str:
    from generator import pipeline

    try:
        return pipeline.about(name)
    except generator.PnpError:
        return f"(has errors: pnp check {name})"


def _list_additions() -> None:
    from generator import pipeline

    additions = pipeline.additions()
    if additions:
        click.echo("\nInstalled packages add:")
    for addition in additions:
        kind = addition.group.removeprefix("pnp.").removesuffix("s")
        say(f"{kind:<9} {addition.name:<20} {addition.package}")


@click.command()
def schema() -> None:
    """Print the JSON Schema of game.toml, so that an editor can complete and check it."""
    from generator import pipeline

    click.echo(pipeline.schema_text(), nl=False)
