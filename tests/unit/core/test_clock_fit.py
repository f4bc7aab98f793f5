"""A clock whose limits cannot hold together is refused, and one that may be too short for a long match is named."""

import pytest

from arena.core.clock.clock_fit import check_clock_fits, clock_warnings
from arena.core.clock.time_control import TimeControl
from arena.core.errors import InvalidArgumentError
from engine.game import Game
from engine.registry import GAMES

CARAVAN = GAMES["caravan"]


def warnings(
    game: Game, seats: int = 2, *, values: dict[str, str] | None = None, **clock: int
) -> tuple[str, ...]:
    return clock_warnings(TimeControl(**clock), game, {seats: game.options(seats, values or {})})


def test_a_seat_limit_shorter_than_one_decision_is_refused() -> None:
    check_clock_fits(TimeControl(per_decision_ms=5_000, seat_limit_ms=5_000))
    with pytest.raises(InvalidArgumentError) as refused:
        check_clock_fits(TimeControl(per_decision_ms=5_001, seat_limit_ms=5_000))
    assert refused.value.metadata["field"] == "time_control.seat_limit_ms"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_usual_clock_lasts_for_a_long_match_of_every_game(game: Game) -> None:
    options = {n: game.options(n, {}) for n in range(game.spec.min_seats, game.spec.max_seats + 1)}
    assert clock_warnings(TimeControl(), game, options) == ()


def test_the_warning_begins_where_a_long_match_no_longer_fits() -> None:
    long = CARAVAN.long_match(2, CARAVAN.options(2, {}))
    assert warnings(CARAVAN, per_decision_ms=30_000, seat_limit_ms=30_000 * long) == ()
    [warning] = warnings(CARAVAN, per_decision_ms=30_000, seat_limit_ms=30_000 * long - 1)
    assert f"seat_limit_ms={30_000 * long}" in warning


def test_a_seat_limit_that_would_be_too_high_is_not_proposed() -> None:
    [warning] = warnings(CARAVAN, per_decision_ms=3_600_000, seat_limit_ms=86_400_000)
    assert "seat_limit_ms=" not in warning
    assert "per_decision_ms=480000 or less" in warning


def test_a_match_that_an_option_keeps_short_needs_less() -> None:
    assert warnings(CARAVAN, per_decision_ms=30_000)
    assert not warnings(CARAVAN, values={"turn_limit": "10"}, per_decision_ms=30_000)
