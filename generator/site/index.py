"""Take the pages of several games, write the page that leads to them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from urllib.parse import quote

from msgspec.structs import replace

from generator.site.content import GamePage, ShownPicture, TypeFace
from generator.site.markup import Markup, element
from generator.site.prose import show_picture
from generator.site.shell import Head, write_body, write_document, write_style

_TITLE = "Games to print and play"
_ABOUT = "Print a game at home, cut it out, and play."


def write_index(games: Sequence[GamePage], letters: Sequence[TypeFace], url: str) -> bytes:
    """The first page, in these letters; each title in those of its own page. `url` is the address
    of this page."""
    first = games[0]
    only = first.title if len(games) == 1 else _TITLE
    head = Head(
        title=only,
        about=first.about if len(games) == 1 and first.about else _ABOUT,
        language=first.language,
        picture=_picture_of(first),
        url=url,
        facts={
            "@context": "https://schema.org",
            "@type": "ItemList",
            "itemListElement": [
                {"@type": "ListItem", "position": number, "name": game.title, "url": _path(game)}
                for number, game in enumerate(games, 1)
            ],
        },
    )
    title = element("header", element("h1", _TITLE), element("p", _ABOUT, class_="about"))
    cards = element("ul", map(_show_game, games), class_="games")
    titles = [
        replace(face, role=f"title-{number}")
        for number, game in enumerate(games, 1)
        for face in game.type_faces
        if face.role == "title"
    ]
    families = "".join(map(_choose_family, titles, count(1)))
    style = write_style(first.accent, [*letters, *titles]) + families
    return write_document(head, style, write_body(element("main", title, cards, class_="index")))


def _show_game(game: GamePage) -> Markup:
    by = element("p", f"by {game.designer}", class_="by") if game.designer else None
    words = [element("h2", game.title), by, element("p", game.about)]
    link = element("a", show_picture(_picture_of(game)), *words, href=_path(game))
    return element("li", link)


def _picture_of(game: GamePage) -> ShownPicture:
    scene = game.scene
    return ShownPicture(f"{quote(game.name)}/{scene.address}", scene.width, scene.height, scene.alt)


def _path(game: GamePage) -> str:
    return f"{quote(game.name)}/index.html"


def _choose_family(face: TypeFace, number: int) -> str:
    """The rule for the title of the game with that number."""
    family = f'"{face.role}",Georgia,serif'
    return f".games li:nth-child({number}) h2{{font-family:{family};font-weight:{face.weight}}}"
