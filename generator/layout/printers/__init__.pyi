from .calibration import calibration_sheet as calibration_sheet
from .calibration import proof_sheet as proof_sheet
from .gauge import Readings as Readings
from .gauge import parse_readings as parse_readings
from .gauge import solve as solve
from .profile import Profile as Profile
from .profile import Store as Store
from .profile import correct_sheet as correct_sheet
