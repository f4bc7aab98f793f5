"""Hints for a person: what a sample bot would play."""

import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from arena.codecs.codec import codec_for
from arena.sdk.bot import Bot, LegalActions, View
from arena.sdk.game_messages import TypedActions, inner, write_choice
from arena.sdk.match import Clock, Match
from arena.v1 import games_pb2, play_pb2
from engine.game import State

THINK_MS: Final = 2000
"""How long a bot may think about a hint, in milliseconds."""
_BEST_FIRST: Final = ("planner", "mcts", "greedy")


class HintsMissingError(Exception):
    """There is nobody to ask. The message is one sentence for people."""


class Adviser:
    """A sample bot that is asked what it would play."""

    def __init__(self, match: Match, name: str = "") -> None:
        """Load the bot; the best there is if no name is given. Raises HintsMissingError."""
        self._codec = codec_for(match.game)
        names = (name,) if name else _BEST_FIRST
        found = next((kind for each in names if (kind := _bot_class(match.game, each)) is not None), None)
        if found is None:
            raise HintsMissingError(f"There is no sample bot {' or '.join(names)} of {match.game} here.")
        self.name = found.name
        self._bot = found()
        self._bot.match = match
        self._bot.on_match_started(match)

    def advise(self, state: State) -> int:
        """Return the action that the bot would play, packed.

        `state`: a position that fits what the seat to act sees; the bot gets no more than that. Raises whatever the bot
        raises.
        """
        seen = self._codec.encode_observation(state.observe(state.seat_to_act))
        listed = list(state.legal_actions())
        clock = Clock(THINK_MS, 0, 0, THINK_MS, time.monotonic() + THINK_MS / 1000)
        choice = self._bot.choose(inner(games_pb2.Observation.FromString(seen)), self._listed(listed), clock)
        answer = play_pb2.Answer()
        write_choice(answer, choice, listed=len(listed), game=self._codec.game.spec.id)
        if answer.WhichOneof("choice") == "index":
            return listed[answer.index]
        return self._codec.decode_action(answer.action, state)[0]

    def _listed(self, actions: Sequence[int]) -> Sequence[Any]:
        if self._bot.legal_actions is LegalActions.PACKED:
            return actions
        messages = [games_pb2.Action.FromString(self._codec.encode_action(each)) for each in actions]
        return TypedActions(messages, self._codec.game.spec.id)


def _bot_class(game: str, name: str) -> type[Bot] | None:
    """Return the class of a sample bot that can be asked about any position; None if there is none of this name."""
    path = f"sample_bots.python.{game}.{name}"
    try:
        module = import_module(path)
    except ModuleNotFoundError as error:
        if error.name is not None and (path == error.name or path.startswith(f"{error.name}.")):
            return None
        raise
    kinds = (each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Bot))
    own = [each for each in kinds if each.__module__ == module.__name__ and each.view is View.FULL]
    return own[0] if own else None
