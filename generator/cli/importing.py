"""`pnp import` makes a game of a print-and-play PDF of any program."""

import re
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from generator.basics.errors import MisfitError, quote
from generator.basics.geometry import Size, parse_length, split_size
from generator.basics.writing import write_whole
from generator.cli import options
from generator.cli.messages import Ticker, print_problems, say, say_folder

_PAGES = re.compile(r"\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*")
_PAIR = re.compile(r"([0-9.]{1,9})(mm|cm|in|pt)?,([0-9.]{1,9})(mm|cm|in|pt)")
_GRID = re.compile(r"([1-9]\d?)[xX×]([1-9]\d?)")
_WAYS = ("next", "last", "fold", "none")


def _parse_size(text: str) -> Size:
    if sides := split_size(text):
        return Size(*map(parse_length, sides))
    raise MisfitError(f"{quote(text)} is not a size", "63x88mm, or 2.5x3.5in")


def _parse_pair(text: str) -> tuple[float, float]:
    if found := _PAIR.fullmatch(text):
        x, unit, y, last = found.groups()
        return parse_length(x + (unit or last)), parse_length(y + last)
    raise MisfitError(f"{quote(text)} is not two lengths", "10.5,16.5mm")


def _parse_gap(text: str) -> tuple[float, float]:
    return _parse_pair(text) if "," in text else (parse_length(text), parse_length(text))


def _parse_grid(text: str) -> tuple[int, int]:
    if found := _GRID.fullmatch(text):
        return int(found[1]), int(found[2])
    raise MisfitError(f"{quote(text)} is not rows and columns", "3x3")


def _parse_pages(text: str) -> list[int]:
    if not _PAGES.fullmatch(text):
        raise MisfitError(f"{quote(text)} names no pages", "1-8,11")
    runs = [[int(end) for end in run.split("-")] for run in text.split(",")]
    pages = [page for run in runs for page in range(run[0], run[-1] + 1)]
    if not pages or 0 in pages or len(pages) != len(set(pages)):
        raise MisfitError(f"{quote(text)} names no pages, or one twice", "1-8,11")
    return pages


def _parse_backs(text: str) -> str | list[int] | Path:
    if text.lower().endswith(".pdf"):
        return Path(text)
    return text if text in _WAYS else _parse_pages(text)


def _option(name: str, parse: Callable[[str], Any], help_: str) -> Callable[..., Any]:
    def callback(_context: click.Context, _option: click.Parameter, text: str) -> Any:
        try:
            return parse(text) if text else None
        except MisfitError as error:
            raise click.BadParameter(f"{error} ({error.hint})" if error.hint else str(error)) from None

    return click.option(name, default="", callback=callback, help=help_, metavar="TEXT")


@click.command(name="import")
@click.argument("pdf", type=click.Path(path_type=Path))
@click.option("-o", "--output", help="The folder to make.  [default: the name of the PDF]")
@_option("--size", _parse_size, "The size of a card as it is cut: 63x88mm.")
@click.option(
    "--shape", type=click.Choice(["rectangle", "hexagon", "circle"]), default="rectangle", metavar="TEXT",
    help="Of pieces: hexagon, or circle. Their size is that of the box around.",
)  # fmt: skip
@_option("--grid", _parse_grid, "Rows x columns: 3x3.")
@_option("--at", _parse_pair, "The corner of the first card: 10.5,16.5mm.")
@_option("--gap", _parse_gap, "What is between cards: 2mm, or 2,4mm across and down.")
@_option("--bleed", parse_length, "How far the art runs past the cut: 3mm, 0mm.")
@_option("--pages", _parse_pages, "The pages to read: 1-8,11.  [default: all]")
@_option("--backs", _parse_backs, "Where backs are: next, last, fold, none, pages, or backs.pdf.")
@click.option("--turn-backs", is_flag=True, help="Turn the backs upside down.")
@click.option(
    "--dpi", type=click.IntRange(72, 1200), default=600, show_default=True,
    help="Of faces that become pictures.",
)  # fmt: skip
@click.option("--i-may", is_flag=True, help="Copy though the PDF says that its owner forbids it.")
@click.option("--adjust", is_flag=True, help="Show a page on which the outlines can be moved.")
@options.page_options
@click.option(
    "--picture", type=click.Path(path_type=Path),
    help="Write only this PNG, which shows what is found.",
)  # fmt: skip
def import_(
    pdf: Path,
    output: str | None,
    picture: Path | None,
    pages: list[int] | None,
    backs: str | list[int] | Path | None,
    turn_backs: bool,
    dpi: int,
    i_may: bool,
    adjust: bool,
    port: int | None,
    no_open: bool,
    **wanted: Any,
) -> None:
    """Make a game of the cards in PDF, a print-and-play file of any program.

    import.png in its folder shows each page with the cards found, numbered. If they are wrong, measure a card and say
    its size; the other options say the rest. With --adjust, all of it is done on a page in the browser, by moving
    outlines. The command that is printed imports the same again. Backs are found where their places prove it. It is for
    your own copies: a folder with the art of others may be passed on only if their licence allows it.
    """
    if adjust and (picture is not None or isinstance(backs, Path)):
        raise click.UsageError(f"--adjust {'writes no --picture' if picture else 'shows no second file of backs'}")
    from generator import pipeline
    from generator.importing.adjusting import adjusting
    from generator.importing.finding import Wanted
    from generator.importing.folder import ImportOptions, import_pdf, write_command

    said = ImportOptions(Wanted(**wanted), pages or (), backs or "", turn_backs, i_may, dpi)
    prompt = partial(click.prompt, hide_input=True, err=True)
    ask = cache(lambda file: str(prompt(f"the password of {file}"))) if sys.stdin.isatty() else None
    if picture is not None:
        with Ticker() as ticker:
            seen = import_pdf(pdf, said, ticker.step, ask, is_for_picture=True)
        write_whole(picture, seen.picture)
        print_problems(seen.notes)
        click.echo(picture)
        return
    folder = pipeline.find_free_folder(output, pdf)
    make = partial(pipeline.start_from_pdf, folder, pdf, ask_password=ask)
    if adjust:
        with adjusting(pdf, folder, said, port or 0, ask) as server:
            options.show_page(server.invitation, is_opened=not no_open)
            notes, said = server.await_game(make)
    else:
        with Ticker() as ticker:
            notes, said = make(said, ticker.step)
    print_problems(notes)
    say(f"look at {folder}/import.png: are the cards right?", err=True)
    say(f"again: {write_command(str(pdf), said)}", err=True)
    say_folder(folder)
