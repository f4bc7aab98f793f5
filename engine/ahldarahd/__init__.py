"""Caravans of Ahldarahd (docs/rules/ahldarahd.md)."""

from engine.ahldarahd.game import AHLDARAHD

__all__ = ["AHLDARAHD"]
