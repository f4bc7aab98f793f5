"""Caravan on the wire."""
