"""Changes of a game since a git revision: the game with only those, and a PDF that shows them."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from generator import game as gamefile
from generator import pdf, review
from generator.basics import papers
from generator.basics.errors import Place, PnpError, fail
from generator.basics.geometry import Size
from generator.basics.writing import resolve_output, write_whole
from generator.model import SIDES, Component, Face, FaceKey, Game
from generator.pdf import raster
from generator.pipeline.game import KINDS, bound_of, draw, read
from generator.pipeline.request import Request
from generator.pipeline.sheets import OUTPUT, are_backs_slipped, choose_components, print_sheets, silent
from generator.review import history
from generator.text import HOUSE_FONTS, FontBook

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 150.0  # of the compared pictures
MOST_SHOWN = 300  # faces in the PDF, so that people can look through it
MOST_AREA = 1.2e6  # mm² of them: 130 MB of pixels, twice


class Comparison(Struct, frozen=True):
    """The changes between an old version of a game and the game now. `old` is None if there was no
    such game, so that everything is new. `past` names the revision."""

    past: history.Past
    old: Game | None
    drawn: dict[FaceKey, Face]  # of the old game
    changes: review.Changes
    is_lettered_alike: bool  # whether the game's own fonts are the same in both


@contextmanager
def compare_with_past(
    name: str, revision: str, language: str, game: Game, drawn: dict[FaceKey, Face]
) -> Iterator[Comparison]:
    """Compares a game with a revision, whose files exist within the block.

    Raises PnpError if `history.as_it_was` does, or if the old version cannot be read or drawn.
    """
    folder, variant = gamefile.find(name)
    with history.as_it_was(folder, revision) as past:
        with of_the_past(game, past), bound_of(name).hold():
            old, was = None, past.folder
            if was is not None and gamefile.holds(was, variant):
                is_low_ink = game.low_ink is not None
                old = gamefile.read(was, variant, KINDS, language, is_low_ink=is_low_ink)
            old_game, old_drawn = (old.game, draw(old, silent)) if old else (None, {})
        before = edition(old_game, old_drawn)
        after = edition(game, drawn)
        changes = review.compare(before, after)
        yield Comparison(past, old_game, old_drawn, changes, before.fonts == after.fonts)


@contextmanager
def of_the_past(game: Game, past: history.Past) -> Iterator[None]:
    """Reports faults within the block as one message about the revision."""
    try:
        yield
    except PnpError as error:
        first, *others = error.problems
        what = f"this version cannot be read: {first.place}: {first.what}"
        more = f" (and {len(others)} more)" if others else ""
        raise fail(Place(f"{game.name} at {past}"), what + more, "compare with a later revision") from None


def edition(game: Game | None, drawn: dict[FaceKey, Face]) -> review.Edition:
    """A game and its faces to compare; an empty edition if there is no game."""
    if game is None:
        return review.Edition()
    own = [folder for folder in game.font_folders if folder != HOUSE_FONTS]
    return review.Edition(game.components, drawn, FontBook(own).digests())


def only_changed(
    game: Game, drawn: dict[FaceKey, Face], request: Request
) -> tuple[Game, dict[FaceKey, Face], list[str]]:
    """The game with only the copies to reprint since a revision, and lines that describe them.
    Raises PnpError as `compare_with_past` does."""
    past = compare_with_past(request.game, request.changed_since, request.language, game, drawn)
    with past as comparison:
        changes = comparison.changes
        shown = {
            (component.id, side)
            for component in game.components
            for side in SIDES
            if side == "front" or request.way != "single" or are_backs_slipped(component, drawn)
        }
        components = review.choose_reprints(game.components, changes, shown)
        since = f"since {comparison.past}"
        lines = []
        for whole, part in zip(game.components, components, strict=True):
            if part.id in {component.id for component in choose_components(game, request.only)}:
                lines += _describe(whole, part, since)
                lines += [f"{whole.id}: take out {piece}" for piece in changes.list_gone(whole.id)]
    return replace(game, components=components), drawn, lines or [f"nothing changed {since}"]


def _describe(whole: Component, part: Component, since: str) -> list[str]:
    """A line on the copies to print of a component; none if there are none."""
    copies = len(part.copies())
    pieces = review.list_pieces([piece.id for piece in part.pieces if piece.copies])
    total = len(whole.copies())
    return [f"{part.id}: {copies} of {total} changed {since}: {pieces}"] if copies else []


class Diff(Struct, frozen=True):
    """A game's name, the revision, whether it had the game, the changes, and the written PDF or None."""

    game: str
    revision: str
    commit: str
    was_there: bool
    changes: review.Changes
    path: Path | None


def review_game(name: str, revision: str, language: str, paper: str, output: Path | None, *, is_shown: bool) -> Diff:
    """Compares a game with a revision. If faces changed and `is_shown`, writes a PDF to `output`, a
    file or a folder, by default output/GAME-diff.pdf. Raises PnpError and then writes nothing."""
    size = papers.parse_paper(paper).size
    with bound_of(name).hold():
        loaded = read(name, language)
        game, drawn = loaded.game, draw(loaded, silent)
    with compare_with_past(name, revision, language, game, drawn) as comparison:
        path = None
        if is_shown and comparison.changes.faces:
            path = resolve_output(output, OUTPUT / f"{game.name}-diff.pdf")
            with pdf.Press() as press:
                write_whole(path, _print_review(game, comparison, size, press))
        past = comparison.past
        was_there = comparison.old is not None
        return Diff(game.name, past.revision, past.commit, was_there, comparison.changes, path)


def _print_review(game: Game, comparison: Comparison, paper: Size, press: pdf.Press) -> bytes:
    groups = review.group_changes(comparison.changes.faces)
    chosen = list(_choose(groups))
    pairs = _pairs(game, comparison, chosen, press)
    rows = [_row(*pair, comparison) for pair in pairs]
    since = f"{game.title}: what changed since {comparison.past}"
    summary = _summary(comparison, len(groups) - len(chosen))
    sheets, faces = review.review_sheets(review.Review(since, summary, rows), paper, FontBook(game.font_folders))
    placed: dict[FaceKey, Face] = {("review", face.id, "front"): face for face in faces}
    return print_sheets(replace(game, title=since), sheets, placed, press, silent)


def _choose(groups: Sequence[review.Group]) -> Iterator[review.Group]:
    """The first groups, up to the limits of the PDF."""
    area = 0.0
    for group in groups[:MOST_SHOWN]:
        area += max(face.size.width * face.size.height for face in (group.old, group.new) if face)
        if area <= MOST_AREA:
            yield group


def _summary(comparison: Comparison, left: int) -> list[str]:
    kinds = Counter(change.kind for change in comparison.changes.faces)
    faces = ", ".join(f"{kind}: {number}" for kind, number in kinds.items())
    lines = [f"Faces {faces}."]
    if comparison.old is None:
        lines = ["It was not there then: all of it is new.", *lines]
    counts = "; ".join(review.describe_counts(comparison.changes.counts))
    lines += [f"Copies: {counts}."] if counts else []
    return [*lines, f"{left} more are not shown here."] if left else lines


def _pairs(
    game: Game, comparison: Comparison, groups: Sequence[review.Group], press: pdf.Press
) -> list[tuple[review.Group, Image | None, Image | None]]:
    """The groups, each with pictures of the bleed boxes of its faces."""
    news = _pictures(game, [group.new for group in groups], press)
    if comparison.old is None:
        olds: list[Image | None] = [None for _ in groups]
    else:
        with of_the_past(game, comparison.past):
            olds = _pictures(comparison.old, [group.old for group in groups], press)
    return list(zip(groups, olds, news, strict=True))


def _pictures(game: Game, faces: Sequence[Face | None], press: pdf.Press) -> list[Image | None]:
    existing = [face for face in faces if face]
    if not existing:
        return [None for _ in faces]
    drawn: dict[FaceKey, Face] = {("", face.id, "front"): face for face in existing}
    sheets = raster.face_sheets(existing, is_bled=True)
    printed = print_sheets(game, sheets, drawn, press, silent)
    images: Iterator[Any] = iter(raster.rasterise(printed, DPI))
    return [next(images) if face else None for face in faces]


def _row(group: review.Group, before: Image | None, after: Image | None, comparison: Comparison) -> review.ReviewRow:
    """A row of the review, with pictures of its face before and after."""
    old, overlay, caption = group.old, None, group.description
    if old and before and not comparison.is_lettered_alike:
        old = _face(before, old, old.size)  # a PDF can hold only one font of each name
    if group.old and group.new and before and after:
        overlay, where = _overlay(before, after, group.old, group.new)
        caption = " · ".join(part for part in (caption, where) if part)
    return review.ReviewRow(f"{group.title}: {group.kind}", caption, old, group.new, overlay)


def _overlay(before: Image, after: Image, old: Face, new: Face) -> tuple[Face, str]:
    """The picture of the difference, and a note if it is not visible on the piece."""
    overlay = review.overlay(before, after, new, DPI)
    size = Size(max(old.size.width, new.size.width), max(old.size.height, new.size.height))
    where = "" if overlay.in_piece else "no difference can be seen"
    if overlay.in_bleed and not overlay.in_piece:
        where = "it differs only in the bleed, which is cut off"
    return _face(overlay.picture, new, size), where


def _face(image: Image, like: Face, size: Size) -> Face:
    uri = f"data:image/png;base64,{base64.b64encode(raster.encode(image, DPI)).decode()}"
    return review.picture(f"{like.name} compared", uri, like, size)
