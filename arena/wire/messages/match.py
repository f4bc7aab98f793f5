"""Matches as messages, without what is still secret."""

from collections.abc import Collection
from typing import Final

from arena.codecs.shared_messages import seat_ending_message, time_control_message
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord, SeatRecord
from arena.core.solo.boards import solo_level
from arena.core.units import US_PER_MS
from arena.v1 import match_pb2
from arena.wire.fields import same, timestamp
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import (
    bot_name,
    group_name,
    ladder_name,
    match_name,
    tournament_name,
    version_name,
)


def match_message(
    match: MatchRecord, catalogue: GameCatalogue, *, own_bots: Collection[str] | None = None
) -> match_pb2.Match:
    """Return the match as a message, without seed and log while they are sealed.

    `own_bots`: those of the reader; None: the reader may see everything. For others a match that has not begun has no
    group and no bots, so that no bot chooses its matches by them.
    """
    message = _whole_message(match, catalogue)
    if own_bots is not None and match.state is MatchState.PENDING:
        for field in _OF_GROUP:
            message.ClearField(field)
        for seat in message.seats:
            if seat.bot.removeprefix("bots/") not in own_bots:
                seat.Clear()
    return message


_OF_GROUP: Final = ("group", "group_index", "attempt", "seed_commitment", "seed_group_index", "seed_attempt")


def _whole_message(match: MatchRecord, catalogue: GameCatalogue) -> match_pb2.Match:
    return match_pb2.Match(
        name=match_name(match.id),
        ladder="" if match.terms.ladder is None else ladder_name(match.terms.ladder),
        tournament="" if match.terms.tournament is None else tournament_name(match.terms.tournament),
        group=group_name(match.group),
        group_index=match.slot,
        attempt=match.voids,
        **same(match.terms, "game", "rules_version", "rated"),
        **same(match, *_PUBLIC),
        options=catalogue.options_message(match.terms.game, len(match.seats), match.terms.options),
        time_control=time_control_message(match.terms.time_control),
        state=match_pb2.MatchState.ValueType(match.state.value),
        seats=[_seat_message(seat, _level(match, catalogue)) for seat in match.seats],
        seed=b"" if match.sealed or match.seed is None else match.seed,
        log="" if match.sealed else match.log,
        create_time=timestamp(match.created_us),
        start_time=timestamp(match.started_us),
        end_time=timestamp(match.ended_us),
        replayed_as="" if match.replayed_as is None else match_name(match.replayed_as),
        replay_of="" if match.replay_of is None else match_name(match.replay_of),
    )


_PUBLIC: Final = (
    *("seed_group_index", "seed_attempt", "seed_commitment"),
    *("ending", "plies", "void_reason", "left_to_organiser"),
)
"""The fields that are the same in record and message, and never secret."""


def _level(match: MatchRecord, catalogue: GameCatalogue) -> str:
    """Return the level that the only seat of a match has reached; empty if there is none."""
    game = catalogue.known(match.terms.game)
    return "" if game is None else solo_level(game, match.ending, match.seats)


def _seat_message(seat: SeatRecord, level: str) -> match_pb2.MatchSeat:
    return match_pb2.MatchSeat(
        bot=bot_name(seat.bot),
        bot_version="" if not seat.version else version_name(seat.bot, seat.version),
        **same(seat, "placing", "score", "decisions", "strikes"),
        ending=None if seat.ending is None else seat_ending_message(seat.ending),
        used_ms=seat.used_us // US_PER_MS,
        level=level,
    )
