"""What a new ladder is, from the request for it."""

from arena.codecs.shared_messages import time_control_of
from arena.core.clock.clock_fit import check_clock_fits
from arena.core.clock.time_control import TimeControl
from arena.core.errors import invalid_field
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import check_seed_policy
from arena.store.ladders.ladders import LadderRow
from arena.v1 import ladder_pb2 as pb
from arena.v1 import match_pb2
from arena.wire.fields import enum_of
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import check_id
from engine.game import GameSpec

_SOLO = 1
_FEWEST_RATED = 2
"""One seat gives no rating."""


def new_ladder(request: pb.CreateLadderRequest, catalogue: GameCatalogue, now_us: int) -> LadderRow:
    """Return the requested ladder, paused, with all options filled in.

    Raises NotFoundError (GAME_NOT_FOUND), InvalidArgumentError (FIELD_INVALID), InvalidOptionsError,
    FailedPreconditionError (SHARED_SEED_REFUSED).
    """
    ladder = check_id("ladder_id", request.ladder_id, event=True)
    game = catalogue.game(request.game)
    seat_counts = _seat_counts(request, game.spec)
    values = dict(request.options)
    control = time_control_of(request.time_control) if request.HasField("time_control") else TimeControl()
    check_clock_fits(control)
    return LadderRow(
        id=ladder,
        game=game.spec.id,
        rules_version=game.spec.rules_version,
        seat_counts=seat_counts,
        options={seats: game.option_values(game.options(seats, values)) for seats in seat_counts},
        time_control=control,
        same_owner=not request.forbid_same_owner,
        created_us=now_us,
        seed_policy=asked_seed_policy(request.seed_policy, game.spec, board=seat_counts == (_SOLO,)),
    )


def asked_seed_policy(
    asked: match_pb2.SeedPolicy.ValueType, spec: GameSpec, *, board: bool = False
) -> SeedPolicy | None:
    """Return the requested seed policy; None if the arena is to choose.

    `board`: every bot plays a match of its own in a group. Then one bot could show another of its owner what is hidden,
    by its public result, even if both are isolated.

    Raises:
        InvalidArgumentError: FIELD_INVALID, no policy, or not one of match groups.
        FailedPreconditionError: SHARED_SEED_REFUSED, a board with hidden draws.
    """
    if asked == match_pb2.SEED_POLICY_UNSPECIFIED:
        return None
    policy = enum_of(SeedPolicy, "seed_policy", asked, "a SeedPolicy")
    check_seed_policy(policy, spec.chance, isolated=not board)
    return policy


def _seat_counts(request: pb.CreateLadderRequest, spec: GameSpec) -> tuple[int, ...]:
    """Return the seat counts, ascending, each once; either 1 alone, or others."""
    allowed = range(spec.min_seats, spec.max_seats + 1)
    for seats in request.seat_counts:
        if seats not in allowed:
            numbers = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else f"{allowed[0]}"
            raise invalid_field(
                "seat_counts", f"seat_counts has {seats}, but {spec.title} has {numbers} seats."
            )
    rated = [seats for seats in allowed if seats >= _FEWEST_RATED]
    counts = tuple(sorted(set(request.seat_counts or rated or [_SOLO])))
    if counts[0] == _SOLO and len(counts) > 1:
        raise invalid_field(
            "seat_counts",
            "seat_counts has 1 and others, but one seat is not rated: create a solo ladder beside the other.",
        )
    if counts == (_SOLO,) and request.forbid_same_owner:
        raise invalid_field(
            "forbid_same_owner", "On a solo ladder nobody meets anybody: leave forbid_same_owner out."
        )
    return counts
