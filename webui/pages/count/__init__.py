"""A finished game: who played it, its numbers at the end, its score."""
