"""Which bots keep matches from beginning, for those who may know it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from arena.scheduling.walkovers import DESERTED_MIN
from arena.sessions.registry import MOST_NO_SHOWS
from arena.store.matches.open_matches import OpenMatch

COME_BACK: Final = "come back"
SAY_HELLO: Final = "say hello again"
TAKE_THEM: Final = "take them"

_LOST: Final = f"and are lost by who was away for {DESERTED_MIN} minutes in all"
_WITHOUT: Final = f"and end without them after {DESERTED_MIN} minutes"
_OTHERS: Final = "matches wait for bots of other owners"


@dataclass(frozen=True, slots=True)
class BlockingBot:
    """A bot that matches wait for."""

    bot: str
    what: str
    """What they wait for it to do."""
    begun: bool
    """Whether anything of their groups has begun."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A bot that a match waits for, and that gets none for a while after a no-show."""

    bot: str
    match: int
    rest_s: int
    no_shows: int
    """How often it did not take this match."""
    begun: bool

    @staticmethod
    def of(bot: str, match: OpenMatch, rest_s: int, *, begun: bool) -> Resting:
        """Return the entry of a bot that holds a seat of the match."""
        no_shows = match.no_shows[match.bots.index(bot)] if match.no_shows else 0
        return Resting(bot, match.id, rest_s, no_shows, begun)

    def sentence(self) -> str:
        """Return a sentence part."""
        waits = f"match {self.match} waits for {self.bot}, which rests for {self.rest_s} s after a no-show"
        if not self.no_shows:
            return waits
        third = "" if self.begun else "its group ends without a result, or "
        return f"{waits} ({self.no_shows} of {MOST_NO_SHOWS}); after the third {third}it loses the match"


@dataclass(frozen=True, slots=True)
class BlockingBots:
    """What keeps matches from beginning."""

    waited: frozenset[BlockingBot] = frozenset()
    resting: tuple[Resting, ...] = ()

    def describe(self, bots: Collection[str] | None = None) -> str:
        """Return a sentence part; empty if no bot is waited for.

        `bots`: those that may be named; None: all. The names show which bots a match was assigned to.
        """
        waited = [each for each in self.waited if bots is None or each.bot in bots]
        resting = [each for each in self.resting if bots is None or each.bot in bots]
        hidden = len(waited) + len(resting) < len(self.waited) + len(self.resting)
        parts = chain(
            (each.sentence() for each in resting),
            _waits([each for each in waited if each.begun], _LOST),
            _waits([each for each in waited if not each.begun], _WITHOUT),
            [_OTHERS] if hidden else [],
        )
        return "; ".join(parts)


def _waits(waited: Collection[BlockingBot], end: str) -> Iterable[str]:
    """Describe all that have the same `end` in one part."""
    whats = [
        f"{', '.join(bots)} to {what}"
        for what in (COME_BACK, SAY_HELLO, TAKE_THEM)
        if (bots := sorted(each.bot for each in waited if each.what == what))
    ]
    if not whats:
        return
    yield f"matches wait for {' and '.join(whats)}, {end}"
