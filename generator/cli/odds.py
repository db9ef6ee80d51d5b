"""`pnp odds`: the chances of a game's cards."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import output_option, say
from generator.cli.ticker import Ticker

if TYPE_CHECKING:
    from generator.pipeline.oddsmaking import GameOdds
    from generator.play.odds.answers import OddsAnswer, OddsRow

_BAR = 30  # characters of a share of 1
_MOST_ROWS = 40


@click.command()
@click.argument("game")
@click.option("--of", help="The component that is the deck.  [default: the first]")
@click.option("--draw", type=int, metavar="N", help="A hand of N cards.")
@click.option(
    "--want",
    multiple=True,
    metavar="TEXT",
    help="Cards that a hand must have: \"2-4 of kind == 'land'\".  May be repeated.",
)
@click.option("--mulligans", type=int, metavar="N", help="Draw a hand that lacks them anew.")
@click.option("--sum", "sum_", metavar="COLUMN", help="What the cards of a hand add up to.")
@click.option(
    "--by",
    metavar="COLUMN",
    help="How many cards of a hand are alike; without --draw, of the deck.",
)
@click.option(
    "--ask",
    multiple=True,
    metavar="TABLE",
    help="A question as in game.toml: \"kind = 'goldfish', cost = 'cost', hand = 5\".",
)
@click.option("--lang", default="", help="Read this language: de for columns such as name.de.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "page"]),
    default="text",
    show_default=True,
    help="For people, for programs, or a web page with plots and hands as pictures (-o).",
)
@output_option("output/GAME-odds.html")
def odds(
    game: str,
    of: str | None,
    draw: int | None,
    want: tuple[str, ...],
    mulligans: int | None,
    sum_: str | None,
    by: str | None,
    ask: tuple[str, ...],
    lang: str,
    format_: str,
    output: Path | None,
) -> None:
    r"""Compute the chances of GAME's cards, from its tables alone: no rules are needed.

    Without a question, it answers those of the [[odds]] tables in game.toml, or else counts the
    cards by each column. An answer is exact wherever that is feasible, and says so; else it is
    that of random hands, with an interval that holds the true value in 95 of 100 cases.

    \b
    pnp odds poker --draw 5 --want "3+ of suit == 'hearts'"
    pnp odds poker --draw 5 --by rank          three of a kind, full house …
    pnp odds my-game --draw 7 --sum cost       what the cards of a hand cost
    pnp odds my-game --format page             a page with plots
    """
    from generator.basics.place import Place
    from generator.pipeline.oddsmaking import find_odds

    asked = [*_ask(draw, want, mulligans, sum_, by), *map(_read_table, ask)]
    asked = [{"of": of, **table} if of else table for table in asked]
    found = find_odds(game, asked, Place("--ask" if ask else "the question"), lang)
    if format_ == "json":
        click.echo(json.dumps(_record(game, found), indent=1))
    elif format_ == "page":
        _write_page(found, output)
    else:
        for line in _write(found):
            say(line)


def _write_page(found: GameOdds, output: Path | None) -> None:
    from generator.basics.errors import messages
    from generator.pipeline.oddspaging import write_odds_page

    with Ticker() as ticker:
        path, problems = write_odds_page(found, output, ticker.step)
    if problems:
        say("the page shows no hands, because a card cannot be drawn:", err=True)
    for message in messages(problems):
        click.echo(message, err=True)
    click.echo(path)


def _ask(
    draw: int | None,
    want: tuple[str, ...],
    mulligans: int | None,
    sum_: str | None,
    by: str | None,
) -> Iterator[dict[str, Any]]:
    """The question of the options."""
    if draw is None:
        if want or sum_ or mulligans:
            raise click.UsageError("name the number of cards in a hand: --draw 5")
        if by:
            yield {"kind": "deck", "by": by}
    elif not (want or sum_ or by):
        raise click.UsageError("say what to count in a hand: --want, --sum or --by")
    if draw is not None and want:
        yield {"kind": "draw", "draw": draw, "want": list(want), "mulligans": mulligans or 0}
    for key, text in (("sum", sum_), ("by", by)):
        if draw is not None and text:
            yield {"kind": "hand", "draw": draw, key: text}


def _read_table(text: str) -> dict[str, Any]:
    try:
        table = tomllib.loads(f"asked = {{ {text} }}")["asked"]
    except tomllib.TOMLDecodeError:
        hint = "write --ask \"kind = 'deck', by = 'cost'\""
        raise click.UsageError(f"--ask is no list of keys and values; {hint}") from None
    return dict(table)


def _write(found: GameOdds) -> Iterator[str]:
    yield f"{found.game.title}: the odds"
    for one in found.answered:
        yield ""
        yield from write_answer(one.answer)


def write_answer(answer: OddsAnswer) -> Iterator[str]:
    yield f"{answer.title} ({answer.component}, {answer.method})"
    for sentence in answer.said:
        yield f"  {sentence}"
    rows = answer.rows[:_MOST_ROWS]
    labels = [row.label for row in rows]
    width = min(40, max(map(len, [*labels, answer.heads[0]]), default=0))
    if rows and any(answer.heads):
        yield f"  {answer.heads[0]:>{width}}  {answer.heads[1]}".rstrip()
    wide = max((len(str(row.chance)) for row in rows), default=0)
    for row in rows:
        yield f"  {row.label:>{width}}  {_write_row(row, wide)}".rstrip()
    if len(answer.rows) > len(rows):
        yield f"  and {len(answer.rows) - len(rows)} more: --format json has them all"


def _write_row(row: OddsRow, width: int) -> str:
    if row.chance is None:
        return row.note
    bar = "#" * round(_BAR * row.chance.share)
    return f"{row.chance!s:>{width}}  {bar:<{_BAR}}  {row.note}"


def _record(name: str, found: GameOdds) -> dict[str, Any]:
    return {"game": name, "answers": [_record_answer(one.answer) for one in found.answered]}


def _record_answer(answer: OddsAnswer) -> dict[str, Any]:
    return {
        "kind": answer.kind,
        "title": answer.title,
        "of": answer.component,
        "exact": not answer.samples,
        "samples": answer.samples,
        "said": list(answer.said),
        "rows": [_record_row(row) for row in answer.rows],
        "curves": [
            {"label": one.label, "points": [list(point) for point in one.points]}
            for one in answer.curves
        ],
    }


def _record_row(row: OddsRow) -> dict[str, Any]:
    record: dict[str, Any] = {"label": row.label, "note": row.note}
    if row.chance is None:
        return record
    chance = row.chance
    if chance.ways is None:
        return record | {"share": chance.share, "low": chance.low, "high": chance.high}
    return record | {"share": chance.share, "ways": chance.ways, "of": chance.of}
