"""Conversions between the arena's own types and the messages of `arena.v1`."""
