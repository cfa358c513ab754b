"""The rules clause by clause: what the numbers beside refusals and steps of Mašinfíra's turn stand for."""

import re

from flask import Blueprint, render_template
from markupsafe import Markup, escape

from engine import mini_express as game

looking_up = Blueprint("looking_up", __name__)


@looking_up.get("/rules")
def rules() -> str:
    """All clauses; page.js shows one of them where it is cited."""
    return render_template("rules.html", chapters=game.CHAPTERS)


@looking_up.app_template_filter()
def cited(text: str) -> Markup:
    """A clause's text in which the numbers of other clauses lead to them."""
    link = Markup('<a class="rule" href="#{0}"><span>{0}</span></a>')
    return Markup("").join(
        link.format(part) if part in game.clauses() else escape(part)
        for part in re.split(r"(R\d+\.\d+b?)", text)
    )
