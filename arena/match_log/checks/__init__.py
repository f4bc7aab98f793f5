"""The checks of a match log, one subject a file."""
