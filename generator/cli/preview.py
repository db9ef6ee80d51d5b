"""Commands that show and start games.

preview   a page on this machine that shows the current state of a game
studio    the same page, which also changes the game
site      web pages with everything to print games
new       a small working game to change
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast, get_args

import click

from generator.cli import options
from generator.cli.messages import Ticker, print_problems, say, say_folder

if TYPE_CHECKING:
    from msgspec import Struct

    from generator.pipeline.request import PrintOptions
    from generator.studio import Command, Field, PreviewSession, Shelf

KINDS = (
    "cards", "deck", "traditional", "tarot", "mini", "board",
    "dice", "trihex", "standees", "hexes", "tokens", "skirmish",
    "die", "envelope", "house", "lid", "pyramid", "standee", "tent", "tray", "tuckbox",
)  # fmt: skip


def _of_page(command: Callable[..., None]) -> Callable[..., None]:
    help_ = "Show what can be printed, with each fault marked."
    command = click.option("--draft", is_flag=True, help=help_)(command)
    return options.printing_options(options.page_options(command))


@click.command()
@click.argument("game", shell_complete=options.complete_game)
@_of_page
def preview(game: str, port: int | None, no_open: bool, **how: Unpack[PrintOptions]) -> None:
    """Show GAME in the browser: faces, sheets and findings, updated whenever you save a file.

    Keep it open beside your spreadsheet and drawing program. Only this machine can open the page.
    Paper, language, variant, printer and draft can be chosen on the page, too. The page changes
    nothing; `pnp studio` does. Ctrl-C or SIGTERM ends it.
    """
    _serve(game, port, no_open, how, None)


@click.command()
@click.argument("game", required=False, shell_complete=options.complete_game)
@_of_page
def studio(game: str | None, port: int | None, no_open: bool, **how: Unpack[PrintOptions]) -> None:
    """Change GAME in the browser: its cells, texts, boxes, colours; and check and print it.

    Without GAME, the page opens the game in this folder, or lists those below it and makes new ones. Each change is a
    line in a plain file of the game's folder, and can be undone, also after a restart. Other programs may change the
    files, too. Only who has the address that is printed can change the game. Ctrl-C or SIGTERM ends it.
    """
    _serve(game, port, no_open, how, options.journals())


def _serve(game: str | None, port: int | None, no_open: bool, chosen: PrintOptions, kept: Path | None) -> None:
    from generator.game.spec import SPEC
    from generator.pipeline.previewing import preview_session
    from generator.studio import Commands, Server, Shelf

    server: Server | None = None
    game = game or ("." if Path(SPEC).is_file() else None)
    with ExitStack() as stack:
        try:
            while server is None or game:
                opened: PreviewSession | Shelf = Shelf(Path.cwd())
                if game:
                    opened = preview_session(game, chosen, options.printer_store(), kept)
                with opened as session:
                    _end_on_signals(session)
                    if server is None:
                        commands = Commands(offer) if kept else None
                        server = stack.enter_context(Server(session, port or 0, commands))
                        options.show_page(server.invitation if kept else server.address, is_opened=not no_open)
                        threading.Thread(target=server.serve_forever, args=(3600,), daemon=True).start()
                    server.session = session
                    session.look()
                game, server.next_game = server.next_game, ""
        except (KeyboardInterrupt, SystemExit):
            click.echo()


# What a page of the studio may run.

_PRINTER = ("sheet", "set", "proof")
_OWN = ("output", "to", "settings")  # options that the studio sets


def offer(word: str) -> Sequence[Command]:
    """The commands whose names begin with a word."""
    from generator.cli.build import build, export
    from generator.cli.printer import printer
    from generator.pipeline.starting import draw_kinds
    from generator.studio import Command

    if word == "build":
        return [Command(word, [word], _fields(build))]
    if word == "new":
        drawings = draw_kinds()
        return [Command(word, [word], _fields(new), is_of_game=False, pictures=drawings)]
    if word == "export":
        return list(_formats(_fields(export)))
    return [
        Command(f"printer {name}", ["printer", name], _fields(each), is_of_game=False)
        for name, each in printer.commands.items()
        if word == "printer" and name in _PRINTER
    ]


def _formats(usual: Sequence[Field]) -> Iterator[Command]:
    """The command that exports to each format, with the options of the format first."""
    from msgspec.structs import fields

    from generator.pipeline.exporting import EXPORTERS
    from generator.studio import Command, Field

    named = {field.name: field for field in usual if field.name in ("drift", "shop")}
    others = [field for field in usual if field.name not in ("dpi", "drift", "shop")]
    for name in EXPORTERS:
        kind = EXPORTERS[name]
        own = [
            named.get(field.name)
            or Field(
                field.name,
                "file" if field.name == "profile" else "text",
                f"--set={field.name}",
                default=_text_of(field.default),
                values=[value for value in get_args(field.type) if isinstance(value, str)],
            )
            for field in fields(cast("type[Struct]", kind))
        ]
        about = " ".join((kind.__doc__ or "").split())
        yield Command(f"export {name}", ["export", f"--to={name}"], [*own, *others], about)


def _fields(command: click.Command) -> list[Field]:
    from generator.studio import Field

    fields = []
    for option in command.params:
        if not isinstance(option, click.Option) or option.name in (None, *_OWN):
            continue
        option.get_help_record(click.Context(command))  # derives its help
        kind: Literal["text", "switch", "file"] = "switch" if option.is_flag else "text"
        values: Sequence[str] = getattr(option.type, "choices", ())
        if option.is_flag:
            values = [*(option.secondary_opts or [""]), option.opts[-1]]
        elif isinstance(option.type, click.Path):
            kind = "file"
        default = "on" if option.default is True else _text_of(option.default)
        about = option.help or ""
        fields.append(Field(option.name, kind, option.opts[-1], about, default, values))
    return fields


def _text_of(default: object) -> str:
    return str(default) if isinstance(default, str | int | float) else ""


def _end_on_signals(session: PreviewSession | Shelf) -> None:
    """Makes a signal end the session, also where a library swallows the exception of its handler.
    SIGTERM is for background processes, which may not get the other."""
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if handler is not signal.SIG_IGN:
            signal.signal(number, partial(_interrupt, session, handler))


def _interrupt(session: PreviewSession | Shelf, handler: Any, number: int, frame: FrameType | None) -> None:
    session.stop()
    if callable(handler):
        handler(number, frame)
    raise KeyboardInterrupt


@click.command()
@options.games_argument
@click.option("--url", default="", help="Where the folder will be on the web, for previews of links.")
@click.option("--lang", default="", help="Make the pages in this language: de for columns such as name.de.")
@options.path_option("The folder to write.", "output/site")
def site(games: tuple[str, ...], url: str, lang: str, output: Path) -> None:
    """Make a web page of each GAME, and one that leads to them: the PDFs for Letter and A4, files
    for cutters and for tables on a screen, the rules, every face.

    The pages run no script and fetch nothing from elsewhere. They work from the folder itself and
    on any web server. `pnp new --site` makes a game whose repository publishes its page.
    """
    from generator.pipeline.siting import build_site

    with Ticker() as ticker:
        built = build_site(games, output, url, ticker.step, lang)
    for note in built.notes:
        say(note, err=True)
    click.echo(built.first)


@click.command()
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(KINDS), metavar="KIND", help=f"A starter: {', '.join(KINDS)}.  [default: cards]"
)
@click.option(
    "--table",
    type=click.Path(),
    help="Make a card for each row of this table: a CSV, XLSX, ODS or JSON file, FILE#SHEET.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path),
    help="Make a card of each picture in this folder; a picture called back is the back of all."
    " With --table, they are the pictures of its rows.",
)
@click.option(
    "--layout", default="", help="The layout of the cards, as `pnp layout` lists them.  [default: what suits the table]"
)
@click.option("--site", "has_site", is_flag=True, help="Add a workflow of GitHub that publishes the game's page.")
@click.option("--engine", "has_engine", is_flag=True, help="Make NAME-engine too, a package with rules as code.")
def new(
    name: str, kind: str | None, table: str | None, pictures: Path | None, layout: str, has_site: bool, has_engine: bool
) -> None:
    """Make a small working game in the folder NAME.

    Change anything you like. The game is a starter, whose README explains each file, or a deck of
    your own table or pictures. Of a kind that folds, the template shows the net, with a layer for
    each panel: art in it is upright on the finished piece. pnp never overwrites an existing file.
    """
    from generator import pipeline

    if (kind or has_engine) and (table or pictures or layout):
        raise click.UsageError(f"{'--kind' if kind else '--engine'} needs no --table, --pictures or --layout")
    if layout and not (table or pictures):
        raise click.UsageError("--layout needs a --table or --pictures")
    if table is not None:
        made = pipeline.start_from_table(name, table, layout, pictures, has_site=has_site)
    elif pictures is not None:
        made = pipeline.start_from_pictures(name, pictures, layout, has_site=has_site)
    else:
        made = pipeline.StartedGame(pipeline.start(name, kind or "cards", has_site=has_site, has_engine=has_engine))
    print_problems(made.notes)
    if has_site:
        say(f"fill in PNP in {made.folder}/.github/workflows/pages.yml: what pip installs", err=True)
    if has_engine:
        say(f"its rules as code: pip install -e {made.folder}-engine", err=True)
    say_folder(made.folder)


@click.command()
@click.argument("game", required=False, shell_complete=options.complete_game)
def layout(game: str | None) -> None:
    """List the layouts that pnp has, or copy those of a GAME into its folder, to be changed.

    A layout is chosen in game.toml, by layout = "poker-classic" in [component.front]. After they
    are copied, the lines to put in their place are printed.
    """
    from generator import pipeline

    if game is None:
        click.echo("\n".join(pipeline.list_layouts()))
        return
    copied = pipeline.copy_drawings(game)
    for file in copied.files:
        click.echo(file)
    say("in game.toml:", err=True)
    for line in copied.lines:
        say(line, err=True)
