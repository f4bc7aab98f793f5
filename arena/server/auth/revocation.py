"""Open calls by token: they end when the token is revoked or expires.

A call is entered before its token is checked, so a token that is revoked in between ends it too.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from arena.core.errors import ArenaError, ErrorReason, UnauthenticatedError
from arena.core.units import NS_PER_US
from arena.runner.timers import Handle, Timers

End = Callable[[ArenaError], None]
"""Ends one call with this error, soon; may be called more than once."""


@dataclass(slots=True)
class _TokenCalls:
    """The calls of one token."""

    ends: list[End] = field(default_factory=list)
    expiry: Handle | None = None
    """Ends the calls when the token expires."""


class OpenCalls:
    """All long calls. Use it from one event loop."""

    def __init__(self, timers: Timers, now_us: Callable[[], int]) -> None:
        """`now_us`: microseconds since 1970 UTC, the clock that tokens expire by."""
        self._timers = timers
        self._now_us = now_us
        self._tokens: dict[str, _TokenCalls] = {}

    @contextmanager
    def entered(self, token: str, end: End) -> Iterator[None]:
        """Call `end` if the token of this id is revoked or expires inside."""
        held = self._tokens.setdefault(token, _TokenCalls())
        held.ends.append(end)
        try:
            yield
        finally:
            held.ends.remove(end)
            if not held.ends:
                if held.expiry is not None:
                    held.expiry.cancel()
                del self._tokens[token]

    def note_expiry(self, token: str, expires_us: int) -> None:
        """End the token's calls when it expires, in microseconds since 1970 UTC."""
        held = self._tokens.get(token)
        if held is not None and held.expiry is None:
            left_us = max(0, expires_us - self._now_us())
            when = self._timers.now() + left_us * NS_PER_US
            held.expiry = self._timers.call_at(when, lambda: self._expired(token, expires_us))

    def end(self, tokens: Iterable[str], why: ArenaError) -> None:
        """End the calls of these tokens with this error."""
        for token in tokens:
            held = self._tokens.get(token)
            for end in [] if held is None else list(held.ends):
                end(why)

    def _expired(self, token: str, expires_us: int) -> None:
        held = self._tokens.get(token)
        if held is None:
            return
        held.expiry = None
        if self._now_us() < expires_us:
            self.note_expiry(token, expires_us)  # the time of day was set back meanwhile
        else:
            self.end((token,), EXPIRED)


def _over(why: str) -> UnauthenticatedError:
    return UnauthenticatedError(ErrorReason.TOKEN_INVALID, why)


REVOKED: Final = _over("The token was revoked. Ask its owner for a new one.")
EXPIRED: Final = _over("The token has expired. Ask its owner for a new one.")
DISABLED: Final = _over("The token's user is disabled. Ask the arena's organiser.")
LOWERED: Final = _over("The token's user may no longer do what it is for. Ask the arena's organiser.")
