"""Caravan: the rules of docs/rules/caravan.md, whose clause numbers (C1 ...) the comments here cite."""

from engine.caravan.game import CARAVAN

__all__ = ["CARAVAN"]
