"""Take the JSON Schema of game.toml, make the pages that tell a person every key of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Node = Mapping[str, Any]
HEAD = """\
# Every key of game.toml

This page lists the schema that `pnp schema` prints for editors. To begin, read the
[guide](guide.md); for shapes, bleed and cuts see [sheets.md](sheets.md), for templates
[templates.md](templates.md).
"""


def reference(schema: Node) -> str:
    """Markdown: a section for each table, a line for each key."""
    parts = schema["$defs"]
    component = parts["ComponentTable"]["properties"]
    rule = component["rule"]["items"]["oneOf"]
    sections = [
        HEAD,
        "## The tables\n",
        *_table(schema, schema),
        "\n## [game]\n",
        *_table(parts["GameTable"], schema),
        "\n## [[component]]\n",
        *_table(parts["ComponentTable"], schema),
        "\n## [component.shape]\n",
        *_kinds("kind", component["shape"]["oneOf"], schema),
        "\n## `folds` of a [[component]]\n",
        *_table(parts["FoldTable"], schema),
        "\n## `holes` of a [[component]]\n",
        *_table(parts["HoleTable"], schema),
        "\n## `cutouts` of a [[component]]\n",
        *_table(parts["CutoutTable"], schema),
        "\n## [component.lookup.COLUMN]\n",
        *_table(parts["LookupTable"], schema),
        "\n## [component.front], [component.back]\n",
        *_kinds("renderer", parts["Face"]["oneOf"], schema),
        "\n## [[component.rule]]\n",
        *_kinds("kind", rule, schema),
        "\n## [booklet]\n",
        *_table(parts["BookletTable"], schema),
        "\n## [cover]\n",
        *_table(parts["CoverTable"], schema),
        "\n## [ink]\n",
        *_table(parts["InkTable"], schema),
        "\n## [ink.low]\n",
        *_table(parts["LowInkTable"], schema),
        "\n## [ink.low.component.NAME]\n",
        *_table(parts["LowInkSides"], schema),
        "\n## [[box]]\n",
        *_table(parts["BoxTable"], schema),
        "\n## [scene]\n",
        *_table(parts["SceneTable"], schema),
        "\n## [[scene.group]]\n",
        *_table(parts["GroupTable"], schema),
        "\n## [play]\n",
        *_table(parts["PlayTable"], schema),
        "\n## [[play.bound]]\n",
        *_table(parts["PlayBoundTable"], schema),
        "\n## [font]\n",
        *_table(parts["FontTable"], schema),
        "\n## [paper.NAME]\n",
        *_table(parts["PaperTable"], schema),
        "\n## [keywords.NAME]\n",
        *_table(parts["KeywordTable"], schema),
        "\n## [[odds]]\n",
        *_kinds("kind", schema["properties"]["odds"]["items"]["oneOf"], schema),
        "\n## [[accept]]\n",
        *_table(parts["AcceptTable"], schema),
        "\n## [variant.NAME]\n",
        *_table(parts["VariantTable"], schema),
        "\n## [language.NAME]\n",
        *_table(parts["LanguageTable"], schema),
    ]
    return re.sub("\n{3,}", "\n\n", "\n".join(sections)) + "\n"


def _kinds(tag: str, kinds: Sequence[Node], schema: Node) -> Iterator[str]:
    """The keys that all kinds have, then each kind with its own."""
    common = set.intersection(*(set(kind["properties"]) for kind in kinds)) - {tag}
    if common:
        yield from _table(kinds[0], schema, only=common)
    for kind in kinds:
        is_tagged = tag in kind["properties"]
        title = f'{tag} = "{kind["title"]}"' if is_tagged else str(kind["title"])
        own = set(kind["properties"]) - common - {tag}
        yield f"\n### {title}\n\n{kind['description'] if is_tagged else 'Instead of a renderer.'}\n"
        if own:
            yield from _table(kind, schema, only=own)


def _table(table: Node, schema: Node, only: set[str] | None = None) -> Iterator[str]:
    yield "| key | meaning | default |\n|---|---|---|"
    for key, node in table["properties"].items():
        if only is None or key in only:
            what = f"{_described(node, schema)}{_choice(node)}"
            left_out = _left_out(node, key in table.get("required", ()))
            yield f"| `{key}` | {what} | {left_out} |"


def _described(node: Node, schema: Node) -> str:
    if "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return str(node["description"]).replace("|", "\\|")


def _choice(node: Node) -> str:
    """The words that may stand there, where they are few and not told."""
    words = [word for word in node.get("enum", ()) if f"'{word}'" not in node["description"]]
    return f": {', '.join(f'`{word}`' for word in words)}" if words else ""


def _left_out(node: Node, is_required: bool) -> str:
    if is_required:
        return "required"
    default = node.get("default")
    return f"`{json.dumps(default)}`" if default not in (None, "", [], {}) else ""
