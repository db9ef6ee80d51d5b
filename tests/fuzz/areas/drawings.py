"""Broken drawings: the art of a card."""

from __future__ import annotations

from random import Random

from tests.fuzz import material, xml
from tests.fuzz.cases import Case, with_command


def make(rng: Random) -> Case:
    root = xml.a_tree(rng)
    xml.break_tree(rng, root)
    return with_command(rng, {**material.TINY, "dot.svg": xml.as_bytes(rng, root)})
