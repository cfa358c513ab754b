"""How one table lies, looks and is coloured: made from a few photos, kept in a folder, found again in any photo.

photo = load_photo("empty.jpg")
surface, grid = calibrate_map(photo, read_taps(points, photo.scale), board)
Profile(board.id, {"map": surface}).save("table")
registration = register(load_photo("game.jpg"), Profile.load("table").surfaces["map"])
"""

from .map.calibrate import calibrate_map
from .map.compared import Differs, compared
from .map.grid import Grid, fit_grid
from .map.propose import Proposal, propose
from .map.taps import GridProblem, LeftOut, Tap, read_taps
from .photo import Photo, PhotoProblem, in_colour, load_photo
from .profile import Profile, ProfileProblem
from .registration.register import Registration, RegistrationProblem, register
from .surface import Cell, Kind, Surface, transform
from .tapped.asked import points_file, wanted
from .tapped.described import DescriptionProblem, calibrate_described, read_description
from .tapped.marks import Mark, Wanted
from .tapped.panels import PanelProblem, calibrate_panel, read_panel_points
from .tapped.shares import SHARE_TILES, ShareProblem, calibrate_shares, read_share_points

__all__ = [
    "SHARE_TILES",
    "Cell",
    "DescriptionProblem",
    "Differs",
    "Grid",
    "GridProblem",
    "Kind",
    "LeftOut",
    "Mark",
    "PanelProblem",
    "Photo",
    "PhotoProblem",
    "Profile",
    "ProfileProblem",
    "Proposal",
    "Registration",
    "RegistrationProblem",
    "ShareProblem",
    "Surface",
    "Tap",
    "Wanted",
    "calibrate_described",
    "calibrate_map",
    "calibrate_panel",
    "calibrate_shares",
    "compared",
    "fit_grid",
    "in_colour",
    "load_photo",
    "points_file",
    "propose",
    "read_description",
    "read_panel_points",
    "read_share_points",
    "read_taps",
    "register",
    "transform",
    "wanted",
]
