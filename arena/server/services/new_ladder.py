"""From the request for a ladder to the ladder."""

from __future__ import annotations

from arena.codecs.messages import time_control_of
from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.core.time_control import TimeControl
from arena.server.resources import check_id
from arena.server.services.catalogue import Catalogue
from arena.store.ladders import LadderRow
from arena.v1 import ladder_pb2
from engine.game import GameSpec

_FEWEST_SEATS = 2
"""Nobody is rated for playing alone."""


def new_ladder(request: ladder_pb2.CreateLadderRequest, catalogue: Catalogue, now_us: int) -> LadderRow:
    """The ladder asked for, paused, all its options filled in.

    Raises:
        NotFoundError: GAME_NOT_FOUND.
        InvalidArgumentError: FIELD_INVALID.
        InvalidOptionsError: an option that the game does not have, or not for one of the seat counts.
    """
    ladder = check_id("ladder_id", request.ladder_id)
    game = catalogue.game(request.game)
    seat_counts = _seat_counts(request, game.spec)
    values = dict(request.options)
    control = time_control_of(request.time_control) if request.HasField("time_control") else TimeControl()
    return LadderRow(
        id=ladder,
        game=game.spec.id,
        rules_version=game.spec.rules_version,
        seat_counts=seat_counts,
        options={seats: game.option_values(game.options(seats, values)) for seats in seat_counts},
        time_control=control,
        same_owner=not request.forbid_same_owner,
        created_us=now_us,
    )


def _seat_counts(request: ladder_pb2.CreateLadderRequest, spec: GameSpec) -> tuple[int, ...]:
    """Ascending, each once."""
    allowed = range(max(_FEWEST_SEATS, spec.min_seats), spec.max_seats + 1)
    for seats in request.seat_counts:
        if seats not in allowed:
            raise InvalidArgumentError(
                ErrorReason.FIELD_INVALID,
                f"seat_counts has {seats}, but {spec.title} is rated with {allowed[0]} to {allowed[-1]}.",
                field="seat_counts",
            )
    return tuple(sorted(set(request.seat_counts or allowed)))
