"""Wasteland on a terminal."""
