"""A Figure: pieces in their places, and marks on them; the faces and pictures that it may name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from generator.basics.errors import MisfitError, did_you_mean, quote
from generator.basics.geometry import Affine, Point, Rect, Size
from generator.basics.outlines import Outline, Top, box_of, carried
from generator.booklet.blocks import MarkdownFigure
from generator.faces.standing import stand
from generator.layout.nets import Net
from generator.model import Art, Component, Face, FaceKey, Side
from generator.text.icons import house_icon

LAYER = 5.0  # mm, from one level of flat pieces to the next
_ENTRY = re.compile(r"(?:[-*]\s+)?(?:(\d{1,7})\s+)?([^:]*)(:?.*)")  # number, title, remark


class PlacedFace(Struct, frozen=True):
    """A face in a figure: `place` maps it to the figure. A flat piece on a level has a side as
    high as a layer, which is seen below it; without a level (0) it is as thin as paper. `stands`
    is whether it is the picture of a folded piece."""

    face: Face
    place: Affine
    is_faded: bool = False
    level: int = 0
    stands: bool = False

    def outline(self) -> Outline:
        return carried(self.face.cut, self.place)


class Stroke(Struct, frozen=True):
    """A line in the accent colour; closed if it ends at its start."""

    points: Outline
    is_arrow: bool = False


class Shade(Struct, frozen=True):
    """An area that is dimmed, so that what lies beside it stands out."""

    points: Outline


class Disc(Struct, frozen=True):
    """A numbered disc."""

    text: str
    at: Point


class Note(Struct, frozen=True):
    """A short text about a point."""

    text: str
    at: Point


class Picture(Struct, frozen=True):
    """One of the game's pictures, in a box."""

    art: Art
    box: Rect


class Sign(Struct, frozen=True):
    """A cross on what is not allowed, or a tick on what is."""

    kind: Literal["cross", "tick"]
    at: Point


class LevelMark(Struct, frozen=True):
    """The number of a level, above as many layers."""

    level: int
    at: Point


Mark = Stroke | Shade | Disc | Note | Picture | Sign | LevelMark


class Figure(Struct):
    """The content of a figure, in mm from its origin."""

    size: Size | None = None
    placed: list[PlacedFace] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    caption: str = ""


class FaceIndex:
    """The faces and pictures of a game by the names that a person writes. Nets are folded."""

    def __init__(
        self,
        components: Sequence[Component],
        faces: Mapping[FaceKey, Face],
        pictures: Mapping[str, Art],
    ) -> None:
        self._components = components
        self._faces = faces
        self._pictures = pictures
        self._nets = {one.id: one for one in components if isinstance(one.shape, Net)}
        self._folded: dict[tuple[str, str], Face] = {}

    def face(self, component: str, piece: str, side: Side) -> Face:
        """Find a face. Raises MisfitError if there is none."""
        face = self._find((component, piece, side))
        if face:
            return face
        ids = [one.id for one in self._components]
        if component not in ids:
            raise MisfitError(f"unknown component {quote(component)}", did_you_mean(component, ids))
        pieces = [id_ for one, id_, its_side in self._faces if (one, its_side) == (component, side)]
        if not pieces:
            raise MisfitError(f"the {component} have no backs")
        raise MisfitError(
            f"there is no piece {quote(piece)} among the {component}", did_you_mean(piece, pieces)
        )

    def picture(self, name: str) -> Art:
        """Find a picture. Raises MisfitError if there is none."""
        art = self._pictures.get(name) or house_icon(name)
        if art is None:
            hint = did_you_mean(name, self._pictures) if self._pictures else "name it in [art]"
            raise MisfitError(f"there is no picture {quote(name)}", hint)
        return art

    def check(self, word: str, others: Sequence[str]) -> None:
        """Raises MisfitError if a word is not a component; `others` are also allowed there."""
        ids = [one.id for one in self._components]
        if word not in ids:
            hint = did_you_mean(word, (*ids, *others))
            raise MisfitError(f"{quote(word)} is neither a component nor a mark", hint)

    def component(self, name: str) -> Component | None:
        """The component with that id or title, in upper or lower case."""
        names = {word.casefold(): one for one in self._components for word in (one.title, one.id)}
        return names.get(name.casefold())

    def first_of(self, component: Component) -> Face | None:
        """The front of a component's first piece."""
        pieces = (piece.id for piece in component.pieces if piece.copies)
        return self._find((component.id, next(pieces, ""), "front"))

    def share_of(self, component: Component) -> float:
        """The width of a net, as a part of that of the game's widest net of the same form."""
        net = component.shape
        if not isinstance(net, Net):
            return 1.0
        names = [panel.name for panel in net.panels]
        alike = [one.shape for one in self._nets.values() if isinstance(one.shape, Net)]
        widths = (
            box_of(one.outline).width
            for one in alike
            if [panel.name for panel in one.panels] == names
        )
        return box_of(net.outline).width / max(widths)

    def _find(self, key: FaceKey) -> Face | None:
        component, id_, _ = key
        net, flat = self._nets.get(component), self._faces.get(key)
        if net is None or flat is None:
            return flat
        if (component, id_) not in self._folded:
            self._folded[component, id_] = stand(net, id_, flat)
        return self._folded[component, id_]

    def is_folded(self, component: str) -> bool:
        """Whether the pieces of a component stand."""
        return component in self._nets

    def hexagons_top(self) -> Top:
        """Whether the game's hexagons have an edge or a corner at the top."""
        shapes = (one.shape for one in self._components if one.shape.kind == "hexagon")
        outline = next((shape.outline for shape in shapes), None)
        tops = [y for _, y in outline or () if y < 1e-6]
        return "edge" if len(tops) == 2 else "corner"


class ContentsEntry(Struct, frozen=True):
    """A line of the kit's contents: a number, a title, a remark, and the face of one piece.

    `share` is the part of its room that the picture takes: pyramids of three sizes differ."""

    number: str
    title: str
    remark: str
    face: Face | None
    share: float = 1.0


def list_kit(source: MarkdownFigure, faces: FaceIndex) -> Iterator[ContentsEntry]:
    """Read the list of a kit. Whether its numbers are right is not checked here."""
    for _, text in source.body:
        match = _ENTRY.fullmatch(text)
        number, name, remark = match.groups("") if match else ("", text, "")
        component = faces.component(name.strip())
        if component is None:
            yield ContentsEntry(number, name, remark, None)
        else:
            number = number or str(len(component.copies()))
            face, share = faces.first_of(component), faces.share_of(component)
            yield ContentsEntry(number, component.title, remark, face, share)
