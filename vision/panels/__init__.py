"""Boards of tracks and areas: the markers on them and the numbers they stand for."""
