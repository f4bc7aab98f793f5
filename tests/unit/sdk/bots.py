"""Bots for tests of the sdk."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from arena.sdk import Bot, Clock, Plays


class Second(Bot):
    """Always takes the second action."""

    games: ClassVar[tuple[str | Plays, ...]] = ("caravan",)
    matches = 3

    def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
        return 1


def choosing(choose: Callable[[Any, Sequence[Any]], object], **attributes: object) -> type[Second]:
    """Return a bot that chooses by a function of the observation and the legal actions."""

    class Chooser(Second):
        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            return choose(observation, legal_actions)

    for name, value in attributes.items():
        setattr(Chooser, name, value)
    return Chooser
