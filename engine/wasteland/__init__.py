"""Wasteland (docs/rules/wasteland.md)."""

from engine.wasteland.game import WASTELAND

__all__ = ["WASTELAND"]
