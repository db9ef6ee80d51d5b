"""Take a spec, report unknown names, and names of two things."""

from __future__ import annotations

from collections.abc import Collection

from generator.basics.errors import did_you_mean, quote
from generator.game.source import Source
from generator.game.spec import table_of


def check_ids(source: Source) -> None:
    """Reports ids that are used twice, and variants that name an unknown id."""
    lines: dict[object, int] = {}
    boxes = ((table.get("id", "box"), path) for table, path in source.tables("box"))
    components = ((table.get("id"), path) for table, path in source.tables("component"))
    for id_, path in (*components, *boxes):
        line = source.line((*path, "id"))
        if isinstance(id_, str) and id_ in lines:
            hint = "give every component a different id"
            what = f"the id {quote(id_)} is taken by line {lines[id_]}"
            source.report((*path, "id"), what, hint)
        lines.setdefault(id_ if isinstance(id_, str) else None, line)
    if source.raw.get("component") == []:
        source.report(("component",), "there is no [[component]], so nothing to print")
    ids = [id_ for id_ in lines if isinstance(id_, str)]
    for name, variant in table_of(source.raw, "variant").items():
        for id_ in table_of(variant, "table") if isinstance(variant, dict) else ():
            if id_ not in lines:
                path = ("variant", name, "table", id_)
                source.report(path, f"unknown component {quote(id_)}", did_you_mean(id_, ids))


def check_layers(source: Source, layers: Collection[str]) -> None:
    """Reports layers of variants that no template has."""
    for name, variant in table_of(source.raw, "variant").items():
        for layer in table_of(variant, "layers").keys() - layers:
            what = f"no template has a layer {quote(layer)}"
            source.report(("variant", name, "layers", layer), what, did_you_mean(layer, layers))
