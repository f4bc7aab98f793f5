"""Ladders and their standings as messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.codecs.messages import time_control_message
from arena.core.match import MatchState
from arena.scheduling.queue import QueuePlace
from arena.server.resources import bot_name, ladder_name
from arena.server.services.catalogue import Catalogue
from arena.server.services.timestamps import timestamp
from arena.store.entries import EntryPlace, EntryRow
from arena.store.ladders import LadderRow, LadderState, SecretRow
from arena.store.store import Transaction
from arena.v1 import ladder_pb2

SECRETS_SHOWN: Final = 30

_MILLI: Final = 1_000
_UINT32_MAX: Final = 2**32 - 1


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder with what is counted of it."""

    row: LadderRow
    entries: int
    running_matches: int
    secrets: tuple[SecretRow, ...]


def read_ladder(tx: Transaction, row: LadderRow) -> LadderView:
    """The ladder at this moment."""
    return LadderView(
        row=row,
        entries=tx.entries.count_active(row.id),
        running_matches=tx.ladders.count_matches(row.id, MatchState.RUNNING),
        secrets=tx.ladders.secrets(row.id, SECRETS_SHOWN),
    )


def ladder_message(view: LadderView, catalogue: Catalogue, waiting_for: str) -> ladder_pb2.Ladder:
    """The ladder as a message; secrets that are not revealed are left out."""
    row = view.row
    options = [catalogue.options_message(row.game, seats, row.options[seats]) for seats in row.seat_counts]
    return ladder_pb2.Ladder(
        name=ladder_name(row.id),
        game=row.game,
        rules_version=row.rules_version,
        options=[option for option in options if option is not None],
        seat_counts=row.seat_counts,
        time_control=time_control_message(row.time_control),
        same_owner=row.same_owner,
        state=ladder_pb2.Ladder.State.ValueType(row.state.value),
        remaining_matches=row.remaining_matches or 0,
        finished_matches=row.finished_matches,
        running_matches=view.running_matches,
        entries=view.entries,
        create_time=timestamp(row.created_us),
        waiting_for=waiting_for if row.state is LadderState.RUNNING else "",
        secrets=[_commitment_message(secret) for secret in view.secrets],
    )


def _commitment_message(secret: SecretRow) -> ladder_pb2.SecretCommitment:
    return ladder_pb2.SecretCommitment(
        commitment=secret.commitment,
        secret=b"" if secret.revealed_us is None else secret.secret,
        day=secret.day,
    )


def queue_message(place: QueuePlace) -> ladder_pb2.ListQueueResponse.QueuePlace:
    """A bot's place as a message."""
    return ladder_pb2.ListQueueResponse.QueuePlace(
        bot=bot_name(place.bot),
        position=place.position,
        waited_groups=place.waited,
        wait_bound_groups=place.wait_bound,
        open_matches=place.open_matches,
        free_matches=place.free_matches,
        matches_last_hour=place.matches_last_hour,
        waiting_for=place.waiting_for,
    )


def read_standings(
    tx: Transaction, ladder: str, entries: tuple[EntryRow, ...]
) -> tuple[ladder_pb2.Standing, ...]:
    """Lines of the standings that follow each other, as messages."""
    if not entries:
        return ()
    bots = [entry.bot for entry in entries]
    languages = {bot: rows[0].language for bot, rows in tx.bots.newest_versions(bots, 1).items()}
    pending = tx.tallies.in_open_groups(ladder, bots)
    ranks = _ranks(tx, ladder, entries)
    return tuple(
        _standing_message(entry, ranks[entry.bot], languages.get(entry.bot, ""), pending.get(entry.bot, 0))
        for entry in entries
    )


def _ranks(tx: Transaction, ladder: str, entries: tuple[EntryRow, ...]) -> Mapping[str, int]:
    """The rank of each bot: one more than the lines with a better rating, so that equal ratings share it."""
    first = entries[0]
    before = tx.entries.count_before(ladder, EntryPlace(first.rating_milli, first.bot))
    rank = tx.entries.count_before(ladder, EntryPlace(first.rating_milli, "")) + 1
    ranks: dict[str, int] = {}
    rating = first.rating_milli
    for place, entry in enumerate(entries, start=before + 1):
        if entry.rating_milli != rating:
            rank, rating = place, entry.rating_milli
        ranks[entry.bot] = rank
    return ranks


def _standing_message(entry: EntryRow, rank: int, language: str, pending: int) -> ladder_pb2.Standing:
    return ladder_pb2.Standing(
        rank=rank,
        bot=bot_name(entry.bot),
        rating_milli=entry.rating_milli,
        uncertainty_milli=entry.rating.uncertainty_milli,
        matches=entry.matches,
        mean_placing_milli=_mean(entry.placing_sum * _MILLI, entry.matches),
        forfeits=entry.forfeits,
        decisions=entry.decisions,
        mean_think_us=_mean(entry.used_us, entry.decisions),
        max_think_us=min(entry.longest_us, _UINT32_MAX),
        language=language,
        pending_matches=pending,
    )


def _mean(total: int, count: int) -> int:
    """Rounded to the nearest integer; 0 of nothing."""
    return min((total + count // 2) // count, _UINT32_MAX) if count else 0
