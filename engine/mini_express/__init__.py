"""Mini Express: the rules as pure functions on immutable states.

state = game.new(board="usa", mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(7))
game.legal_actions(state)            # for whoever is to move; in the bot's turn the distinct draws
state = game.apply(state, action)    # raises game.IllegalAction, whose str() is a sentence
game.score(state)
"""

from .actions import Action, Build, Draft, Draw, Pass, TakeShare, action_from_json, action_to_json
from .advice import BEST_SHOWN, Advice, advise, best_of_each, reasons
from .board import Board, City
from .check import Broken, check, unplayed
from .clauses import CHAPTERS, CLAUSES, ClauseProblem
from .errors import IllegalAction, Malformed, PackProblem
from .events import EVENTS, Event
from .names import COMPANIES, DIFFICULTIES, MASINFIRA, MODES, MODULES, SEATS
from .notation import action_from_text, action_to_text
from .pack import Pack, built_in
from .part import Part, PartProblem, check_part, state_of_json
from .record import Game, is_record
from .rules import apply, chance, check_action, legal_actions, play
from .scoring import Score, Scored, score, tie_break
from .serial import state_from_json, state_to_json
from .setup import chosen_modules, new
from .state import Setup, State

__all__ = [
    "BEST_SHOWN",
    "CHAPTERS",
    "CLAUSES",
    "COMPANIES",
    "DIFFICULTIES",
    "EVENTS",
    "MASINFIRA",
    "MODES",
    "MODULES",
    "SEATS",
    "Action",
    "Advice",
    "Board",
    "Broken",
    "Build",
    "City",
    "ClauseProblem",
    "Draft",
    "Draw",
    "Event",
    "Game",
    "IllegalAction",
    "Malformed",
    "Pack",
    "PackProblem",
    "Part",
    "PartProblem",
    "Pass",
    "Score",
    "Scored",
    "Setup",
    "State",
    "TakeShare",
    "action_from_json",
    "action_from_text",
    "action_to_json",
    "action_to_text",
    "advise",
    "apply",
    "best_of_each",
    "built_in",
    "chance",
    "check",
    "check_action",
    "check_part",
    "chosen_modules",
    "is_record",
    "legal_actions",
    "new",
    "play",
    "reasons",
    "score",
    "state_from_json",
    "state_of_json",
    "state_to_json",
    "tie_break",
    "unplayed",
]
