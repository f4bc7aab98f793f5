"""The calls that go on for a while, by the token that makes them: they end when it does.

A call is entered before its token is looked at. So there is no moment between the look and the entry in which a token
could be revoked unnoticed.
"""

from __future__ import annotations

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
class _OfToken:
    """The calls of one token."""

    ends: list[End] = field(default_factory=list)
    alarm: Handle | None = None
    """Rings when the token expires."""


class OpenCalls:
    """All calls that go on for a while. Everything happens on one event loop."""

    def __init__(self, timers: Timers, now_us: Callable[[], int]) -> None:
        """`now_us`: microseconds since 1970 UTC, which is what tokens expire by."""
        self._timers = timers
        self._now_us = now_us
        self._tokens: dict[str, _OfToken] = {}

    @contextmanager
    def entered(self, token: str, end: End) -> Iterator[None]:
        """Within this, `end` is called when the token of this id opens nothing any more."""
        held = self._tokens.setdefault(token, _OfToken())
        held.ends.append(end)
        try:
            yield
        finally:
            held.ends.remove(end)
            if not held.ends:
                if held.alarm is not None:
                    held.alarm.cancel()
                del self._tokens[token]

    def note_expiry(self, token: str, expires_us: int) -> None:
        """The token turned out to end by itself then, in microseconds since 1970 UTC: so do its calls."""
        held = self._tokens.get(token)
        if held is not None and held.alarm is None:
            left_us = max(0, expires_us - self._now_us())
            when = self._timers.now() + left_us * NS_PER_US
            held.alarm = self._timers.call_at(when, lambda: self._expired(token, expires_us))

    def end(self, tokens: Iterable[str], why: ArenaError) -> None:
        """The calls of these tokens end with this error."""
        for token in tokens:
            held = self._tokens.get(token)
            for end in [] if held is None else list(held.ends):
                end(why)

    def _expired(self, token: str, expires_us: int) -> None:
        held = self._tokens.get(token)
        if held is None:
            return
        held.alarm = None
        if self._now_us() < expires_us:
            self.note_expiry(token, expires_us)  # the time of day was set back meanwhile
        else:
            self.end((token,), EXPIRED)


def _over(why: str) -> UnauthenticatedError:
    return UnauthenticatedError(ErrorReason.TOKEN_INVALID, why)


REVOKED: Final = _over("The token was revoked. Ask its owner for a new one.")
EXPIRED: Final = _over("The token has expired. Ask its owner for a new one.")
SHUT_OUT: Final = _over("The token's user is shut out of this arena. Ask its organiser.")
LOWERED: Final = _over("The token's user may no longer do what it is for. Ask the arena's organiser.")
