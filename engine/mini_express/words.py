"""The words of the game for the catalogue of translations (`engine/catalogue.py`)."""

from ..sentences import C_, N_

WORDS = (
    N_("brown"), N_("gray"), N_("orange"), N_("white"), N_("wild"), N_("refresh"),
    N_("red"), N_("blue"), N_("purple"), N_("green"), N_("yellow"), N_("masinfira"),
    N_("passenger"), N_("tourist"), N_("trainspotter"), N_("conductor"), N_("railwayman"),
    N_("standard"), N_("solo"), N_("two_with_bot"), N_("experts"),
    N_("golden_spike"), N_("ports"), N_("capacity_two"), N_("none"),
    N_("first"), N_("second"), N_("other"), N_("landscape"),
    N_("waiting"), N_("building"), N_("linked"), N_("off"),
    N_("map"), N_("tracks"), N_("assets"), N_("usa"), N_("europe"),
)  # fmt: skip
"""The words of the game that stand in values."""

FORMS = (
    C_("gen", "brown"), C_("gen", "gray"), C_("gen", "orange"), C_("gen", "white"),
    C_("acc", "brown"), C_("acc", "gray"), C_("acc", "orange"), C_("acc", "white"),
    C_("gen", "red"), C_("gen", "blue"), C_("gen", "purple"), C_("gen", "green"), C_("gen", "yellow"),
    C_("gen", "masinfira"), C_("dat", "red"), C_("dat", "blue"), C_("dat", "purple"),
    C_("dat", "green"), C_("dat", "yellow"), C_("dat", "masinfira"),
)  # fmt: skip
"""Their grammatical forms: a translator writes {company:gen} or {seat:dat} where a sentence needs one."""
