"""All findings about a game, by its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from generator import checks, pdf
from generator import game as gamefile
from generator.basics.bounds import Bound
from generator.basics.errors import LEVELS, Place, PnpError, Problem
from generator.model import Booklet, Face, FaceKey, Game, LoadedGame
from generator.model.accepted import STALE, Reasons, entry
from generator.pipeline.game import CHECKS, bound_of, draw_all, read
from generator.pipeline.leaflets import faults
from generator.pipeline.looking import misprints
from generator.pipeline.printing import impose_pieces
from generator.pipeline.request import PrintOptions, Request, parse_request
from generator.pipeline.sheets import silent

if TYPE_CHECKING:
    from generator.checks import preflight
    from generator.export.shop.shops import Shop
    from generator.layout.printers import Profile


def check(
    name: str,
    printer: Profile | None = None,
    language: str | None = None,
    shop: str | None = None,
    *,
    is_low_ink: bool = False,
    options: PrintOptions | None = None,
) -> list[Problem]:
    """All findings about a game: its files, faces and rules, in each language of its tables or only
    in `language`, as it prints with its usual ink or with little.

    `printer` gives the drift of the backs; without one, the usual drift is assumed. `shop` is the
    name of a print shop: also the findings about what it prints. With `options`, the pieces must
    fit their paper. Raises PnpError if there is no such shop, or no such paper.
    """
    request = None if options is None else parse_request(name, options)
    limits = _ShopCheck.of(shop) if shop is not None else None
    bound = bound_of(name)  # one for all languages
    with pdf.Press() as press:  # it loads while the game is read, rules are checked, faces drawn
        try:
            with bound.hold():
                loaded = read(name, language or "", is_low_ink=is_low_ink)
        except PnpError as error:
            return list(error.problems)
        from generator.checks import preflight

        game = loaded.game
        reasons = Reasons(game.accepts)
        findings = _findings(loaded, printer, press, reasons, bound, limits, request)
    findings += map(reasons.settle, limits.unsold(game) if limits else ())
    if language:
        return [_mark_language(language, problem) for problem in findings]
    plain = set(findings)
    more = [
        _mark_language(other, problem)
        for other in game.languages
        for problem in _check_in(other, name, game, printer, reasons, bound, limits)
        if problem not in plain
    ]
    # those about a shop depend on the shop that is named
    unseen = {*preflight.SHOP_KINDS, *(preflight.REPLACED if shop else ())}
    findings += reasons.stale(preflight.KINDS, checks.UNDECLARED, CHECKS, unseen=unseen)
    return sorted(findings, key=lambda problem: LEVELS.index(problem.level)) + more


def entries(name: str, problems: Iterable[Problem]) -> Iterator[str]:
    """The [[accept]] entries for all errors and warnings of a game."""
    _, variant = gamefile.find(name)
    for problem in problems:
        if problem.rule not in ("", STALE) and problem.level != "note":
            yield entry(problem, variant)


class _ShopCheck:
    """What a print shop asks of a game."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    @classmethod
    def of(cls, name: str) -> _ShopCheck:
        """What the shop of that name asks. Raises PnpError if there is none."""
        from generator.export.shop.shops import find_shop  # rarely needed

        return cls(find_shop(name))

    def unsold(self, game: Game) -> list[Problem]:
        """The components that the shop does not sell."""
        from generator.export.shop.shops import match

        return match(game.components, self._shop)[1]

    def by_component(self, game: Game) -> dict[str, preflight.ShopLimits]:
        """The limits of faces, by the components that the shop sells."""
        from generator.checks import preflight
        from generator.export.shop.shops import match

        shop, (sold, _) = self._shop, match(game.components, self._shop)
        limits = preflight.ShopLimits(
            shop.title, shop.bleed, shop.safe, shop.dpi, shop.ink, shop.colour != "RGB"
        )
        return {order.component.id: limits for order in sold}


def _check_in(
    language: str,
    name: str,
    plain: Game,
    printer: Profile | None,
    reasons: Reasons,
    bound: Bound,
    limits: _ShopCheck | None,
) -> Iterator[Problem]:
    """The findings in a language. Those about the whole game name the original game."""
    try:
        with bound.hold():
            loaded = read(name, language, is_low_ink=plain.low_ink is not None)
        with pdf.Press() as press:
            findings = _findings(loaded, printer, press, reasons, bound, limits)
    except PnpError as error:
        yield from error.problems
        return
    for problem in findings:
        is_of_all = problem.place == Place(loaded.game.name)
        yield replace(problem, place=Place(plain.name)) if is_of_all else problem


def _mark_language(language: str, problem: Problem) -> Problem:
    return replace(problem, what=f"{language}: {problem.what.removeprefix(f'{language}: ')}")


def _findings(
    loaded: LoadedGame,
    printer: Profile | None,
    press: pdf.Press,
    reasons: Reasons,
    bound: Bound,
    limits: _ShopCheck | None,
    request: Request | None = None,
) -> list[Problem]:
    from generator.checks import preflight

    game = loaded.game
    findings: list[Problem] = []
    try:
        try:
            with bound.hold():
                drawn_game = draw_all(loaded, silent, reasons=reasons)
            drawn, problems = drawn_game.faces, drawn_game.problems
        finally:  # drawing has read more files
            with bound.hold():
                findings += (reasons.settle(problem) for problem in checks.check(loaded))
        if any(problem.level == "error" for problem in problems):
            return [*problems, *findings]
        with bound.hold():
            alike = preflight.lines_alike(game, drawn_game.lines)
            of_faces = (*preflight.styles_lacking(game, drawn), *alike, *_of_rules(game, drawn))
        findings += [*problems, *map(reasons.settle, of_faces)]
        asked = limits.by_component(game) if limits else None
        findings += misprints(game, drawn, printer, press, reasons, limits=asked)
        if request:
            with bound.hold():
                impose_pieces(game, request, drawn)
        return sorted(findings, key=lambda problem: LEVELS.index(problem.level))
    except PnpError as error:
        return [*error.problems, *findings]


def _of_rules(game: Game, drawn: Mapping[FaceKey, Face]) -> Iterator[Problem]:
    """Faults of setting the booklet, and wrong statements in it about the kit."""
    if game.booklet is None:
        return
    from generator import booklet
    from generator.checks import preflight

    yield from faults(game, drawn)
    text, place = game.booklet.text, game.booklet.place
    parts = [
        preflight.CountedPart(component.id, component.title, len(component.copies()))
        for component in game.components
    ]
    yield from preflight.contents_agree(text, place, parts)
    if game.low_ink:  # its pictures have other colours; the usual check compares them
        return
    symbols = booklet.symbols(text, place)
    yield from preflight.symbols_agree(symbols, list(_find_on_faces(symbols, game.booklet, drawn)))


def _find_on_faces(
    names: Collection[str], booklet: Booklet, drawn: Mapping[FaceKey, Face]
) -> Iterator[str]:
    """The icons of a booklet that are on some face, in any colour; built-in icons always count."""
    from generator.text.icons import colourless, house_icons, pictures_in

    layers = {placed.layer.id: placed.layer for face in drawn.values() for placed in face.layers}
    pictures = pictures_in(layer.art for layer in layers.values()) if names else set()
    for name in names:
        own = booklet.icons.get(name)
        if colourless(own.uri) in pictures if own else name in house_icons():
            yield name
