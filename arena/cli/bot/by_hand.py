"""`arena bot play`: a person plays as a bot of theirs, with the program of `arena play GAME me ...`."""

import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from arena.cli import sample_bots
from arena.cli.bot import supervisor
from arena.cli.framework.processes import TERMINAL, Child, stop_all
from arena.cli.framework.signals import interruptible

LEAVE_SECONDS: Final = 24 * 3600.0
"""How long a person may play their match to its end after the first Ctrl-C."""

_PLAYER: Final = (sys.executable, "-m", "arena.human")
_POLL_SECONDS: Final = 0.1


def play_by_hand(
    bot: str,
    environment: Mapping[str, str],
    report: Callable[[str], None],
    *,
    hint: str | None,
    browser: bool,
) -> int:
    """Play as the bot until the arena says goodbye or a signal comes; return the exit code, 0 after a signal.

    After a first signal the person plays the running match to its end, and no new one. A second ends the program.
    """
    command = [*_PLAYER, *(["--hint", hint] if hint else []), *(["--browser"] if browser else [])]
    settings = {**environment, "PYTHONPATH": str(sample_bots.checkout())}  # for hints
    with interruptible() as signals:
        signals.ignore()  # the loop looks at `arrived()`
        report(_how_to_begin(bot, browser=browser))
        child = Child(bot, command, environment=settings, streams=TERMINAL)
        try:
            while (code := child.code()) is None:
                if (number := signals.arrived()) is None:
                    time.sleep(_POLL_SECONDS)
                    continue
                report(
                    "No new matches. Play a running one to its end, or press Ctrl-C again to leave it at once."
                )
                patience = LEAVE_SECONDS if number == signal.SIGINT else supervisor.LEAVE_SECONDS
                stop_all([child], number, within=patience, hurry=signals.again)
                return 0
            return 0 if signals.arrived() else code  # Ctrl-C on a terminal reaches the program, too
        finally:
            child.kill()


_CLOCK: Final = ("per_decision_ms=60000", "seat_limit_ms=1800000", "absence_ms=60000", "strikes=10")
"""A clock for people, within the limits of an owner's challenge (docs/tournaments.md)."""


def _how_to_begin(bot: str, *, browser: bool) -> str:
    """Return what a person reads while no match has begun."""
    where = "on the page below" if browser else "here"
    clock = " ".join(f"--clock {each}" for each in _CLOCK)
    return (
        f"You play as {bot} {where}, as soon as a match begins.\n"
        "Ctrl-C takes no new matches. To begin one, enter in another terminal, with the\n"
        f"name of an opponent:\n  arena challenge {bot} OPPONENT {clock}"
    )
