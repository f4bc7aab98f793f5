"""The games of this engine: one line each. A game is imported when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from engine.game import Game

_IDS: Final = (
    "caravan",
    "caravanserai",
    "ahldarahd",
    "wasteland",
)


class Games(Mapping[str, Game]):
    """The games by id, in the order in which they are listed.

    The game of an id is the object in `engine.<id>` whose name is the id in capital letters.
    """

    def __init__(self) -> None:
        """Begin with no game imported."""
        self.imported: dict[str, Game] = {}
        """Those that were asked for."""

    def __getitem__(self, id_: str) -> Game:
        game = self.imported.get(id_)
        if game is None:
            if id_ not in _IDS:
                raise KeyError(id_)
            game = self.imported[id_] = getattr(import_module(f"engine.{id_}"), id_.upper())
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(_IDS)

    def __len__(self) -> int:
        return len(_IDS)

    def __contains__(self, id_: object) -> bool:
        return id_ in _IDS


GAMES: Final = Games()
"""By game id. Names and order need no import of a game."""
