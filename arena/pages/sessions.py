"""Sessions of people who are signed in: kept in memory of the pages alone, and found by a secret id.

The id is what a browser's cookie holds. Neither it nor the token can be read from what is kept for the other.
"""

import asyncio
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic
from typing import Final

from arena.v1 import token_pb2

ID_BYTES: Final = 32
"""Random bytes of a session's id, and of its CSRF token."""
IDLE_S: Final = 2 * 3600.0
"""A session without a request for so long ends."""
LONGEST_S: Final = 12 * 3600.0
"""A session ends after so long in any case."""
SESSIONS: Final = 1_000
"""Sessions at the same time; a further one ends the one that was used longest ago."""
SESSIONS_OF_ONE: Final = 20
"""Sessions of one user at the same time, likewise."""
REQUESTS_OF_ONE: Final = 8
"""Requests of one session at the same time."""

_LONGEST_ID: Final = 100


@dataclass(slots=True, eq=False)
class Session:
    """One person in one browser."""

    token: str = field(repr=False)
    """The person's token, in the clear; every call for this person is made with it."""
    about: token_pb2.Token
    """What the arena has told about the token when the person signed in."""
    csrf: str = field(repr=False)
    """What every form of this session sends back."""
    began: float
    used: float
    """Times of the clock that `Sessions` was given."""
    requests: int = 0
    """Requests that are answered now."""
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """Calls of this session are made one after the other: the arena delays those of a user who makes many."""

    @property
    def user(self) -> str:
        """The id of the person."""
        return self.about.owner.rpartition("/")[2]

    @property
    def organises(self) -> bool:
        """Whether the pages of organisers are for this person; what they show, the arena decides."""
        return self.about.role == token_pb2.ROLE_ORGANISER

    @property
    def owns_bots(self) -> bool:
        """Whether the person may have bots."""
        return self.about.role in (token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER)

    def has_csrf(self, given: str) -> bool:
        """Return whether a form was sent from a page of this session."""
        return hmac.compare_digest(self.csrf.encode(), given.encode(errors="replace"))


class Sessions:
    """All sessions."""

    def __init__(
        self,
        now: Callable[[], float] = monotonic,
        random_text: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        """`now`: seconds; `random_text`: a secret text of so many random bytes."""
        self._now = now
        self._random_text = random_text
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()
        """By the hash of the id, so that how long a search takes tells nothing of an id; the last used comes last."""

    def __len__(self) -> int:
        """Return how many sessions there are, ended ones too that nobody has asked for since."""
        return len(self._sessions)

    def __contains__(self, session: Session) -> bool:
        """Return whether a session has not ended; it does not count as used."""
        now = self._now()
        return any(each is session and not _has_ended(each, now) for each in self._sessions.values())

    def begin(self, token: str, about: token_pb2.Token) -> tuple[str, Session]:
        """Begin a session. Return its id, which is new each time, and the session."""
        now = self._now()
        self._forget_ended(now)
        session = Session(token, about, self._random_text(ID_BYTES), now, now)
        own = [key for key, each in self._sessions.items() if each.user == session.user]
        for key in own[: max(0, len(own) - SESSIONS_OF_ONE + 1)]:
            del self._sessions[key]
        while len(self._sessions) >= SESSIONS:
            self._sessions.popitem(last=False)
        session_id = self._random_text(ID_BYTES)
        self._sessions[_key(session_id)] = session
        return session_id, session

    def find(self, session_id: str) -> Session | None:
        """Return the session of this id, which counts as used; None if there is none or if it has ended."""
        if len(session_id) > _LONGEST_ID:
            return None
        key, now = _key(session_id), self._now()
        session = self._sessions.get(key)
        if session is None:
            return None
        if _has_ended(session, now):
            del self._sessions[key]
            return None
        session.used = now
        self._sessions.move_to_end(key)
        return session

    def end(self, session: Session) -> None:
        """End a session; it may have ended already."""
        for key, each in self._sessions.items():
            if each is session:
                del self._sessions[key]
                return

    def _forget_ended(self, now: float) -> None:
        for key in [key for key, each in self._sessions.items() if _has_ended(each, now)]:
            del self._sessions[key]


def _key(session_id: str) -> bytes:
    return sha256(session_id.encode(errors="replace")).digest()


def _has_ended(session: Session, now: float) -> bool:
    return now - session.used > IDLE_S or now - session.began > LONGEST_S
