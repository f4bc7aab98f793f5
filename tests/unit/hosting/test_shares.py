"""On a ladder with more hosted bots than places all of them play about equally often. docs/matchmaking.md."""

import asyncio

import pytest

from arena.core.pairing.matchmaker import wait_bound
from arena.scheduling.scheduler import MADE
from tests.unit.hosting.simulated_host import SimulatedHost
from tests.unit.scheduling.fakes import planning
from tests.unit.store.store_fixture import LADDER

BOTS, PLACES = 12, 6


def a_host(seats: int = 2, capacity: int = 4) -> SimulatedHost:
    """Return a host of matches that take one second on average, exponentially distributed."""
    return SimulatedHost(BOTS, PLACES, seats=seats, capacity=capacity)


@pytest.mark.parametrize(
    ("seats", "groups", "least", "most", "pair"), [(2, 1_000, 162, 171, 24), (3, 300, 72, 78, 25)]
)
def test_twelve_bots_on_six_slots_have_even_shares(
    seats: int, groups: int, least: int, most: int, pair: int
) -> None:
    host = a_host(seats)
    host.play(groups)
    shares = [host.shares[bot] for bot in host.hosted]
    assert (least <= min(shares), max(shares) <= most) == (True, True), sorted(shares)
    assert max(host.pairs.values()) <= pair
    assert len(host.pairs) == BOTS * (BOTS - 1) // 2
    assert host.starts < groups  # and programs that run still play several groups


def test_the_first_groups_leave_nobody_out() -> None:
    """However many matches the first processes take."""
    host = a_host(capacity=1_000)
    host.play(23)
    assert len(host.shares) == BOTS
    assert (min(host.shares.values()) >= 2, max(host.shares.values()) <= 7) == (True, True)
    assert max(host.pairs.values()) <= 2


def bounds(host: SimulatedHost) -> dict[str, int]:
    """In one of how many more groups each bot is at the latest."""
    return {place.bot: place.wait_bound for place in asyncio.run(host.ladders.queue(LADDER))}


def test_the_queue_shows_in_how_many_more_groups_a_bot_plays_for_its_share() -> None:
    host = a_host()
    assert set(bounds(host).values()) == {13}
    for group in (1, 2):
        host.play(group)
    told = bounds(host)
    assert all(told[bot] > 13 for bot in host.records.made[0])
    assert max(told[bot] for bot in host.hosted - {*host.shares}) <= 13


async def test_a_group_that_could_not_be_stored_counts_for_nobody() -> None:
    host = a_host()
    for _ in range(2):
        now = await planning(host.records, host.room, host.ladders)  # type: ignore[arg-type]
        assert await host.ladders.make(LADDER, now, first=True, held=frozenset()) is MADE
    assert {place.wait_bound for place in await host.ladders.queue(LADDER)} == {13}


def test_with_a_place_for_each_bot_matchmaking_goes_by_need_alone() -> None:
    host = SimulatedHost(BOTS, BOTS)
    host.play(100)
    made = host.records.ladder.groups_created
    waited = {bot: made - row.last_group_number for bot, row in host.records.contenders.items()}
    assert bounds(host) == {bot: wait_bound(BOTS, groups) for bot, groups in waited.items()}
