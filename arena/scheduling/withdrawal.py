"""What an organiser takes out of service is not held to end the match groups that it has begun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.core.match import MatchState
from arena.scheduling.isolation import is_isolated
from arena.scheduling.walkovers import Exclusion, ExclusionReason, never_began
from arena.store.matches.matches import MatchFilter, MatchRow
from arena.store.matches.results import MatchReport
from arena.store.store import Transaction

_PAGE: Final = 200

_BARRED: Final = Exclusion(ExclusionReason.ORGANISER, "its version was taken out of service by an organiser")


def withdraw(tx: Transaction, bot: str, now_us: int) -> int:
    """The matches end without a result that the bot was to play in another version than the one chosen for it.

    Those are of groups that the other version has begun (see `arena.scheduling.isolation.versions_held`), also of
    tournaments that are paused; if none is chosen, all that only programs of the arena may play. Returns how many. One
    in play goes on; one that is being offered does not begin.
    """
    hosted = tx.hosting.get(bot)
    chosen = None if hosted is None else hosted.version
    waiting = [match for match in _pending(tx, bot) if is_isolated(match)]
    played = tx.open_matches.versions_played({match.group for match in waiting})
    # Where none is chosen, nothing may play these any more, begun or not: only programs of the arena do.
    given_up = [
        match for match in waiting if chosen is None or played.get(match.group, {}).get(bot, chosen) != chosen
    ]
    for match in given_up:
        result = never_began(match, {bot: _BARRED})
        tx.record_result(MatchReport(match.id, result, None, ""), now_us=now_us)
    return len(given_up)


def _pending(tx: Transaction, bot: str) -> Iterator[MatchRow]:
    before = None
    while page := tx.matches.page(MatchFilter(bot=bot, state=MatchState.PENDING), before=before, limit=_PAGE):
        yield from page
        before = page[-1].id
