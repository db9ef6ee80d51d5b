"""Options that commands share, what a shell completes of them, and a user's settings and printers.

The environment, the user's config.toml and the locale decide paper and margin. A shell completes names of games, parts,
papers, printers, formats, shops and machines: click writes the scripts of the shells and reads the line
(docs/install.md has the one that switches it on). A fault of a game or of a setting offers nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem
from msgspec import Struct

from generator.basics import papers
from generator.basics.errors import Place, PnpError, Problem, collecting, did_you_mean, fail, quote, raise_all
from generator.basics.files import read_own_table
from generator.basics.writing import write_whole

if TYPE_CHECKING:
    from generator.layout.printers import Profile, Store
    from generator.pipeline.request import PrintOptions

FILE = "config.toml"
PARSERS: Mapping[str, Callable[[str], object]] = {  # by setting; they raise PnpError
    "paper": papers.parse_paper,
    "margin": papers.parse_margin,
}
_LOCALES = ("LC_ALL", "LC_PAPER", "LANG")  # the first that is set counts: POSIX, 8.2
_COUNTRY = re.compile(r"[a-z]{2,3}_([A-Z]{2})(?![A-Za-z])")
_REPAIR = "pnp config writes it anew: `pnp config paper a4`, or `pnp config --unset paper`"
_PAIRS = {"'": "'", '"': '"', "(": ")", "[": "]"}  # within which a comma parts nothing
Decorator = Callable[[Callable[..., None]], Callable[..., None]]
_Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem[str]]]


def _offer(find: Callable[[click.Context], Iterable[str]]) -> _Completer:
    """Offers those names that begin as the last of the words between commas does."""

    def complete(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem[str]]:
        before, comma, last = begun.rpartition(",")
        with suppress(PnpError, OSError):
            names = [name for name in find(context) if name.startswith(last) and name not in before.split(",")]
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


complete_parts = _offer(_find_parts)
complete_papers = _offer(lambda _: papers.paper_names())
complete_margins = _offer(lambda _: papers.margins())
complete_printers = _offer(lambda _: [*printer_store().names(), "none"])
complete_formats = _late("pipeline", lambda pipeline: sorted(pipeline.EXPORTERS))
complete_shops = _late("export.shop.shops", lambda shops: shops.shop_names())
complete_machines = _late("layout", lambda layout: [*layout.MACHINES, layout.NO_CUTTER])


def printer_store() -> Store:
    from generator.layout.printers import Store

    return Store(Path(click.get_app_dir("pnp")))


def journals() -> Path:
    """Where the studio keeps what can be undone, for all games."""
    return Path(click.get_app_dir("pnp")) / "undo"


def settings() -> Settings:
    return Settings(Path(click.get_app_dir("pnp")), _environment())


def choice_option(name: str, choices: str, help_: str = "", as_: str | None = None) -> Decorator:
    """An option with these words as its choices, the first of them by default."""
    words, names = choices.split(), [name, as_] if as_ else [name]
    kind, default = click.Choice(words), words[0]
    return click.option(*names, type=kind, default=default, show_default=True, help=help_)


def format_option(help_: str, more: str = "") -> Decorator:
    """--format, as `format_`: text, json or more."""
    return choice_option("--format", f"text json {more}", help_, "format_")


def output_option(default: str) -> Decorator:
    """-o, as `output`: None, or a path for `files.resolve_output`."""
    return path_option(f"A file, or a folder for {Path(default).name}.  [default: {default}]")


def path_option(help_: str, default: str | None = None) -> Decorator:
    """-o, as `output`: a path, by default None."""
    kind = click.Path(path_type=Path)
    return click.option("-o", "--output", type=kind, default=default, show_default=True, help=help_)


def page_options(command: Callable[..., None]) -> Callable[..., None]:
    """--port and --no-open of a page on this machine."""
    help_ = "The port of the page.  [default: a free one]"
    command = click.option("--no-open", is_flag=True, help="Open no browser.")(command)
    return click.option("--port", type=click.IntRange(1, 65535), help=help_)(command)


def show_page(address: str, *, is_opened: bool) -> None:
    """Prints the address of a page on this machine, and opens it in the browser."""
    click.echo(f"{address}  (Ctrl-C ends it)")
    if is_opened:
        import webbrowser

        webbrowser.open(address)


class _Derived(click.Option):
    """An option whose help is built from data, only when it is shown."""

    def __init__(self, *names: Any, derive: Callable[[], str], **settings: Any) -> None:
        super().__init__(*names, **settings)
        self._derive = derive

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self._derive()
        return super().get_help_record(ctx)


def shop_option(use: str) -> Decorator:
    """--for, as `shop`: the name of a print shop, or None."""

    def derive() -> str:
        from generator.export.shop.shops import shop_names

        return f"{use}: {', '.join(shop_names())}."

    how: dict[str, Any] = {"cls": _Derived, "derive": derive, "shell_complete": complete_shops}
    return click.option("--for", "shop", metavar="SHOP", **how)


def _paper_help() -> str:
    names = ", ".join(papers.paper_names())
    text = f"{names}, or a size such as 210x297mm; for components too: a4,board=a3."
    return f"{text}  [default: yours, see `pnp config`]"


def _margin_help() -> str:
    names = ", ".join(f"{name} ({width:g} mm)" for name, width in papers.margins().items())
    text = f"The unprintable edge: {names}, or a length such as 8mm."
    return f"{text}  [default: yours, see `pnp config`]"


def _usual_paper(_: click.Context, __: click.Parameter, paper: str | None) -> str:
    """The paper, after that of the settings if only papers of components are given."""
    if paper is not None and not all("=" in part for part in paper.split(",")):
        return paper
    return ",".join(filter(None, (settings().paper().value, paper)))


def _usual_margin(_: click.Context, __: click.Parameter, margin: str | None) -> str | None:
    """The margin of an option, or else of a setting; None if the printer, or pnp, says it."""
    found = settings().find("margin") if margin is None else None
    return found.value if found else margin


class Setting(Struct, frozen=True):
    """The value of a setting, and its source."""

    value: str
    source: str


class Settings(Struct, frozen=True):
    """The user's settings; `folder` is the configuration folder, which need not exist yet."""

    folder: Path
    environment: Mapping[str, str]

    @property
    def file(self) -> Path:
        return self.folder / FILE

    def find(self, name: str) -> Setting | None:
        """The setting from the environment, else from the file; None if it is in neither.

        Raises PnpError if it has no valid value there, or if the file is damaged.
        """
        variable = f"PNP_{name.upper()}"
        if value := self.environment.get(variable):
            _check(name, value, Place(variable))
            return Setting(value, variable)
        problems: list[Problem] = []
        kept = self._read(problems)
        raise_all(problems)
        return Setting(kept[name], str(self.file)) if name in kept else None

    def paper(self) -> Setting:
        """The paper to print on, else that of the locale's country, else Letter."""
        return self.find("paper") or _paper_of_locale(self.environment)

    def write(self, name: str, value: str | None) -> bool:
        """Write a value into the file; None removes the setting. Returns whether damaged entries
        were dropped from the file.

        Raises PnpError if the value is not valid; the file is then unchanged.
        """
        if value is not None:
            PARSERS[name](value)
        problems: list[Problem] = []
        kept = self._read(problems)
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
        lines = ["# The settings of pnp; `pnp config` shows and changes them."]
        lines += [f"{key} = {json.dumps(kept[key])}" for key in PARSERS if key in kept]
        write_whole(self.file, ("\n".join(lines) + "\n").encode())
        return bool(problems)

    def _read(self, problems: list[Problem]) -> dict[str, str]:
        """The valid settings in the file; adds the faults of the file and of other entries to `problems`."""
        place, table, valid = Place(str(self.file)), dict[str, Any](), dict[str, str]()
        with collecting(problems):
            table = read_own_table(self.file, _REPAIR)
        for key, value in table.items():
            with collecting(problems):
                _check_entry(key, value, place)
                valid[key] = value
        return valid


def _check_entry(key: str, value: Any, place: Place) -> None:
    if key not in PARSERS:
        raise fail(place, f"there is no setting {quote(key)}", did_you_mean(key, PARSERS))
    if not isinstance(value, str):
        raise fail(place, f"{key} is {quote(value)}, which is not a text", f'{key} = "…"')
    _check(key, value, place)


def _check(name: str, value: str, place: Place) -> None:
    try:
        PARSERS[name](value)
    except PnpError as error:
        problems = [Problem(place, f"{it.place}: {it.what}", it.hint) for it in error.problems]
        raise PnpError(problems) from None


def _paper_of_locale(environment: Mapping[str, str]) -> Setting:
    for variable in _LOCALES:
        if locale := environment.get(variable):
            country = _COUNTRY.match(locale)
            if country is None:  # C, POSIX, or a language alone
                break
            paper = "letter" if country[1] in papers.letter_countries() else "a4"
            return Setting(paper, f"{variable}={locale}")
    return Setting("letter", "pnp")


def _environment() -> Mapping[str, str]:
    """The variables of the process. Windows has none for the locale: it is asked for it."""
    if sys.platform != "win32":
        return os.environ
    import ctypes
    from locale import windows_locale

    number: int = ctypes.windll.kernel32.GetUserDefaultLCID()
    return {"LANG": windows_locale.get(number, ""), **os.environ}


def _parse_parts(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    start, closing = 0, list[str]()
    parts: list[str] = []
    for at, sign in enumerate(f"{text},"):
        if closing and sign == closing[-1]:
            closing.pop()
        elif sign in _PAIRS and closing[-1:] not in (["'"], ['"']):
            closing.append(_PAIRS[sign])
        elif sign == "," and (not closing or at == len(text)):
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in parts if part]


games_argument = click.argument("games", metavar="GAME...", nargs=-1, required=True, shell_complete=complete_game)
_MARGIN: dict[str, Any] = {"derive": _margin_help, "shell_complete": complete_margins}
_PAPER: dict[str, Any] = {"derive": _paper_help, "shell_complete": complete_papers}
margin_option = click.option("--margin", cls=_Derived, callback=_usual_margin, **_MARGIN)
paper_option = click.option("--paper", cls=_Derived, callback=_usual_paper, **_PAPER)


def parse_pairs(_: click.Context, __: click.Parameter, texts: Sequence[str]) -> dict[str, str]:
    """The values of a repeatable option by their names."""
    pairs = [text.partition("=") for text in texts]
    if wrong := [text for text, equals, _ in pairs if not equals]:
        raise click.BadParameter(f"{wrong[0]!r} is not NAME=VALUE.")
    return {name: value for name, _, value in pairs}


rule_option = click.option(
    "--rule",
    "rules",
    metavar="NAME=VALUE",
    multiple=True,
    callback=parse_pairs,
    help="Choose an option of the rules.  [repeatable]",
)
ink_option = choice_option(
    "--ink", "usual low", "low: large areas are tints with outlines; words and symbols keep their ink."
)


cutter_option = click.option(
    "--cutter",
    shell_complete=complete_machines,
    help="A machine that cuts the sheets (silhouette, cricut, opos, laser, contour) and its "
    "settings: silhouette,marks=4.  [default: none]",
)

_PRINTING = (
    paper_option,
    choice_option(
        "--sides",
        "duplex fold single separate",
        "Both sides; one side to fold and glue; one side for sleeves; or backs in a second file.",
    ),
    click.option(
        "--flip",
        type=click.Choice(["long", "short"]),
        help="The edge your printer (or you, for a file of backs) turns the paper on.  "
        "[default: the printer's, or long]",
    ),
    click.option(
        "--printer",
        callback=lambda _, __, printer: profile_of(printer),
        shell_complete=complete_printers,
        help="A printer that you measured, or none. See `pnp printer`.",
    ),
    margin_option,
    choice_option(
        "--orientation", "auto portrait landscape", "The orientation of the paper; auto takes the fewest sheets."
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
        callback=_parse_parts,
        shell_complete=complete_parts,
        help="Parts of the kit, or pieces: rules,cards/whale,\"cards where kind == 'ship'\".  "
        "[default: all, in cutting order]",
    ),
    click.option(
        "--copies",
        type=int,
        default=1,
        show_default=True,
        help="Print each piece so many times as often; the cover and the rules once.",
    ),
    click.option(
        "--gap",
        default="0mm",
        show_default=True,
        help="The least room between pieces, as in 2mm; across and down: 0mm,3mm.",
    ),
    click.option(
        "--scale",
        default="100%",
        show_default=True,
        help="Print pieces larger or smaller; the cover and the rules keep their size.",
    ),
    choice_option(
        "--booklet",
        "fold off screen",
        "The rules as a booklet to fold and staple; as plain pages; screen: also GAME-rules.pdf, to read.",
    ),
    click.option("--lang", "language", default="", help="Print this language: de for columns such as name.de."),
    ink_option,
)


def printing_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that many commands pass on as they are: a part of `PrintOptions`."""
    for option in reversed(_PRINTING):
        command = option(command)
    return command


def usual_options() -> PrintOptions:
    """The margin and the printer that the user has set."""
    found = settings().find("margin")
    return {"margin": found.value if found else None, "printer": profile_of(None)}


def profile_of(printer: str | None) -> Profile | None:
    """The printer of that name, or the default one. Raises PnpError."""
    store = printer_store()
    name = printer or store.default()
    return store.load(name) if name and name != "none" else None
