"""Programs that are warm make way for matches that fresh ones play alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.core.pairing.start_order import PendingMatch
from arena.hosting.host.process import HostedProcess
from arena.hosting.host.slots import Need


def make_way(waiting: Sequence[tuple[PendingMatch, Need]], programs: Collection[HostedProcess]) -> list[Need]:
    """The matches for which programs may be started; what is in the way of fresh ones plays to its end, and leaves.

    Until it has left, no younger match gets another program of the same bot: else the bot would play more and more
    matches at once. What an older match waits for is not in the way yet. `waiting`: oldest first.
    """
    needs: list[Need] = []
    claimed: set[str] = set()
    leaving: set[str] = set()
    for each, need in waiting:
        used = _used(need.bots, programs) if each.alone else []
        for program in used:
            if program.identity.bot not in claimed:
                leaving.add(program.identity.bot)
                program.retire()
                if not program.busy:
                    program.leave()
        if not used and leaving.isdisjoint(need.bots):
            needs.append(need)
        claimed |= need.bots
    return needs


def _used(bots: Collection[str], programs: Collection[HostedProcess]) -> list[HostedProcess]:
    """The programs of these bots that are still there and have had a seat, or play no match that has not begun."""
    return [each for each in programs if each.identity.bot in bots and (each.seated or each.retired)]
