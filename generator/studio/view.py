"""A game with its faces and sheets, described for the page as plain values for JSON.

What a page sends makes the choice that all pages show, among what the game offers.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, Protocol

from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from generator.basics.errors import MAX_ALIKE, Place, Problem, did_you_mean, escape, fail, gather, quote
from generator.basics.files import MEGABYTE, list_within, read_within
from generator.basics.geometry import IDENTITY, Affine, translation
from generator.basics.keys import KeyPath
from generator.basics.shapes import Outline, grown, pierced, rounded
from generator.checks import entry_keys
from generator.faces.parts import FaceParts
from generator.layout.printers import Profile
from generator.layout.turn import paper_turn
from generator.model import RULEBOOK, SIDES, Component, Face, FaceKey, Game, Page, Piece, Sheet, divided
from generator.studio.journal import digest_of
from generator.text import HOUSE_FONTS, FontBook
from generator.text.shape import house_icons

JsonObject = dict[str, Any]
Offers = Mapping[str, Sequence[str]]  # the values of each field of a Choice


class DrawnFace(Struct, frozen=True):
    """A face that was just drawn, its key, and the folders of its fonts."""

    key: FaceKey
    face: Face
    font_folders: tuple[str, ...]


Show = Callable[[DrawnFace], None]


class View(Struct, frozen=True, dict=True):
    """The current state of a game. If faces cannot be drawn, findings report them, and there are no
    sheets, except in a draft.

    printer: the one that the sheets are corrected for. is_sound: whether the faces print as they
    are, so that they can be inspected.
    """

    game: Game
    drawn: Mapping[FaceKey, Face]
    sheets: Sequence[Sheet]
    findings: tuple[Problem, ...]
    printer: Profile | None = None
    is_sound: bool = True

    @cached_property
    def pictured(self) -> Mapping[str, Face]:
        """The faces of the view by their ids, as they are read and as they lie on the sheets."""
        return {face.id: face for lying in self.drawn.values() for face in (lying, lying.upright)}


class ViewBuilder(Protocol):
    """Builds views of the game in a folder."""

    @property
    def folder(self) -> Path: ...

    def offers(self) -> Offers:
        """The choices there are, as far as the game was read. Raises PnpError if the user's printers cannot be read."""

    def build(self, choice: Choice, changed: set[str], visible: Collection[FaceKey], show: Show) -> View:
        """Builds the current view. `changed` names the files that changed since the last call; the
        faces in `visible` are drawn and shown before all others.

        Raises PnpError with every fault of its files.
        """

    def inspect(self, view: View) -> Sequence[Problem]:
        """The findings about faces as they print, which take longer. Raises PnpError."""

    def describe_face(self, key: FaceKey) -> JsonObject:
        """The parts of the face of a key in the last view, or the keys of its renderer. Raises
        PnpError if it cannot be drawn."""

    def copy_layouts(self) -> Sequence[tuple[KeyPath, object]]:
        """Writes the drawings of house layouts to the game's folder, and returns the values of
        game.toml that name them. Raises PnpError."""

    def schema(self) -> JsonObject:
        """The JSON Schema of game.toml."""

    def open_table(self, choice: Choice) -> str:
        """The address of a table with the pieces of the game. Raises PnpError with every fault of its files."""

    def end(self) -> None:
        """Ends the builder's processes."""


def describe_stock(folder: Path, view: View | None) -> JsonObject:
    """The icons that texts of the game in a folder may name, as pictures, and the families of its
    fonts. Raises PnpError if its icons or fonts cannot be read."""
    pictures = {name: path.read_bytes() for name, path in house_icons().items()}
    own = {
        PurePath(file).stem: read_within(folder, file, MEGABYTE, Place.in_folder(folder, file))
        for file in list_within(folder, "icons", (".svg",))
    }
    return {
        "icons": [
            {"name": name, "picture": f"data:image/svg+xml;base64,{b64encode(picture).decode()}", "isOwn": name in own}
            for name, picture in sorted((pictures | own).items())
        ],
        "fonts": fonts_of(view).families(),
    }


def fonts_of(view: View | None) -> FontBook:
    """The fonts that a game may name. Raises PnpError if they cannot be read."""
    return FontBook(view.game.font_folders if view else [HOUSE_FONTS])


def named(key: FaceKey) -> str:
    return "/".join(key)


def key_of(name: str) -> FaceKey | None:
    """The key of a face from its name; None if it is not a valid name."""
    component, _, rest = name.partition("/")
    piece, _, side = rest.rpartition("/")
    return (component, piece, side) if side in SIDES else None


def describe_parts(face: FaceParts) -> JsonObject:
    digest, parts = digest_of(face.content), to_builtins(face.parts)
    return {"file": face.file, "digest": digest, "families": face.families, "parts": parts}


def describe_view(view: View) -> JsonObject:
    """The view without its findings."""
    game = view.game
    return {
        "game": {"title": game.title, "designer": game.designer, "about": game.about},
        "components": [_component(part, view.drawn) for part in divided(game.components)],
        "sheets": [_sheet(sheet, view) for sheet in view.sheets],
        "rules": [face.id for (part, *_), face in view.drawn.items() if part == RULEBOOK],
    }


def describe_findings(problems: Sequence[Problem], view: View | None) -> list[JsonObject]:
    """Each finding with its faces; many similar findings become one."""
    rows = dict(_rows(view.game)) if view else {}
    return [
        _finding(alike, rows)
        for group in gather(problems)
        for alike in ([group] if len(group) > MAX_ALIKE else [[problem] for problem in group])
    ]


def _finding(alike: Sequence[Problem], rows: Mapping[Place, list[str]]) -> JsonObject:
    first, others = alike[0], len(alike) - 1
    more = f" (and {others:,} more like it)" if others else ""
    faces = (["/".join(face) for face in it.faces] or rows.get(it.place.row, []) for it in alike)
    return {
        "level": first.level,
        "rule": first.rule,
        "where": escape(str(first.place)),
        "file": first.place.file.partition("/")[2],
        "line": first.place.line,
        "row": str(first.place.row),
        "what": escape(first.what) + more,
        "hint": escape(first.hint),
        "accepted": escape(first.accepted),
        "accepts": [keys for problem in alike if (keys := entry_keys(problem))],
        "faces": list(dict.fromkeys(chain(*faces))),
    }


def _rows(game: Game) -> Iterator[tuple[Place, list[str]]]:
    for component in game.components:
        for piece in component.pieces:
            sides = SIDES if component.has_back else SIDES[:1]
            yield piece.place, [named((component.id, piece.id, side)) for side in sides]


def _component(component: Component, drawn: Mapping[FaceKey, Face]) -> JsonObject:
    sides = {"front": component} | ({"back": component.from_behind()} if component.has_back else {})
    return {
        "id": component.id,
        "title": component.title,
        "columns": list(component.pieces[0].row) if component.pieces else [],
        "sides": {side: _box(component_side) for side, component_side in sides.items()},
        "pieces": [_piece(component, piece, drawn) for piece in component.pieces if piece.is_drawn],
    }


def _box(component: Component) -> JsonObject:
    """The lines of a side, in mm of its bleed box."""
    place = translation(component.bleed, component.bleed)
    cut = rounded(component.outline, component.corner_radius)
    creases = (tuple(map(place.apply, crease)) for crease in component.shape.creases)
    return {
        "size": list(component.bleed_size),
        "trim": list(component.trim),
        "cut": _path(pierced(cut, component.holes)),
        "lines": "".join(map(_path, (cut, *component.holes, *creases))),
        "bleed": _path(component.shape.placed(place, by=component.bleed)),
        "safe": _path(_safe(component)),
    }


def _safe(component: Component) -> Outline:
    """The safe zone; empty for a piece that is too small to have one."""
    if 2 * component.safe >= min(component.size):
        return ()
    inner = grown(component.outline, -component.safe)
    return rounded(inner, max(component.corner_radius - component.safe, 0.0))


def _piece(component: Component, piece: Piece, drawn: Mapping[FaceKey, Face]) -> JsonObject:
    faces = {side: drawn.get((component.id, piece.id, side)) for side in SIDES}
    sides = {"front": component, "back": component.from_behind()}
    return {
        "id": piece.id,
        "copies": piece.copies,
        "where": str(piece.place),
        "row": dict(piece.row),
        "faces": {side: face.upright.id for side, face in faces.items() if face},
        "turned": {side: _box(sides[side].unturned(face.turn)) for side, face in faces.items() if face and face.turn},
    }


def _sheet(sheet: Sheet, view: View) -> JsonObject:
    sizes = {face.id: face.size for face in view.drawn.values()}
    return {
        "part": sheet.component,
        "title": sheet.title,
        "number": sheet.number,
        "total": sheet.total,
        "paper": list(sheet.paper),
        "through": list(paper_turn(sheet.paper, sheet.flip)) if sheet.flip else None,
        "pages": [_page(page, sizes) for page in sheet.pages],
    }


def _page(page: Page, sizes: Mapping[str, Sequence[float]]) -> JsonObject:
    return {
        "side": page.side,
        "correction": None if page.correction == IDENTITY else _matrix(page.correction),
        "placements": [
            {
                "face": placed.face,
                "piece": placed.piece,
                "size": list(sizes[placed.face]),
                "affine": _matrix(placed.affine),
                "clip": _path(placed.clip),
            }
            for placed in page.placements
        ],
        "marks": [[round(it, 4) for it in (*line.start, *line.end, line.width, line.halo)] for line in page.marks],
        "labels": [
            {"text": label.text, "size": label.size, "affine": _matrix(label.affine), "bold": label.bold}
            for label in page.labels
        ],
    }


def _matrix(affine: Affine) -> list[float]:
    return [round(value, 6) for value in affine]


def _path(outline: Outline) -> str:
    return f"M{'L'.join(f'{x:.3f} {y:.3f}' for x, y in outline)}Z" if outline else ""


class Choice(Struct, frozen=True):
    """A choice of what the pages show of a game, and on which paper.

    variant, language, printer: "" for the game itself, its original language, and no printer.
    draft: "on" or "off".
    """

    variant: str = ""
    language: str = ""
    paper: str = "letter"
    printer: str = ""
    draft: str = "off"


def choose(choice: Choice, values: Mapping[str, str], offers: Offers) -> Choice:
    """The choice with other values. Raises PnpError for a name or a value that is not offered."""
    for name, value in values.items():
        if name not in offers:
            raise fail(Place(quote(name)), "there is no such choice", did_you_mean(name, offers))
        if value not in offers[name]:
            hint = did_you_mean(value, filter(None, offers[name]))
            raise fail(Place(f"{name} {quote(value)}"), "the game does not offer it", hint)
    return replace(choice, **values)


def describe_choices(choice: Choice, offers: Offers) -> dict[str, Any]:
    """The values of each field, and the chosen one, which may no longer be offered."""
    return {
        name: {"offered": list(dict.fromkeys([*offers[name], value])), "chosen": value}
        for name, value in asdict(choice).items()
    }
