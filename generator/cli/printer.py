"""`pnp printer`: measure where a printer prints the backs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.options import output_option, paper_option, printer_store

if TYPE_CHECKING:
    from generator.model import Flip


@click.group()
def printer() -> None:
    """Measure your printer once; from then on pnp corrects the position of the backs.

    A profile is valid for one printer, tray and kind of paper: give each a name.
    """


_CALIBRATION, _PROOF = "output/calibration.pdf", "output/proof.pdf"
_flip_option = click.option(
    "--flip", type=click.Choice(["long", "short"]), default="long", show_default=True
)


@printer.command(name="sheet")
@paper_option
@_flip_option
@output_option(_CALIBRATION)
def printer_sheet(paper: str, flip: Flip, output: Path | None) -> None:
    """Make the calibration sheet: print it, hold it against a light, read eight scales."""
    from generator.pdf import Press

    with Press() as press:
        from generator import pipeline
        from generator.basics.written import resolve_output

        path = resolve_output(output, Path(_CALIBRATION))
        pipeline.calibration_sheet(paper, flip, path, press)
    click.echo(path)


@printer.command(name="set")
@click.argument("name")
@click.argument("readings", nargs=-1)
@paper_option
@_flip_option
@click.option("--margin", default="", help="The unprintable edge: tight, usual, 8mm …")
@click.option("--pins", is_flag=True, help="The readings are from pin holes, not from the scales.")
@click.option("--default", "is_default", is_flag=True, help="Use this printer by default.")
def printer_set(
    name: str,
    readings: tuple[str, ...],
    paper: str,
    flip: Flip,
    margin: str,
    pins: bool,
    is_default: bool,
) -> None:
    """Store the readings of the calibration sheet as the printer NAME.

    READINGS are the eight of the sheet, in its order (E14 E2 D57 ...); without them, pnp asks.
    """
    from generator import pipeline

    numbers = readings or tuple(click.prompt(f"scale {number}") for number in range(1, 9))
    store = printer_store()
    store.save(pipeline.measure_printer(name, flip, paper, numbers, margin, pins=pins))
    if is_default:
        store.set_default(name)
    _show(name)


@printer.command(name="show")
@click.argument("name")
def printer_show(name: str) -> None:
    """Show where the printer NAME prints the backs."""
    _show(name)


def _show(name: str) -> None:
    profile = printer_store().load(name)
    across, down = (
        _format_signed(scale * 100 - 100) for scale in (profile.scale_x, profile.scale_y)
    )
    click.echo(
        f"{name}: flipped on the {profile.flip} edge, the back is"
        f" {_format_signed(profile.dx)} mm across and {_format_signed(profile.dy)} mm down,"
        f" turned by {_format_signed(profile.angle)} degrees,"
        f" scaled by {across} % across and {down} % down;"
        f" corrected, it may still be {profile.drift:.1f} mm off"
        + (f"; its unprintable edge is {profile.margin:g} mm" if profile.margin else "")
    )


def _format_signed(value: float) -> str:
    return f"{round(value, 2) or 0.0:+.2f}"


@printer.command(name="list")
def printer_list() -> None:
    """List the printers you measured, and mark the default."""
    store = printer_store()
    for name in store.names():
        click.echo(f"{name} (default)" if name == store.default() else name)


@printer.command(name="default")
@click.argument("name")
def printer_default(name: str) -> None:
    """Make the printer NAME the default, or `none`."""
    printer_store().set_default(None if name == "none" else name)


@printer.command(name="remove")
@click.argument("name")
def printer_remove(name: str) -> None:
    """Delete the printer NAME."""
    printer_store().remove(name)


@printer.command(name="proof")
@click.argument("name")
@paper_option
@output_option(_PROOF)
def printer_proof(name: str, paper: str, output: Path | None) -> None:
    """Make a sheet that shows whether the printer NAME now prints backs in their place."""
    from generator.pdf import Press

    profile = printer_store().load(name)
    with Press() as press:
        from generator import pipeline
        from generator.basics.written import resolve_output

        path = resolve_output(output, Path(_PROOF))
        pipeline.proof_sheet(paper, profile, path, press)
    click.echo(path)
