"""What outlives a request: games, positions, photos and their readings, calibrations, profiles, printed data."""
