"""The command line: one module per command in `commands/`."""
