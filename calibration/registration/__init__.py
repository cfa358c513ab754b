"""A calibrated surface found again in a later photo, by its print alone."""
