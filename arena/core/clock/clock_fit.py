"""Whether the limits of a clock fit each other and the game, looked at when something is created with it."""

from collections.abc import Mapping

from arena.core.clock.time_control import RANGES, TimeControl
from arena.core.errors import invalid_field
from arena.core.units import MS_PER_S
from engine.game import Game


def check_clock_fits(control: TimeControl) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if the seat limit is shorter than one decision may take."""
    if control.seat_limit_ms >= control.per_decision_ms:
        return
    raise invalid_field(
        "time_control.seat_limit_ms",
        f"time_control.seat_limit_ms is {control.seat_limit_ms}, less than per_decision_ms {control.per_decision_ms}: "
        "one decision could use the thinking time of the whole match, and no later one would have free time. Raise "
        "seat_limit_ms, or lower per_decision_ms.",
    )


def clock_warnings(control: TimeControl, game: Game, options: Mapping[int, object]) -> tuple[str, ...]:
    """Return a sentence if a seat that uses its free time in full may run into the seat limit.

    `options`: the game's own, by the number of seats. The line is a long match by the game's own count, since the bound
    of its rules is far beyond what is played.
    """
    decisions, seats = max((game.long_match(seats, each), seats) for seats, each in options.items())
    fit = control.seat_limit_ms // control.per_decision_ms
    if fit >= decisions:
        return ()
    needed_ms = decisions * control.per_decision_ms
    most = game.max_plies(seats, options[seats])
    use = f"per_decision_ms={max(1, control.seat_limit_ms // decisions)} or less"
    if needed_ms <= RANGES["seat_limit_ms"][1]:
        use = f"seat_limit_ms={needed_ms}, or {use}"
    warning = (
        f"Clock: {decisions} decisions of {control.per_decision_ms} ms (per_decision_ms) are "
        f"{needed_ms / MS_PER_S:g} s, more than the {control.seat_limit_ms / MS_PER_S:g} s of seat_limit_ms. A seat of "
        f"{game.spec.title} with {seats} {'seat' if seats == 1 else 'seats'} has about {decisions} decisions in a long "
        f"match, and the rules allow {most}. A seat that uses its free time in full has none from decision {fit + 2} "
        f"on, only the bank. To avoid this, use {use}."
    )
    return (warning,)
