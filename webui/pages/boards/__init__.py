"""The boards of this table: how photos of them are read, and the own copy of the map and the tables."""
