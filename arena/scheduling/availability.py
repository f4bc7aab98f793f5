"""How many more matches each bot takes, with the matches that wait for it set against that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from arena.scheduling.blocking_bots import COME_BACK, SAY_HELLO, TAKE_THEM, BlockingBot, BlockingBots, Resting
from arena.scheduling.hosted_bots import HostedBots, NoHostedBots
from arena.scheduling.isolation import is_isolated
from arena.scheduling.match_manager import MatchManager
from arena.sessions.registry import SessionRegistry
from arena.store.matches.open_matches import OpenMatch


@dataclass(frozen=True, slots=True)
class Availability:
    """The bots as they are at this moment.

    `alone`: asks for matches that are played by fresh programs alone, which a bot that dials in does not take.
    """

    sessions: SessionRegistry
    match_manager: MatchManager
    hosting: HostedBots = field(default_factory=NoHostedBots)

    def is_there(self, bot: str, *, alone: bool = False) -> bool:
        """Whether the bot is connected and not paused, or run by the arena, not benched, and not resting."""
        if self.hosting.hosts(bot):
            return self.hosting.is_there(bot) and not self.sessions.is_resting(bot)
        return not alone and self.sessions.is_there(bot)

    def would_take(self, bot: str, game: str, rules_version: int, *, alone: bool = False) -> bool:
        """Whether the bot takes matches of a game at all: if it is full now, it has only to be waited for."""
        if self.hosting.hosts(bot):
            takes = self.hosting.capacity_for(bot, game, rules_version) > 0
            return takes and not self.sessions.is_resting(bot)
        return not alone and self.sessions.capacity_for(bot, game, rules_version) > 0

    def would_begin(self, match: OpenMatch) -> bool:
        """Whether a match that waits does so only for bots that are full."""
        alone = is_isolated(match.game, match.seed_policy)
        return all(self.would_take(bot, match.game, match.rules_version, alone=alone) for bot in match.bots)

    def pending(self, matches: Iterable[OpenMatch]) -> tuple[OpenMatch, ...]:
        """Those of them, all unfinished, that are not in play yet."""
        return tuple(match for match in matches if not self.match_manager.plays(match.id))

    def free(self, bot: str, game: str, rules_version: int, *, alone: bool = False) -> int:
        """How many more matches of a game the bot takes, whatever waits for it; its program may yet have to start."""
        if self.hosting.hosts(bot):
            return 0 if self.sessions.is_resting(bot) else self.hosting.free(bot, game, rules_version)
        return 0 if alone else self.sessions.free(bot, game, rules_version)

    def may_play(self, match: OpenMatch) -> bool:
        """Whether its bots are such as may play the match, be they there or not."""
        return all(map(self.hosting.hosts, match.bots)) or not is_isolated(match.game, match.seed_policy)

    def waits_for_programs(self, match: OpenMatch) -> bool:
        """Whether hosted bots are all that a match may wait for: the others have room for it now."""
        hosted = [bot for bot in match.bots if self.hosting.hosts(bot)]
        return bool(hosted) and all(
            self.would_take(bot, match.game, match.rules_version)
            if bot in hosted
            else self.sessions.free(bot, match.game, match.rules_version) > 0
            for bot in match.bots
        )

    def who_is_missing(self, matches: Sequence[OpenMatch], begun: Collection[int] = ()) -> BlockingBots:
        """Which bots, absent, resting or not willing, keep these unfinished matches from beginning.

        `begun`: the groups of which something has begun.
        """
        waited, resting = set[BlockingBot](), dict[str, Resting]()
        kinds: dict[tuple[str, str, int, bool, bool], OpenMatch] = {}
        for match in self.pending(matches):
            for bot in match.bots:
                kind = (
                    bot,
                    match.game,
                    match.rules_version,
                    is_isolated(match.game, match.seed_policy),
                    match.group in begun,
                )
                kinds.setdefault(kind, match)
        for (bot, game, rules_version, alone, has_begun), match in kinds.items():
            if self.sessions.is_resting(bot):
                rest_s = self.sessions.rest_s(bot)
                resting.setdefault(bot, Resting.of(bot, match, rest_s, begun=has_begun))
            elif not self.is_there(bot, alone=alone):
                hello = not self.hosting.hosts(bot) and self.sessions.is_paused(bot)
                waited.add(BlockingBot(bot, SAY_HELLO if hello else COME_BACK, has_begun))
            elif not self.would_take(bot, game, rules_version, alone=alone):
                waited.add(BlockingBot(bot, TAKE_THEM, has_begun))
        return BlockingBots(frozenset(waited), tuple(resting[bot] for bot in sorted(resting)))
