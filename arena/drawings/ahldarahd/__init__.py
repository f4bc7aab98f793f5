"""Caravans of Ahldarahd on a terminal."""
