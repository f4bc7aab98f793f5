"""Whom calls are counted for: a token, or an address that is not this machine's (rows 2 and 25)."""

import asyncio
from typing import Any, cast

import pytest

from arena.core.errors import ErrorReason, ResourceExhaustedError, UnauthenticatedError
from arena.server.auth.admission_control import AdmissionControl, token_source
from arena.server.auth.authentication import Authenticator
from arena.server.auth.limiters import RateLimiter, TimeBudgets
from arena.server.auth.permissions import Caller
from arena.server.auth.revocation import OpenCalls
from arena.server.context import Context
from arena.server.limits import CALLS, GUESSES, OPENINGS, USER_OPENINGS
from arena.store.accounts.tokens import Role
from tests.unit.runner.fakes import FakeTimers

FAR = "ipv4:203.0.113.7:5000"
GOOD, BAD, BOBS = "arn_good", "arn_bad", "arn_bobs"


class FakeAuthenticator:
    """Knows the tokens of ada, which begin with GOOD, and those of bob."""

    async def authenticate(self, metadata: Any) -> Caller:
        shown = dict(metadata).get("authorization", "")
        for start, owner in ((GOOD, "ada"), (BOBS, "bob")):
            if shown.startswith(f"Bearer {start}"):
                return Caller("t", Role.OWNER, owner, None)
        raise UnauthenticatedError(ErrorReason.TOKEN_INVALID, "No.")


class FakeContext:
    """A call as far as admission control reads it."""

    def __init__(self, peer: str, token: str | None = None) -> None:
        self._peer, self._token = peer, token

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> list[tuple[str, str]]:
        return shown(self._token)


def shown(token: str | None) -> list[tuple[str, str]]:
    return [] if token is None else [("authorization", f"Bearer {token}")]


def a_call(peer: str, token: str | None = None) -> Context:
    return cast(Context, FakeContext(peer, token))


@pytest.fixture
def admission_control() -> AdmissionControl:
    authenticator, calls = cast(Authenticator, FakeAuthenticator()), OpenCalls(FakeTimers(), lambda: 0)
    return AdmissionControl(authenticator, RateLimiter(lambda: 0), calls, TimeBudgets(lambda: False))


def abandon(admission_control: AdmissionControl, peer: str, token: str | None, times: int) -> int:
    """How many calls were let in that nobody waited for."""
    for number in range(times):
        try:
            admission_control.take_call(token_source(shown(token)), peer)
        except ResourceExhaustedError:
            return number
    return times


def authenticate(admission_control: AdmissionControl, peer: str, token: str) -> str:
    try:
        return asyncio.run(admission_control.authenticate(a_call(peer, token))).owner
    except (UnauthenticatedError, ResourceExhaustedError) as error:
        return error.reason.value


@pytest.mark.parametrize("peer", [FAR, "ipv4:127.0.0.1:5", "unix:"])
def test_row_25_abandoned_calls_of_a_token_are_counted(
    admission_control: AdmissionControl, peer: str
) -> None:
    assert abandon(admission_control, peer, GOOD, 5_000) == CALLS.burst


def test_answered_calls_cost_nothing(admission_control: AdmissionControl) -> None:
    for _ in range(5 * CALLS.burst):
        payer = admission_control.take_call(token_source(shown(GOOD)), FAR)
        assert payer is not None
        admission_control.answered(payer)


def test_row_25_calls_without_a_token_count_for_the_address(admission_control: AdmissionControl) -> None:
    assert abandon(admission_control, FAR, None, 5_000) == CALLS.burst
    assert abandon(admission_control, "ipv4:203.0.113.8:5000", None, 10) == 10


def test_row_25_calls_with_changing_tokens_count_for_the_address(admission_control: AdmissionControl) -> None:
    taken = [abandon(admission_control, FAR, f"{BAD}{number}", 1) for number in range(CALLS.burst + 1)]
    assert sum(taken) == CALLS.burst


@pytest.mark.parametrize(
    "peer",
    ["ipv4:127.0.0.1:5", "ipv6:%5B::1%5D:5", "ipv6:%5B::ffff:127.0.0.1%5D:5", "unix:", "unix:/tmp/x", ""],
)
def test_row_25_localhost_is_never_banned_by_address(admission_control: AdmissionControl, peer: str) -> None:
    assert abandon(admission_control, peer, None, 3 * CALLS.burst) == 3 * CALLS.burst


def test_addresses_of_one_ipv6_network_are_one(admission_control: AdmissionControl) -> None:
    abandon(admission_control, "ipv6:%5B2001:db8::1%5D:5000", None, CALLS.burst + 1)
    assert abandon(admission_control, "ipv6:%5B2001:db8::2%25eth0%5D:6000", None, 1) == 0
    assert abandon(admission_control, "ipv6:%5B2001:db8:0:1::1%5D:5000", None, 1) == 1


def test_row_2_an_address_that_tries_tokens_is_banned(admission_control: AdmissionControl) -> None:
    answers = [authenticate(admission_control, FAR, f"{BAD}{number}") for number in range(GUESSES.burst + 1)]
    assert set(answers[:-1]) == {"TOKEN_INVALID"}
    assert answers[-1] == "RATE_LIMITED"
    assert abandon(admission_control, FAR, BAD, 1) == 0


def test_row_2_known_tokens_work_behind_a_banned_address(admission_control: AdmissionControl) -> None:
    assert authenticate(admission_control, FAR, GOOD) == "ada"
    for number in range(GUESSES.burst + 1):
        authenticate(admission_control, FAR, f"{BAD}{number}")
    assert abandon(admission_control, FAR, GOOD, 1) == 1
    admission_control.take_play_call(a_call(FAR, GOOD))


def test_row_25_new_connections_of_bots_are_counted_by_token(admission_control: AdmissionControl) -> None:
    for _ in range(OPENINGS.burst):
        admission_control.take_play_call(a_call("unix:", GOOD))
    with pytest.raises(ResourceExhaustedError):
        admission_control.take_play_call(a_call("unix:", GOOD))
    admission_control.take_play_call(a_call("unix:", BAD))


def open_play_calls(admission_control: AdmissionControl, token: str, times: int) -> int:
    """Return how many of so many Play calls were let in."""
    for number in range(times):
        try:
            admission_control.take_play_call(a_call("unix:", token))
        except ResourceExhaustedError:
            return number
    return times


def test_row_25_new_connections_of_bots_are_counted_by_user_too(admission_control: AdmissionControl) -> None:
    tokens = [f"{GOOD}{number}" for number in range(2 * USER_OPENINGS.burst // OPENINGS.burst)]
    for token in (*tokens, BOBS):
        authenticate(admission_control, "unix:", token)
    opened = sum(open_play_calls(admission_control, token, OPENINGS.burst) for token in tokens)
    assert opened == USER_OPENINGS.burst
    assert open_play_calls(admission_control, tokens[-1], 1) == 0
    assert open_play_calls(admission_control, BOBS, 1) == 1
    assert abandon(admission_control, "unix:", tokens[0], 1) == 1  # other calls of the user go on


def test_a_token_that_opens_too_many_does_not_use_up_what_its_user_has(
    admission_control: AdmissionControl,
) -> None:
    authenticate(admission_control, "unix:", GOOD)
    for _ in range(2 * USER_OPENINGS.burst):
        open_play_calls(admission_control, GOOD, 1)
    authenticate(admission_control, "unix:", f"{GOOD}2")
    assert open_play_calls(admission_control, f"{GOOD}2", OPENINGS.burst) == OPENINGS.burst
