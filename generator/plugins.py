"""What a package that adds to pnp may import: for checks, renderers, exporters and engines.

    from generator.plugins import Column, Component, Declared, Problem, require

    require(1)

`VERSION` is the number of this contract. A release that adds to it makes it greater by one. What a
version has stays in all later ones, with the same meaning, and pnp calls no further method of the
classes of a package. `require` in a package says which version it was written for. Nothing else in
`generator` is promised, but for the names of `generator` itself.
"""

from generator.basics.errors import MisfitError as MisfitError
from generator.basics.errors import Place as Place
from generator.basics.errors import PnpError as PnpError
from generator.basics.errors import Problem as Problem
from generator.basics.errors import count_of as count_of
from generator.basics.errors import did_you_mean as did_you_mean
from generator.basics.errors import fail as fail
from generator.basics.errors import list_names as list_names
from generator.basics.errors import quote as quote
from generator.basics.geometry import Affine as Affine
from generator.basics.geometry import Point as Point
from generator.basics.geometry import Rect as Rect
from generator.basics.geometry import Size as Size
from generator.basics.keys import After as After
from generator.basics.keys import Before as Before
from generator.basics.keys import Custom as Custom
from generator.basics.keys import KeyMisfitError as KeyMisfitError
from generator.basics.keys import Keys as Keys
from generator.basics.keys import Reads as Reads
from generator.basics.keys import ReadsWith as ReadsWith
from generator.basics.keys import Schema as Schema
from generator.basics.keys import describe as describe
from generator.basics.keys import matching as matching
from generator.basics.writing import archive as archive
from generator.checks import BookletCheck as BookletCheck
from generator.checks import FaceCheck as FaceCheck
from generator.checks import Faults as Faults
from generator.checks import Looks as Looks
from generator.checks import Shown as Shown
from generator.checks import ShownRows as ShownRows
from generator.checks import TableCheck as TableCheck
from generator.checks.table import Declared as Declared
from generator.checks.table import doubles as doubles
from generator.checks.table import label as label
from generator.export.exporter import ExportedFile as ExportedFile
from generator.export.exporter import Exporter as Exporter
from generator.export.exporter import Kit as Kit
from generator.export.exporter import name_sheets as name_sheets
from generator.faces import draw as draw
from generator.faces.canvas import Canvas as Canvas
from generator.model import LEAFLETS as LEAFLETS
from generator.model import Art as Art
from generator.model import Booklet as Booklet
from generator.model import Check as Check
from generator.model import Column as Column
from generator.model import Component as Component
from generator.model import Design as Design
from generator.model import Face as Face
from generator.model import FaceFault as FaceFault
from generator.model import Feature as Feature
from generator.model import FlawedFaceError as FlawedFaceError
from generator.model import Game as Game
from generator.model import Layer as Layer
from generator.model import LoadedGame as LoadedGame
from generator.model import Page as Page
from generator.model import Piece as Piece
from generator.model import PlacedLayer as PlacedLayer
from generator.model import Placement as Placement
from generator.model import Renderer as Renderer
from generator.model import Sheet as Sheet
from generator.model import Side as Side
from generator.model import Value as Value
from generator.pipeline.game import read as read
from generator.play.areas import LaidPiece as LaidPiece
from generator.play.areas import TableArea as TableArea
from generator.play.bots import count_paths as count_paths
from generator.play.engine import CHANCE as CHANCE
from generator.play.engine import OVER as OVER
from generator.play.engine import Decks as Decks
from generator.play.engine import Engine as Engine
from generator.play.engine import Option as Option
from generator.play.engine import SeatCount as SeatCount
from generator.play.engine import make_engine as make_engine
from generator.play.engine import name_pieces as name_pieces
from generator.play.engine import pieces_of as pieces_of
from generator.play.engine import read_numbers as read_numbers
from generator.play.engine import size_of as size_of
from generator.tables.fields import ArtName as ArtName
from generator.tables.fields import Colour as Colour
from generator.tables.fields import ColumnName as ColumnName
from generator.tables.fields import Count as Count
from generator.tables.fields import CutLength as CutLength
from generator.tables.fields import FoldLength as FoldLength
from generator.tables.fields import FontFamily as FontFamily
from generator.tables.fields import Length as Length
from generator.tables.fields import MaybeArt as MaybeArt
from generator.tables.fields import MaybeFont as MaybeFont
from generator.tables.fields import Name as Name
from generator.tables.fields import PlainColour as PlainColour
from generator.tables.fields import PositiveLength as PositiveLength
from generator.tables.fields import Text as Text
from generator.tables.fields import TextSize as TextSize
from generator.tables.fields import Title as Title

VERSION = 2


def require(version: int) -> None:
    """Says that a package needs this version of the contract, or a later one.

    Call it in the package's `__init__.py`. With an older pnp, the user is told so in one message. Raises MisfitError.
    """
    if version > VERSION:
        what = f"it needs version {version} of generator.plugins, and this pnp has {VERSION}"
        raise MisfitError(what, "update pnp: pip install --upgrade pnp-generator")


__all__ = [name for name in globals() if not name.startswith("_")]
