"""How long gates may keep bots from rated play: a fifth of the time of each bot.

The matches of a gate need bots as a whole, in fresh programs, so a share of their places would be none. Instead a bot
that a set-up has held owes rated play four times as long, and is in no other set-up before that is paid.
"""

from collections.abc import Collection
from typing import Final

OWED: Final = 4
"""For each second that a gate holds a bot, so many seconds belong to rated play."""


class HeldTime:
    """What bots owe rated play. Times are nanoseconds."""

    def __init__(self) -> None:
        """Begin without debts."""
        self._owed: dict[str, int] = {}

    def pass_time(self, elapsed: int, held: Collection[str]) -> None:
        """Let time pass in which gates have held these bots."""
        for bot in self._owed.keys() | set(held):
            owed = self._owed.get(bot, 0) + (OWED * elapsed if bot in held else -elapsed)
            if owed > 0:
                self._owed[bot] = owed
            else:
                self._owed.pop(bot, None)

    def may_hold(self, bot: str) -> bool:
        """Return whether the bot owes nothing."""
        return bot not in self._owed
