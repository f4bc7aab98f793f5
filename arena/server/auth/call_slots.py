"""Limits on calls that hold memory while they run."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.server.errors import RETRY_AFTER


class CallSlots:
    """The running calls of one kind."""

    def __init__(self, what: str, most: int, most_of_one: int) -> None:
        """Start without calls. `what`: the calls, in the plural; `most`: of all users; `most_of_one`: of one user."""
        self._what = what
        self._most = most
        self._most_of_one = most_of_one
        self._of: Counter[str] = Counter()

    @contextmanager
    def taken(self, user: str) -> Iterator[None]:
        """Count one more call of the user inside. Raises ResourceExhaustedError (RATE_LIMITED) at the limit."""
        if self._of.total() >= self._most or self._of[user] >= self._most_of_one:
            raise ResourceExhaustedError(
                ErrorReason.RATE_LIMITED,
                f"{self._of[user]} {self._what} of this user are under way and {self._of.total()} of all; there may be "
                f"{self._most_of_one} and {self._most}. Wait for one to end.",
                **{RETRY_AFTER: "5"},
            )
        self._of[user] += 1
        try:
            yield
        finally:
            self._of[user] -= 1
            if not self._of[user]:
                del self._of[user]
