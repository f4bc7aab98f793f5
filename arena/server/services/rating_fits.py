"""Ratings fitted to a ladder's whole history: one fit at a time, in a thread, kept until outdated."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import Refit, refit
from arena.server.services.standings import check_rated
from arena.store.database import Database
from arena.store.store import Transaction
from arena.v1 import ladder_pb2 as pb
from arena.wire.fields import same
from arena.wire.resource_names import version_name

MATCHES_FITTED: Final = 200_000
"""Of a longer history the newest matches are fitted: ten seconds of one core."""

VERSIONS_FITTED: Final = 1_000
"""Of more versions the last to play are fitted: time grows with their cube, memory with their square."""

_KEPT: Final = 16
"""How many ladders' fits are kept."""


class RatingFits:
    """The fits of all ladders."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._one_at_a_time = asyncio.Lock()
        self._newest: dict[str, tuple[int, asyncio.Task[Refit]]] = {}

    async def of(self, ladder: str) -> Refit:
        """Return the fit of the ladder's present history, or the one that is being made.

        Callers share it: one fit of a ladder is made at a time, however many matches end meanwhile.

        Raises NotFoundError (LADDER_NOT_FOUND), FailedPreconditionError (LADDER_UNRATED, TOO_FEW_MATCHES).
        """

        def newest_seq(tx: Transaction) -> int:
            check_rated(tx.ladders.get(ladder))
            return tx.ledger.newest_seq(ladder)

        seq = await self._database.read(newest_seq)
        kept = self._newest.get(ladder)
        if kept is None or _failed(kept[1]) or (kept[1].done() and kept[0] != seq):
            kept = self._newest[ladder] = (seq, asyncio.create_task(self._fit(ladder)))
            if len(self._newest) > _KEPT:
                self._newest.pop(next(iter(self._newest)))
        # A caller who leaves does not take the fit away from the others.
        fitted = await asyncio.shield(kept[1])
        if not fitted.matches:
            raise FailedPreconditionError(
                ErrorReason.TOO_FEW_MATCHES,
                f"The ladder {ladder} has no complete match group that counts, and ratings are fitted to those; "
                "let more matches be played.",
                ladder=ladder,
            )
        return fitted

    async def _fit(self, ladder: str) -> Refit:
        def read(tx: Transaction) -> tuple[tuple[FinishedMatch, ...], dict[str, int]]:
            matches = bounded(tx.ledger.rated_matches(ladder), MATCHES_FITTED, VERSIONS_FITTED)
            return tuple(matches), tx.anchors.of(ladder)

        async with self._one_at_a_time:
            history, fixed = await self._database.read(read)
            players = {player for match in history for player in match.bots}
            anchors = {player: fixed[bot] for player in players if (bot := player.partition("/")[0]) in fixed}
            return await asyncio.to_thread(refit, history, anchors=anchors)


def bounded(history: Iterable[FinishedMatch], matches: int, players: int) -> Iterator[FinishedMatch]:
    """Yield the first matches, up to so many matches and players."""
    seen: set[str] = set()
    for number, match in enumerate(history):
        seen.update(match.bots)
        if number == matches or len(seen) > players:
            return
        yield match


def refit_message(fitted: Refit) -> pb.RefitRatingsResponse:
    """Return the fit as a message."""
    following = [line.player for line in fitted.ratings[1:]]
    return pb.RefitRatingsResponse(
        ratings=[
            pb.FittedRating(
                bot_version=version_name(*line.player.split("/", 1)),
                **same(line, "rating_milli", "low_milli", "high_milli", "matches", "anchor"),
                superiority_ppm=round(1_000_000 * fitted.superiority(line.player, player)) if player else 0,
            )
            for line, player in zip(fitted.ratings, (*following, ""), strict=True)
        ],
        seat_advantages=[
            pb.SeatAdvantage(**same(seats, "seats", "advantage_milli", "uncertainty_milli", "matches"))
            for seats in fitted.seat_advantages
        ],
        matches=fitted.matches,
    )


def _failed(fit: asyncio.Task[Refit]) -> bool:
    return fit.done() and (fit.cancelled() or fit.exception() is not None)
