"""Which actions are good, and why.

the position → every action at first sight (`first_sight`) → lines of play tried out (`search`) → advice in the
order of how good they are, with reasons (`advise`)
"""

from .advise import BEST_SHOWN, Advice, advise, best_of_each, reasons

__all__ = ["BEST_SHOWN", "Advice", "advise", "best_of_each", "reasons"]
