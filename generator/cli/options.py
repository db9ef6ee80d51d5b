"""What several commands share: options, what they ask for, where a person's printers are kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, cast

import click

if TYPE_CHECKING:
    from generator.model import Flip, Orientation, Way
    from generator.pipeline import Request
    from generator.printers import Profile, Store

PAPER_HELP = "letter, a4, legal, tabloid, a3, a5, arch-b or a size like 210x297mm."
PRINTER_HELP = "A printer you measured, or none. See `pnp printer`."


def say(line: str, *, err: bool = False) -> None:
    """Print a line in which words of a game or of an option may stand."""
    from generator.errors import escape

    click.echo(escape(line), err=err)


def printer_store() -> Store:
    from generator.printers import Store

    return Store(Path(click.get_app_dir("pnp")))


def format_option(told: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """--format, as `format_`: text or json."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=told,
    )


def output_option(usual: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """-o, as `output`: None, or a path for `files.resolve_output`."""
    told = f"A file, or a folder for {Path(usual).name}.  [default: {usual}]"
    return click.option("-o", "--output", type=click.Path(path_type=Path), help=told)


def printing_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--printer", help=PRINTER_HELP),
        click.option(
            "--flip",
            type=click.Choice(["long", "short"]),
            help="The edge your printer turns the sheet on.  [default: the printer's, or long]",
        ),
        click.option(
            "--sides",
            type=click.Choice(["duplex", "fold", "single", "separate"]),
            default="duplex",
            show_default=True,
            help="Both sides; one side to fold and glue; fronts only; or backs in another file.",
        ),
        click.option(
            "--paper",
            default="letter",
            show_default=True,
            help=PAPER_HELP,
        ),
        click.option(
            "--orientation",
            type=click.Choice(["auto", "portrait", "landscape"]),
            default="auto",
            show_default=True,
            help="How the paper lies; auto is what takes the fewest sheets.",
        ),
        click.option(
            "--margin",
            help="What the printer leaves bare: tight (4 mm), usual (6.35), safe (10) or 8mm."
            "  [default: the printer's, or usual]",
        ),
        click.option(
            "--marks",
            default="cut,corner",
            show_default=True,
            help="Any of cut, corner, register, outline, and backs to mark those too; or none.",
        ),
        click.option(
            "--booklet",
            type=click.Choice(["fold", "off"]),
            default="fold",
            show_default=True,
            help="The rules as a booklet to fold and staple, or as plain pages.",
        ),
        click.option("--lang", help="A language that the tables have columns in: de for name.de."),
        click.option(
            "--only",
            default="",
            help="Parts of the kit: rules,cards.  [default: all, in the order one cuts them]",
        ),
        click.option(
            "--mix/--no-mix", "mix", help="Let what is left of several components share sheets."
        ),
    ):
        command = option(command)
    return command


class How(TypedDict):
    """What the printing options say."""

    paper: str
    margin: str | None
    marks: str
    mix: bool
    orientation: Orientation
    sides: str
    flip: Flip | None
    printer: str | None
    lang: str | None
    booklet: Literal["fold", "off"]
    only: str


def request_of(game: str, how: How, changed_since: str = "") -> Request:
    from generator.pipeline import Request, parse_only

    profile = profile_of(how["printer"])
    bare = f"{profile.margin:g}mm" if profile and profile.margin else "usual"
    way: Way = how["flip"] or (profile.flip if profile else "long")
    if how["sides"] != "duplex":
        way, profile = cast("Way", how["sides"]), None  # a page of one side is true by itself
    return Request(
        game,
        how["paper"],
        way,
        profile,
        how["margin"] or bare,
        how["marks"],
        how["mix"],
        how["orientation"],
        how["lang"] or "",
        parse_only(how["only"]),
        changed_since,
        how["booklet"],
    )


def profile_of(printer: str | None) -> Profile | None:
    """The printer of that name, or the default one. Raises PnpError."""
    store = printer_store()
    name = printer or store.default()
    return store.load(name) if name and name != "none" else None
