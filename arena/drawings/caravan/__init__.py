"""Caravan on a terminal."""
