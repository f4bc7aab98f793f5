"""Sessions without a network: claims, resumption, losses of connections, no-shows and what matchmaking sees."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from arena.core.clock.round_trip import RoundTrip
from arena.core.match import CONNECTION_LOST, NoteRecord
from arena.runner.question import Question
from arena.sessions import outgoing
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.sessions.outgoing import Goodbye, GoodbyeCode, Outgoing, WarningCode
from arena.sessions.registry import MassLoss, SessionRegistry
from arena.sessions.session import PROGRAM_END_NS, PROGRAM_ENDED_NS, Session
from tests.unit.runner.fakes import FakeTimers, MatchFixture

IDENTITY = Identity("ant", "1", "ada", "token")
GAMES: dict[str, frozenset[int]] = {"caravan": frozenset()}


class FakeLink:
    """A connection that remembers what it was given."""

    def __init__(self) -> None:
        self.round_trip = RoundTrip(local=False)
        self.silent = False
        self.pushed: list[Outgoing] = []
        self.goodbye: Goodbye | None = None

    def push(self, message: Outgoing) -> None:
        self.pushed.append(message)

    def end(self, ending: Goodbye) -> None:
        self.goodbye = ending


def connected(sessions: SessionRegistry, identity: Identity = IDENTITY) -> tuple[Session, FakeLink]:
    """Return a new session and its connection."""
    session, link = sessions.open(identity, GAMES), FakeLink()
    session.connect(link, Preferences())
    return session, link


def new_registry() -> SessionRegistry:
    """Return a registry without sessions."""
    return SessionRegistry(FakeTimers(), lambda: None)


class ResumedMatch:
    """A bot in a match on a connection of its own, and another connection that claims."""

    def __init__(self, identity: Identity = IDENTITY) -> None:
        self.timers = FakeTimers()
        self.sessions = SessionRegistry(self.timers, lambda: None)
        self.session, self.link = connected(self.sessions, identity)
        self.seat = self.session.new_seat()
        self.match = MatchFixture(2).begin()
        self.seat.offer(self.match.setup, 0, self.match.players[0].match)

    def losses(self) -> list[str]:
        """Return why connections were lost, as the match has noted it."""
        notes = [record for record in self.match.log.records if isinstance(record, NoteRecord)]
        return [note.text for note in notes if note.what == CONNECTION_LOST]

    def claim(self, version: str = "1") -> Session | None:
        """Open a new session that claims; return None if there was nothing for it."""
        identity = Identity("ant", version, "ada", "token")
        session = self.sessions.open(identity, GAMES)
        return session if self.sessions.claim(session) else None


def test_the_sessions_of_a_bot_are_its_own_in_the_order_they_were_opened_until_they_are_forgotten() -> None:
    sessions = new_registry()
    ant, bee = IDENTITY, Identity("bee", "1", "ada", "token")
    first, other, second = (sessions.open(identity, GAMES) for identity in (ant, bee, ant))
    assert (sessions.of("ant"), sessions.of("bee")) == ([first, second], [other])
    for session in (first, other):
        sessions.forget_if_idle(session.number)
    assert sessions.of("ant") == list(sessions) == [second]
    assert sessions.of("bee") == sessions.of("cat") == []


@pytest.mark.parametrize(
    ("connection", "version", "takes"),
    [
        ("lost", "1", True),
        ("lost", "2", False),
        ("speaking", "1", False),
        ("silent", "1", True),
        ("silent, with an open decision", "1", False),
    ],
)
def test_a_claim_takes_the_seats_of_a_lost_or_silent_session_of_its_version(
    connection: str, version: str, takes: bool
) -> None:
    """A bot may think in its only thread: while a decision is open, a late pong is never a fault."""
    resumed = ResumedMatch()
    if connection == "lost":
        resumed.session.disconnect(resumed.link)
    resumed.link.silent = connection.startswith("silent")
    if connection.endswith("open decision"):
        resumed.seat.ask(Question(1, [0, 1], None, [], per_decision_ms=1_000, bank_ms=0, increment_ms=0))
    claimant = resumed.claim(version)
    assert (claimant is not None) == takes
    if claimant is not None:
        assert list(claimant.seats.values()) == [resumed.seat]
        assert resumed.session.seats == {}
        assert (resumed.session in resumed.sessions) == (connection == "silent")
    goodbye = resumed.link.goodbye
    assert (goodbye and goodbye.code) == (GoodbyeCode.REPLACED if connection == "silent" else None)


def test_a_claim_leaves_a_session_alone_that_has_only_ends_to_repeat() -> None:
    """Its bot comes back with its token, and is told of them."""
    resumed = ResumedMatch()
    resumed.session.disconnect(resumed.link)
    resumed.seat.withdraw("a seat was not ready in time")
    assert resumed.claim() is None
    token = resumed.sessions.resume_token(resumed.session)
    again = resumed.sessions.resume(IDENTITY, token)
    assert again is resumed.session
    link = FakeLink()
    again.connect(link, Preferences())
    again.repeat_all()
    assert [type(message) for message in link.pushed] == [outgoing.Withdrawn]


def test_a_token_stays_good_however_often_the_newer_one_is_lost() -> None:
    resumed = ResumedMatch()
    token = resumed.sessions.resume_token(resumed.session)
    newer = [token]
    for _ in range(5):
        assert resumed.sessions.resume(IDENTITY, token) is resumed.session
        newer.append(resumed.sessions.resume_token(resumed.session))
    assert len(set(newer)) == len(newer)
    assert resumed.sessions.resume(IDENTITY, newer[-1]) is resumed.session
    assert resumed.sessions.resume(IDENTITY, token) is None


@pytest.mark.parametrize("change", ["token", "owner"])
def test_a_resumed_session_has_the_identity_of_the_token_used_last(change: str) -> None:
    """So revoking that token ends the connection."""
    resumed = ResumedMatch()
    identity = Identity("ant", "1", *({"token": ("ada", "other"), "owner": ("eve", "token")}[change]))
    resumed.sessions.resume(identity, resumed.sessions.resume_token(resumed.session))
    assert resumed.session.identity == identity


def a_program(number: int, bot: str = "ant", owner: str = "ada") -> Identity:
    """Return a bot that the arena runs itself."""
    return Identity(bot, "1", owner, "", number)


def test_another_program_of_the_same_version_continues_nothing_of_the_one_before() -> None:
    resumed = ResumedMatch(a_program(1))
    resumed.session.disconnect(resumed.link)
    other = resumed.sessions.open(a_program(2), GAMES)
    assert not resumed.sessions.claim(other)
    assert resumed.sessions.resume(a_program(2), resumed.sessions.resume_token(resumed.session)) is None
    again = resumed.sessions.open(a_program(1), GAMES)
    assert resumed.sessions.claim(again)


def test_a_match_is_notified_of_the_lost_connection_of_a_program_a_second_later() -> None:
    """By then it has heard how the program ended, if it has."""
    for identity, heard_at_once in ((IDENTITY, True), (a_program(1), False)):
        resumed = ResumedMatch(identity)
        resumed.session.disconnect(resumed.link)
        assert bool(resumed.losses()) is heard_at_once
        resumed.timers.move(PROGRAM_END_NS / 1_000_000 + 1)
        assert len(resumed.losses()) == 1


def test_a_match_is_notified_of_a_lost_process_only_when_its_end_is_known_or_overdue() -> None:
    for waits, ending in ((5, False), (PROGRAM_ENDED_NS // PROGRAM_END_NS, True)):
        resumed = ResumedMatch(a_program(1))
        process: Any = SimpleNamespace(is_ending=True)
        resumed.session.process = process
        resumed.session.disconnect(resumed.link)
        for _ in range(waits):
            resumed.timers.move(PROGRAM_END_NS / 1_000_000 + 1)
            assert ending or resumed.losses() == []
        process.is_ending = ending
        resumed.timers.move(PROGRAM_END_NS / 1_000_000 + 1)
        [why] = resumed.losses()
        assert ending or "program runs on" in why


def test_a_program_that_is_back_by_then_was_never_away() -> None:
    resumed = ResumedMatch(a_program(1))
    resumed.session.disconnect(resumed.link)
    resumed.timers.move(1)
    resumed.session.connect(FakeLink(), Preferences())
    resumed.timers.move(PROGRAM_END_NS / 1_000_000 + 1)
    assert resumed.losses() == []


def test_a_retired_session_takes_no_match_whatever_its_bot_says() -> None:
    sessions = new_registry()
    session, _ = connected(sessions)
    assert sessions.free("ant", "caravan", 1) == 1
    session.retired = True
    session.set_capacity(Capacity(5, 5))
    assert sessions.free("ant", "caravan", 1) == sessions.capacity_for("ant", "caravan", 1) == 0
    assert sessions.seat_for("ant", "caravan", 1) is None


def a_session_in_play(
    sessions: SessionRegistry, owner: str, *, started: bool = True, program: int = 0
) -> tuple[Session, FakeLink]:
    """Return a session of this owner with a seat in a match, and its link."""
    session, link = connected(sessions, Identity(f"bot-of-{owner}", "1", owner, "token", program))
    seat, fixture = session.new_seat(), MatchFixture(2).offer()
    seat.offer(fixture.setup, 0, fixture.players[0].match)
    seat.started = started
    return session, link


def lose(sessions: SessionRegistry, lost: list[tuple[Session, FakeLink]]) -> MassLoss | None:
    """Disconnect the sessions; return what the last loss shows."""
    shown = None
    for session, link in lost:
        session.disconnect(link)
        shown = sessions.lost(session)
    return shown


@pytest.mark.parametrize(
    ("lost", "there", "is_one"), [(5, 5, True), (5, 6, False), (4, 0, False), (6, 0, True)]
)
def test_a_mass_loss_is_half_of_at_least_five_owners(lost: int, there: int, is_one: bool) -> None:
    sessions = new_registry()
    for owner in range(there):
        a_session_in_play(sessions, f"stays{owner}")
    gone = [a_session_in_play(sessions, f"goes{owner}") for owner in range(lost)]
    expected = MassLoss(lost, lost + there, lost, lost + there) if is_one else None
    assert lose(sessions, gone) == expected


@pytest.mark.parametrize("started", [False, None])
def test_sessions_that_play_nothing_do_not_count_and_an_owner_counts_once(started: bool | None) -> None:
    """`started`: of a match that was only offered; None: no match at all."""
    sessions = new_registry()
    a_session_in_play(sessions, "honest")
    gone = [a_session_in_play(sessions, f"cheat{number % 4}") for number in range(20)]
    for number in range(20):
        session, link = a_session_in_play(sessions, f"idle{number}", started=bool(started))
        if started is None:
            session.seats.clear()
        gone.append((session, link))
    assert lose(sessions, gone) is None


def test_hosted_bots_that_end_at_once_are_no_mass_loss() -> None:
    sessions = new_registry()
    gone = [a_session_in_play(sessions, f"owner{number}", program=number) for number in range(1, 7)]
    assert lose(sessions, gone) is None
    assert sessions.recently_lost() == []


def test_a_user_with_another_connection_has_not_lost_all_of_theirs() -> None:
    sessions = new_registry()
    gone = [a_session_in_play(sessions, f"owner{number}") for number in range(5)]
    a_session_in_play(sessions, "owner0")
    assert lose(sessions, gone) is None


def miss(sessions: SessionRegistry, session: Session) -> None:
    """Offer the bot a match that it does not take."""
    seat = session.new_seat()
    sessions.note_no_show(seat, 1, 10)
    session.drop(seat)


def test_after_each_no_show_a_bot_rests_longer_whatever_it_says_or_plays_meanwhile() -> None:
    timers = FakeTimers()
    woken: list[int] = []
    sessions = SessionRegistry(timers, lambda: woken.append(timers.now()))
    session, _ = connected(sessions)
    rests = []
    for _ in range(9):
        miss(sessions, session)
        began = timers.now()
        assert sessions.free("ant", "caravan", 1) == 0
        assert sessions.seat_for("ant", "caravan", 1) is None
        session, _ = connected(sessions)
        sessions.note_ready("ant")
        assert not sessions.is_there("ant"), "neither a new hello nor another match ends the rest"
        timers.move_to_next()
        assert sessions.is_there("ant")
        rests.append((woken[-1] - began) // 1_000_000_000)
    assert rests == [5, 10, 20, 40, 80, 160, 320, 480, 480]


def test_a_hosted_bot_rests_too_and_is_not_paused() -> None:
    """Else the same match would be offered to it again at once."""
    sessions = new_registry()
    session, _ = connected(sessions, replace(IDENTITY, program=7))
    for _ in range(4):
        miss(sessions, session)
    assert sessions.is_resting("ant")
    assert sessions.free("ant", "caravan", 1) == 0
    assert sessions.presence("ant").paused.endswith("for 5 s")


def test_a_bot_that_was_not_ready_gets_the_count_and_the_length_of_its_rest() -> None:
    sessions = new_registry()
    session, link = connected(sessions)
    for times in (1, 2, 1):
        sessions.note_no_show(session.new_seat(), times, 10)
    told = [message for message in link.pushed if isinstance(message, outgoing.Warned)]
    assert [message.code for message in told] == [
        WarningCode.NO_SHOW,
        WarningCode.NO_SHOW,
        WarningCode.PAUSED,
    ]
    for message, key_words in zip(told, (("1 of 3", "5 s"), ("2 of 3", "5 s"), ("next hello",)), strict=True):
        assert all(words in message.sentence for words in key_words)


def test_several_no_shows_at_once_are_one_rest_and_an_hour_forgets_them() -> None:
    timers = FakeTimers()
    sessions = SessionRegistry(timers, lambda: None)
    session, _ = connected(sessions)
    for _ in range(2):
        miss(sessions, session)
        miss(sessions, session)
        sessions.note_ready("ant")
        assert sessions.presence("ant").paused.endswith("for 5 s")
        timers.move(3_600_000)
        assert sessions.presence("ant").paused == ""


def test_a_bot_that_was_briefly_absent_or_full_has_waited_only_since_then() -> None:
    timers = FakeTimers()
    sessions = SessionRegistry(timers, lambda: None)
    session, link = connected(sessions)
    begun = timers.now()

    def took_all_along() -> bool:
        return sessions.took_since("ant", "caravan", 1, begun)

    timers.move(5_000)
    assert took_all_along()
    session.connect(link := FakeLink(), Preferences())
    assert took_all_along(), "a new connection has taken the place of the old one"
    session.disconnect(link)
    assert not took_all_along()
    session.connect(FakeLink(), Preferences())
    assert not took_all_along()
    begun = timers.now()
    assert took_all_along()
    timers.move(5_000)
    session.set_capacity(Capacity(2, 2))
    assert took_all_along()
    session.set_capacity(Capacity(0, 1))
    assert not took_all_along()
    session.set_capacity(Capacity(2, 2))
    assert not took_all_along()
