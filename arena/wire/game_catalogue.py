"""The games of this arena, and their options as messages."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from arena.codecs.codec import Codec
from arena.core.errors import ErrorReason, NotFoundError
from arena.v1 import games_pb2
from engine.game import Game, InvalidOptionsError
from engine.state import COMPILED

_MOST_KEPT: Final = 1_000


class GameCatalogue:
    """The games by id."""

    def __init__(self, games: Mapping[str, Game], codec_for: Callable[[str], Codec]) -> None:
        """`games`: as in `engine.registry.GAMES`; `codec_for`: as in `arena.codecs.codec`."""
        self._games = games
        self._codec_for = codec_for
        self._known_message = lru_cache(maxsize=_MOST_KEPT)(self._options_message)

    def games(self) -> tuple[Game, ...]:
        """Return all games, by id."""
        return tuple(game for _, game in sorted(self._games.items()))

    def game(self, game: str) -> Game:
        """Return the game. Raises NotFoundError (GAME_NOT_FOUND)."""
        found = self._games.get(game)
        if found is None:
            near = get_close_matches(game.lower(), self._games, 1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise NotFoundError(
                ErrorReason.GAME_NOT_FOUND,
                f"There is no game {game}; `arena games list` shows all.{meant}",
                game=game,
            )
        return found

    def options_message(
        self, game: str, seats: int, values: Mapping[str, str]
    ) -> games_pb2.GameOptions | None:
        """Return stored options as a message; None if these rules no longer have such options.

        It is shared by all matches that have these options: do not change it.
        """
        return self._known_message(game, seats, tuple(sorted(values.items())))

    def _options_message(
        self, game: str, seats: int, values: tuple[tuple[str, str], ...]
    ) -> games_pb2.GameOptions | None:
        rules = self._games.get(game)
        if rules is None:
            return None
        try:
            return self._codec_for(game).encode_options(rules.options(seats, dict(values)))
        except InvalidOptionsError:
            return None

    def known(self, game: str) -> Game | None:
        """Return the game of something stored; None if this arena no longer has it."""
        return self._games.get(game)


def engine_kind() -> str:
    """Return how the rules run: "compiled" or "interpreted"."""
    return "compiled" if COMPILED else "interpreted"
