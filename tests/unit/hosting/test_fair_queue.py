"""Submissions that wait: nobody waits longer because another owner has handed in much."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from arena.hosting.admission.admission import FairQueue
from arena.store.bots.submissions import SubmissionRow, SubmissionState


def a_row(number: int, owner: str) -> SubmissionRow:
    return SubmissionRow(number, "ant", owner, "ab" * 32, 1, SubmissionState.WAITING, 1)


def taken(*owners: str) -> list[tuple[str, int]]:
    """Who is next, if these have handed in one after the other: owner and number."""

    async def take() -> list[tuple[str, int]]:
        line = FairQueue()
        for number, owner in enumerate(owners):
            line.put(a_row(number, owner))
        rows = [await line.take() for _ in owners]
        return [(row.owner, row.number) for row in rows]

    return asyncio.run(take())


def test_of_one_owner_the_oldest_comes_first() -> None:
    assert taken("ada", "ada", "ada") == [("ada", 0), ("ada", 1), ("ada", 2)]


def test_who_has_handed_in_one_waits_for_one_of_each_other() -> None:
    order = taken(*["ada"] * 50, "bob", *["cid"] * 50)
    assert order[:4] == [("ada", 0), ("bob", 50), ("cid", 51), ("ada", 1)]


def test_who_comes_while_nobody_waits_is_next() -> None:
    async def come() -> int:
        line = FairQueue()
        line.put(a_row(1, "ada"))
        await line.take()
        taking = asyncio.create_task(line.take())
        await asyncio.sleep(0)
        assert not taking.done()
        line.put(a_row(2, "ada"))
        return (await taking).number

    assert asyncio.run(come()) == 2


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_each_is_taken_once_and_nobody_twice_while_another_waits(owners: list[str]) -> None:
    order = taken(*owners)
    assert sorted(number for _, number in order) == list(range(len(owners)))
    for place, (owner, _) in enumerate(order[1:], start=1):
        if owner == order[place - 1][0]:
            assert {each for each, _ in order[place:]} == {owner}
