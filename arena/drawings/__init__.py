"""Positions as people like to see them on a terminal: one file per game."""
