"""Caravans of Ahldarahd on the wire."""
