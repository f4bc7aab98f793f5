"""Who is placed where when seats have forfeited."""

from __future__ import annotations

from collections.abc import Sequence


def placings(engine_placings: Sequence[int], standing: Sequence[bool]) -> tuple[int, ...]:
    """Standing seats keep the engine's order among themselves; forfeited ones share the last placing.

    1 is best, ties share the better placing; both arguments and the result are by seat.
    """
    ahead_of_forfeited = sum(standing)
    return tuple(
        1
        + sum(1 for other, up in enumerate(standing) if up and engine_placings[other] < engine_placings[seat])
        if stands
        else 1 + ahead_of_forfeited
        for seat, stands in enumerate(standing)
    )
