"""Options that commands share, their print options, a user's settings and printers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

if TYPE_CHECKING:
    from generator.cli.settings import Settings
    from generator.layout.printers import Profile, Store
    from generator.model import Flip, Orientation
    from generator.pipeline.request import Binding, Ink, PrintOptions, Sides

PRINTER_HELP = "A printer that you measured, or none. See `pnp printer`."


def say(line: str, *, err: bool = False) -> None:
    """Print a line that may contain text of a game or of an option, with escapes."""
    from generator.basics.errors import escape

    click.echo(escape(line), err=err)


def printer_store() -> Store:
    from generator.layout.printers import Store

    return Store(Path(click.get_app_dir("pnp")))


def settings() -> Settings:
    from generator.cli.settings import Settings

    return Settings(Path(click.get_app_dir("pnp")), os.environ)


def format_option(help_: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """--format, as `format_`: text or json."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=help_,
    )


def output_option(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """-o, as `output`: None, or a path for `files.resolve_output`."""
    help_ = f"A file, or a folder for {Path(default).name}.  [default: {default}]"
    return click.option("-o", "--output", type=click.Path(path_type=Path), help=help_)


class _Derived(click.Option):
    """An option whose help is built from data, only when it is shown."""

    def __init__(self, *names: Any, derive: Callable[[], str], **settings: Any) -> None:
        super().__init__(*names, **settings)
        self._derive = derive

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self._derive()
        return super().get_help_record(ctx)


def shop_option(use: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """--for, as `shop`: the name of a print shop, or None."""

    def derive() -> str:
        from generator.export.shop.shops import shop_names

        return f"{use}: {', '.join(shop_names())}."

    return click.option("--for", "shop", metavar="SHOP", cls=_Derived, derive=derive)


def _paper_help() -> str:
    from generator.basics.papers import paper_names

    names = ", ".join(paper_names())
    return f"{names}, or a size such as 210x297mm.  [default: yours, see `pnp config`]"


def _margin_help() -> str:
    from generator.basics.papers import margins

    names = ", ".join(f"{name} ({width:g} mm)" for name, width in margins().items())
    text = f"The unprintable edge: {names}, or a length such as 8mm."
    return f"{text}  [default: yours, see `pnp config`]"


def _usual_paper(_: click.Context, __: click.Parameter, paper: str | None) -> str:
    return settings().paper().value if paper is None else paper


def _usual_margin(_: click.Context, __: click.Parameter, margin: str | None) -> str | None:
    """None if the printer, or pnp, says it."""
    found = settings().find("margin") if margin is None else None
    return found.value if found else margin


paper_option = click.option("--paper", cls=_Derived, derive=_paper_help, callback=_usual_paper)

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Work on a dask cluster, such as tcp://10.0.0.5:8786; local starts one here.",
)


def _parse_rule(_: click.Context, __: click.Parameter, rules: Sequence[str]) -> dict[str, str]:
    pairs = [rule.partition("=") for rule in rules]
    if wrong := [rule for rule, equals, _ in pairs if not equals]:
        raise click.BadParameter(f"{wrong[0]!r} is not NAME=VALUE.")
    return {name: value for name, _, value in pairs}


rule_option = click.option(
    "--rule",
    "rules",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_parse_rule,
    help="Choose an option of the rules.  [repeatable]",
)
ink_option = click.option(
    "--ink",
    type=click.Choice(["usual", "low"]),
    default="usual",
    show_default=True,
    help="low: large areas are tints with outlines; words and symbols keep their ink.",
)


cutter_option = click.option(
    "--cutter",
    help="A machine that cuts the sheets (silhouette, cricut, opos, laser, contour) and its "
    "settings: silhouette,marks=4.  [default: none]",
)

_PRINTING = (
    paper_option,
    click.option(
        "--sides",
        type=click.Choice(["duplex", "fold", "single", "separate"]),
        default="duplex",
        show_default=True,
        help="Both sides; one side to fold and glue; fronts only; or backs in a second file.",
    ),
    click.option(
        "--flip",
        type=click.Choice(["long", "short"]),
        help="The edge your printer turns the sheet on.  [default: the printer's, or long]",
    ),
    click.option("--printer", help=PRINTER_HELP),
    click.option("--margin", cls=_Derived, derive=_margin_help, callback=_usual_margin),
    click.option(
        "--orientation",
        type=click.Choice(["auto", "portrait", "landscape"]),
        default="auto",
        show_default=True,
        help="The orientation of the paper; auto takes the fewest sheets.",
    ),
    click.option(
        "--marks",
        help="Any of cut, corner, outline, register, frame; add backs to mark backs too; or none."
        "  [default: cut,corner; none with a cutter]",
    ),
    cutter_option,
    click.option(
        "--mix/--no-mix",
        "mix",
        default=True,
        show_default=True,
        help="Let the last pieces of several components share sheets, where that saves some.",
    ),
    click.option(
        "--only",
        default="",
        help="Parts of the kit, or pieces: rules,cards/whale.  [default: all, in cutting order]",
    ),
    click.option(
        "--copies",
        type=int,
        default=1,
        show_default=True,
        help="Print each piece so many times as often; the cover and the rules once.",
    ),
    click.option(
        "--gap", default="0mm", show_default=True, help="The least room between pieces, as in 2mm."
    ),
    click.option(
        "--scale",
        default="100%",
        show_default=True,
        help="Print pieces larger or smaller; the cover and the rules keep their size.",
    ),
    click.option(
        "--booklet",
        type=click.Choice(["fold", "off"]),
        default="fold",
        show_default=True,
        help="The rules as a booklet to fold and staple, or as plain pages.",
    ),
    click.option("--lang", help="Print this language: de for columns such as name.de."),
    ink_option,
)


def printing_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_PRINTING):
        command = option(command)
    return command


class How(TypedDict):
    """The values of the printing options."""

    paper: str
    margin: str | None
    marks: str | None
    cutter: str | None
    mix: bool
    orientation: Orientation
    sides: Sides
    flip: Flip | None
    printer: str | None
    lang: str | None
    booklet: Binding
    only: str
    copies: int
    gap: str
    scale: str
    ink: Ink


def print_options(how: How, changed_since: str = "") -> PrintOptions:
    return {
        "paper": how["paper"],
        "sides": how["sides"],
        "flip": how["flip"],
        "margin": how["margin"],
        "marks": how["marks"],
        "cutter": how["cutter"] or "none",
        "mix": how["mix"],
        "orientation": how["orientation"],
        "booklet": how["booklet"],
        "language": how["lang"] or "",
        "only": [name for part in how["only"].split(",") if (name := part.strip())],
        "copies": how["copies"],
        "gap": how["gap"],
        "scale": how["scale"],
        "ink": how["ink"],
        "printer": profile_of(how["printer"]),
        "changed_since": changed_since,
    }


def profile_of(printer: str | None) -> Profile | None:
    """The printer of that name, or the default one. Raises PnpError."""
    store = printer_store()
    name = printer or store.default()
    return store.load(name) if name and name != "none" else None
