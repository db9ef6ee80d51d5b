"""The layout for the columns of a table, and which column each of its names shows.

Usual headings decide, then what the cells hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from generator.art.pixels import FORMATS
from generator.basics.colours import read_colour
from generator.basics.errors import Place, Problem, did_you_mean, fail, quote, try_read
from generator.faces.template import FromTemplate
from generator.faces.templating.template import SvgTemplate
from generator.game import find, house_layouts
from generator.game.spec import write_value
from generator.model import SIDES, Side
from generator.pipeline.game import read

_PICTURES = (".svg", *FORMATS)
_MOST = {"cost": 5, "number": 5, "players": 2, "type": 44, "title": 70}  # letters of a cell
_SHORT, _MEDIUM = 9, 24  # letters of a value, and of a type
_MOST_VALUES = 8
_FEW = 3  # values, for which a card with a picture has room
_TEXTS = ("text", "text_2")


class CardColumn(Struct, frozen=True):
    """A column: its heading, its name in expressions, its cells as texts, and whether these are lists."""

    heading: str
    name: str
    values: Sequence[str]
    is_list: bool = False

    @property
    def longest(self) -> int:
        return max(map(len, self.values), default=0)


class FittedLayout(Struct, frozen=True):
    """A layout for a table: the keys of its front in a spec, and the column of the pictures."""

    layout: house_layouts.HouseLayout
    columns: Mapping[str, str]
    pictures: CardColumn | None
    notes: Sequence[Problem]

    @property
    def front(self) -> str:
        """The keys of [component.front]."""
        given = f"\ncolumns = {write_value(self.columns)}" if self.columns else ""
        return f"layout = {write_value(self.layout.name)}{given}"

    @property
    def picture_files(self) -> list[str]:
        """The pictures that its cells name, each once."""
        return list(dict.fromkeys(filter(None, self.pictures.values))) if self.pictures else []


def fit_layout(columns: Sequence[CardColumn], folder: Path, name: str = "") -> FittedLayout:
    """The layout of that name, or the one that suits the columns; pictures are below a folder."""
    pictures = next((column for column in columns if _are_pictures(column, folder)), None)
    placed = _place([column for column in columns if column is not pictures])
    if pictures:
        placed["picture"] = pictures
    values = [key for key in placed if key.startswith("value_")]
    usual = "stat-card" if len(values) > _FEW else "item-card" if values else "poker-classic"
    layout = find_layout(name or usual)
    shown = {key: column for key, column in placed.items() if key in layout.shows}
    rest = [column for key, column in placed.items() if key not in shown]
    for key in (key for key in layout.shows if key.startswith("value_") and key not in shown):
        if fitting := next((column for column in rest if column.longest <= _SHORT), None):
            shown[key] = fitting
            rest.remove(fitting)
    lost = [column.heading for column in (*rest, *columns) if column not in shown.values()]
    notes = [_say_left_out(layout, list(dict.fromkeys(lost)))] if lost else []
    given = dict(_name_columns(layout, shown, [column.heading for column in columns]))
    return FittedLayout(layout, given, pictures, notes)


def find_layout(name: str) -> house_layouts.HouseLayout:
    """The layout of that name. Raises PnpError if there is none."""
    if name not in house_layouts.layouts():
        raise fail(Place("--layout"), f"there is no layout {quote(name)}", did_you_mean(name, house_layouts.layouts()))
    return house_layouts.layouts()[name]


def _place(columns: Sequence[CardColumn]) -> dict[str, CardColumn]:
    """The column for each name that layouts show."""
    named = {column.heading: column for column in columns}
    values = [f"value_{number}" for number in range(1, _MOST_VALUES + 1)]
    names = [name for name in house_layouts.usual_headings() if name not in ("picture", "value")]
    found = house_layouts.find_columns([*names, *values], list(named))
    placed = {name: named[heading] for name, heading in found.items() if _suits(name, named[heading])}
    rest = [column for column in columns if column not in placed.values()]
    for column in rest:
        if free := _find_place(column, placed, values):
            placed[free] = column
    return placed


def _find_place(column: CardColumn, placed: Mapping[str, CardColumn], values: Sequence[str]) -> str:
    """Where a column with an unusual heading stands by what its cells hold; "" for nowhere."""
    if "title" not in placed and _may_be_title(column):
        return "title"
    names: tuple[str, ...] = _TEXTS
    if column.longest <= _SHORT:
        names = tuple(values)
    elif column.longest <= _MEDIUM:
        names = ("type", *_TEXTS)
    return next((name for name in names if name not in placed), "")


def _suits(name: str, column: CardColumn) -> bool:
    """Whether the cells of a column can be what its heading says."""
    if name == "accent":
        return all(try_read(read_colour, cell) for cell in filter(None, column.values))
    return column.longest <= _MOST.get(name, _SHORT if name.startswith("value_") else 10**6)


def _name_columns(
    layout: house_layouts.HouseLayout, shown: Mapping[str, CardColumn], headings: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The columns that a spec must name, because their headings are not the usual ones."""
    usual = house_layouts.find_columns(layout.shows, headings)
    for name in layout.shows:
        column = shown.get(name)
        if column is None:
            heading = "id" if name == "title" else ""
            if usual.get(name, heading) != heading or (name == "title" and name not in usual):
                yield name, heading
        elif column.is_list:
            yield name, f"{{{{ {column.name} | join(', ') }}}}"
            if name.startswith("value_"):
                yield f"{name}_heading", f"{{{{ {column.heading!r} }}}}"
        elif usual.get(name) != column.heading:
            yield name, column.heading


def _are_pictures(column: CardColumn, folder: Path) -> bool:
    """Whether all cells but empty ones name pictures that are there."""
    files = [PurePosixPath(value) for value in column.values if value]
    return all(
        file.suffix.lower() in _PICTURES
        and not file.is_absolute()
        and ".." not in file.parts
        and (folder / file).is_file()
        for file in files
    )


def _may_be_title(column: CardColumn) -> bool:
    """Whether nearly all cells hold a few words."""
    filled = [value for value in column.values if value]
    has_words = all(any(sign.isalpha() for sign in value) for value in filled)
    return has_words and column.longest <= 40 and len(filled) * 5 >= len(column.values) * 4


def _say_left_out(layout: house_layouts.HouseLayout, headings: Sequence[str]) -> Problem:
    names = ", ".join(map(quote, headings))
    what = f"the layout {layout.name} has no room for more columns: {names} are not shown"
    hint = "choose another with --layout, or name them in columns of game.toml"
    return Problem(Place("game.toml"), what, hint, level="note")


def list_layouts() -> list[str]:
    return [f"{layout.name:<15}{layout.about}" for layout in house_layouts.layouts().values()]


def copy_drawings(name: str) -> house_layouts.CopiedLayout:
    """Writes the drawings of the layouts of a game to its folder. Raises PnpError if it cannot be
    read or has none, or if such a file exists."""
    folder, _ = find(name)
    columns: dict[tuple[str, Side], Mapping[str, str]] = {}
    for design in read(name).designs:
        for side in SIDES:
            renderer = design.renderer(side)
            templates = renderer.templates if isinstance(renderer, FromTemplate) else None
            if isinstance(templates, SvgTemplate) and templates.folder == house_layouts.LAYOUTS:
                columns[design.component.id, side] = templates.given
    return house_layouts.copy_layouts(folder, columns)
