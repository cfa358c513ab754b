"""How one table lies, looks and is coloured: made from a few photos, kept in a folder, found again in any photo.

photo = load_photo("empty.jpg")
profile, grid = calibrate_map(photo, read_taps(points, photo.scale), board)
profile.save("table")
registration = register(load_photo("game.jpg").pixels, Profile.load("table").surfaces["map"])
"""

from .asked import points_file, wanted
from .compared import Differs, compared
from .grid import Grid, fit_grid
from .map import calibrate_map
from .marks import Mark, Wanted
from .panels import PanelPoints, PanelProblem, calibrate_panel, read_panel_points
from .photo import Photo, PhotoProblem, in_colour, load_photo
from .profile import Profile, ProfileProblem
from .propose import Proposal, propose
from .register import Registration, RegistrationProblem, register
from .shares import SHARE_TILES, SharePoints, ShareProblem, calibrate_shares, read_share_points
from .surface import Cell, Kind, Surface, transform
from .taps import GridProblem, LeftOut, Tap, read_taps

__all__ = [
    "SHARE_TILES",
    "Cell",
    "Differs",
    "Grid",
    "GridProblem",
    "Kind",
    "LeftOut",
    "Mark",
    "PanelPoints",
    "PanelProblem",
    "Photo",
    "PhotoProblem",
    "Profile",
    "ProfileProblem",
    "Proposal",
    "Registration",
    "RegistrationProblem",
    "SharePoints",
    "ShareProblem",
    "Surface",
    "Tap",
    "Wanted",
    "calibrate_map",
    "calibrate_panel",
    "calibrate_shares",
    "compared",
    "fit_grid",
    "in_colour",
    "load_photo",
    "points_file",
    "propose",
    "read_panel_points",
    "read_share_points",
    "read_taps",
    "register",
    "transform",
    "wanted",
]
