"""The layouts that pnp has: drawings of fronts and backs, to be filled by the columns of any table.

layouts/layouts.toml names each with its piece and its colours, and the headings that are usual for
what they show. Names of the game's palette replace their colours.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from generator.basics.errors import Place, fail, quote
from generator.basics.keys import KeyPath
from generator.basics.writing import write_together
from generator.game.spec import Raw, Source, Spec, table_of, write_value
from generator.model import SIDES, Side
from generator.tables.schema import REMARK, fold, is_translation

LAYOUTS = Path(__file__).with_name("layouts")
_FORMS = ("size", "shape", "outline")  # any of these is the piece's own form
# what the attribute beside it says, too
_CONSTANT = re.compile(r"""(?<!\s)\s+pnp:\w+="'#\w+'\"""")
_NUMBERED = "value"  # what may be shown several times: value_1, value_2 …


class HouseLayout(Struct, frozen=True):
    """A layout: what it is for, the names of its columns, the keys of a component that fits it."""

    name: str
    about: str
    shows: Sequence[str]
    piece: Raw

    def file(self, side: Side) -> str:
        """The name of the drawing of a side."""
        return f"{self.name}.svg" if side == "front" else f"{self.name}-back.svg"

    def has(self, side: Side) -> bool:
        return (LAYOUTS / self.file(side)).is_file()


@cache
def _raw() -> Raw:
    return tomllib.loads((LAYOUTS / "layouts.toml").read_text("utf-8"))


def layouts() -> Mapping[str, HouseLayout]:
    found = {}
    for name, raw in _raw()["layout"].items():
        piece = {key: value for key, value in raw.items() if key not in ("about", "shows")}
        found[name] = HouseLayout(name, raw["about"], raw["shows"], piece)
    return found


def colours() -> Mapping[str, str]:
    """The colours of the layouts, by the names that a palette may give to others."""
    found: Mapping[str, str] = _raw()["palette"]
    return found


def usual_headings() -> Mapping[str, Sequence[str]]:
    """The things that layouts show, each with the usual headings of its column."""
    found: Mapping[str, Sequence[str]] = _raw()["headings"]
    return found


def put_pieces(source: Source) -> None:
    """Gives the components without a form that of the layout of their front."""
    for raw, path in source.tables("component"):
        layout = layouts().get(str(table_of(raw, "front").get("layout")))
        if layout and not any(key in raw for key in _FORMS):
            for key, value in layout.piece.items():
                if key not in raw:
                    source.put((*path, key), (*path, "front", "layout"), value)


def find_columns(names: Sequence[str], headings: Sequence[str]) -> dict[str, str]:
    """The heading of the column that fills each of some names of a layout; those without one are
    left out. A heading fills one name."""
    free = {
        fold(heading): heading
        for heading in headings
        if heading and not heading.startswith(REMARK) and not is_translation(heading)
    }
    found: dict[str, str] = {}
    numbered = sorted(name for name in names if name.rpartition("_")[0] == _NUMBERED)
    for shown, usual in usual_headings().items():
        words = list(map(fold, usual))
        if shown == _NUMBERED:
            fitting = [heading for heading in free if heading in words]
            pairs = list(zip(numbered, fitting, strict=False))
        else:
            fitting = [heading for heading in words if heading in free]
            pairs = [(shown, fitting[0])] if fitting and shown in names else []
        for name, heading in pairs:
            found[name] = free.pop(heading)
    return found


class CopiedLayout(Struct, frozen=True):
    """The drawings of layouts that were written to a game, and the lines of its spec to change, or their values."""

    files: Sequence[Path]
    lines: Sequence[str]
    values: Sequence[tuple[KeyPath, object]]


def copy_layouts(folder: Path, columns: Mapping[tuple[str, Side], Mapping[str, str]]) -> CopiedLayout:
    """Writes the drawings of the layouts of a game to its folder. `columns` are those of each side
    of a component that has one. Raises PnpError if there is none, or if such a file exists."""
    spec = Spec(folder)
    files: dict[Path, bytes] = {}
    lines: list[str] = []
    values: list[tuple[KeyPath, object]] = []
    for raw, at in spec.tables("component"):
        for side in SIDES:
            if (key := (str(raw.get("id")), side)) in columns:
                layout, given = layouts()[raw[side]["layout"]], dict(columns[key])
                path = folder / layout.file(side)
                is_of_one_colour = given.get("accent") == ""
                if is_of_one_colour:
                    del given["accent"]
                files[path] = _own(path.name, table_of(spec.raw, "palette"), is_of_one_colour)
                lines += _lines(raw, side, layout, given)
                values += _values(raw, at, side, layout, given)
    if not files:
        hint = "write layout = 'poker-classic' in [component.front] first"
        raise fail(spec.spec, "no side of a component has a layout", hint)
    if there := next((path for path in files if path.exists()), None):
        raise fail(Place.in_folder(folder, there.name), "the file exists", "rename it, or keep it")
    write_together(folder, files)
    return CopiedLayout(list(files), lines, values)


def _own(file: str, palette: Raw, is_of_one_colour: bool) -> bytes:
    """A drawing whose colours are in it, but for those of the game's palette and of its rows."""
    text = (LAYOUTS / file).read_text("utf-8")
    if is_of_one_colour:
        text = text.replace("accent or ", "")
    for name, colour in colours().items():
        if name not in palette:
            text = text.replace(f"'{name}'", f"'{colour}'")
    return _CONSTANT.sub("", text).encode()


def _lines(raw: Raw, side: Side, layout: HouseLayout, columns: Mapping[str, str]) -> Iterator[str]:
    """The lines of the spec for a side whose layout is a drawing of the game."""
    if side == "front" and not any(key in raw for key in _FORMS):
        yield f"[[component]]  # {raw.get('id')}"
        for key, value in layout.piece.items():
            yield f"{key} = {write_value(value)}"
    yield f"[component.{side}]  # of {raw.get('id')}, instead of layout = {quote(layout.name)}"
    yield f"template = {write_value(layout.file(side))}"
    if columns:
        yield f"columns = {write_value(columns)}"


def _values(
    raw: Raw, at: KeyPath, side: Side, layout: HouseLayout, columns: Mapping[str, str]
) -> Iterator[tuple[KeyPath, object]]:
    """The values of the spec for a side whose layout is a drawing of the game."""
    if side == "front" and not any(key in raw for key in _FORMS):
        yield from (((*at, key), own) for key, own in layout.piece.items() if key not in raw)
    yield (*at, side, "template"), layout.file(side)
    if columns != table_of(raw, side).get("columns", {}):
        yield (*at, side, "columns"), dict(columns)
    yield (*at, side, "layout"), None
