"""Take the drawn faces of a component, tell how its pieces lie on a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from generator.basics.geometry import Size
from generator.export.pieces import PrintedPiece, printed_pieces
from generator.faces.standing import stand
from generator.layout.nets import Net
from generator.model import Component, Face, FaceKey


class LyingSet(Struct, frozen=True):
    """The printed pieces of a component, and their faces as they are seen on a table: folded pieces
    stand. All faces show `size` (mm)."""

    component: Component
    printed: Sequence[PrintedPiece]
    faces: Mapping[FaceKey, Face]
    size: Size

    @property
    def copies(self) -> int:
        """All physical pieces."""
        return sum(one.piece.copies for one in self.printed)

    @property
    def has_own_backs(self) -> bool:
        """Whether some backs differ."""
        return len({one.back for one in self.printed}) > 1

    @property
    def is_folded(self) -> bool:
        """Whether the pieces are nets, which stand."""
        return isinstance(self.component.shape, Net)

    @property
    def is_board(self) -> bool:
        """Whether it is one piece that lies on the table with its front up, such as a track."""
        return self.copies == 1 and not self.component.has_back and not self.is_folded

    @property
    def is_secret(self) -> bool:
        """Whether the backs are printed and look alike, so that they hide the fronts."""
        return self.component.has_back and not self.has_own_backs


def lying_sets(
    components: Iterable[Component], faces: Mapping[FaceKey, Face]
) -> Iterator[LyingSet]:
    """The sets of the components that are printed."""
    for component in components:
        if printed := printed_pieces(faces, component):
            yield LyingSet(component, printed, *_seen_faces(component, faces))


def _seen_faces(
    component: Component, faces: Mapping[FaceKey, Face]
) -> tuple[Mapping[FaceKey, Face], Size]:
    """The faces of a component as seen on the table, and the size of all."""
    own = {key: face for key, face in faces.items() if key[0] == component.id}
    if not isinstance(component.shape, Net):
        return own, component.size
    standing = {
        key: stand(component, key[1], face) for key, face in own.items() if key[2] == "front"
    }
    return standing, next(iter(standing.values())).size
