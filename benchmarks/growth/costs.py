"""What single things cost in an arena with a long history: processor time, of the store and what it answers."""

import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.match import MatchResult, MatchState, SeatResult, SeedPolicy
from arena.core.match_record import MatchTerms
from arena.core.rating.refit import refit
from arena.server.services.paging import Pages
from arena.server.services.rating_fits import MATCHES_FITTED, VERSIONS_FITTED, bounded
from arena.server.services.standings import rated_page
from arena.store.ladders.recompute import recompute
from arena.store.matches.groups import NewGroup
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.results import MatchReport
from arena.store.store import Store, Transaction
from arena.v1 import ladder_pb2
from benchmarks.growth.history import DAY, GAME, LADDER, SEATS, VERSION, bot_names

_TIMES: Final = 50
_MS: Final = 1e3
_SEED: Final = bytes(32)
_RESULT: Final = MatchResult(
    state=MatchState.FINISHED,
    ending="OVER",
    plies=180,
    seats=tuple(
        SeatResult(
            placing=placing,
            score=50,
            ending=SeatEnding(Termination.NORMAL, Fault.NONE, (), "Played to the end."),
            decisions=90,
            used_ns=10**9,
            longest_ns=10**8,
            strikes=0,
        )
        for placing in (1, 2)
    ),
    duration_ns=10**10,
    void_reason="",
    digest=b"",
)


def match_ms(store: Store, bots: int) -> float:
    """Return the time of a rated match from its pairing to its rating, as it is stored: half of a group of two."""
    names = bot_names(bots)
    return median(
        _cpu_ms(partial(_play, store, (names[place % bots], names[(place + 1) % bots]))) / SEATS
        for place in range(_TIMES)
    )


def standings_ms(store: Store) -> float:
    """Return the time of the first page of the standings, as a message."""
    pages = Pages(_SEED)
    wanted = pages.read(ladder_pb2.ListStandingsRequest())
    return median(
        _cpu_ms(lambda: store.read(lambda tx: rated_page(tx, tx.ladders.get(LADDER), pages, wanted)))
        for _ in range(_TIMES)
    )


def recompute_s(store: Store) -> float:
    """Return all ratings, from the ledger. Raises ValueError if one is not what is stored."""
    began = time.process_time()
    found = store.read(lambda tx: recompute(tx, LADDER))
    if not found.identical:
        raise ValueError("the ratings recomputed are not those that are stored")
    return time.process_time() - began


def refit_s(store: Store) -> float:
    """Return all ratings, fitted to the history as far as an arena reads it."""

    def question(tx: Transaction) -> None:
        refit(tuple(bounded(tx.ledger.rated_matches(LADDER), MATCHES_FITTED, VERSIONS_FITTED)))

    began = time.process_time()
    store.read(question)
    return time.process_time() - began


def _play(store: Store, bots: tuple[str, str]) -> None:
    terms = MatchTerms(GAME, 1, {}, TimeControl(), rated=True, ladder=LADDER)
    new = NewGroup(LADDER, DAY, bots, SeedPolicy.DERIVED, terms)

    def plan(_group: int) -> tuple[PlannedMatch, ...]:
        return (PlannedMatch(bots, 0, _SEED), PlannedMatch(bots[::-1], 1, _SEED))

    _, matches = store.write(lambda tx: tx.groups.create(new, plan, 1))
    for match in matches:
        _finish(store, match)


def _finish(store: Store, match: int) -> None:
    store.write(lambda tx: tx.matches.start(match, [VERSION] * SEATS, 1))
    store.write(lambda tx: tx.record_result(MatchReport(match, _RESULT, _SEED, "ab" * 32), now_us=2))


def _cpu_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * _MS
