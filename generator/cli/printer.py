"""`pnp printer` measures where a printer prints the backs; `pnp config` keeps settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from generator.basics.errors import PnpError, Problem, raise_all
from generator.basics.papers import parse_margin
from generator.basics.writing import resolve_output
from generator.cli.messages import say
from generator.cli.options import Setting, complete_printers, output_option, paper_option, printer_store, settings

if TYPE_CHECKING:
    from generator.model import Flip


_NAMES = ("paper", "margin")


@click.group()
def printer() -> None:
    """Measure your printer once; from then on pnp corrects the position of the backs.

    A profile is valid for one printer, tray and kind of paper: give each a name.
    """


_CALIBRATION, _PROOF = "output/calibration.pdf", "output/proof.pdf"
_name_argument = click.argument("name", shell_complete=complete_printers)
_flip_option = click.option("--flip", type=click.Choice(["long", "short"]), default="long", show_default=True)
_language_option = click.option("--lang", "language", type=click.Choice(["en", "de", "es", "fr", "it"]), default="en")


@printer.command(name="sheet")
@paper_option
@_flip_option
@_language_option
@output_option(_CALIBRATION)
def printer_sheet(paper: str, flip: Flip, language: str, output: Path | None) -> None:
    """Make the calibration sheet: print it, hold it against a light, read eight scales."""
    from generator.pdf import Press

    with Press() as press:
        from generator import pipeline

        path = resolve_output(output, Path(_CALIBRATION))
        pipeline.calibration_sheet(paper, flip, path, press, language)
    click.echo(path)


@printer.command(name="set")
@click.argument("name")
@click.argument("readings", nargs=-1)
@paper_option
@_flip_option
@click.option("--margin", default="", help="The unprintable edge: 8mm; or of the bottom too: 3mm,14mm.")
@click.option("--ruler", metavar="LENGTH", help="What a printed ruler of 50 mm measures, as in 49.2mm.")
@click.option("--pins", is_flag=True, help="The readings are from pin holes, not from the scales.")
@click.option("--default", "is_default", is_flag=True, help="Use this printer by default.")
def printer_set(
    name: str,
    readings: tuple[str, ...],
    paper: str,
    flip: Flip,
    margin: str,
    ruler: str | None,
    pins: bool,
    is_default: bool,
) -> None:
    """Store the readings of the calibration sheet as the printer NAME.

    READINGS are the eight of the sheet, in its order (E14 E2 D57 ...); without them, pnp asks.

    With --ruler, a printer that always shrinks or enlarges pages prints them in their own size.
    It needs no READINGS, and keeps those that are stored; nor does --margin.
    """
    from generator import pipeline
    from generator.layout.printers import Profile

    store = printer_store()
    profile = store.load(name) if name in store.names() else Profile(name, flip)
    size = profile.size if ruler is None else pipeline.measure_size(ruler)
    if readings or (ruler is None and not margin):
        numbers = readings or tuple(click.prompt(f"scale {number}") for number in range(1, 9))
        profile = pipeline.measure_printer(name, flip, paper, numbers, margin, pins=pins)
    elif margin:
        edges, bottom = parse_margin(margin)
        profile = replace(profile, margin=edges, bottom=bottom)
    store.save(replace(profile, size=size))
    if is_default:
        store.set_default(name)
    _show(name)


@printer.command(name="show")
@_name_argument
def printer_show(name: str) -> None:
    """Show where the printer NAME prints the backs."""
    _show(name)


def _show(name: str) -> None:
    profile = printer_store().load(name)
    scales = profile.scale_x, profile.scale_y
    across, down = (_format_signed(scale * 100 - 100) for scale in scales)
    click.echo(
        f"{name}: flipped on the {profile.flip} edge, the back is"
        f" {_format_signed(profile.dx)} mm across and {_format_signed(profile.dy)} mm down,"
        f" turned by {_format_signed(profile.angle)} degrees,"
        f" scaled by {across} % across and {down} % down;"
        f" corrected, it may still be {profile.drift:.1f} mm off"
        + (f"; its unprintable edge is {profile.margin:g} mm" if profile.margins else "")
        + (f", {profile.bottom:g} mm at the bottom" if profile.bottom > profile.margin else "")
        + (f"; it prints {profile.size:.1%} of a page's size, which is corrected" if profile.size != 1.0 else "")
    )


def _format_signed(value: float) -> str:
    return f"{round(value, 2) or 0.0:+.2f}"


@printer.command(name="list")
def printer_list() -> None:
    """List the printers you measured, and mark the default."""
    store = printer_store()
    if not store.names():
        say("no printers yet: pnp printer sheet makes the sheet that measures one", err=True)
    for name in store.names():
        click.echo(f"{name} (default)" if name == store.default() else name)


@printer.command(name="default")
@_name_argument
def printer_default(name: str) -> None:
    """Make the printer NAME the default, or `none`."""
    printer_store().set_default(None if name == "none" else name)


@printer.command(name="remove")
@_name_argument
def printer_remove(name: str) -> None:
    """Delete the printer NAME."""
    printer_store().remove(name)


@printer.command(name="proof")
@_name_argument
@paper_option
@_language_option
@output_option(_PROOF)
def printer_proof(name: str, paper: str, language: str, output: Path | None) -> None:
    """Make a sheet that shows whether the printer NAME now prints backs in their place."""
    from generator.pdf import Press

    profile = printer_store().load(name)
    with Press() as press:
        from generator import pipeline

        path = resolve_output(output, Path(_PROOF))
        pipeline.proof_sheet(paper, profile, path, press, language)
    click.echo(path)


@click.command()
@click.argument("name", type=click.Choice(_NAMES), required=False)
@click.argument("value", required=False)
@click.option("--unset", is_flag=True, help="Remove the setting NAME from the file.")
def config(name: str | None, value: str | None, unset: bool) -> None:
    """Show the settings and where they are from; or keep VALUE for the setting NAME.

    `pnp config paper a4` prints on A4 from now on, `pnp config --unset paper` no longer.

    An option of a command comes first, then PNP_PAPER and PNP_MARGIN, then the file that this command writes, then the
    printer that you measured (its margin), then the country of the locale (its paper).
    """
    if unset and (name is None or value is not None):
        raise click.UsageError("--unset takes a setting: pnp config --unset paper")
    if name and (unset or value is not None) and settings().write(name, value):
        say(f"{settings().file}: what was damaged in it is dropped", err=True)
    _show_settings((name,) if name else _NAMES)


def _show_settings(names: tuple[str, ...]) -> None:
    """Print settings. Raises PnpError with the faults of all that have no valid value."""
    problems: dict[Problem, None] = {}
    for name in names:
        try:
            setting = settings().paper() if name == "paper" else _margin()
            say(f"{name} = {setting.value} ({setting.source})")
        except PnpError as error:
            problems.update(dict.fromkeys(error.problems))
    raise_all(problems)


def _margin() -> Setting:
    if found := settings().find("margin"):
        return found
    store = printer_store()
    name = store.default()
    margins = store.load(name).margins if name else None
    return Setting(margins.text, f"the printer {name}") if margins else Setting("usual", "pnp")
