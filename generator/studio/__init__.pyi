from .server import Server as Server
from .session import PreviewSession as PreviewSession
from .view import Choice as Choice
from .view import DrawnFace as DrawnFace
from .view import Offers as Offers
from .view import Show as Show
from .view import View as View
from .view import ViewBuilder as ViewBuilder
