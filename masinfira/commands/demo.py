"""`masinfira demo`: the main job on a sample photo, from the picture to the score."""
