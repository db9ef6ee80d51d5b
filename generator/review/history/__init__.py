"""Take a game's folder and a git revision, make the folder of that revision."""

from generator.review.history.git import Git
from generator.review.history.past import Past, as_it_was

__all__ = ["Git", "Past", "as_it_was"]
