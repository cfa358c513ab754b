"""Watching the table with a camera."""
