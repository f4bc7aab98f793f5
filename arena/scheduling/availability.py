"""Which bots may get matches now, and how many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Protocol

from arena.hosting.host.host import Host
from arena.scheduling.isolation import is_isolated
from arena.scheduling.match_manager import MatchManager
from arena.scheduling.walkovers import DESERTED_MIN
from arena.sessions.registry import MOST_NO_SHOWS, SessionRegistry
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
class BlockingBots:
    """What keeps matches from beginning."""

    waited: frozenset[BlockingBot] = frozenset()
    resting: Mapping[str, str] = field(default_factory=dict)
    """By bot that gets no match for a while: a sentence part about a match that waits for it."""

    def describe(self, bots: Collection[str] | None = None) -> str:
        """Return a sentence part; empty if no bot is waited for.

        `bots`: those that may be named; None: all. The names show which bots a match was assigned to.
        """
        waited = [each for each in self.waited if bots is None or each.bot in bots]
        resting = [self.resting[bot] for bot in sorted(self.resting) if bots is None or bot in bots]
        hidden = len(waited) + len(resting) < len(self.waited) + len(self.resting)
        parts = chain(
            resting,
            _waits([each for each in waited if each.begun], _LOST),
            _waits([each for each in waited if not each.begun], _WITHOUT),
            [_OTHERS] if hidden else [],
        )
        return "; ".join(parts)


def describe_rest(bot: str, match: OpenMatch, rest_s: int, *, begun: bool) -> str:
    """Return a sentence part about a bot that holds a seat of the match and rests after a no-show."""
    no_shows = match.no_shows[match.bots.index(bot)] if match.no_shows else 0
    waits = f"match {match.id} waits for {bot}, which rests for {rest_s} s after a no-show"
    if not no_shows:
        return waits
    third = "" if begun else "its group ends without a result, or "
    return f"{waits} ({no_shows} of {MOST_NO_SHOWS}); after the third {third}it loses the match"


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


class BotPool(Protocol):
    """Bots of one kind: those that connect themselves (`SessionRegistry`), or hosted ones (`Host`)."""

    def is_there(self, bot: str) -> bool:
        """Return whether the bot plays at all for now."""

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many matches of a game the bot takes at once, those that it plays included."""

    def free(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many more matches of a game the bot takes; its process may yet have to start."""

    def took_since(self, bot: str, game: str, rules_version: int, since: int) -> bool:
        """Return whether the bot has taken such matches since then without a break, as far as that is known."""


def pool_for(bot: str, sessions: SessionRegistry, host: Host, *, isolated: bool) -> BotPool:
    """Return the pool in which to look for a bot. Only hosted bots play isolated matches."""
    return host if isolated or host.hosts(bot) else sessions


@dataclass(frozen=True, slots=True)
class Availability:
    """The bots as they are at this moment. `isolated`: for isolated matches."""

    sessions: SessionRegistry
    match_manager: MatchManager
    host: Host

    def _pool(self, bot: str, *, isolated: bool) -> BotPool:
        return pool_for(bot, self.sessions, self.host, isolated=isolated)

    def is_there(self, bot: str, *, isolated: bool = False) -> bool:
        """Return whether the bot may get matches: connected or hosted, and not paused, suspended or resting."""
        return self._pool(bot, isolated=isolated).is_there(bot) and not self.sessions.is_resting(bot)

    def would_take(self, bot: str, game: str, rules_version: int, *, isolated: bool = False) -> bool:
        """Return whether the bot takes matches of a game at all, though it may have no room for one now."""
        capacity = self._pool(bot, isolated=isolated).capacity_for(bot, game, rules_version)
        return capacity > 0 and not self.sessions.is_resting(bot)

    def free(self, bot: str, game: str, rules_version: int, *, isolated: bool = False) -> int:
        """Return how many more matches of a game the bot takes, whatever waits for it."""
        if self.sessions.is_resting(bot):
            return 0
        return self._pool(bot, isolated=isolated).free(bot, game, rules_version)

    def would_begin(self, match: OpenMatch) -> bool:
        """Return whether a match waits only for bots that have no room now."""
        isolated = is_isolated(match.game, match.seed_policy)
        return all(
            self.would_take(bot, match.game, match.rules_version, isolated=isolated) for bot in match.bots
        )

    def pending(self, matches: Iterable[OpenMatch]) -> tuple[OpenMatch, ...]:
        """Return those of these unfinished matches that are not in play yet."""
        return tuple(match for match in matches if not self.match_manager.plays(match.id))

    def may_play(self, match: OpenMatch) -> bool:
        """Return whether its bots are of the kind that may play the match, present or not."""
        return all(map(self.host.hosts, match.bots)) or not is_isolated(match.game, match.seed_policy)

    def waits_for_programs(self, match: OpenMatch) -> bool:
        """Return whether a match waits for no bots but hosted ones: the others have room for it now."""
        hosted = [bot for bot in match.bots if self.host.hosts(bot)]
        return bool(hosted) and all(
            self.would_take(bot, match.game, match.rules_version)
            if bot in hosted
            else self.sessions.free(bot, match.game, match.rules_version) > 0
            for bot in match.bots
        )

    def blocking_bots(self, matches: Sequence[OpenMatch], begun: Collection[int] = ()) -> BlockingBots:
        """Return which bots, absent, resting or unwilling, keep these unfinished matches from beginning.

        `begun`: the groups of which something has begun.
        """
        waited, resting = set[BlockingBot](), dict[str, str]()
        kinds: dict[tuple[str, str, int, bool, bool], OpenMatch] = {}
        for match in self.pending(matches):
            for bot in match.bots:
                isolated, has_begun = is_isolated(match.game, match.seed_policy), match.group in begun
                kinds.setdefault((bot, match.game, match.rules_version, isolated, has_begun), match)
        for (bot, game, rules_version, isolated, has_begun), match in kinds.items():
            if self.sessions.is_resting(bot):
                rest_s = self.sessions.rest_s(bot)
                resting.setdefault(bot, describe_rest(bot, match, rest_s, begun=has_begun))
            elif not self.is_there(bot, isolated=isolated):
                hello = not self.host.hosts(bot) and self.sessions.is_paused(bot)
                waited.add(BlockingBot(bot, SAY_HELLO if hello else COME_BACK, has_begun))
            elif not self.would_take(bot, game, rules_version, isolated=isolated):
                waited.add(BlockingBot(bot, TAKE_THEM, has_begun))
        return BlockingBots(frozenset(waited), resting)
