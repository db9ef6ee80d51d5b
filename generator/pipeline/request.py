"""Requests, parsed from the options of a command as texts. Nothing else parses them."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from msgspec import Struct
from msgspec.structs import replace

from generator import game as gamefile
from generator import layout
from generator.basics import papers
from generator.basics.errors import MisfitError, Place, PnpError, did_you_mean, fail, quote
from generator.basics.geometry import LENGTH_HINT, Size, parse_length
from generator.basics.papers import Paper
from generator.layout import Printing
from generator.layout.printers import Profile
from generator.model import Component, Flip, Orientation, Way

if TYPE_CHECKING:
    from generator.pdf.inks import PressColour

Sides = Literal["duplex", "fold", "single", "separate"]
Binding = Literal["fold", "off", "screen"]
Colour = Literal["rgb", "cmyk", "x1a"]
Ink = Literal["usual", "low"]
MOST_COPIES = 100
WIDEST_GAP = 50.0  # mm
_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")
_SHOPS = "a print shop says its own, often 240% or 300%"
_PERCENTAGES = {  # the least factor of an option, what has one, an example, a hint
    "scale": (0.1, "pieces can be printed at", "75%", "75% in a command, 0.75 in a program"),
    "ink limit": (1.0, "the limit of ink can be", "240%", _SHOPS),  # 1.0 is full black alone
}
_CHOICES = {
    "sides": get_args(Sides),
    "flip": get_args(Flip),
    "orientation": get_args(Orientation),
    "booklet": get_args(Binding),
    "colour": get_args(Colour),
    "ink": get_args(Ink),
}


class LayoutOptions(TypedDict, total=False):
    """The options that all commands about a kit share; `PrintOptions` explains them."""

    paper: str
    sides: Sides
    flip: Flip | None
    margin: str | float | None
    marks: str | None
    cutter: str | None
    mix: bool
    orientation: Orientation
    booklet: Binding
    language: str
    only: Sequence[str]
    copies: int
    gap: str | float
    scale: str | float
    printer: Profile | None
    ink: Ink


class PrintOptions(LayoutOptions, total=False):
    """How a game is printed, in the words of `pnp build`. All options are optional.

    paper: a name ("letter", the default; "a4") or a size ("210x297mm"); after a comma, those of
        components, in place of what the game says: "a4,board=a3".
    sides: "duplex", the default; "fold", one side to fold and glue; "single", one side for
        sleeves: fronts, and backs that differ as further fronts; "separate", backs in a second
        file.
    flip: the edge that the printer, or for a file of backs a hand, turns the sheet on; by default
        the printer's, or "long".
    margin: the unprintable edge, a name ("tight", "usual", "safe"), a length ("8mm"), or
        mm as a number; after a comma that of the page's bottom, where it is wider ("3mm,14mm"); by
        default the printer's, or "usual".
    marks: any of cut, corner, outline, register, frame and backs, with commas between; or "none",
        the default for a cutter.
    cutter: a machine that cuts the sheets, "silhouette", "cricut", "opos", "laser" or "contour",
        and its settings, with commas between ("silhouette,marks=4,inset=0.625in"); by default
        "none".
    mix: whether the last pieces of several components share sheets, where that saves some; by
        default they do.
    orientation: of the paper; "auto", the default, takes the fewest sheets.
    booklet: the rules as a booklet to "fold", the default, or as plain pages: "off". With "screen",
        also GAME-rules.pdf beside it: its pages one after another, to read.
    language: a language of the tables' columns; "" is the original.
    only: parts of the kit ("rules", "cards"), pieces ("cards/whale"), or those whose rows fit a
        condition ("cards where cost > 3"); without any, all of it.
    copies: 1 to 100; multiplies the number of each piece, not the cover and the rules.
    gap: the least room between pieces, a length ("2mm") or mm as a number, or of rectangles two
        lengths, across and down ("0mm,3mm"); at most 50 mm.
    scale: of the pieces, a percentage ("75%") or a factor as a number; 10 % to 400 %. The cover,
        the rules and the marks keep their size.
    printer: corrects the backs, and the size of pages, for this printer; None corrects nothing.
    changed_since: a git revision; prints only pieces that have changed since.
    colour: "rgb", the default, for printers at home; "cmyk" for a press, as PDF/X-4; "x1a" as
        PDF/X-1a, without transparency.
    profile: the file of a press's ICC profile; by default offset printing on coated paper.
    ink_limit: the most ink at a place, a percentage ("240%", the default) or a factor as a number;
        100 % to 400 %.
    draft: whether to print what can be printed, with each fault marked on its piece.
    ink: "usual", the default; "low" prints large areas as tints with outlines, and what [ink.low]
        of the game sets.
    """

    changed_since: str
    colour: Colour
    profile: str | Path | None
    ink_limit: str | float | None
    draft: bool


class Request(Struct, frozen=True):
    """What to print, and how, with parsed values. `PrintOptions` explains them. The file has
    other games too if `is_bound`. `papers` are those of components.
    """

    game: str
    printing: Printing
    printer: Profile | None = None
    booklet: Binding = "fold"
    language: str = ""
    only: tuple[str, ...] = ()
    changed_since: str = ""
    copies: int = 1
    draft: bool = False
    is_bound: bool = False
    press_colour: "PressColour | None" = None
    ink: Ink = "usual"
    papers: tuple[tuple[str, Paper], ...] = ()

    def choose_printing(self, component: Component) -> Printing:
        """How its pieces are printed: as usual, or on a paper of their own. Raises PnpError if that
        is cut already, and they are to be scaled, kept apart or cut by a machine."""
        usual, paper = self.printing, dict(self.papers).get(component.id, component.paper)
        if not paper or (sorted(paper.size), paper.precut) == (sorted(usual.paper), usual.precut):
            return usual
        own = replace(usual, paper=paper.size, paper_name=paper.name, precut=paper.precut)
        _check_precut(own)
        return own

    @property
    def is_low_ink(self) -> bool:
        return self.ink == "low"

    @property
    def way(self) -> Way:
        return self.printing.way


def parse_request(game: str, options: PrintOptions) -> Request:
    """Parses options. Raises PnpError for an unknown paper, margin, mark or choice, and TypeError
    for an unknown option.

    Only sheets that get backs behind their fronts are corrected for the printer, and all for one
    that prints them in a wrong size.
    """
    unknown = options.keys() - PrintOptions.__annotations__
    if unknown:
        raise TypeError(f"there is no option {', '.join(sorted(unknown))}")
    _check_choices(options)
    printer = options.get("printer")
    has_backs = options.get("sides", "duplex") in ("duplex", "separate")
    corrected = printer if printer and (has_backs or printer.size != 1.0) else None
    paper, own = _parse_papers(game, options.get("paper", "letter"))
    return Request(
        game,
        _parse_printing(options, paper, corrected),
        corrected,
        options.get("booklet", "fold"),
        options.get("language", ""),
        tuple(options.get("only", ())),
        options.get("changed_since", ""),
        _copies(options.get("copies", 1)),
        options.get("draft", False),
        press_colour=_press_colour(options),
        ink=options.get("ink", "usual"),
        papers=tuple(own.items()),
    )


def _parse_papers(game: str, text: str) -> tuple[Paper, dict[str, Paper]]:
    """The usual paper, and those of components. Raises PnpError."""
    named = [part.strip().rpartition("=") for part in (text.split(",") if "=" in text else [text])]
    usual = [name for component, _, name in named if not component] or ["letter"]
    if len(usual) > 1:
        hint = f"name one, and others for components: {usual[0]},board={usual[1]}"
        raise fail(Place(f"paper {quote(text)}"), "only one paper can be the usual one", hint)
    own = {component: _find_paper(game, name) for component, _, name in named if component}
    return _find_paper(game, usual[0]), own


def _find_paper(game: str, name: str) -> Paper:
    """A paper that every game knows, or one of this game's own."""
    try:
        return papers.parse_paper(name)
    except PnpError as error:
        own = gamefile.read_paper(game, name)
        if own is None:
            raise error from None
        return own


def _parse_printing(options: PrintOptions, paper: Paper, corrected: Profile | None) -> Printing:
    printer = options.get("printer")
    gap, scale = _gap(options.get("gap", 0.0)), _parse_percent("scale", options.get("scale", 1.0))
    narrow, margin = _margins(options.get("margin"), printer)
    cutter = layout.parse_cutter(options.get("cutter") or layout.NO_CUTTER)
    if cutter:
        gap = Size(*(max(side, cutter.gap) for side in gap))
        _check_cutter(cutter, options, margin)
    marks = options.get("marks")
    if marks is None:  # a machine needs no ticks to lay a ruler to
        marks = "none" if cutter else layout.USUAL_MARKS
    printing = Printing(
        paper.size,
        _way(options.get("sides", "duplex"), options.get("flip"), printer),
        margin,
        corrected.name if corrected else "",
        paper.name,
        layout.parse_marks(marks),
        options.get("mix", True),
        paper.precut,
        options.get("orientation", "auto"),
        max(gap),
        scale,
        cutter,
        gap,
        narrow,
    )
    _check_precut(printing)
    return printing


def _check_precut(printing: Printing) -> None:
    """Raises PnpError if the sheet is cut already, and something would change the cuts."""
    sheet, gap, scale = printing.precut, printing.gap, printing.scale
    if sheet is None or not (gap or scale != 1.0 or printing.cutter):
        return
    hint = "choose an uncut paper: --paper letter"
    if printing.cutter:
        raise fail(Place(f"cutter {printing.cutter.machine}"), f"the sheet {sheet.name} is already cut", hint)
    place = Place(f"gap {gap:g} mm" if gap else f"scale {scale * 100:g} %")
    what = f"the sheet {sheet.name} is already cut: its pieces keep their place and size"
    raise fail(place, what, hint)


def _check_cutter(cutter: layout.Cutter, options: PrintOptions, margin: float) -> None:
    """Raises PnpError if a machine cannot cut sheets that are printed with these options."""
    sides, place = options.get("sides", "duplex"), Place(f"cutter {cutter.machine}")
    printer = options.get("printer")
    if cutter.machine == "contour" and printer and printer.size != 1.0:
        what = f"a print shop prints in the right size, and the printer {printer.name} does not"
        raise fail(place, what, "add --printer none")
    reach = cutter.inset - cutter.stroke / 2
    if cutter.inset and reach < margin:
        what = f"its marks begin {reach:g} mm from the edges, and the printer leaves {margin:g} mm bare"
        raise fail(place, what, f"--margin {reach:g}mm, on a printer without borders")
    if sides == "fold":
        what = "a machine cuts flat sheets, and these are folded and glued first"
        raise fail(place, what, "choose --sides duplex or --sides single")
    if cutter.machine == "cricut" and sides != "single":
        what = "Cricut's Design Space prints one side of a sheet"
        raise fail(place, what, "add --sides single; or cut by hand, without --cutter")


def _gap(gap: str | float) -> Size:
    """The gap across and down."""
    text = gap if isinstance(gap, str) else f"{gap:g}mm"
    across, comma, down = text.partition(",")
    if comma and across.rstrip()[-1:].isalpha():
        return Size(_one_gap(across), _one_gap(down))
    return Size(_one_gap(text), _one_gap(text))


def _one_gap(text: str) -> float:
    place = Place(f"gap {quote(text)}")
    try:
        length = parse_length(text)
    except MisfitError as error:
        hint = "a number and its unit: 2mm" if error.hint == LENGTH_HINT else error.hint
        raise fail(place, str(error), hint) from None
    if length > WIDEST_GAP:
        raise fail(place, f"the gap is wider than {WIDEST_GAP:g} mm")
    return length


def _press_colour(options: PrintOptions) -> "PressColour | None":
    """The colours of a press; None for RGB."""
    colour, path = options.get("colour", "rgb"), options.get("profile")
    limit = options.get("ink_limit")
    if colour == "rgb":
        if path is not None or limit is not None:
            option = "profile" if path is not None else "ink limit"
            raise fail(Place(option), "colours in RGB have no inks", "add --colour cmyk")
        return None
    from generator.pdf.inks import USUAL_LIMIT, PressColour, built_in_profile, read_profile

    profile = built_in_profile() if path is None else read_profile(Path(path))
    ink = USUAL_LIMIT if limit is None else _parse_percent("ink limit", limit)
    return PressColour(profile, ink, "PDF/X-4" if colour == "cmyk" else "PDF/X-1a:2003")


def _parse_percent(option: str, part: str | float) -> float:
    """The factor of a percentage ("75%"), at most 4; a number is one already. Raises PnpError."""
    least, can_be, example, hint = _PERCENTAGES[option]
    place = Place(f"{option} {quote(str(part))}")
    if isinstance(part, str):
        match = _PERCENT.fullmatch(part.strip())
        if match is None:
            raise fail(place, "this is not a percentage", f"a number and a percent sign: {example}")
        part = float(match[1]) / 100
    if not least <= part <= 4.0:
        raise fail(place, f"{can_be} {least * 100:g} % to 400 %", hint)
    return part


def _copies(copies: int) -> int:
    if not 1 <= copies <= MOST_COPIES:
        raise fail(Place(f"copies {copies}"), f"a piece can be printed 1 to {MOST_COPIES} times")
    return copies


def _way(sides: Sides, flip: Flip | None, printer: Profile | None) -> Way:
    if sides in ("fold", "single"):
        return sides
    edge = flip or (printer.flip if printer else "long")
    if sides == "duplex":
        return edge
    return "separate-long" if edge == "long" else "separate-short"


def _margins(margin: str | float | None, printer: Profile | None) -> papers.Margin:
    if margin is None:
        return (printer.margins if printer else None) or papers.parse_margin("usual")
    return papers.parse_margin(margin if isinstance(margin, str) else f"{margin:g}mm")


def _check_choices(options: PrintOptions) -> None:
    """Checks choices for callers of the library; the command line has checked its own."""
    for name, choices in _CHOICES.items():
        value = options.get(name)
        if value is not None and value not in choices:
            place = Place(f"{name} {quote(str(value))}")
            raise fail(place, "there is no such choice", did_you_mean(str(value), choices))
