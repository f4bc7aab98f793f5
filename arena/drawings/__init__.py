"""Positions and turns on a terminal, a folder per game."""
