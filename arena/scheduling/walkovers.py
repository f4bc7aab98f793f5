"""How a match ends that its bots do not play, and why they did not.

Without a result, if nothing of its group has begun; otherwise the seats of those bots are forfeited, and the match
counts: no bot may choose which matches of a group it plays.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.core.endings import results, verdicts
from arena.core.endings.arena_faults import Facts, facts_of
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import MatchResult, MatchState
from arena.core.match_record import MatchRecord
from arena.scheduling.isolation import is_isolated
from arena.sessions.registry import MOST_NO_SHOWS
from arena.store.matches.matches import MatchFilter
from arena.store.matches.results import MatchReport
from arena.store.store import Transaction

DESERTED_MIN: Final = 10
"""So many minutes a match waits for an absent bot."""


GROUPS_REFUSED_A_DAY: Final = 2
"""A bot may refuse so many match groups of which nothing has begun within 24 h; of a further one it forfeits seats."""


class AbsenceReason(Enum):
    """Why a match is not waited for one of its bots any longer."""

    AWAY = "away"
    """It was not there, or paused, for too long."""
    UNWILLING = "unwilling"
    """It was there for so long, and took no such match."""
    NO_SHOW = "no_show"
    """It was offered the match, and was not ready in time, too often."""
    SUSPENDED = "benched"
    """Its version is suspended. Of this and the next two the value names it in the stored evidence."""
    OWNER = "owner"
    """Its owner may not play."""
    ORGANISER = "organiser"
    """An organiser has taken the version that was to play out of service."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A bot that does not play for now."""

    reason: AbsenceReason
    why: str = ""
    """A sentence part, of a bot that is excluded; empty for the first three reasons."""


Absent = Mapping[str, Absence]
"""The bots that do not play a match, and why."""


def never_began(match: MatchRecord, absent: Absent) -> MatchResult:
    """Return the result of a match that some of its bots do not play, while nothing of its group has begun."""
    endings = [seat.ending or _without_result(match, seat.bot, absent.get(seat.bot)) for seat in match.seats]
    why = " and ".join(_facts(bot, match, how)[0] for bot, how in absent.items())
    return results.without_result(MatchState.NO_CONTEST, endings, f"It never began: {why}.")


def forfeits(match: MatchRecord, absent: Absent) -> Mapping[int, SeatEnding]:
    """Return by number how the seats end of bots that do not play a match of a group that has begun."""
    return {
        number: verdicts.no_show(*_facts(seat.bot, match, absent[seat.bot]))
        for number, seat in enumerate(match.seats)
        if seat.ending is None and seat.bot in absent
    }


def _without_result(match: MatchRecord, bot: str, how: Absence | None) -> SeatEnding:
    if how is None:
        return _LEFT_WAITING
    sentence, evidence = _facts(bot, match, how)
    termination = Termination.NO_SHOW if how.reason is AbsenceReason.NO_SHOW else Termination.DISCONNECT
    return SeatEnding(termination, Fault.BOT, evidence, f"The match never began: {sentence}.")


def _facts(bot: str, match: MatchRecord, how: Absence) -> tuple[str, Facts]:
    """Return a sentence part without a full stop, and the evidence."""
    if how.why:
        return f"{bot} does not play, {how.why}".rstrip("."), ((how.reason.value, how.why),)
    if how.reason is AbsenceReason.NO_SHOW:
        why = f"{bot} was offered the match {MOST_NO_SHOWS} times and was not ready in time"
        return why, facts_of(no_shows=MOST_NO_SHOWS)
    if how.reason is AbsenceReason.UNWILLING:
        why = (
            f"for more than {DESERTED_MIN} minutes {bot} was there, but took no match of "
            f"{match.terms.game} by rules version {match.terms.rules_version}"
        )
        return why, facts_of(absent_min=DESERTED_MIN, takes="no")
    isolated = is_isolated(match.terms.game, match.seed_policy)
    state = "not run by the arena" if isolated else "away, or paused,"
    why = f"{bot} was {state} for more than {DESERTED_MIN} minutes"
    return why, facts_of(absent_min=DESERTED_MIN, hosted="no" if isolated else None)


_LEFT_WAITING: Final = SeatEnding(
    Termination.NORMAL,
    Fault.OPPONENT,
    (("began", "no"),),
    "The match never began: another bot was away for too long, or does not play.",
)


_PAGE: Final = 200

_BARRED: Final = Absence(AbsenceReason.ORGANISER, "its version was taken out of service by an organiser")


def withdraw(tx: Transaction, bot: str, now_us: int) -> int:
    """End the matches without a result that the bot was to play in another version than the one chosen for it.

    Those are of groups that the other version has begun (see `arena.scheduling.isolation.versions_held`), also of
    tournaments that are paused; if none is chosen, all isolated ones. Return how many. One in play continues; one that
    is being offered does not begin.
    """
    hosted = tx.hosting.get(bot)
    chosen = None if hosted is None else hosted.version
    waiting = [match for match in _pending(tx, bot) if is_isolated(match.terms.game, match.seed_policy)]
    played = tx.open_matches.versions_played({match.group for match in waiting})
    # Where none is chosen, nothing may play these any more, begun or not: only programs of the arena do.
    given_up = [
        match for match in waiting if chosen is None or played.get(match.group, {}).get(bot, chosen) != chosen
    ]
    for match in given_up:
        result = never_began(match, {bot: _BARRED})
        tx.record_result(MatchReport(match.id, result, None, ""), now_us=now_us)
    return len(given_up)


def _pending(tx: Transaction, bot: str) -> Iterator[MatchRecord]:
    before = None
    while page := tx.matches.page(MatchFilter(bot=bot, state=MatchState.PENDING), before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
