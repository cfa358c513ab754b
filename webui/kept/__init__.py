"""What outlives a request: games, counts, positions, photos and readings, calibrations, profiles, printed data."""
