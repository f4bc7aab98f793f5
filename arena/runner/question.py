"""One decision as it is put to a player."""

from collections.abc import Sequence

from arena.runner.history import Happening
from engine.game import State


class Question:
    """One decision as it is put to a player. Times in milliseconds, rounded down. Immutable."""

    def __init__(  # noqa: PLR0913 - what a question holds
        self,
        decision: int,
        legal_actions: Sequence[int] | None,
        observation: object,
        happened: list[Happening],
        *,
        per_decision_ms: int,
        bank_ms: int,
        increment_ms: int,
        seat_time_left_ms: int | None = None,
        position: State | None = None,
        seat: int = 0,
    ) -> None:
        """`observation`: the game's own, for this seat. `happened`: since its last decision, or its last news.

        `position`: a copy that nobody changes, if `legal_actions` or `observation` is None because the player is not
        sent it. A bot that comes back may need it all the same; then it is made for `seat`.
        """
        self.decision = decision
        self.happened = happened
        self.per_decision_ms = per_decision_ms
        self.bank_ms = bank_ms
        self.increment_ms = increment_ms
        self.seat_time_left_ms = seat_time_left_ms
        """What is left of `seat_limit_ms`; None if unknown."""
        self._legal_actions = legal_actions
        self._observation = observation
        self._position = position
        self._seat = seat

    @property
    def legal_actions(self) -> Sequence[int]:
        """The legal actions, ascending."""
        if self._legal_actions is None:
            assert self._position is not None
            self._legal_actions = self._position.legal_actions()
        return self._legal_actions

    @property
    def observation(self) -> object:
        """What the seat sees of the position."""
        if self._observation is None and self._position is not None:
            self._observation = self._position.observe(self._seat)
        return self._observation
