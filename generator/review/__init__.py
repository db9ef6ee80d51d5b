"""Take two editions of a game, make what changed from one to the other, and pages that show it."""

from generator.review.changes import Change, Changes, Edition, Recount, compare, reprinted
from generator.review.groups import Group, grouped, listed, recounted, told
from generator.review.pages import Review, Row, picture, review_sheets

__all__ = [
    "Change",
    "Changes",
    "Edition",
    "Group",
    "Recount",
    "Review",
    "Row",
    "compare",
    "grouped",
    "listed",
    "picture",
    "recounted",
    "reprinted",
    "review_sheets",
    "told",
]
