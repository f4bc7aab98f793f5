"""Sessions of people who are signed in: they end in time, their number is bounded, and no id is used twice."""

from collections.abc import Callable

import pytest

from arena.pages.failed_sign_ins import BURST, PAUSE_S, FailedSignIns, network_of
from arena.pages.sessions import IDLE_S, LONGEST_S, SESSIONS, SESSIONS_OF_ONE, Session, Sessions
from arena.v1 import token_pb2

TOKEN = "arn_0123456789ab_" + "5e" * 32 + "_00000000"


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(clock)


def about(user: str = "alice") -> token_pb2.Token:
    return token_pb2.Token(name="tokens/0123456789ab", role=token_pb2.ROLE_OWNER, owner=f"owners/{user}")


def test_a_session_is_found_by_its_id_alone(sessions: Sessions) -> None:
    session_id, session = sessions.begin(TOKEN, about())
    assert sessions.find(session_id) is session
    for other in ("", "x", session_id[:-1], session_id + "x", session.csrf, TOKEN, "x" * 10_000, "\udce4"):
        assert sessions.find(other) is None, other


def test_every_sign_in_has_an_id_of_its_own(sessions: Sessions) -> None:
    made = [sessions.begin(TOKEN, about(f"user-{number}")) for number in range(50)]
    assert len({session_id for session_id, _ in made}) == 50
    assert len({session.csrf for _, session in made}) == 50
    assert all(len(session_id) >= 43 for session_id, _ in made)  # 256 bits in base64


@pytest.mark.parametrize(("idle_s", "found"), [(IDLE_S - 1, True), (IDLE_S + 1, False)])
def test_a_session_that_nobody_uses_ends(
    sessions: Sessions, clock: Clock, idle_s: float, found: bool
) -> None:
    session_id, _ = sessions.begin(TOKEN, about())
    clock.now += idle_s
    assert (sessions.find(session_id) is not None) is found
    assert len(sessions) == found


def test_a_session_ends_even_if_it_is_always_used(sessions: Sessions, clock: Clock) -> None:
    session_id, session = sessions.begin(TOKEN, about())
    while clock.now - session.began + IDLE_S / 2 <= LONGEST_S:
        clock.now += IDLE_S / 2
        assert sessions.find(session_id) is session
    clock.now += IDLE_S / 2 + 1
    assert sessions.find(session_id) is None


def test_an_ended_session_is_found_no_more(sessions: Sessions) -> None:
    session_id, session = sessions.begin(TOKEN, about())
    other_id, other = sessions.begin(TOKEN, about())
    sessions.end(session)
    sessions.end(session)
    assert sessions.find(session_id) is None
    assert sessions.find(other_id) is other


def test_the_session_that_was_used_longest_ago_gives_way(sessions: Sessions) -> None:
    ids = [sessions.begin(TOKEN, about())[0] for _ in range(SESSIONS_OF_ONE)]
    sessions.find(ids[0])
    sessions.begin(TOKEN, about())
    assert sessions.find(ids[1]) is None
    assert sessions.find(ids[0]) is not None
    assert len(sessions) == SESSIONS_OF_ONE


def test_one_user_cannot_end_the_sessions_of_others(sessions: Sessions) -> None:
    session_id, _ = sessions.begin(TOKEN, about("bob"))
    for _ in range(2 * SESSIONS_OF_ONE):
        sessions.begin(TOKEN, about())
    assert sessions.find(session_id) is not None


def test_the_number_of_sessions_is_bounded(sessions: Sessions) -> None:
    first, _ = sessions.begin(TOKEN, about("bob"))
    for number in range(SESSIONS):
        sessions.begin(TOKEN, about(f"user-{number}"))
    assert len(sessions) == SESSIONS
    assert sessions.find(first) is None


def test_no_text_of_a_session_has_its_secrets(sessions: Sessions) -> None:
    session_id, session = sessions.begin(TOKEN, about())
    for text in (repr(session), str(session), repr(vars(sessions))):
        assert TOKEN not in text
        assert session.csrf not in text
        assert session_id not in text


@pytest.mark.parametrize(
    ("given", "accepted"),
    [
        (lambda session: session.csrf, True),
        (lambda session: session.csrf[:-1], False),
        (lambda _: "", False),
        (lambda _: "ä\udce4", False),
    ],
)
def test_a_form_needs_the_csrf_token_of_its_session(
    sessions: Sessions, given: Callable[[Session], str], accepted: bool
) -> None:
    _, session = sessions.begin(TOKEN, about())
    _, other = sessions.begin(TOKEN, about())
    assert session.has_csrf(given(session)) is accepted
    assert not other.has_csrf(session.csrf)


def test_an_address_that_fails_often_has_to_wait(clock: Clock) -> None:
    failed = FailedSignIns(clock)
    for _ in range(BURST):
        assert failed.wait_s("192.0.2.7") == 0
        failed.note("192.0.2.7")
    assert failed.wait_s("192.0.2.7") == pytest.approx(PAUSE_S)
    assert failed.wait_s("192.0.2.8") == 0
    clock.now += PAUSE_S
    assert failed.wait_s("192.0.2.7") == 0
    failed.note("192.0.2.7")
    assert failed.wait_s("192.0.2.7") > 0


def test_a_sign_in_that_succeeds_costs_nothing(clock: Clock) -> None:
    failed = FailedSignIns(clock)
    for _ in range(3 * BURST):
        failed.note("192.0.2.7")
        failed.forgive("192.0.2.7")
    assert failed.wait_s("192.0.2.7") == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("", "?", False),
    ],
)
def test_the_holder_of_a_network_is_one_caller(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) is same
