"""From the request for a ladder to the ladder."""

from __future__ import annotations

from arena.codecs.shared_messages import time_control_of
from arena.core.clock.time_control import TimeControl
from arena.core.errors import invalid_field
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import check_seed_policy
from arena.store.ladders.ladders import LadderRow
from arena.v1 import ladder_pb2, match_pb2
from arena.wire.game_catalogue import GameCatalogue
from arena.wire.resource_names import check_id
from engine.game import GameSpec

_SOLO = 1
_FEWEST_RATED = 2
"""Nobody is rated for playing alone."""


def new_ladder(request: ladder_pb2.CreateLadderRequest, catalogue: GameCatalogue, now_us: int) -> LadderRow:
    """The ladder asked for, paused, all its options filled in.

    Raises:
        NotFoundError: GAME_NOT_FOUND.
        InvalidArgumentError: FIELD_INVALID, a name or a seat count that is not possible, or owners kept apart where
            nobody meets, or a seed policy that is not possible.
        InvalidOptionsError: an option that the game does not have, or not for one of the seat counts.
        FailedPreconditionError: SHARED_SEED_REFUSED.
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
        seed_policy=asked_seed_policy(request.seed_policy, game.spec, board=seat_counts == (_SOLO,)),
    )


def asked_seed_policy(
    asked: match_pb2.SeedPolicy.ValueType, spec: GameSpec, *, board: bool = False
) -> SeedPolicy | None:
    """The seed policy that is asked for; None if it is left to the arena.

    `board`: the bots play the matches of a group alone, one each. Then one of them could tell another one of its owner
    what is hidden, by the result that all can see, so that no program is fresh enough.

    Raises:
        InvalidArgumentError: FIELD_INVALID, no policy, or not one of match groups.
        FailedPreconditionError: SHARED_SEED_REFUSED, a board with hidden draws.
    """
    if asked == match_pb2.SEED_POLICY_UNSPECIFIED:
        return None
    try:
        policy = SeedPolicy(asked)
    except ValueError:
        raise invalid_field("seed_policy", f"seed_policy is {asked}, which is no SeedPolicy.") from None
    check_seed_policy(policy, spec.chance, isolated=not board)
    return policy


def _seat_counts(request: ladder_pb2.CreateLadderRequest, spec: GameSpec) -> tuple[int, ...]:
    """Ascending, each once; 1 alone, or others without it."""
    allowed = range(spec.min_seats, spec.max_seats + 1)
    for seats in request.seat_counts:
        if seats not in allowed:
            raise invalid_field(
                "seat_counts", f"seat_counts has {seats}, but {spec.title} has {_words(allowed)} seats."
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


def _words(allowed: range) -> str:
    return f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else f"{allowed[0]}"
