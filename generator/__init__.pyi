__all__: list[str]
__version__: str

from .basics.errors import Place as Place
from .basics.errors import PnpError as PnpError
from .basics.errors import Problem as Problem
from .layout.printers import Profile as Profile
from .library import check_game as check_game
from .library import export_game as export_game
from .library import list_games as list_games
from .library import load_game as load_game
from .library import plan_game as plan_game
from .library import print_game as print_game
from .library import print_games as print_games
from .model import Component as Component
from .model import Game as Game
from .model import Piece as Piece
from .pipeline import Plan as Plan
from .pipeline import PlanRow as PlanRow
from .pipeline import PrintedGame as PrintedGame
from .pipeline import PrintOptions as PrintOptions
