"""The placement of a back, from its front's. Only this module knows how the paper turns."""

from generator.basics.geometry import Affine, Size, mirror_x, mirror_y
from generator.model import Flip


def is_upright(paper: Size) -> bool:
    """Whether paper is at least as high as it is wide."""
    return paper.height >= paper.width


def paper_turn(paper: Size, flip: Flip) -> Affine:
    """Map a point of the front page to the point behind it on the back page.

    A sheet flipped on an edge turns about an axis parallel to that edge. Printers lay out the
    back page to read upright after that turn, so an axis that runs down the page swaps left and
    right, and one that runs across it swaps top and bottom.
    """
    axis_runs_down = is_upright(paper) == (flip == "long")
    return mirror_x(paper.width) if axis_runs_down else mirror_y(paper.height)


def back_of(front: Affine, face_width: float, turn: Affine) -> Affine:
    """The placement of the back face behind a front's.

    A finished piece is turned over like the page of a book, so the back's left edge is behind the front's right edge:
    mirror within the face, place like the front, map through the turn. Two mirrors make a motion: the result is a
    shift, or a half turn if the paper turns over its short side.
    """
    return turn @ front @ mirror_x(face_width)
