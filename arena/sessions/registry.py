"""All sessions of the arena: their seats, free places, resumption and no-shows."""

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from arena.core.errors import ErrorReason, UnauthenticatedError
from arena.core.units import NS_PER_S
from arena.runner.timers import Timers
from arena.sessions.handshake import Identity
from arena.sessions.outgoing import Warned, WarningCode
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session

NO_SHOWS_ALLOWED: Final = 2
"""One no-show more in a row pauses the bot."""

MOST_NO_SHOWS: Final = 3
"""A match waits no longer for a bot that was not ready in time so often."""

FIRST_REST_S: Final = 5
LONGEST_REST_S: Final = 480
"""After a no-show a bot gets no match for so long; each further one within an hour doubles it, up to the longest.

Shorter than the time after which a bot counts as away, and no matter whether it has said hello or played meanwhile: a
bot that takes some matches and refuses others costs its opponents 10 s at a time, and at most a few times an hour.
"""

_REST_WITHIN_NS: Final = 3_600_000_000_000

_PAUSED: Final = "You were not ready three times in a row: you get no match until your next hello."

_NUMBER_DIGITS: Final = 12
MASS_LOSS_S: Final = 5
_MASS_LOSS_NS: Final = MASS_LOSS_S * NS_PER_S
MASS_LOSS_OWNERS: Final = 5
"""So many owners at least, and at least half of those in play, must have lost all that they play with."""


@dataclass(frozen=True, slots=True)
class Presence:
    """The connections and capacity of a bot at this moment."""

    connections: int = 0
    capacity: int = 0
    """Matches that all its connections together take, those being played included."""
    playing: int = 0
    paused: str = ""
    """Why it gets no matches for now; empty if it does."""
    programs: int = 0
    """Its processes that the arena runs now, connected or not."""
    hosting_unavailable: bool = False
    """Whether it gets no matches because the arena can start no program of it."""


@dataclass(frozen=True, slots=True)
class MassLoss:
    """A loss of so many sessions in play at once that it must be the arena's fault."""

    lost: int
    of: int
    """How many were in play before."""
    owners: int
    """Those who have lost all that they had in play."""
    of_owners: int
    """Those who had anything in play before."""


class SessionRegistry:
    """All sessions; one is forgotten when it holds no connection and no seat."""

    def __init__(self, timers: Timers, changed: Callable[[], None]) -> None:
        """Call `changed` whenever more matches might be possible than before."""
        self._timers = timers
        self.changed = changed
        self._sessions: dict[int, Session] = {}
        self._of: dict[str, dict[int, Session]] = {}
        """The same by bot: matchmaking asks for each bot of a ladder, and must not look at those of all others."""
        self._count = 0
        self._no_shows: dict[str, int] = {}
        self._missed: dict[str, list[int]] = {}
        """By bot: when it had no-shows within the last hour, those left out that came while it rested."""
        self._rests_until: dict[str, int] = {}
        self._losses: deque[tuple[int, Session]] = deque()
        """Sessions that were lost while they were in play."""

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def of(self, bot: str) -> list[Session]:
        """Return the sessions of a bot, oldest first."""
        return list(self._of.get(bot, {}).values())

    # Coming

    def open(self, identity: Identity, games: dict[str, frozenset[int]]) -> Session:
        """Return a new session. Its bot is no longer paused, but rests on if it had no-shows."""
        self._count += 1
        session = Session(self._count, identity, games, self._timers)
        self._sessions[session.number] = session
        self._of.setdefault(identity.bot, {})[session.number] = session
        self._no_shows.pop(identity.bot, None)
        session.resume_secret = secrets.token_hex(16)
        return session

    def resume(self, identity: Identity, resume_token: str) -> Session | None:
        """Return the session of a resume token, under a new token; None if it is no longer there.

        A session belongs to one bot version, and to one process if it is hosted: no other may resume it. The token used
        stays valid until the bot has spoken, however often the welcome with a newer one is lost. Raises
        UnauthenticatedError: RESUME_INVALID, the token belongs to another bot.
        """
        number, _, secret = resume_token.partition("-")
        readable = number.isascii() and number.isdecimal() and len(number) <= _NUMBER_DIGITS
        session = self._sessions.get(int(number)) if readable else None
        if session is None or not _is_one_of(secret, (session.resume_secret, session.older_secret)):
            return None
        if session.identity.bot != identity.bot:
            sentence = "The resume token belongs to another bot: forget it, and say hello without one."
            raise UnauthenticatedError(ErrorReason.RESUME_INVALID, sentence)
        if not session.identity.may_resume(identity):
            return None
        session.identity = identity
        session.older_secret, session.resume_secret = secret, secrets.token_hex(16)
        return session

    def claim(self, session: Session) -> bool:
        """Move the seats of deserted sessions of its bot version to a new one. Return whether there were any."""
        claimed = False
        for other in self.of(session.identity.bot):
            same = other.identity.may_resume(session.identity)
            if other is session or not (same and other.seats and other.deserted):
                continue
            for seat in list(other.seats.values()):
                session.adopt(seat)
            other.seats.clear()
            other.replace_link()
            self.forget_if_idle(other.number)
            claimed = True
        return claimed

    def resume_token(self, session: Session) -> str:
        """Return the token with which a bot resumes this session."""
        return f"{session.number}-{session.resume_secret}"

    # Going

    def lost(self, session: Session) -> MassLoss | None:
        """Note that a session has lost its connection. Return what shows that too many have at once, if so.

        Then it must be the arena's fault. Only sessions in play count, and each owner once, if they have lost all of
        theirs: connections cost nothing, and an owner who is losing must not be able to blame the arena. Hosted bots do
        not count: how their processes end is known.
        """
        self.forget_if_idle(session.number)
        if session.identity.hosted or not session.in_play:
            return None
        now = self._timers.now()
        self._losses.append((now, session))
        while now - self._losses[0][0] > _MASS_LOSS_NS:
            self._losses.popleft()
        gone = self.recently_lost()
        before = {other.identity.owner for other in gone}
        if len(before) < MASS_LOSS_OWNERS:  # mostly so: the others need not be gone through
            return None
        there = [
            other
            for other in self._sessions.values()
            if other.present and other.in_play and not other.identity.hosted
        ]
        still = {other.identity.owner for other in there}
        owners, of_owners = len(before - still), len(before | still)
        if owners < MASS_LOSS_OWNERS or 2 * owners < of_owners:
            return None
        return MassLoss(len(gone), len(gone) + len(there), owners, of_owners)

    def recently_lost(self) -> list[Session]:
        """Return sessions without a connection that were lost in the last seconds, while they were in play."""
        return list({session.number: session for _, session in self._losses if not session.present}.values())

    def forget_if_idle(self, number: int) -> None:
        """Forget the session of this number if it has neither connection nor seats, nor ends to repeat."""
        session = self._sessions.get(number)
        if session is None or session.present or session.seats:
            return
        if session.has_ends_to_repeat:
            again = self._timers.now() + session.ends_repeated_ns
            self._timers.call_at(again, lambda: self.forget_if_idle(number))
            return
        bot = session.identity.bot
        del self._sessions[number], self._of[bot][number]
        if not self._of[bot]:
            del self._of[bot]

    # Matchmaking

    def is_there(self, bot: str) -> bool:
        """Return whether a bot is connected and not paused."""
        there = any(session.present for session in self._of.get(bot, {}).values())
        return there and not self._paused(bot)

    def presence(self, bot: str) -> Presence:
        """Return the connections, capacity and matches of a bot."""
        sessions = [session for session in self.of(bot) if session.present]
        return Presence(
            connections=len(sessions),
            capacity=sum(session.match_limit for session in sessions),
            playing=sum(session.playing for session in self.of(bot)),
            paused=self._paused(bot),
        )

    def free(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many more matches of a game a bot would take now."""
        return sum(max(0, session.free) for session in self._takers(bot, game, rules_version))

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many matches of a game a bot takes at once, those that it plays included."""
        return sum(session.match_limit for session in self._takers(bot, game, rules_version))

    def took_since(self, bot: str, game: str, rules_version: int, since: int) -> bool:
        """Return whether a connection of a bot has taken such matches since then without a break."""
        takers = self._takers(bot, game, rules_version)
        return any(each.taking_since is not None and each.taking_since <= since for each in takers)

    def _takers(self, bot: str, game: str, rules_version: int) -> Sequence[Session]:
        """Return the sessions of a bot that take matches of a game. Called for every bot at every look."""
        sessions = self._of.get(bot)
        if sessions is None or self._paused(bot):
            return ()
        return [
            each for each in sessions.values() if each.link is not None and each.plays(game, rules_version)
        ]

    def seat_for(self, bot: str, game: str, rules_version: int) -> AssignedSeat | None:
        """Return a new seat at the session of the bot with the most room; None if there is none."""
        takers = [session for session in self._takers(bot, game, rules_version) if session.free > 0]
        return max(takers, key=lambda session: (session.free, -session.number)).new_seat() if takers else None

    def note_ready(self, bot: str) -> None:
        """Note that a match with this bot has begun."""
        self._no_shows.pop(bot, None)

    def note_no_show(self, seat: AssignedSeat, times: int, within_s: int) -> None:
        """Note that a bot was not ready in time. A hosted bot is not paused: its host sees to it.

        `times`: how often it was not in this match; `within_s`: how many seconds it had.
        """
        bot = seat.session.identity.bot
        self.rest(bot)
        if not seat.session.identity.hosted:
            self._no_shows[bot] = self._no_shows.get(bot, 0) + 1
        if self.is_paused(bot):
            seat.session.push(Warned(WarningCode.PAUSED, seat.assignment, _PAUSED))
            return
        text = (
            f"Your seat was not ready within {within_s} s ({times} of {MOST_NO_SHOWS} for this match; the third loses "
            f"it if its group has begun). You get no match for {self.rest_s(bot)} s."
        )
        seat.session.push(Warned(WarningCode.NO_SHOW, seat.assignment, text))

    def is_resting(self, bot: str) -> bool:
        """Return whether the bot gets no match for a while after a no-show."""
        return bool(self._rests_until) and self._rest_left(bot) > 0

    def rest_s(self, bot: str) -> int:
        """Return for how many seconds more the bot rests."""
        return -(-self._rest_left(bot) // NS_PER_S)  # rounded up

    def _rest_left(self, bot: str) -> int:
        return max(0, self._rests_until.get(bot, 0) - self._timers.now())

    def rest(self, bot: str) -> None:
        """Give a bot that was not ready in time no match for a while, longer each time."""
        now, until = self._timers.now(), self._rests_until.get(bot, 0)
        if now >= until:  # what was offered before the rest began is one occasion with it
            missed = [at for at in self._missed.get(bot, ()) if now - at < _REST_WITHIN_NS]
            self._missed[bot] = [*missed, now]
            until = now + min(FIRST_REST_S << len(missed), LONGEST_REST_S) * NS_PER_S
            self._rests_until[bot] = until
            self._timers.call_at(until, self._rested)

    def _rested(self) -> None:
        """Note that some bot may be offered matches again."""
        now = self._timers.now()
        self._rests_until = {bot: until for bot, until in self._rests_until.items() if until > now}
        self.changed()

    def is_paused(self, bot: str) -> bool:
        """Return whether the bot was not ready too often in a row, so that it gets no match until its next hello."""
        return bool(self._no_shows) and self._no_shows.get(bot, 0) > NO_SHOWS_ALLOWED

    def _paused(self, bot: str) -> str:
        """Return why a bot that is there gets no match now: a sentence part; empty if it does."""
        if self.is_paused(bot):
            return f"not ready in time, {self._no_shows[bot]} times in a row"
        if not self.is_resting(bot):
            return ""
        return f"not ready in time, so it gets no match for {self.rest_s(bot)} s"


def _is_one_of(secret: str, known: tuple[str, ...]) -> bool:
    """Return whether a secret is one of these, in constant time; empty ones do not count."""
    digest = sha256(secret.encode()).digest()
    return any(secrets.compare_digest(digest, sha256(each.encode()).digest()) for each in known if each)
