"""How the drawing of a game is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from rich.text import Text

Drawing = Callable[[object], Text]
"""A game's Observation as lines of text; without its colours (`plain`) it says the same."""


@cache
def drawing_for(game: str) -> Drawing:
    """The drawing of a game: the `draw` of `arena.drawings.<game id>`.

    Raises KeyError for a game without one.
    """
    try:
        module = import_module(f"arena.drawings.{game}")
    except ModuleNotFoundError as error:
        raise KeyError(game) from error
    drawing: Drawing = module.draw
    return drawing
