"""What is printed, as a folder of TOML files: read and checked, written for one's own copy, packed into one file."""

from .reading import BUILT_IN, Pack, built_in, pack_files, unread_tables

__all__ = ["BUILT_IN", "Pack", "built_in", "pack_files", "unread_tables"]
