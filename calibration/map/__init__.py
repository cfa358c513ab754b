"""The map: its grid from taps, from the print or from neither, and what is printed on its hexes."""
