"""One decision as it is put to a player."""

from collections.abc import Sequence

from arena.runner.history import Happening


class Question:
    """One decision as it is put to a player. Times in milliseconds, rounded down. Immutable."""

    def __init__(  # noqa: PLR0913 - what a question holds
        self,
        decision: int,
        legal_actions: Sequence[int],
        observation: object,
        happened: list[Happening],
        *,
        per_decision_ms: int,
        bank_ms: int,
        increment_ms: int,
        seat_time_left_ms: int | None = None,
    ) -> None:
        """`observation`: the game's own, for this seat. `happened`: since its last decision, or its last news."""
        self.decision = decision
        self.legal_actions = legal_actions
        self.observation = observation
        self.happened = happened
        self.per_decision_ms = per_decision_ms
        self.bank_ms = bank_ms
        self.increment_ms = increment_ms
        self.seat_time_left_ms = seat_time_left_ms
        """What is left of `seat_limit_ms`; None if unknown."""
