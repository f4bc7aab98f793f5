"""Wasteland on the wire."""
