"""How fast the rules engine and the pages are, and how strong the advice; photos are measured by `vision.bench`."""
