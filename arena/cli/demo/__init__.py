"""`arena demo`: the whole arena in one command."""
