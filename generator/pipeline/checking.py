"""All findings about a game, by its name."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from generator import checks, faces, pdf
from generator import game as gamefile
from generator.basics.bounds import Bound
from generator.basics.errors import LEVELS, Place, PnpError, Problem
from generator.checks import Reasons, entry, entry_keys, preflight
from generator.export.shop.shops import UNBLED, Shop, find_shop, match
from generator.layout.printers import Profile
from generator.model import LEAFLETS, RULEBOOK, Booklet, Face, FaceKey, Game, LoadedGame, Sheet
from generator.pipeline.game import CHECKS, bound_of, draw_all, read_requested
from generator.pipeline.imposing import impose_sound_parts
from generator.pipeline.looking import misprints
from generator.pipeline.printing import describe_tiling
from generator.pipeline.request import PrintOptions, Request, parse_request
from generator.pipeline.sheets import check_ids, parts, silent


def check(name: str, options: PrintOptions | None = None, shop: str | None = None) -> list[Problem]:
    """All findings about a game: its files, faces and rules, and what `print_game` would refuse
    with these options; in each language of its tables, or only in that of the options.

    The printer of the options gives the drift of the backs; without one, the usual drift is assumed. `shop` is the name
    of a print shop, which prints the pieces on paper of its own: also the findings about what it prints. Raises
    PnpError if there is no such shop, or for a fault of the options.
    """
    request = parse_request(name, options or {})
    asked = None if shop is None else find_shop(shop)
    bound = bound_of(name)  # one for all languages
    with pdf.Press() as press:  # it loads while the game is read, rules are checked, faces drawn
        try:
            with bound.hold():
                loaded = read_requested(request)
        except PnpError as error:
            return list(error.problems)
        game = loaded.game
        check_ids(game, request.only, dict(request.papers))
        reasons = Reasons(game.accepts)
        checking = _Checking(request, (options or {}).get("printer"), reasons, bound, asked)
        findings = checking.find(loaded, press)
    if asked:
        _, unsold = match(game.components, asked)
        findings += map(reasons.settle, unsold)
    if request.language:
        return [_mark_language(request.language, problem) for problem in findings]
    plain = set(findings)
    more = [
        _mark_language(other, problem)
        for other in game.languages
        for problem in checking.find_in(other, game)
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
        if entry_keys(problem):
            yield entry(problem, variant)


def _limit_faces(game: Game, shop: Shop) -> dict[str, preflight.ShopLimits]:
    """The limits that a print shop sets for faces, by the components that it sells."""
    is_inked = shop.colour != "RGB"
    limits = preflight.ShopLimits(shop.title, shop.bleed, shop.safe, shop.dpi, shop.ink, is_inked)
    sold = match(game.components, shop)[0]
    return {order.component.id: limits for order in sold if order.product.kind not in UNBLED}


def _mark_language(language: str, problem: Problem) -> Problem:
    return replace(problem, what=f"{language}: {problem.what.removeprefix(f'{language}: ')}")


class _Checking(Struct, frozen=True):
    request: Request
    printer: Profile | None
    reasons: Reasons
    bound: Bound
    shop: Shop | None

    def find_in(self, language: str, plain: Game) -> Iterator[Problem]:
        """The findings in a language. Those about the whole game name the original game."""
        translated = replace(self, request=replace(self.request, language=language))
        try:
            with self.bound.hold():
                loaded = read_requested(translated.request)
            with pdf.Press() as press:
                findings = translated.find(loaded, press)
        except PnpError as error:
            yield from error.problems
            return
        for problem in findings:
            is_of_all = problem.place == Place(loaded.game.name)
            yield replace(problem, place=Place(plain.name)) if is_of_all else problem

    def find(self, loaded: LoadedGame, press: pdf.Press) -> list[Problem]:
        game, bound, reasons = loaded.game, self.bound, self.reasons
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
                costs = (note for design in loaded.designs for note in faces.find_costs(design))
                of_faces = (*preflight.styles_lacking(game, drawn), *alike, *costs)
                of_kit = (*self._find_misfits(game, drawn), *_of_rules(game, drawn))
            findings += [*problems, *map(reasons.settle, (*of_faces, *of_kit))]
            limits = _limit_faces(game, self.shop) if self.shop else None
            findings += misprints(game, drawn, self.printer, press, reasons, limits=limits)
            return sorted(findings, key=lambda problem: LEVELS.index(problem.level))
        except PnpError as error:
            return [*error.problems, *findings]

    def _find_misfits(self, game: Game, drawn: dict[FaceKey, Face]) -> Iterator[Problem]:
        """The parts that cannot be imposed, and the words of the rules whose family lacks their style. Of a kit
        whose pieces a shop prints, only rules and cover are printed here."""
        request = self.request
        if self.shop:
            leaflets = tuple(part for part in parts(game) if part in LEAFLETS)
            request = replace(request, only=leaflets)
            if not leaflets:
                return
        kit, problems = impose_sound_parts(game, request, drawn, silent)
        yield from problems
        yield from _find_panels(game, kit.sheets)
        rules = {key: face for key, face in kit.pages.items() if key[0] == RULEBOOK}
        yield from preflight.styles_lacking(game, rules)  # the cover's words are ours


def _find_panels(game: Game, sheets: Sequence[Sheet]) -> Iterator[Problem]:
    """A note on each component that is printed in panels though its spec asks for none."""
    first = {sheet.component: sheet for sheet in reversed(sheets) if sheet.tiling}
    for component in game.components:
        if component.id in first and component.tile == "auto":
            what, hint = describe_tiling(first[component.id])
            yield Problem(component.place, what, hint, "note", "panels")


def _of_rules(game: Game, drawn: Mapping[FaceKey, Face]) -> Iterator[Problem]:
    """Wrong statements about the kit in the rules."""
    if game.booklet is None:
        return
    from generator import booklet

    text, place = game.booklet.text, game.booklet.place
    counted = [preflight.CountedPart(part.id, part.title, len(part.copies())) for part in game.components]
    yield from preflight.contents_agree(text, place, counted)
    if game.low_ink:  # its pictures have other colours; the usual check compares them
        return
    symbols = booklet.symbols(text, place)
    yield from preflight.symbols_agree(symbols, list(_find_on_faces(symbols, game.booklet, drawn)))


def _find_on_faces(names: Collection[str], booklet: Booklet, drawn: Mapping[FaceKey, Face]) -> Iterator[str]:
    """The icons of a booklet that are on some face, in any colour; built-in icons always count."""
    from generator.text.shape import colourless, house_icons, pictures_in

    layers = {placed.layer.id: placed.layer for face in drawn.values() for placed in face.layers}
    pictures = pictures_in(layer.art for layer in layers.values()) if names else set()
    for name in names:
        own = booklet.icons.get(name)
        if colourless(own.uri) in pictures if own else name in house_icons():
            yield name
