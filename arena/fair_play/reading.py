"""What a report knows of the matches that it looks at: those that are finished and no longer sealed."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from arena.core.endings.terminations import Termination
from arena.core.fair_play.report import Participant, VersionSeen
from arena.core.finished_match import FinishedMatch
from arena.core.match_record import MatchRecord, SeatRecord
from arena.core.units import US_PER_S
from arena.store.bots.bots import VersionOrigin
from arena.store.store import Transaction

VERSIONS: Final = 20
"""Newest versions of each bot that are looked at."""


def usable(match: MatchRecord) -> bool:
    """Whether a report may look at it: bots met, each on one seat, and what happened is no secret any more."""
    return len(set(match.bots)) == len(match.bots) > 1 and not match.sealed


def result_of(match: MatchRecord) -> FinishedMatch:
    """Return a finished match as the statistics see it."""
    return FinishedMatch(
        match=match.id,
        group=match.group,
        bots=match.bots,
        placings=tuple(seat.placing for seat in match.seats),
        forfeited=tuple(_forfeited(seat) for seat in match.seats),
        started_us=match.started_us or match.created_us,
        ended_us=match.ended_us or match.created_us,
    )


def _forfeited(seat: SeatRecord) -> bool:
    """Return whether the seat lost by its own fault, other than by resigning.

    Bots resign where they lose anyway, most of all against the strongest: what that says is in the placings.
    """
    ending = seat.ending
    return ending is not None and ending.forfeited and ending.termination is not Termination.RESIGNATION


def participants(tx: Transaction, matches: Iterable[MatchRecord]) -> tuple[Participant, ...]:
    """Return the bots of these matches, by name."""
    bots: Sequence[str] = sorted({bot for match in matches for bot in match.bots})
    versions = tx.bots.newest_versions(bots, VERSIONS)
    return tuple(
        Participant(
            bot,
            tx.bots.get_any(bot).owner,
            tuple(
                VersionSeen(
                    each.label,
                    each.origin is VersionOrigin.SUBMITTED,
                    each.language,
                    f"{datetime.fromtimestamp(each.created_us // US_PER_S, UTC):%Y-%m-%d %H:%M:%S} UTC",
                )
                for each in versions.get(bot, ())
            ),
        )
        for bot in bots
    )
