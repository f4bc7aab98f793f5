"""What the options of all games have in common: who refuses a number of seats or an unknown name says it alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.game import InvalidOptionsError


def check_seats(title: str, seats: int, allowed: range) -> None:
    """Raises InvalidOptionsError unless so many can play the game of that title."""
    if seats not in allowed:
        raise InvalidOptionsError(f"{title} is for {allowed[0]} to {allowed[-1]} seats, not {seats}.")


def check_names(title: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raises InvalidOptionsError if a name is none of the game's options."""
    for name in names:
        if name not in known:
            listed = "its options are" if len(known) > 1 else "its only option is"
            raise InvalidOptionsError(f'{title} has no option "{name[:80]}": {listed} {", ".join(known)}.')
