"""The engine's tests say `from positions import ...`: pytest puts this folder on the path."""
