"""Changes between two editions of a game, and pages that show them."""

from generator.review.changes import (
    Change,
    Changes,
    Edition,
    Group,
    Recount,
    choose_reprints,
    compare,
    describe_changes,
    describe_counts,
    group_changes,
    list_pieces,
)
from generator.review.pages import Review, ReviewRow, picture, review_sheets

__all__ = [
    "Change",
    "Changes",
    "Edition",
    "Group",
    "Recount",
    "Review",
    "ReviewRow",
    "choose_reprints",
    "compare",
    "describe_changes",
    "describe_counts",
    "group_changes",
    "list_pieces",
    "picture",
    "review_sheets",
]
