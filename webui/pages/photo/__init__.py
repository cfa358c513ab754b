"""Photos of a game that is played here: what they show, what is in doubt, and what is entered."""
