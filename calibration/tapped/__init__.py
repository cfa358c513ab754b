"""The other boards and the share tiles, calibrated by what a person taps in a photo."""
