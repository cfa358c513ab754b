"""A position that is known only in part: what follows from what is told, what is missing and what is wrong with it."""

from .check import check_part
from .position import Part, PartProblem, Standing, state_of_json

__all__ = ["Part", "PartProblem", "Standing", "check_part", "state_of_json"]
