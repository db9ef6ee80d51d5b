"""Take faces, make findings of the words that are not set as they ask: bold or italic, which their
family has not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from generator.basics.errors import Problem, quote
from generator.basics.place import Place
from generator.model import LEAFLETS, Face, FaceKey, Game, LackingWords, Side

STYLE = "font.style"  # the kind of a finding
_HINT = "put that font into fonts/, choose another family, or leave the text plain"
_Groups = dict[tuple[str, Side, str, str], dict[LackingWords, dict[str, None]]]


def styles_lacking(game: Game, faces: Mapping[FaceKey, Face]) -> Iterator[Problem]:
    """A warning for each style that a family lacks, for each side of each component and for the
    rules, with the first words that ask for it and the number of the others."""
    groups: _Groups = {}
    for (component, piece, side), face in faces.items():
        for words in _words_of(face):
            key = component, side, words.family, words.style
            groups.setdefault(key, {}).setdefault(words, {})[piece] = None
    components = {component.id: component for component in game.components}
    for (part, side, family, style), group in groups.items():
        first = next(iter(group))
        more = f", and {len(group) - 1} more" if len(group) > 1 else ""
        place = game.booklet.place if game.booklet else Place(game.name)
        on: tuple[str, ...] = ()
        if part not in LEAFLETS:
            place = components[part].find_place(side)
            on = tuple(dict.fromkeys(f"{part}/{one}" for ones in group.values() for one in ones))
        what = f"{quote(first.words)}{more}: {family} has no {style}, so it is printed without"
        yield Problem(place, what, _HINT, "warning", STYLE, on, f"{family}: {style}")


def _words_of(face: Face) -> Iterable[LackingWords]:
    return dict.fromkeys(words for placed in face.layers for words in placed.layer.lacking)
