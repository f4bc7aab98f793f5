"""The clock rules of a match. Milliseconds where people meet them, integer nanoseconds inside."""

from dataclasses import dataclass, fields
from typing import Final

from arena.core.errors import invalid_field
from arena.core.units import NS_PER_MS


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The clock rules, the same for every seat; times in milliseconds. The field meanings: time_control.proto."""

    per_decision_ms: int = 1_000
    bank_ms: int = 10_000
    increment_ms: int = 50
    grace_ms: int = 0
    strikes: int = 2
    absence_ms: int = 30_000
    hold_ms: int = 5_000
    seat_limit_ms: int = 30 * 60_000
    secret_pad_ms: int = 0

    def __post_init__(self) -> None:
        """Raise InvalidArgumentError (FIELD_INVALID) for a value out of range."""
        for field in fields(self):
            low, high = RANGES[field.name]
            value = getattr(self, field.name)
            if not low <= value <= high:
                name = f"time_control.{field.name}"
                raise invalid_field(name, f"{name} is {value}, but must be from {low} to {high}.")

    @property
    def per_decision_ns(self) -> int:
        """Free time for every decision."""
        return self.per_decision_ms * NS_PER_MS

    @property
    def bank_ns(self) -> int:
        """The bank at the start."""
        return self.bank_ms * NS_PER_MS

    @property
    def increment_ns(self) -> int:
        """Added to the bank after a decision answered in time."""
        return self.increment_ms * NS_PER_MS

    @property
    def grace_ns(self) -> int:
        """How far past an empty bank an answer still counts as in time."""
        return self.grace_ms * NS_PER_MS

    @property
    def absence_ns(self) -> int:
        """How long a seat may be away with a decision open."""
        return self.absence_ms * NS_PER_MS

    @property
    def hold_ns(self) -> int:
        """How long a decision may be held back."""
        return self.hold_ms * NS_PER_MS

    @property
    def seat_limit_ns(self) -> int:
        """All thinking time of a seat together."""
        return self.seat_limit_ms * NS_PER_MS


RANGES: Final[dict[str, tuple[int, int]]] = {
    "per_decision_ms": (1, 3_600_000),
    "bank_ms": (0, 86_400_000),
    "increment_ms": (0, 3_600_000),
    "grace_ms": (0, 10_000),
    "strikes": (0, 1_000),
    "absence_ms": (0, 3_600_000),
    "hold_ms": (0, 60_000),
    "seat_limit_ms": (1_000, 86_400_000),
    "secret_pad_ms": (0, 10_000),
}
"""Lowest and highest allowed value of each field, in its own unit."""

CHALLENGE_CLOCK: Final[dict[str, int]] = {
    "per_decision_ms": 60_000,
    "bank_ms": 600_000,
    "increment_ms": 10_000,
    "strikes": 10,
    "absence_ms": 60_000,
    "hold_ms": 10_000,
    "seat_limit_ms": 1_800_000,
}
"""The highest clock values of an owner's challenge, since it uses bots of others."""
