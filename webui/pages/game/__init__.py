"""A game: the list of them, a new one, its demand tiles, its table, advice on what to do, its score and its log."""
