"""Which matches are isolated, since others of their group have the same hidden draws, and which versions play them."""

from collections.abc import Collection, Mapping

from arena.core.match import SeedPolicy
from arena.core.pairing.groups import default_seed_policy, needs_isolation
from arena.hosting.host.host import Host
from arena.store.ladders.ladders import LadderRow
from engine.registry import GAMES


def is_isolated(game: str, seed_policy: SeedPolicy) -> bool:
    """Return whether each bot plays matches of such groups in a process of its own, which plays nothing else.

    No bot that connects by itself plays them.
    """
    return needs_isolation(seed_policy, GAMES[game].spec.chance)


def versions_held(played: Mapping[int, Mapping[str, str]]) -> dict[str, str]:
    """Return by bot the version that plays now, so that each group is finished as it was begun.

    What shows of the matches of a group - how they ended, how long it took - is enough to tell the next version a card
    or two; and an owner whose bot has had the lucky seat must not be able to cancel the match that makes up for it.
    Of several groups the oldest comes first: so all bots of that group are held for it, and it is never waited for
    in vain. `played`: versions by bot, by group, of the open isolated groups that have begun.
    """
    held: dict[str, str] = {}
    for group in sorted(played):
        held = {**played[group], **held}
    return held


def may_begin(host: Host, bots: Collection[str], played: Mapping[str, str]) -> bool:
    """Return whether the versions of its hosted bots that run now are those that are to play a match.

    `played`: version by bot, if others of its group have begun, and the match is isolated; otherwise empty.
    """
    return all(
        host.version(bot) == played[bot] if bot in played else not host.is_held(bot)
        for bot in bots
        if host.hosts(bot)
    )


def ladder_policy(ladder: LadderRow) -> SeedPolicy:
    """Return the seed policy of the groups of a ladder.

    A default does not depend on which bots are entered: others may join tomorrow.
    """
    chance = GAMES[ladder.game].spec.chance
    return ladder.seed_policy or default_seed_policy(chance, isolated=False)


def takes_isolated(ladder: LadderRow) -> bool:
    """Return whether only hosted bots play on the ladder."""
    return needs_isolation(ladder_policy(ladder), GAMES[ladder.game].spec.chance)
