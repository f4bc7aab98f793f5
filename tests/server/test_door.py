"""Whom calls are counted for: a token, or an address that is not this machine's (rows 2 and 25)."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from arena.core.errors import ErrorReason, ResourceExhaustedError, UnauthenticatedError
from arena.server.auth.admission_control import AdmissionControl
from arena.server.auth.authentication import Authenticator
from arena.server.auth.permissions import Caller
from arena.server.auth.rate_limiter import RateLimiter
from arena.server.auth.revocation import OpenCalls
from arena.server.auth.time_budgets import TimeBudgets
from arena.server.context import Context
from arena.server.limits import CALLS, GUESSES, OPENINGS
from arena.store.accounts.tokens import Role
from tests.runner.fakes import FakeTimers

FAR = "ipv4:203.0.113.7:5000"
GOOD, BAD = "arn_good", "arn_bad"


class OnlyTheGoodOne:
    """Knows one token."""

    async def authenticate(self, metadata: Any) -> Caller:
        if dict(metadata).get("authorization") == f"Bearer {GOOD}":
            return Caller("t", Role.OWNER, "ada", None)
        raise UnauthenticatedError(ErrorReason.TOKEN_INVALID, "No.")


class FakeContext:
    """A call as far as the door looks at it."""

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
def door() -> AdmissionControl:
    authenticator, calls = cast(Authenticator, OnlyTheGoodOne()), OpenCalls(FakeTimers(), lambda: 0)
    return AdmissionControl(authenticator, RateLimiter(lambda: 0), calls, TimeBudgets(lambda: False))


def abandon(door: AdmissionControl, peer: str, token: str | None, times: int) -> int:
    """How many calls were let in that nobody waited for."""
    for number in range(times):
        try:
            door.take_call_from(peer, door.take_call(shown(token)))
        except ResourceExhaustedError:
            return number
    return times


def recognise(door: AdmissionControl, peer: str, token: str) -> str:
    try:
        return asyncio.run(door.recognise(a_call(peer, token))).owner
    except (UnauthenticatedError, ResourceExhaustedError) as error:
        return error.reason.value


@pytest.mark.parametrize("peer", [FAR, "ipv4:127.0.0.1:5", "unix:"])
def test_row_25_calls_of_a_token_that_nobody_waits_for_are_counted_wherever_it_is(
    door: AdmissionControl, peer: str
) -> None:
    assert abandon(door, peer, GOOD, 5_000) == CALLS.burst


def test_answered_calls_cost_nothing(door: AdmissionControl) -> None:
    for _ in range(5 * CALLS.burst):
        payer = door.take_call_from(FAR, door.take_call(shown(GOOD)))
        assert payer is not None
        door.answered(payer)


def test_row_25_without_a_token_the_address_pays(door: AdmissionControl) -> None:
    assert abandon(door, FAR, None, 5_000) == CALLS.burst
    assert abandon(door, "ipv4:203.0.113.8:5000", None, 10) == 10


def test_row_25_a_new_token_for_every_call_is_counted_for_the_address(door: AdmissionControl) -> None:
    taken = [abandon(door, FAR, f"{BAD}{number}", 1) for number in range(CALLS.burst + 1)]
    assert sum(taken) == CALLS.burst


@pytest.mark.parametrize(
    "peer",
    ["ipv4:127.0.0.1:5", "ipv6:%5B::1%5D:5", "ipv6:%5B::ffff:127.0.0.1%5D:5", "unix:", "unix:/tmp/x", ""],
)
def test_row_25_this_machine_is_never_banned_by_address(door: AdmissionControl, peer: str) -> None:
    assert abandon(door, peer, None, 3 * CALLS.burst) == 3 * CALLS.burst


def test_addresses_of_one_ipv6_network_are_one(door: AdmissionControl) -> None:
    abandon(door, "ipv6:%5B2001:db8::1%5D:5000", None, CALLS.burst + 1)
    assert abandon(door, "ipv6:%5B2001:db8::2%25eth0%5D:6000", None, 1) == 0
    assert abandon(door, "ipv6:%5B2001:db8:0:1::1%5D:5000", None, 1) == 1


def test_row_2_an_address_that_tries_tokens_is_banned(door: AdmissionControl) -> None:
    answers = [recognise(door, FAR, f"{BAD}{number}") for number in range(GUESSES.burst + 1)]
    assert set(answers[:-1]) == {"TOKEN_INVALID"}
    assert answers[-1] == "RATE_LIMITED"
    assert abandon(door, FAR, BAD, 1) == 0


def test_row_2_who_was_known_before_is_heard_behind_the_same_address(door: AdmissionControl) -> None:
    assert recognise(door, FAR, GOOD) == "ada"
    for number in range(GUESSES.burst + 1):
        recognise(door, FAR, f"{BAD}{number}")
    assert abandon(door, FAR, GOOD, 1) == 1
    door.take_opening(a_call(FAR, GOOD))


def test_row_25_new_connections_of_bots_are_counted_by_token(door: AdmissionControl) -> None:
    for _ in range(OPENINGS.burst):
        door.take_opening(a_call("unix:", GOOD))
    with pytest.raises(ResourceExhaustedError):
        door.take_opening(a_call("unix:", GOOD))
    door.take_opening(a_call("unix:", BAD))
