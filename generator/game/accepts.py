"""The [[accept]] tables of a spec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.basics.errors import did_you_mean, quote
from generator.game.document import Document
from generator.game.source import Source
from generator.game.spec import table_of
from generator.model import Accept, Component


def check_accepts(source: Source) -> None:
    """Reports unknown variants of [[accept]]."""
    variants = table_of(source.raw, "variant")
    for table, path in source.tables("accept"):
        variant = table.get("variant")
        if isinstance(variant, str) and variant not in variants:
            what = f"unknown variant {quote(variant)}"
            source.report((*path, "variant"), what, did_you_mean(variant, variants))


def read_accepts(
    source: Source, document: Document, variant: str, components: Sequence[Component]
) -> Iterator[Accept]:
    """The accepted findings of the game and of this variant; only the latter must occur in it."""
    for index, accept in enumerate(document.accept):
        of, place = accept.variant or "", source.place(("accept", index))
        if of in ("", variant):
            on, whole = accept.on, _name_whole(accept.on, components)
            found, reason = accept.found, accept.reason
            yield Accept(
                accept.finding, on, found, reason, accept.level, place, of == variant, whole
            )


def _name_whole(on: Sequence[str], components: Sequence[Component]) -> tuple[str, ...]:
    """Names of pieces, with a component in place of all its printed pieces."""
    names = dict.fromkeys(on)
    for component in components:
        pieces = {f"{component.id}/{piece.id}" for piece in component.pieces if piece.copies}
        if pieces <= names.keys():
            names = {name: None for name in names if name not in pieces} | {component.id: None}
    return tuple(names)
