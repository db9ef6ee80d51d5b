"""The folder of a new game: a starter, a deck from a table, or a deck of pictures.

A spreadsheet is kept as it is if it is sound. A CSV file, and a table whose headings no drawing
could read, becomes a tidy CSV file.
"""

import csv
import io
import re
import shutil
import tempfile
import tomllib
import unicodedata
from base64 import b64encode
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, chain, count, zip_longest
from pathlib import Path, PurePosixPath
from string import Template
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from generator import game
from generator.art.drawing import MAX_BYTES
from generator.art.pixels import FORMATS, find_upright_size, make_printable
from generator.basics.bounds import Bound, find_memory
from generator.basics.errors import MisfitError, Place, PnpError, Problem, fail, list_names, locate, quote
from generator.basics.files import read_within
from generator.basics.geometry import Size, decimal
from generator.basics.writing import check_free, write_folder
from generator.faces.standing import draw_template
from generator.faces.template import MOST_LOST, cut_off
from generator.faces.templating.nodes import read_expression
from generator.game.house_layouts import LAYOUTS, HouseLayout, layouts
from generator.game.shapes import SHAPES, DrawnTable, usual_size
from generator.game.spec import write_value
from generator.layout.nets import Net
from generator.model import Column
from generator.pipeline.fitting import CardColumn, find_layout, fit_layout
from generator.pipeline.listing import schema_text
from generator.tables.fields import MAX_TITLE
from generator.tables.rows import ListCell
from generator.tables.schema import COUNTING, OWN, REMARK, TableSchema, fold, is_translation, read_cell
from generator.tables.table import read_header, read_lines, read_table

if TYPE_CHECKING:
    from generator.importing.folder import ImportOptions

_GAME = Path(__file__).parents[1] / "game"
STARTERS = _GAME / "starters"
FOLDING: Mapping[str, Mapping[str, float]] = tomllib.loads((_GAME / "folding.toml").read_text("utf-8"))
DECKS: dict[str, Any] = tomllib.loads((_GAME / "decks.toml").read_text("utf-8"))
_WAYS: Mapping[str, Mapping[str, str]] = DECKS.pop("ways")
BLEED = 3.0
_CARDS = ("poker", "tarot", "jumbo", "square", "mini")  # in the order in which they are tried
_FOLDING, _FOLDING_BLEED = "folding", 1.5  # the folder of their starter; mm
_OF_GIT = {
    ".gitignore": b"# what pnp makes\n/output/\n",
    ".gitattributes": b"# git changes no line ends: the same bytes on every system\n* -text\n",
}
_WORKFLOW = Path(__file__).parents[1] / "export" / "site" / "workflow.yml"
_PLAIN_TEXTS = (".csv", ".tsv", ".txt")
_MOST_PICTURES = 2000  # of a folder
_COPIES = set(COUNTING) - {"number"}  # which may be that of the card
_SAMPLE = re.compile(r' href="([\w/-]+\.svg)"')
_FILE = re.compile(r"[^a-z0-9]+")
_DIGITS = re.compile(r"\d+")


class StartedGame(Struct, frozen=True):
    """The folder that was written, and notes on what of its source is not in it."""

    folder: Path
    notes: Sequence[Problem] = ()


def start(name: str, kind: str, *, has_site: bool = False, has_engine: bool = False) -> Path:
    """Writes the starter of that kind to the folder `name`, with its title, and returns the folder.
    With `has_site`, a workflow publishes the game's page from a repository of this folder. With
    `has_engine`, the folder NAME-engine beside it is a package with rules as code.

    Raises PnpError and writes nothing if the name is not valid, a folder exists, or the starter has no deck.
    """
    folder = Path(name)
    _check_name(folder)
    if has_engine and kind not in DECKS:
        what = f"the starter {quote(kind)} has no deck to play with"
        raise fail(Place("--engine"), what, f"choose --kind {list_names(DECKS, 'or')}")
    files = _read_folder(STARTERS / (_FOLDING if kind in FOLDING else kind))
    if kind in FOLDING:
        files |= _fold_out(files["game.toml"].decode(), kind)
    title = tomllib.loads(files["game.toml"].decode())["game"]["title"].encode()
    for file in ("game.toml", "README.md"):
        files[file] = files[file].replace(title, _title(folder.name).encode(), 1)
    if not has_engine:
        return _write(folder, files, has_site=has_site)
    package = folder.with_name(f"{folder.name}-engine")
    write_folder(package, _make_package(folder.name, files, *DECKS[kind]))
    try:
        return _write(folder, files, has_site=has_site)
    except BaseException:
        shutil.rmtree(package)
        raise


def _make_package(name: str, files: dict[str, bytes], component: str, way: str, column: str) -> dict[str, bytes]:
    """A package with an engine that plays with a component of a new game; the game's spec then names it."""
    module, engine = f"pnp_{name.replace('-', '_')}", f"{name}.rules"
    head, of_game, rest = files["game.toml"].decode().split("\n\n[", 2)
    play = f'play] # rules as code, of the package {name}-engine\nengine = "{engine}"'
    files["game.toml"] = "\n\n[".join((head, of_game, play, rest)).encode()
    words = {"title": _title(name), "name": name, "module": module, "engine": engine, "component": component}
    words |= {key: Template(text).substitute(column=column) for key, text in _WAYS[way].items()}
    return {
        file.removesuffix(".txt").replace("module/", f"{module}/"): Template(text.decode()).substitute(words).encode()
        for file, text in _read_folder(_GAME / "engine").items()
    }


def _read_folder(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _fold_out(spec: str, kind: str) -> dict[str, bytes]:
    """The spec of a game of folding pieces of that kind, and the template of their net."""
    measures = FOLDING[kind]
    table = SHAPES[kind](**measures)
    assert not isinstance(table, DrawnTable)
    shape = table.shape()
    assert isinstance(shape, Net)
    lines = [f'kind = "{kind}"']
    lines += [
        f'{key} = "{value:g}mm"' if isinstance(value, float) else f"{key} = {value}" for key, value in measures.items()
    ]
    spec = re.sub('kind = "die"\n.*\n.*', "\n".join(lines), spec, count=1)
    return {"game.toml": spec.encode(), "net.svg": draw_template(shape, _FOLDING_BLEED).encode()}


def draw_kinds() -> dict[str, str]:
    """An SVG of each starter and of each "layout NAME": a front with its samples, or a net."""
    found = {kind: _fold_out("", kind)["net.svg"].decode() for kind in FOLDING}
    for spec in STARTERS.glob("*/game.toml"):
        if spec.parent.name != _FOLDING:
            front = tomllib.loads(spec.read_text("utf-8"))["component"][0]["front"]["template"]
            text = (spec.parent / front).read_text("utf-8")
            found[spec.parent.name] = _SAMPLE.sub(partial(_embed, spec.parent), text)
    for name, layout in layouts().items():
        found[f"layout {name}"] = (LAYOUTS / layout.file("front")).read_text("utf-8")
    return found


def _embed(folder: Path, sample: re.Match[str]) -> str:
    content = b64encode((folder / sample[1]).read_bytes()).decode()
    return f' href="data:image/svg+xml;base64,{content}"'


def start_from_table(
    name: str, table: str, layout: str = "", pictures: Path | None = None, *, has_site: bool = False
) -> StartedGame:
    """Writes a deck with a card for each row of a table to the folder `name`: the table itself, the pictures that it
    names, and a spec with a layout. `table` is a path, of a sheet "cards.xlsx#Heroes". With a folder of pictures, a
    copy of the table has a column of those whose names its cells hold.

    Raises PnpError and writes nothing for a fault of the table, or as `start` does.
    """
    _check_name(Path(name))
    path, sheet = Path(table).absolute(), ""
    if "#" in path.name and not path.exists():
        file, _, sheet = path.name.partition("#")
        path = path.with_name(file)
    at = Place(quote(table))
    folder = pictures.resolve().parent if pictures else path.parent
    with Bound(at).hold():
        scans = _list_pictures(pictures, Place(quote(str(pictures)))) if pictures else []
        within = f"{pictures.resolve().name}/" if pictures else ""
        made = _read_source(path, sheet, at, [within + file for file in scans])
        card = fit_layout(made.columns, folder, layout)
        read = {file: read_within(folder, file, MAX_BYTES, at) for file in card.picture_files}
    default = _ONE if made.has_count else ""
    spec = _spec(name, made.source, card.front, _back_of(card.layout), default=default)
    files = {**read, made.file: made.content, "game.toml": spec.encode()}
    notes = [*made.notes, *card.notes]
    return StartedGame(_write(Path(name), files, has_site=has_site), notes)


def start_from_pictures(name: str, pictures: Path, layout: str = "", *, has_site: bool = False) -> StartedGame:
    """Writes a deck whose faces are the pictures of a folder to the folder `name`, or stand in a layout above their
    names. A picture called "back" is the back of all; without one, a back is drawn. The card is of a usual size if most
    pictures have its proportions, with its bleed or without.

    Raises PnpError and writes nothing if there is no picture or one cannot be read, or as `start` does.
    """
    _check_name(Path(name))
    at = Place(quote(str(pictures)))
    with Bound(at).hold():
        listed = _list_pictures(pictures, at)
        contents = {file: _read_picture(pictures, file, at) for file in listed}
        pixels = Counter(Size(*find_upright_size(content)) for content in contents.values())
    back = next((file for file in contents if _is_back(file)), "")
    fronts = [file for file in contents if file != back]
    if not fronts:
        raise fail(at, "the folder has no pictures but that of the back", "add those of the fronts")
    files = {f"pictures/{file}": content for file, content in contents.items()}
    rows = [(id_, "1", file, _title(Path(file).stem)) for id_, file in _name(fronts)]
    most = max(pixels, key=lambda size: pixels[size])
    size, form, is_cut = _find_card(most)
    edge = '\nedge = "mirror" # the pictures end at the cut' if is_cut else ""
    front, behind = f'template = "pictures/{{{{ picture }}}}"{edge}', 'template = "back.svg"'
    if back:
        behind = f"template = {write_value(f'pictures/{back}')}{edge}"
    if layout:
        columns = write_value({"picture": "pictures/{{ picture }}"})
        chosen = find_layout(layout)
        form, behind = "", behind if back else _back_of(chosen)
        front = f"layout = {write_value(chosen.name)}\ncolumns = {columns}"
    elif not back:
        files["back.svg"] = _draw_back(size).encode()
    header = ("id", "count", "picture", "title")
    shown = [row if layout else row[:3] for row in (header, *rows)]
    files["cards.csv"] = _write_csv(shown)
    form = f'\n{form}\ncorner_radius = "3mm"' if form else ""
    files["game.toml"] = _spec(name, "cards.csv", front, behind, form).encode()
    return StartedGame(_write(Path(name), files, has_site=has_site))


def find_free_folder(name: str | None, path: Path) -> Path:
    """The folder of a game from a PDF, by default called like it. Raises PnpError if it cannot be made."""
    folder = Path(name or _plain(path.stem)[:MAX_TITLE] or "cards")
    _check_name(folder)
    with suppress(OSError):  # which writing reports
        check_free(folder, Place(quote(str(folder))))
    return folder


def start_from_pdf(
    folder: Path, path: Path, options: "ImportOptions", step: Callable[[str], None],
    ask_password: Callable[[str], str] | None = None,
) -> tuple[Sequence[Problem], "ImportOptions"]:  # fmt: skip
    """Writes a game of the cards in a PDF to a folder, and returns notes on what of it is not there,
    and the options that say all that was found. Raises PnpError as `import_pdf` and `start`."""
    from generator.importing.folder import import_pdf

    made = import_pdf(path, options, step, ask_password)
    _write(folder, made.files, has_site=False)
    return made.notes, made.said


def _list_pictures(folder: Path, at: Place) -> list[str]:
    if not folder.is_dir():
        raise fail(at, "there is no such folder", "name a folder with pictures")
    files = [path.name for path in folder.iterdir() if path.suffix.lower() in FORMATS]
    files.sort(key=lambda file: (_DIGITS.sub(lambda digits: digits[0].zfill(9), file), file))
    if not files:
        raise fail(at, "the folder has no pictures", f"known: {', '.join(FORMATS)}")
    if len(files) > _MOST_PICTURES:
        raise fail(at, f"the folder has {len(files):,} pictures", f"at most {_MOST_PICTURES:,}")
    return files


def _is_back(file: str) -> bool:
    return Path(file).stem.lower() == "back"


def _back_of(layout: HouseLayout) -> str:
    """The keys of [component.back]; "" if there is none."""
    return f"layout = {write_value(layout.name)}" if layout.has("back") else ""


def _write_csv(lines: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def _write(folder: Path, files: dict[str, bytes], *, has_site: bool) -> Path:
    files["game.schema.json"] = schema_text().encode()
    files |= _OF_GIT
    if has_site:
        files[".github/workflows/pages.yml"] = _WORKFLOW.read_bytes()
    write_folder(folder, files)
    return folder


def _check_name(folder: Path) -> None:
    name = folder.name
    if game.NAME.fullmatch(name) and len(name) <= MAX_TITLE:
        return
    if name in ("", ".."):
        raise fail(Place(quote(str(folder))), "a new game needs a name", "pnp new my-game")
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    near = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:MAX_TITLE]
    hint = f"use a-z, 0-9, '-' and '_', at most {MAX_TITLE} characters, such as {near or 'my-game'}"
    raise fail(Place(quote(name)), "this is not a valid name for a game", hint)


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in re.split("[-_]+", name)).strip()


def _spec(name: str, table: str, front: str, back: str, form: str = "", default: str = "") -> str:
    """A spec of one component. `front` and `back` are the keys of its sides, `form` those of its size."""
    behind = f"\n[component.back]\n{back}\n" if back else ""
    keys = {"form": form, "default": default, "front": front, "behind": behind}
    return _fill("deck.toml", title=write_value(_title(Path(name).name)), table=write_value(table), **keys)


def _fill(file: str, **words: str) -> str:
    return Template((_GAME / "deck" / file).read_text("utf-8")).substitute(words)


_ONE = """
[component.default]
count = 1 # where the cell is empty
"""


# A deck of pictures.


def _read_picture(folder: Path, file: str, at: Place) -> bytes:
    content = read_within(folder, file, MAX_BYTES, at)
    locate(Place.in_folder(folder, file), make_printable, content, FORMATS[Path(file).suffix.lower()])
    return content


def _find_card(pixels: Size) -> tuple[Size, str, bool]:
    """The card for a picture, the line that says its size, and whether the picture ends at the cut:
    a usual card, else one of 63.5 mm across."""
    is_wide = pixels.width > pixels.height
    picture = pixels.turned() if is_wide else pixels
    for name in _CARDS:
        size = usual_size(name)
        whole = Size(size.width + 2 * BLEED, size.height + 2 * BLEED)
        for box, is_cut in ((whole, False), (size, True)):
            if cut_off(picture, box) <= MOST_LOST:
                card = size.turned() if is_wide else size
                return card, f'size = "{name}"' if card == size else _measures(card), is_cut
    across = usual_size("poker").width
    card = Size(across, round(across * picture.height / picture.width, 1))
    return (card := card.turned() if is_wide else card), _measures(card), True


def _measures(size: Size) -> str:
    return f'size = "{decimal(size.width)}x{decimal(size.height)}mm"'


def _name(files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files, each with an id that no other has."""
    taken: Counter[str] = Counter()
    for file in files:
        id_ = _plain(file)[:50] or "card"
        taken[id_] += 1
        while taken[id_] > 1:
            id_ = f"{id_}-{taken[id_]}"
            taken[id_] += 1
        yield id_, file


def _plain(text: str) -> str:
    """The name of a file or a card, without its ending, marks and capitals."""
    stem = Path(text).stem if Path(text).suffix.lower() in FORMATS else text
    return _FILE.sub("-", unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode().lower()).strip("-")


def _exact(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _draw_back(size: Size) -> str:
    lengths = {
        "width": size.width + 2 * BLEED,
        "height": size.height + 2 * BLEED,
        "frame_width": size.width - 10,
        "frame_height": size.height - 10,
        "x": size.width / 2,
        "y_large": size.height / 2 - 14,
        "y_small": size.height / 2 - 8,
    }
    return _fill("back.svg", **{name: decimal(length) for name, length in lengths.items()})


# A deck from a table.


class _SourceTable(Struct, frozen=True):
    """The table of a new game: its file, what that holds, and how the spec names it."""

    file: str
    content: bytes
    source: str
    columns: Sequence[CardColumn]
    has_count: bool
    notes: Sequence[Problem] = ()


def _read_source(path: Path, sheet: str, at: Place, pictures: Sequence[str]) -> _SourceTable:
    """A table as it is if it is a sound spreadsheet or JSON, else as a tidy CSV file, with a column
    of pictures if there are some. Raises PnpError for a fault that tidying does not mend."""
    suffix, named = path.suffix.lower(), f"{path.name}#{sheet}" if sheet else path.name
    if suffix not in _PLAIN_TEXTS and not pictures:
        with suppress(PnpError):
            columns, has_count = _read_columns(path.parent, named, at)
            content = read_within(path.parent, path.name, find_memory(), at)
            own = f"cards{suffix}"
            source = f"{own}#{sheet}" if sheet else own
            if has_count or not any(column.name in _COPIES for column in columns):
                return _SourceTable(own, content, source, columns, has_count)
    lines = read_lines(path.parent, named, at)
    if not (tidy := _tidy([line.cells for line in lines])):
        raise fail(Place(quote(named)), "the table is empty", "the first line names the columns")
    is_kept = suffix in _PLAIN_TEXTS and tidy[0] == read_header(path.parent, named, at)
    what = "the headings of the table were mended in a copy: go on with cards.csv"
    notes = [Problem(Place(quote(named)), what, "it opens in any spreadsheet", level="note")]
    if pictures:
        (tidy, notes), is_kept = _add_pictures(tidy, pictures, at), False
    content = _write_csv(tidy)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "cards.csv").write_bytes(content)
        try:
            columns, has_count = _read_columns(Path(folder), "cards.csv", at)
        except PnpError as error:
            ends = list(accumulate(1 + sum(cell.count("\n") for cell in row) for row in tidy))
            rows = (bisect_left(ends, problem.place.line, hi=len(ends) - 1) for problem in error.problems)
            places = (lines[len(lines) - len(tidy) + row].place for row in rows)
            placed = zip(error.problems, places, strict=True)
            raise PnpError(replace(problem, place=place) for problem, place in placed) from None
    return _SourceTable("cards.csv", content, "cards.csv", columns, has_count, () if is_kept else notes)


def _add_pictures(
    tidy: Sequence[Sequence[str]], pictures: Sequence[str], at: Place
) -> tuple[list[list[str]], list[Problem]]:
    """A table with a column of the pictures whose names the cells of one of its columns hold, and a
    note on the rows and pictures that are left. Raises PnpError if there is no such column."""
    files = {PurePosixPath(file).name: file for file in pictures if not _is_back(file)}
    alike = Counter(map(_plain, files))  # names that differ in signs alone match as they are
    by_name = {key: file for name, file in files.items() if (key := _plain(name)) and alike[key] == 1}
    by_name |= {_exact(own): file for name, file in files.items() for own in (name, Path(name).stem)}
    header, *rows = tidy
    columns = zip(*rows, strict=True)
    found = [[by_name.get(_exact(cell)) or by_name.get(_plain(cell), "") for cell in cells] for cells in columns]
    best = max(range(len(found)), key=lambda column: sum(map(bool, found[column])), default=0)
    if not found or not any(found[best]):
        what = "no cell of the table has the name of a picture in the folder"
        raise fail(at, what, "name them like the cards: the-old-abbey.png")
    without = [row[best] or max(row, key=bool) for row, own in zip(rows, found[best], strict=True) if not own]
    unused = sorted({*pictures} - {*found[best]})
    left = {"these rows have no picture": without, "no row has these pictures": unused}
    sentences = (
        f"{what}: {', '.join(map(quote, names[:5]))}{' …' * (len(names) > 5)}" for what, names in left.items() if names
    )
    notes = [Problem(at, sentence, level="note") for sentence in sentences]
    column = next((i for i, name in enumerate(header) if fold(name) == "picture"), len(header))
    lines = [list(line) for line in tidy]
    for line, file in zip(lines, ["picture", *found[best]], strict=True):
        line[column : column + 1] = [file]
    return lines, notes


def _read_columns(folder: Path, file: str, at: Place) -> tuple[list[CardColumn], bool]:
    """The columns of a table that a drawing can read, and whether there is one of copies. Raises
    PnpError with the table's faults."""
    names: dict[str, str] = {}
    header = read_header(folder, file, at)
    for heading in header:
        name = fold(heading)
        if heading.startswith(REMARK) or is_translation(heading) or name in OWN:
            continue
        with suppress(MisfitError):  # no expression names it
            read_expression(name, tuple)
            names.setdefault(name, heading)
    default = dict.fromkeys(names, "") | {"count": "1"}
    schema = TableSchema([Column(name, reader=at) for name in names], default=default)
    rows = [piece.row for piece in read_table(folder, file, schema, at)]
    columns = []
    for name, heading in names.items():
        cells = [row.get(name, "") for row in rows]
        is_list = any(isinstance(cell, ListCell) for cell in cells)
        columns.append(CardColumn(heading, name, list(map(str, cells)), is_list))
    has_count = any(fold(heading) == "count" for heading in header)
    return [column for column in columns if any(column.values)], has_count


def _tidy(lines: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of a table from its header on, without columns that are empty. Each heading is
    there once; cells that are no names of pieces are no column `id`, numbers of copies are `count`.
    """
    first = next((at for at, line in enumerate(lines) if sum(map(bool, line)) > 1), 0)
    columns = zip_longest(*lines[first:], fillvalue="")
    taken: set[str] = set()
    tidy = []
    for number, (heading, *cells) in enumerate(columns, 1):
        if heading or any(cells):
            name = _find_heading(heading or f"Column {number}", cells, taken)
            taken.add(fold(name))
            tidy.append([name, *(", ".join(it.items) if isinstance(it, ListCell) else it for it in cells)])
    return [list(line) for line in zip(*tidy, strict=True)]


def _find_heading(heading: str, cells: Sequence[str], taken: Collection[str]) -> str:
    """A heading that none before it has."""
    name = fold(heading)
    if name == "id" and not _are_ids(cells):
        heading = "Key"
    elif name in _COPIES and "count" not in taken and all(not c or c.isdecimal() for c in cells):
        heading = "count"
    heading = heading.replace("{", "(").replace("}", ")")
    numbered = (f"{heading} {number}" for number in count(2))
    return next(name for name in chain([heading], numbered) if fold(name) not in taken)


def _are_ids(cells: Sequence[str]) -> bool:
    try:
        for cell in cells:
            read_cell(cell, Column("id"))
    except MisfitError:
        return False
    return len({cell.casefold() for cell in cells}) == len(cells)
