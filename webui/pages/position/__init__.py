"""A game already under way: photos and people tell how it stands, until it goes on here."""
