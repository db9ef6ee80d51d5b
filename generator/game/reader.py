"""Take a game's folder and the kinds of faces and checks, make a Game or report every problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from generator.art.missing import crossed
from generator.art.picture import ArtReader
from generator.basics.colours import read_colour
from generator.basics.errors import MisfitError, PnpError, Problem, did_you_mean, fail, quote
from generator.basics.files import is_one_line
from generator.game.accepts import check_accepts, read_accepts
from generator.game.booklet import read_booklet
from generator.game.components import ComponentReader, Kinds, make_boxes, make_designs
from generator.game.document import Document, LanguageTable, without_strays
from generator.game.fonts import note_stand_ins, read_fonts
from generator.game.icons import read_icons
from generator.game.ink import check_low_ink, put_low_ink, read_low_ink
from generator.game.languages import check_languages, translate
from generator.game.odds import read_questions
from generator.game.pieces import Tables
from generator.game.play import read_play
from generator.game.references import check_ids, check_layers
from generator.game.scene import read_scene
from generator.game.source import Source
from generator.game.spec import table_of
from generator.game.templates import TemplateReader
from generator.game.unread import name_faces
from generator.model import Art, Design, Game, LoadedGame
from generator.tables.fields import Resources, font_hint
from generator.text import FontBook


def read(
    folder: Path,
    variant: str,
    kinds: Kinds,
    language: str = "",
    *,
    is_draft: bool = False,
    is_low_ink: bool = False,
    reads_all: bool = False,
) -> LoadedGame:
    """Reads the game in `folder`, or its variant, in a language of its tables ("" for the
    original), as it prints with its usual ink or with little. Raises PnpError with every problem of
    its files.

    For a draft, it leaves out each component, box and booklet that cannot be read, and what stands
    in for a picture or a cell at fault is kept. The problems are then among the findings; PnpError
    is raised if no component is left. With `reads_all`, the pieces have every column of their
    tables, as text where no renderer or check reads it.
    """
    source = Source(folder)
    document = source.validate(Document, without_strays(source.raw), (), None)
    check_low_ink(source)
    if is_low_ink:
        put_low_ink(source)
    fonts = read_fonts(source, folder, is_draft=is_draft)
    resources = _resources(source, folder, fonts, language)
    tables = Tables(source, folder, variant, language, is_draft)
    templates = TemplateReader(source, folder, resources, tables)
    inquiry = read_questions(source, reads_all=reads_all)
    reading = ComponentReader(source, kinds, resources, tables, templates, inquiry)
    parts = [reading.parts(component, path) for component, path in source.tables("component")]
    booklet = read_booklet(source, folder, resources)
    boxes = [one for raw, path in source.tables("box") if (one := reading.box(raw, path))]
    low_ink = read_low_ink(source, resources) if is_low_ink else None
    if booklet and low_ink:
        from generator.art.lightening import lighten_art  # rarely needed

        arts = {name: lighten_art(art, low_ink) for name, art in booklet.poster.art.items()}
        booklet = replace(booklet, poster=replace(booklet.poster, art=arts))
    check_ids(source)
    if not source.problems:
        check_layers(source, templates.layers)
    check_languages(source, fonts, [one.table.id for one in boxes])
    check_accepts(source)
    if document is None or (source.problems and not is_draft):
        raise PnpError([*source.problems, *fonts.findings])
    designs = list(make_designs(source, document, parts))
    if not designs:
        raise PnpError([*source.problems, *tables.notes.problems, *fonts.findings])
    designs += make_boxes(source, boxes, [design.component for design in designs])
    components = tuple(design.component for design in designs)
    scene = read_scene(source, components, resources)
    play = read_play(source, resources)
    if source.problems and not is_draft:
        raise PnpError(source.problems)
    chosen = document.variant.get(variant)
    game = Game(
        name="-".join(part for part in (folder.name, variant, language) if part),
        title=document.game.title,
        designer=document.game.designer,
        about=chosen.about if chosen else document.game.about,
        components=components,
        font_folders=fonts.folders,
        booklet=booklet,
        language=language,
        palette=document.palette,
        accepts=tuple(read_accepts(source, document, variant, components)),
        title_languages=tuple(document.language),
        low_ink=low_ink,
        scene=scene,
        play=play,
    )
    if language and language not in game.languages:
        hint = did_you_mean(language, game.languages)
        hint = hint or "a translation of `name` is a column 'name.de'"
        raise fail(source.spec, f"the game has nothing in the language {quote(language)}", hint)
    game = translate(game, document.language.get(language, LanguageTable()))
    titled = zip(designs, game.components, strict=True)
    designs = [replace(one, component=component) for one, component in titled]
    find = partial(_find, source, designs, resources, tables, templates)
    return LoadedGame(game, tuple(designs), find, inquiry.placed)


def _find(
    source: Source,
    designs: Sequence[Design],
    resources: Resources,
    tables: Tables,
    templates: TemplateReader,
) -> Iterator[Problem]:
    """What the reader has found so far."""
    yield from name_faces(source.problems, designs)
    yield from resources.fonts.findings
    yield from note_stand_ins(resources.stand_ins, source.spec)
    yield from resources.findings
    yield from tables.notes.problems
    yield from templates.braced()


def _resources(source: Source, folder: Path, fonts: FontBook, language: str) -> Resources:
    """The colours, art, icons and fonts that the spec may name. A malformed colour becomes black
    and unreadable art a crossed box: they are reported once, not wherever they are used."""
    palette = {
        name: _colour_or_black(value) for name, value in table_of(source.raw, "palette").items()
    }
    reader = ArtReader(folder, fonts, tuple(_fallback(source, fonts)))
    art: dict[str, Art] = {}
    for name, file in table_of(source.raw, "art").items():
        file = file if isinstance(file, str) and is_one_line(file) else ""
        place = source.place(("art", name))
        read = source.collect(partial(reader.read, file, place)) if file else None
        art[name] = replace(read, name=name) if read else Art(name, crossed(file), file)
    icons = read_icons(source, reader)
    return Resources(
        palette,
        art,
        icons,
        fonts,
        reader.fallback,
        language,
        reader.read,
        reader.stand_ins,
        reader.findings,
    )


def _colour_or_black(value: object) -> str:
    try:
        return read_colour(value)
    except MisfitError:
        return "#000000"


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
