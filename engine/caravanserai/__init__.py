"""Caravanserai: the rules of docs/rules/caravanserai.md, whose clause numbers (S1 ...) the comments here cite."""

from engine.caravanserai.game import CARAVANSERAI

__all__ = ["CARAVANSERAI"]
