"""A Game, read from its folder with the kinds of faces and checks, or a report of every problem.

Also read here: the [[accept]] tables of the spec; fonts, the built-in ones and those in the game's folder fonts/; and
pictures in its folder icons/, which its texts may name. Unknown names, and names of two things, are reported.
"""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec.structs import replace

from generator.art.picture import ArtReader, crossed
from generator.basics.colours import find_colour, read_colour
from generator.basics.errors import Place, PnpError, Problem, did_you_mean, fail, quote, try_read
from generator.basics.files import is_one_line, list_within
from generator.basics.keys import KeyPath
from generator.basics.papers import Paper
from generator.faces import OtherFaces
from generator.game import document as documents
from generator.game.boxes import make_boxes
from generator.game.component_keys import without_row_measures
from generator.game.components import ComponentReader, Headings, Kinds, RoomTable, make_designs, name_faces
from generator.game.document import read_booklet
from generator.game.library import find
from generator.game.pieces import Tables, TemplateReader
from generator.game.spec import Raw, Source, table_of, walk
from generator.model import SIDES, Accept, Art, Booklet, Column, Component, Design, Game, LoadedGame, LowInk
from generator.tables.fields import Resources, font_hint
from generator.text import HOUSE_FAMILY, HOUSE_FONTS, FontBook
from generator.text.fontbook import StandIns, find_stand_in

STAND_IN = "font.replaced"  # the kind of a finding
_FOLDER = "icons"
_MAX_ICONS = 200
_LOW: KeyPath = ("ink", "low")
_WHOLE = ("layout", "renderer", "template")  # a side with another one has none of the usual options


class RoomTableError(PnpError):
    """Faults in the tables of other rooms; `loaded` is the game without its findings."""

    def __init__(self, problems: Iterable[Problem], loaded: LoadedGame) -> None:
        super().__init__(problems)
        self.loaded = loaded


def read(
    folder: Path,
    variant: str,
    kinds: Kinds,
    language: str = "",
    *,
    is_draft: bool = False,
    is_low_ink: bool = False,
    reads_all: bool = False,
    only: Sequence[str] = (),
) -> LoadedGame:
    """Reads the game in `folder`, or its variant, in a language of its tables ("" for the original), as it prints with
    its usual ink or with little. Raises PnpError with every problem of its files.

    For a draft, it leaves out each component, box and booklet that cannot be read, and what stands in for a picture or
    a cell at fault is kept. The problems are then among the findings; PnpError is raised if no component is left. With
    `reads_all`, the pieces have every column of their tables, as text where no renderer or check reads it. `only` has
    the parts of a request, whose conditions pieces may meet.
    """
    source = Source(folder)
    document = _read_spec(source, is_low_ink=is_low_ink)
    fonts = read_fonts(source, folder, is_draft=is_draft)
    if document and language == document.game.language:
        language = ""
    tables = Tables(source, folder, variant, language, is_draft, only)
    resources = _read_resources(source, document, tables, fonts)
    templates = TemplateReader(source, folder, resources, tables)
    others = [kinds.tables[name] for name in source.raw if name in kinds.tables]
    asked = _find_columns(source, others, tables.headings)
    reading = ComponentReader(source, kinds, resources, tables, templates, asked, reads_all)
    parts = [reading.parts(component, path) for component, path in source.tables("component")]
    low_ink = read_low_ink(source, resources) if is_low_ink else None
    booklet = _read_booklet(source, folder, resources, low_ink)
    boxes = [made_box for raw, path in source.tables("box") if (made_box := reading.box(raw, path))]
    _check_names(source, templates, [box.table.id for box in boxes])
    if document is None or (source.problems and not is_draft):
        raise PnpError([*source.problems, *fonts.findings])
    designs = list(make_designs(source, document, parts))
    if not designs:
        raise PnpError([*source.problems, *tables.notes.problems, *fonts.findings])
    phrases = documents.choose_phrases(document, language, fonts)
    designs += make_boxes(source, boxes, [design.component for design in designs], phrases)
    game = _make_game(document, templates, [design.component for design in designs], kinds.checks)
    found = {table.name: it for table in others if (it := table.read(source, game.components, resources)) is not None}
    game = _translate(source, document, replace(game, booklet=booklet, low_ink=low_ink, tables=found, phrases=phrases))
    designs = [replace(design, component=own) for design, own in zip(designs, game.components, strict=True)]
    if source.problems and not is_draft:
        raise RoomTableError(source.problems, LoadedGame(game, tuple(designs)))
    pictures = OtherFaces(designs)
    resources.faces.show, resources.faces.digest = pictures.show, lambda: pictures.digest
    return LoadedGame(game, tuple(designs), partial(_find, templates, designs))


def _read_spec(source: Source, *, is_low_ink: bool) -> documents.Document | None:
    """The spec, with the forms of its layouts and its colours for little ink; None if faults are reported."""
    if any("layout" in table_of(raw, "front") for raw, _ in source.tables("component")):
        from generator.game.house_layouts import put_pieces  # few games name a layout

        put_pieces(source)
    document = source.validate(documents.Document, without_row_measures(documents.without_strays(source.raw)), (), None)
    check_low_ink(source)
    if is_low_ink:
        put_low_ink(source)
    return document


def _read_booklet(source: Source, folder: Path, resources: Resources, low_ink: LowInk | None) -> Booklet | None:
    booklet = read_booklet(source, folder, resources)
    if booklet is None or low_ink is None:
        return booklet
    from generator.art.lightening import lighten_art  # rarely needed

    arts = {name: lighten_art(art, low_ink) for name, art in booklet.poster.art.items()}
    return replace(booklet, poster=replace(booklet.poster, art=arts))


def _check_names(source: Source, templates: TemplateReader, boxes: list[str]) -> None:
    """Reports names in the spec that stand for nothing, or for two things."""
    check_ids(source)
    documents.check_papers(source)
    if not source.problems:
        check_layers(source, templates.layers)
    documents.check_languages(source, templates.resources.fonts, boxes)
    check_accepts(source)


def _make_game(
    document: documents.Document, templates: TemplateReader, components: Sequence[Component], rules: Container[str]
) -> Game:
    """The game of a spec and its components, without its booklet and what other rooms read."""
    source, resources, tables = templates.source, templates.resources, templates.tables
    chosen, about = document.variant.get(tables.variant), document.game
    return Game(
        name="-".join(part for part in (tables.folder.name, tables.variant, tables.language) if part),
        title=(chosen and chosen.title) or about.title,
        designer=about.designer,
        about=chosen.about if chosen else about.about,
        components=tuple(components),
        font_folders=resources.fonts.folders,
        language=tables.language,
        palette=document.palette,
        accepts=tuple(read_accepts(source, document, tables.variant, components, rules)),
        title_languages=tuple(document.language),
        players=about.players or "",
        time=about.time or "",
        age=about.age or "",
        scores=about.scores,
    )


def _translate(source: Source, document: documents.Document, game: Game) -> Game:
    """The game with its titles in its language. Raises PnpError if it has nothing in that language."""
    language = game.language
    if language and language not in game.languages:
        hint = did_you_mean(language, game.languages) or "a translation of `name` is a column 'name.de'"
        raise fail(source.spec, f"the game has nothing in the language {quote(language)}", hint)
    return documents.translate(game, document.language.get(language, documents.LanguageTable()))


def read_paper(game: str, name: str) -> Paper | None:
    """The paper of that name in the spec of a game; None if it has none. Raises PnpError with its faults."""
    folder, _ = find(game)
    return documents.find_paper(Source(folder), name)


def _find_columns(source: Source, tables: Sequence[RoomTable[Any]], headings: Headings) -> dict[str, list[Column]]:
    """The columns that the tables of other rooms read, by the id of the component."""
    asked: dict[str, list[Column]] = {}
    for table in tables:
        for component, columns in table.columns(source, headings).items():
            asked.setdefault(component, []).extend(columns)
    return asked


def _find(templates: TemplateReader, designs: Sequence[Design]) -> Iterator[Problem]:
    source, resources, tables = templates.source, templates.resources, templates.tables
    yield from name_faces(source.problems, designs)
    yield from resources.fonts.findings
    yield from note_stand_ins(resources.stand_ins, source.spec)
    yield from resources.findings
    yield from tables.notes.problems
    yield from templates.braced()
    for design in designs:
        yield from templates.find_unread_marks(design.component)


def _read_resources(source: Source, document: documents.Document | None, tables: Tables, fonts: FontBook) -> Resources:
    """The colours, art, icons, fonts and notation that the spec may name. A malformed colour becomes black
    and unreadable art a crossed box: they are reported once, not wherever they are used."""
    colours = table_of(source.raw, "palette").items()
    palette = {name: try_read(read_colour, value) or "#000000" for name, value in colours}
    reader = ArtReader(tables.folder, fonts, tuple(_fallback(source, fonts)))
    art: dict[str, Art] = {}
    for name, file in table_of(source.raw, "art").items():
        file = file if isinstance(file, str) and is_one_line(file) else ""
        place = source.place(("art", name))
        read = source.collect(reader.read, file, place) if file else None
        art[name] = replace(read, name=name) if read else Art(name, crossed(file), file)
    icons = read_icons(source, reader)
    noted = reader.stand_ins, reader.findings
    resources = Resources(
        palette, art, icons, fonts, reader.fallback, tables.language, reader.read, *noted, tables.read_whole
    )
    if document is None or not (document.symbols or document.keywords):
        return resources
    from generator.game.notation import add_notation  # rarely needed

    return add_notation(source, tables.folder, document, resources)


def _fallback(source: Source, fonts: FontBook) -> Iterator[str]:
    """The families that exist. Document reports a value that is not a list of texts."""
    families = table_of(source.raw, "game").get("fallback")
    for index, family in enumerate(families if isinstance(families, list) else ()):
        choice = fonts.choose([family]) if isinstance(family, str) else None
        if choice and not choice.stands_for:
            yield choice.families[0]
        elif isinstance(family, str):
            what = f"there is no font family {quote(family)}"
            source.report(("game", "fallback", index), what, font_hint(family, fonts))


def check_accepts(source: Source) -> None:
    """Reports unknown variants of [[accept]]."""
    variants = table_of(source.raw, "variant")
    for table, path in source.tables("accept"):
        variant = table.get("variant")
        if isinstance(variant, str) and variant not in variants:
            source.report((*path, "variant"), f"unknown variant {quote(variant)}", did_you_mean(variant, variants))


def read_accepts(
    source: Source, document: documents.Document, variant: str, components: Sequence[Component], rules: Container[str]
) -> Iterator[Accept]:
    """The accepted findings of the game and of this variant; only the latter must occur in it. What
    the game accepts of its `rules` for a table is not accepted for another that replaces it."""
    chosen = document.variant.get(variant)
    replaced = chosen.table if chosen and not chosen.extends else {}
    for index, accept in enumerate(document.accept):
        of, place = accept.variant or "", source.place(("accept", index))
        of_rows = (name.partition("/")[0] in replaced for name in accept.on)
        is_of_rows = accept.finding in rules and any(of_rows)
        if of == variant or (not of and not is_of_rows):
            on, whole = accept.on, _name_whole(accept.on, components)
            found, reason = accept.found, accept.reason
            yield Accept(accept.finding, on, found, reason, accept.level, place, of == variant, whole)


def _name_whole(on: Sequence[str], components: Sequence[Component]) -> tuple[str, ...]:
    """Names of pieces, with a component in place of all its printed pieces."""
    names = dict.fromkeys(on)
    for component in components:
        pieces = {f"{component.id}/{piece.id}" for piece in component.pieces if piece.copies}
        if pieces <= names.keys():
            names = {name: None for name in names if name not in pieces} | {component.id: None}
    return tuple(names)


def check_ids(source: Source) -> None:
    """Reports ids that are used twice, and variants that name an unknown id."""
    lines: dict[object, int] = {}
    boxes = ((table.get("id", "box"), path) for table, path in source.tables("box"))
    components = ((table.get("id"), path) for table, path in source.tables("component"))
    for id_, path in (*components, *boxes):
        line = source.line((*path, "id"))
        if isinstance(id_, str) and id_ in lines:
            hint = "give every component a different id"
            source.report((*path, "id"), f"the id {quote(id_)} is taken by line {lines[id_]}", hint)
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


def read_fonts(source: Source, folder: Path, *, is_draft: bool = False) -> FontBook:
    """Reads fonts; only the built-in ones if the game's own have faults, which are reported. In a
    draft, one of the house stands in for each family that is not there."""
    aliases = table_of(table_of(source.raw, "font"), "alias")
    families = {name: family for name, family in aliases.items() if isinstance(family, str)}
    last_resort = HOUSE_FAMILY if is_draft else ""
    try:
        fonts = FontBook([HOUSE_FONTS, folder / "fonts"], families, last_resort)
    except PnpError as error:
        source.add(error.problems)
        return FontBook([HOUSE_FONTS], families, last_resort)
    for name, family in families.items():
        if fonts.known(family) is None:
            what = f"there is no font family {quote(family)}"
            source.report(("font", "alias", name), what, font_hint(family, fonts))
    return fonts


def note_stand_ins(stand_ins: StandIns, spec: Place) -> Iterator[Problem]:
    """A note for each missing family, with the family that replaces it in texts at these places, an
    error if only a draft does that; without places, the note is at `spec`."""
    for (missing, family), text_places in stand_ins.items():
        places = list(text_places) or [spec]
        times = f", in {len(places)} texts" if len(places) > 1 else ""
        found = f"{missing}: {family}"
        if not missing:
            what = f"the text names no font family: {quote(family)} sets it{times}"
            hint = "give it a font-family, or choose one in [font.alias]: 'sans-serif' = …"
            yield Problem(places[0], what, hint, "note", STAND_IN, found=found)
            continue
        yield Problem(
            places[0],
            f"there is no font family {quote(missing)}: {quote(family)} stands in for it{times}",
            f"put that font into fonts/, or choose a family in [font.alias]: {quote(missing)} = …",
            "note" if find_stand_in(missing) else "error",
            STAND_IN,
            found=found,
        )


def read_icons(source: Source, reader: ArtReader) -> dict[str, Art]:
    """The icons by the names of their files, used or not. An icon with a fault becomes a crossed
    box: it is reported once, not wherever it is used."""
    folder = reader.folder
    listed = source.collect(list_within, folder, _FOLDER, (".svg",)) or ()
    files = [file for file in map(PurePosixPath, listed) if file.parent.name == _FOLDER]
    if len(files) > _MAX_ICONS:
        what = f"the folder holds {len(files)} icons"
        place = Place.in_folder(folder, _FOLDER)
        source.add([Problem(place, what, f"at most {_MAX_ICONS}")])
        return {}
    icons = {}
    for file in files:
        place = Place.in_folder(folder, str(file))
        icon = source.collect(partial(reader.read, str(file), place, has_texts=False))
        icon = icon or Art(file.stem, crossed(str(file)))
        icons[file.stem] = replace(icon, name=file.stem)
    return icons


def check_low_ink(source: Source) -> None:
    """Reports colours, art, components and sides of [ink.low] that the game does not have."""
    low = _low(source)
    for key, kind in (("palette", "colour"), ("art", "art")):
        _check_low_names(source, (key,), kind, table_of(low, key), table_of(source.raw, key))
    sides = {
        table.get("id"): [side for side in SIDES if side in table]
        for table, _ in source.tables("component")
        if isinstance(table.get("id"), str)
    }
    components = table_of(low, "component")
    _check_low_names(source, ("component",), "component", components, sides)
    for id_ in components.keys() & sides.keys():
        own = table_of(components, id_)
        known = dict.fromkeys(sides[id_])
        _check_low_names(source, ("component", id_), "side", own, known)


def _check_low_names(source: Source, path: KeyPath, kind: str, own: Raw, known: Mapping[Any, Any]) -> None:
    for name in own:
        if name not in known:
            hint = did_you_mean(name, known) or "[ink.low] replaces what the game has"
            source.report((*_LOW, *path, name), f"unknown {kind} {quote(name)}", hint)


def put_low_ink(source: Source) -> None:
    """Replaces what [ink.low] sets; faults of it are reported at its own lines."""
    low = _low(source)
    for key in ("palette", "art"):
        for name, value in table_of(low, key).items():
            if name in table_of(source.raw, key):
                source.put((key, name), (*_LOW, key, name), value)
    for table, path in source.tables("component"):
        own = table_of(table_of(low, "component"), str(table.get("id")))
        for side in SIDES:
            if side in table:
                _put_side(source, own, (*path, side), str(table.get("id")))


def _put_side(source: Source, own: Raw, path: KeyPath, id_: str) -> None:
    side = str(path[-1])
    options, there = table_of(own, side), (*_LOW, "component", id_, side)
    if any(key in options for key in _WHOLE):
        source.put(path, there, options)
    else:
        for key, value in options.items():
            source.put((*path, key), (*there, key), value)


def read_low_ink(source: Source, resources: Resources) -> LowInk:
    """The colours and pictures that [ink.low] sets."""
    low = _low(source)
    given = [table_of(low, "palette"), table_of(low, "component")]
    texts = (text for _, text in walk(given) if isinstance(text, str))
    find = partial(find_colour, palette=resources.palette)
    colours = {colour for text in texts if (colour := try_read(find, text))}
    arts = (resources.art.get(name) for name in table_of(low, "art"))
    return LowInk(frozenset(colours), frozenset(art.uri for art in arts if art))


def _low(source: Source) -> Raw:
    return table_of(table_of(source.raw, "ink"), "low")
