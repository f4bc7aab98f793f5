"""`arena event`: ladders and tournaments from a file."""
