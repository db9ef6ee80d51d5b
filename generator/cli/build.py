"""Commands that print and export games, and fetch what they are made of.

build    the PDF of a game, or the plan of its sheets
batch    many games, papers, languages and ways to print, in a run that can be resumed
export   files of a game in another format
fetch    tables and pictures from the web
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import click

import generator
from generator.basics.errors import Problem, count_of, gather
from generator.basics.writing import resolve_output
from generator.cli import options
from generator.cli.messages import Ticker, print_problems, say, show_progress

if TYPE_CHECKING:
    from generator.pipeline.request import LayoutOptions, PrintOptions, Sides


_WAYS = ("duplex", "fold", "single")


@click.command()
@options.games_argument
@options.printing_options
@click.option(
    "--changed-since",
    metavar="REV",
    default="",
    help="Print only pieces that changed since a git revision, and added copies.",
)
@click.option("--plan", "is_plan", is_flag=True, help="Write no PDF; report how the paper is filled.")
@click.option("--test-sheet", "is_test", is_flag=True, help="Make only a sheet that tests the dialog and the printer.")
@click.option("--draft", is_flag=True, help="Print what can be printed, and mark each fault on its piece.")
@options.choice_option(
    "--colour", "rgb cmyk x1a", "For printers at home; for a press, as PDF/X-4; or as PDF/X-1a, without transparency."
)
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    metavar="FILE.icc",
    help="The ICC profile of the press.  [default: offset on coated paper]",
)
@click.option("--ink-limit", metavar="PERCENT", help="The most ink at a place on a press.  [default: 240%]")
@options.output_option("output/GAME.pdf")
def build(
    games: tuple[str, ...], is_plan: bool, is_test: bool, output: Path | None, **options: Unpack[PrintOptions]
) -> None:
    """Make the PDF of GAME (a name from `pnp list`, or a folder).

    Prints the path of the file. Print it at 100 % ("actual size"), on both sides.

    Several games make a file each; with -o FILE they are one file, game after game.

    With --changed-since HEAD~3, the file is output/GAME-changed.pdf. It holds only the pieces
    that a playtester with that version must reprint. If there are none, pnp writes no file.

    With --draft, faults do not stop the build. Pieces with a fault have a red frame, a page lists
    the faults, and pnp reports them. The exit code is 0 if anything was printed.
    """
    if is_test:
        _make_test_sheet(games[0], options, output)
        return
    if is_plan:
        plans = [_print_plan(game, options, is_named=len(games) > 1) for game in games]
        faults = [problem for plan in plans for problem in plan.faults]
        if faults and not options["draft"]:  # as a build does
            raise generator.PnpError(faults)
        return
    with Ticker() as ticker:
        if len(games) == 1:
            printed = generator.print_game(games[0], output, progress=ticker.step, **options)
        else:
            printed = generator.print_games(games, output, progress=ticker.step, **options)

    print_problems(printed.warnings)
    if options["draft"]:
        print_problems(printed.faults)
        say(f"{', '.join(games)}: a draft with {count_of(len(gather(printed.faults)), 'fault')}", err=True)
    for choice in printed.notes:
        say(choice, err=True)
    for path in printed.paths:
        click.echo(path)


def _make_test_sheet(game: str, options: PrintOptions, output: Path | None) -> None:
    from generator.pdf import Press

    with Press() as press:
        from generator import pipeline

        path = resolve_output(output, Path("output/test-sheet.pdf"))
        pipeline.print_test_sheet(pipeline.parse_request(game, options), path, press)
    click.echo(path)


_CUTS = {
    "shared": "shared cuts",
    "double": "cut apart",
    "gap": "cut apart",
    "straight": "straight cuts",
    "squares": "cut into squares",
    "template": "cut by a template",
}


def _print_plan(game: str, options: generator.PrintOptions, *, is_named: bool) -> generator.Plan:
    with Ticker() as ticker:
        plan = generator.plan_game(game, progress=ticker.step, **options)
    if is_named:
        say(f"{game}:")
    for line in plan.notes:
        say(line, err=True)
    for part, sheets in plan.leaflets.items():
        say(f"{part}: {count_of(sheets, 'sheet')}")
    for row in plan.rows:
        counted = count_of(row.pieces, "panel" if row.panels else "piece")
        say(
            f"{row.component}: {counted} on {count_of(row.sheets, 'sheet')}"
            f" of {row.paper.width:g} x {row.paper.height:g} mm, {row.per_sheet} per sheet "
            f"(by area at most {row.bound}), {row.used:.0%} of the paper used, {_CUTS[row.cuts]}"
        )
    for titles, sheets in plan.mixed.items():
        say(f"mixed: {titles} together on {count_of(sheets, 'sheet')}")
    if len(plan.leaflets) + len(plan.rows) + len(plan.mixed) > 1:
        click.echo(f"all: {count_of(plan.sheets, 'sheet')}")
    for line in plan.advice:
        say(f"advice: {line}")
    for title, (usual, low) in ({**plan.inks, "on average": plan.ink} if plan.ink else {}).items():
        say(f"ink: {title}: {usual:.1%} of a solid layer, {low:.1%} with little ink")
    return plan


def _parse_ways(_: click.Context, __: click.Parameter, text: str) -> list[Sides]:
    ways = _split(text)
    if wrong := [way for way in ways if way not in _WAYS]:
        raise click.BadParameter(f"{wrong[0]!r} is none of {', '.join(_WAYS)}.")
    return cast("list[Sides]", ways)


def _split(text: str) -> list[str]:
    """The words between commas, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(",")))


@click.command()
@options.games_argument
@click.option(
    "--paper",
    default="letter,a4",
    show_default=True,
    shell_complete=options.complete_papers,
    help="Papers, as in letter,a4.",
)
@click.option("--lang", default="", help="Languages, as in de,fr; all for all of each game.")
@click.option(
    "--sides",
    default="duplex",
    show_default=True,
    callback=_parse_ways,
    help="Ways to print: any of duplex, fold, single.",
)
@options.path_option("The folder to write.", "output/batch")
def batch(games: tuple[str, ...], paper: str, lang: str, sides: list[Sides], output: Path) -> None:
    """Build each GAME for several papers, languages and ways to print, on all cores.

    A file that is there already, made of the same things, is not built again: after an interrupt or
    a change, the same command builds what is missing. What fails is reported and stops no other.
    """
    from generator.pipeline.batching import run_batch

    combined = games, _split(paper), _split(lang), sides
    with show_progress("files") as show:
        done = run_batch(*combined, output, show, options.usual_options())
    for path in done.made:
        click.echo(path)
    for file, notes in done.failed.items():
        say(f"{file} is not built:", err=True)
        click.echo(notes, err=True)
    say(f"{len(done.made)} built, {len(done.kept)} there already, {len(done.failed)} failed")
    if done.failed:
        sys.exit(1)


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@click.option(
    "--to",
    required=True,
    shell_complete=options.complete_formats,
    help="The format: cgs, cut-dxf, cut-svg, glb, grid, pcio, png, scene, shop, svg, tts, vassal, or "
    "a format from a package.",
)
@options.shop_option("For shop, the print shop")
@click.option("--dpi", help="For png: pixels per inch, 20 to 1200.  [default: 150]")
@click.option("--drift", help="For png, a length: also show the backs printed so far off.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    callback=options.parse_pairs,
    help="Set an option of the format.  [repeatable]",
)
@options.printing_options
@options.path_option("The folder to write.  [default: output/GAME]")
def export(
    game: str,
    to: str,
    shop: str | None,
    dpi: str | None,
    drift: str | None,
    settings: dict[str, str],
    output: Path | None,
    **how: Unpack[LayoutOptions],
) -> None:
    """Export GAME to another format: --to png makes pictures of every face and page, --to svg makes drawings of them,
    --to scene a picture of the game on a table, --to glb a model of the kit, --to cut-svg and --to cut-dxf the lines of
    a cutting machine, --to shop --for SHOP the files of a print shop. For tables on screen: tts (Tabletop Simulator),
    pcio (playingcards.io), cgs (Card Game Simulator), vassal (VASSAL), grid (plain sheets for others).

    The letters of a drawing are outlines. With --set text=fonts they stay text, and the file holds the fonts.

    With --drift 1.5mm, pnp also makes drift.png. It shows each back as designed, and as it comes
    out when the printer prints it 1.5 mm off and you cut along the marks of the front.
    """
    notes: list[Problem] = []
    named = {"dpi": dpi, "drift": drift, "shop": shop}
    options = {name: value for name, value in named.items() if value is not None} | settings
    with Ticker() as ticker:
        folder = generator.export_game(
            game, to, output, settings=options, progress=ticker.step, note=notes.append, **how
        )
    print_problems(notes)
    click.echo(folder)


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@click.option("--check", "is_check", is_flag=True, help="Write nothing; fail if the files would change.")
def fetch(game: str, is_check: bool) -> None:
    """Bring the tables and pictures that [source] of GAME names from the web.

    All files are written, or none. source.lock keeps their digests, and builds stay offline: they
    print what was fetched last, and say so. A file that was changed here is never replaced.
    """
    from generator.pipeline import fetching

    fetched = fetching.fetch(game, is_check=is_check)
    for what, paths in {"new": fetched.new, "changed": fetched.changed, "no longer named": fetched.gone}.items():
        for path in paths:
            say(f"{what}: {path}")
    if not (fetched.new or fetched.changed):
        say(f"{count_of(fetched.files, 'file')}, as fetched before")
    elif is_check:
        sys.exit(1)
