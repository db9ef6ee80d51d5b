"""Take a game and a git revision, make the list and the PDF of the faces that have changed."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator import papers, pdf, review
from generator.files import resolve_output, write_whole
from generator.geometry import Size
from generator.model import Face, FaceKey, Game
from generator.pipeline.comparing import Comparison, compare_with_past, of_the_past
from generator.pipeline.game import bound_of, draw, print_sheets, read, silent
from generator.pipeline.printing import OUTPUT
from generator.text import FontBook

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 150.0  # of the pictures that are compared
MOST_SHOWN = 300  # faces in the PDF, so that it stays a thing to look through
MOST_AREA = 1.2e6  # mm² of them: 130 MB of pixels, twice


class Diff(NamedTuple):
    """A game's name, since when, whether it was there at all, what changed, and the PDF of it;
    None when nothing was written."""

    game: str
    revision: str
    commit: str
    was_there: bool
    changes: review.Changes
    path: Path | None


@dataclass(frozen=True, slots=True)
class Pair:
    """A face as it was and as it is, as pictures; None where there is none."""

    group: review.Group
    old: Image | None
    new: Image | None


def review_game(
    name: str, revision: str, language: str, paper: str, output: Path | None, *, is_shown: bool
) -> Diff:
    """What has changed in a game since a revision; where a face did, and it is to be shown, a PDF
    at `output` or in that folder, output/GAME-diff.pdf when that is None. Raises PnpError and then
    writes nothing."""
    size = papers.parse_paper(paper).size
    with bound_of(name).hold():
        loaded = read(name, language)
        game, drawn = loaded.game, draw(loaded, silent)
    with compare_with_past(name, revision, language, game, drawn) as found:
        path = None
        if is_shown and found.changes.faces:
            path = resolve_output(output, OUTPUT / f"{game.name}-diff.pdf")
            with pdf.Press() as press:
                write_whole(path, _print_review(game, found, size, press))
        past = found.past
        was_there = found.old is not None
        return Diff(game.name, past.revision, past.commit, was_there, found.changes, path)


def _print_review(game: Game, found: Comparison, paper: Size, press: pdf.Press) -> bytes:
    groups = review.group_changes(found.changes.faces)
    chosen = list(_choose(groups))
    pairs = _pairs(game, found, chosen, press)
    rows = [_row(pair, found) for pair in pairs]
    from generator import raster

    since = f"{game.title}: what changed since {found.past}"
    told = _summary(found, len(groups) - len(chosen))
    sheets, faces = review.review_sheets(
        review.Review(since, told, rows, raster.LEGEND), paper, FontBook(game.font_folders)
    )
    placed: dict[FaceKey, Face] = {("review", face.id, "front"): face for face in faces}
    return print_sheets(replace(game, title=since), sheets, placed, press, silent)


def _choose(groups: Sequence[review.Group]) -> Iterator[review.Group]:
    """The first that are shown."""
    area = 0.0
    for group in groups[:MOST_SHOWN]:
        area += max(face.size.width * face.size.height for face in (group.old, group.new) if face)
        if area <= MOST_AREA:
            yield group


def _summary(found: Comparison, left: int) -> list[str]:
    kinds = Counter(change.kind for change in found.changes.faces)
    faces = ", ".join(f"{kind}: {number}" for kind, number in kinds.items())
    told = [f"Faces {faces}."]
    if found.old is None:
        told = ["It was not there then: all of it is new.", *told]
    counts = "; ".join(review.describe_counts(found.changes.counts))
    told += [f"Copies: {counts}."] if counts else []
    return [*told, f"{left} more are not shown here."] if left else told


def _pairs(
    game: Game, found: Comparison, groups: Sequence[review.Group], press: pdf.Press
) -> list[Pair]:
    """Each face as a picture of its bleed box."""
    news = _pictures(game, [group.new for group in groups], press)
    if found.old is None:
        olds: list[Image | None] = [None for _ in groups]
    else:
        with of_the_past(game, found.past):
            olds = _pictures(found.old, [group.old for group in groups], press)
    return [Pair(*pair) for pair in zip(groups, olds, news, strict=True)]


def _pictures(game: Game, faces: Sequence[Face | None], press: pdf.Press) -> list[Image | None]:
    from generator import raster

    there = [face for face in faces if face]
    if not there:
        return [None for _ in faces]
    drawn: dict[FaceKey, Face] = {("", face.id, "front"): face for face in there}
    sheets = raster.face_sheets(there, is_bled=True)
    printed = print_sheets(game, sheets, drawn, press, silent)
    images: Iterator[Any] = iter(raster.rasterise(printed, DPI))
    return [next(images) if face else None for face in faces]


def _row(pair: Pair, found: Comparison) -> review.ReviewRow:
    group = pair.group
    old, overlay, told = group.old, None, group.told
    if old and pair.old and not found.is_lettered_alike:
        old = _face(pair.old, old, old.size)  # one file has room for one font of a name
    if group.old and group.new and pair.old and pair.new:
        overlay, where = _overlay(pair, group.old, group.new)
        told = " · ".join(part for part in (told, where) if part)
    return review.ReviewRow(f"{group.title}: {group.kind}", told, old, group.new, overlay)


def _overlay(pair: Pair, old: Face, new: Face) -> tuple[Face, str]:
    """The picture of what differs, and a word where that is not to be seen in the piece."""
    from generator import raster

    assert pair.old is not None
    assert pair.new is not None
    laid = raster.overlay(pair.old, pair.new, new, DPI)
    size = Size(max(old.size.width, new.size.width), max(old.size.height, new.size.height))
    where = "" if laid.in_piece else "no difference can be seen"
    if laid.in_bleed and not laid.in_piece:
        where = "it differs only in the bleed, which is cut off"
    return _face(laid.picture, new, size), where


def _face(image: Image, like: Face, size: Size) -> Face:
    from generator import raster

    uri = f"data:image/png;base64,{base64.b64encode(raster.encode(image, DPI)).decode()}"
    return review.picture(f"{like.name} compared", uri, like, size)
