"""Share tiles in front of players."""
