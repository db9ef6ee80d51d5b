"""Take counts, find the interval in which the true value lies 19 times of 20."""

from __future__ import annotations

from math import sqrt

DOUBT = 0.05  # how often a true value lies outside its interval


def find_deviations(doubt: float = DOUBT) -> float:
    """How many standard deviations on either side leave this doubt under the normal distribution:
    1.96 for 0.05."""
    from statistics import NormalDist  # a game that is only read needs none

    return NormalDist().inv_cdf(1 - doubt / 2)


def bound_share(part: float, whole: int) -> tuple[float, float]:
    """The ends of the interval of a share, from 0 to 1, by Wilson (1927): it fits near 0 and 1 too.
    For parts that are not whole it is a little too wide. Raises ZeroDivisionError for no whole."""
    share, z2 = part / whole, find_deviations() ** 2 / whole
    middle = (share + z2 / 2) / (1 + z2)
    half = sqrt(z2 * (share * (1 - share) + z2 / 4)) / (1 + z2)
    return min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))
