"""Ladders, their queues and rating histories as messages."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from arena.codecs.shared_messages import time_control_message
from arena.core.match import MatchState
from arena.core.rating.history import RatingPoint
from arena.scheduling.isolation import ladder_policy, takes_isolated
from arena.scheduling.queue_report import QueuePlace
from arena.store.ladders.ladders import LadderRow, LadderState, SecretRow
from arena.store.store import Transaction
from arena.v1 import bot_pb2, ladder_pb2, match_pb2
from arena.wire.fields import same, timestamp
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import bot_name, group_name, ladder_name, match_name, version_name

SECRETS_SHOWN: Final = 30


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder with its counts."""

    row: LadderRow
    entries: int
    running_matches: int
    secrets: tuple[SecretRow, ...]


def read_ladder(tx: Transaction, row: LadderRow) -> LadderView:
    """Read the ladder's counts."""
    return LadderView(
        row=row,
        entries=tx.entries.count_active(row.id),
        running_matches=tx.ladders.count_matches(row.id, MatchState.RUNNING),
        secrets=tx.ladders.secrets(row.id, SECRETS_SHOWN),
    )


def ladder_message(view: LadderView, catalogue: GameCatalogue, waiting_for: str) -> ladder_pb2.Ladder:
    """Return the ladder as a message; secrets that are not revealed are left out."""
    row = view.row
    options = [catalogue.options_message(row.game, seats, row.options[seats]) for seats in row.seat_counts]
    return ladder_pb2.Ladder(
        name=ladder_name(row.id),
        **same(row, "game", "rules_version", "seat_counts", "same_owner", "finished_matches"),
        **same(row, "title", "hidden", "archived", "season", "frozen", "revealing"),
        options=[option for option in options if option is not None],
        time_control=time_control_message(row.time_control),
        state=ladder_pb2.Ladder.State.ValueType(row.state.value),
        remaining_matches=row.remaining_matches or 0,
        **same(view, "running_matches", "entries"),
        create_time=timestamp(row.created_us),
        deadline=timestamp(row.deadline_us),
        freeze_time=timestamp(row.freeze_us),
        waiting_for=waiting_for if row.state is LadderState.RUNNING else "",
        secrets=[_commitment_message(secret) for secret in view.secrets],
        seed_policy=match_pb2.SeedPolicy.ValueType(ladder_policy(row).value),
        hosted_only=takes_isolated(row),
    )


def _commitment_message(secret: SecretRow) -> ladder_pb2.SecretCommitment:
    return ladder_pb2.SecretCommitment(
        secret=b"" if secret.revealed_us is None else secret.secret, **same(secret, "commitment", "day")
    )


def queue_messages(
    places: Sequence[QueuePlace], shown: Collection[str] | None
) -> list[ladder_pb2.ListQueueResponse.QueuePlace]:
    """Return the places as messages.

    `shown`: the bots whose places are shown; None: all. A place changes as soon as a match is made for its bot, so the
    others come last, by name, with only the number of their finished matches.
    """
    hidden = set() if shown is None else {place.bot for place in places} - set(shown)
    ordered = sorted(places, key=lambda place: place.bot if place.bot in hidden else "")
    return [_place_message(place, whole=place.bot not in hidden) for place in ordered]


def _place_message(place: QueuePlace, *, whole: bool) -> ladder_pb2.ListQueueResponse.QueuePlace:
    message = ladder_pb2.ListQueueResponse.QueuePlace(
        bot=bot_name(place.bot), matches_last_hour=place.matches_last_hour
    )
    if whole:
        message.position = place.position
        message.waited_groups, message.wait_bound_groups = place.waited, place.wait_bound
        message.open_matches, message.free_matches = place.open_matches, place.free_matches
        if place.unavailability is not None:
            message.waiting_for = place.unavailability.sentence
            message.unavailable_reason = bot_pb2.UnavailableReason.ValueType(
                place.unavailability.reason.value
            )
    return message


def rating_points(bot: str, points: Sequence[RatingPoint]) -> list[ladder_pb2.RatingPoint]:
    """Return the points of a bot as messages."""
    return [
        ladder_pb2.RatingPoint(
            **same(point, "rating_milli", "uncertainty_milli", "matches", "taken_back"),
            **same(point, "closed_season", "anchored", "released"),
            bot_version=version_name(bot, point.version) if point.version else "",
            time=timestamp(point.at_us),
            group="" if point.group is None else group_name(point.group),
            match="" if point.match is None else match_name(point.match),
        )
        for point in points
    ]
