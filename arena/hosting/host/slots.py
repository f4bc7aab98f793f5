"""Which processes run: places are limited, and a match needs one for each of its hosted bots at once.

All of it is arithmetic, so that it can be tested on every state.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from arena.core.pairing.start_order import PendingMatch
from arena.hosting.host.process import HostedProcess


@dataclass(frozen=True, slots=True)
class Occupant:
    """A process that has a place."""

    program: int
    """Which one."""
    bot: str
    """Whose next match it would play; empty if it plays none any more."""
    busy: bool
    """Whether it plays."""
    idle_since: int
    """On any clock, if it is not busy."""
    going: bool
    """Whether it has been asked to leave: its place is free soon."""


@dataclass(frozen=True, slots=True)
class SlotPlan:
    """Which processes to start and to stop now."""

    start: tuple[str, ...]
    """Bots whose processes are started now; there is a place for each."""
    stop: tuple[int, ...]
    """Processes that are asked to leave, to make room."""
    waits: int | None
    """The oldest match that waits until others have ended; None if none does."""


def plan_slots(slots: int, occupants: Sequence[Occupant], waiting: Iterable[PendingMatch]) -> SlotPlan:
    """Return what to start and to stop, so that matches begin in their order.

    `waiting`: with their hosted bots only, oldest first.

    The processes of a match are started all together or not at all: two matches never keep half of what the other
    needs. A process that plays, or that an older match needs, is not stopped. As soon as one match has to wait for
    others to end, no younger one gets a process started.
    """
    serving = {each.bot for each in occupants if each.bot and not each.going}
    free = slots - len(occupants)
    coming = sum(each.going for each in occupants)
    idle = sorted(
        (each for each in occupants if not each.busy and not each.going), key=lambda each: each.idle_since
    )
    start: list[str] = []
    stop: list[int] = []
    claimed: set[str] = set()
    for match in waiting:
        missing = sorted(set(match.bots) - serving)
        claimed.update(match.bots)
        if not missing:
            continue
        spare = [each for each in idle if each.bot not in claimed]
        lacking = max(0, len(missing) - free - coming)
        if lacking > len(spare):
            return SlotPlan(tuple(start), tuple(stop), match.match)
        for each in spare[:lacking]:
            idle.remove(each)
            serving.discard(each.bot)
            stop.append(each.program)
            coming += 1
        serving.update(missing)
        if len(missing) <= free:
            start += missing
            free -= len(missing)
        else:
            # Its places are kept until those that leave have left.
            coming -= len(missing) - free
            free = 0
    return SlotPlan(tuple(start), tuple(stop), None)


def retire_used(waiting: Sequence[PendingMatch], processes: Collection[HostedProcess]) -> list[PendingMatch]:
    """Return the matches for which processes may be started; retire used processes in the way of isolated matches.

    Until a retired one has left, no younger match gets another process of the same bot: else the bot would play more
    and more matches at once. What an older match waits for is not in the way yet. `waiting`: as in `plan_slots`.
    """
    needs: list[PendingMatch] = []
    claimed: set[str] = set()
    leaving: set[str] = set()
    for match in waiting:
        # Those that are still there and have had a seat, or are retired.
        own = [process for process in processes if process.identity.bot in match.bots]
        used = [process for process in own if process.seated or process.retired] if match.alone else []
        for process in used:
            if process.identity.bot not in claimed:
                leaving.add(process.identity.bot)
                process.retire()
                if not process.busy:
                    process.leave()
        if not used and leaving.isdisjoint(match.bots):
            needs.append(match)
        claimed.update(match.bots)
    return needs
