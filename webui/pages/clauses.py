"""The rules clause by clause: what the numbers beside refusals and steps of Mašinfíra's turn stand for."""

import re

from flask import Blueprint, render_template

from engine import mini_express as game

looking_up = Blueprint("looking_up", __name__)


@looking_up.get("/rules")
def rules() -> str:
    """All clauses; page.js shows one of them where it is cited."""
    return render_template("rules.html", chapters=game.CHAPTERS)


@looking_up.app_template_filter()
def at_clauses(text: str) -> list[str]:
    """A text cut at the clauses that it names; every second part is the number of one."""
    return re.split(r"(R\d+\.\d+b?)", text)
