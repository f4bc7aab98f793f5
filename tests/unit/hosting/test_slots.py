"""Which programs are started and stopped, on every state of things that chance makes up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.pairing.start_order import PendingMatch
from arena.hosting.host.slots import Occupant, plan_slots

BOTS = tuple("abcdefgh")


def occupant(
    number: int, bot: str = "", *, busy: bool = False, idle: int = 0, going: bool = False
) -> Occupant:
    return Occupant(number, bot, busy, idle, going)


def needs(*wanted: str) -> list[PendingMatch]:
    """Return matches 1, 2, ... of the bots with these letters."""
    return [PendingMatch(match, tuple(bots)) for match, bots in enumerate(wanted, start=1)]


@pytest.mark.parametrize(
    ("slots", "running", "wanted", "start", "stop", "waits"),
    [
        pytest.param(3, [], "ab cd", "ab", (), 2, id="all processes of a match, and no half match"),
        pytest.param(2, [occupant(1, "a", busy=True), occupant(2, "b")], "ab", "", (), None, id="all run"),
        pytest.param(
            *(3, [occupant(1, "a", idle=5), occupant(2, "b", idle=3), occupant(3, "c", busy=True)], "d"),
            *("", (2,), None),
            id="the longest idle process ends",
        ),
        pytest.param(
            *(2, [occupant(1, "a"), occupant(2, "b", busy=True)], "ab c", "", (), 2),
            id="an older match keeps its process",
        ),
        pytest.param(1, [occupant(1, "a")], "b a", "", (1,), 2, id="a younger match gives way"),
        pytest.param(
            *(3, [occupant(1, "x", busy=True), occupant(2, "y", busy=True)], "ab c", "", (), 1),
            id="a younger match takes no slot that a waiting one could use",
        ),
        pytest.param(2, [occupant(1, "x", going=True)], "ab c", "", (), 2, id="a slot about to be free"),
        pytest.param(
            2, [occupant(1, "a", going=True)], "a", "a", (), None, id="a leaving process serves nobody"
        ),
    ],
)
def test_plans(
    slots: int, running: list[Occupant], wanted: str, start: str, stop: tuple[int, ...], waits: int | None
) -> None:
    plan = plan_slots(slots, running, needs(*wanted.split()))
    assert (plan.start, plan.stop, plan.waits) == (tuple(start), stop, waits)


@st.composite
def occupants(draw: st.DrawFn, slots: int) -> list[Occupant]:
    bots = draw(st.lists(st.sampled_from((*BOTS, "")), max_size=slots))
    seen: set[str] = set()
    made = []
    for number, bot in enumerate(bots):
        going = draw(st.booleans())
        if bot in seen:
            bot = ""
        if not going:
            seen.add(bot)
        made.append(
            occupant(number, bot, busy=draw(st.booleans()), idle=draw(st.integers(0, 9)), going=going)
        )
    return made


@given(st.data(), st.integers(1, 6))
def test_a_plan_respects_slots_and_running_matches(data: st.DataObject, slots: int) -> None:
    running = data.draw(occupants(slots))
    wanted = data.draw(st.lists(st.frozensets(st.sampled_from(BOTS), min_size=1, max_size=4), max_size=6))
    given_needs = [PendingMatch(match, tuple(bots)) for match, bots in enumerate(wanted)]
    plan = plan_slots(slots, running, given_needs)
    by_number = {each.program: each for each in running}
    assert len(running) + len(plan.start) <= slots
    assert len(set(plan.start)) == len(plan.start)
    assert len(set(plan.stop)) == len(plan.stop)
    assert not any(by_number[number].busy or by_number[number].going for number in plan.stop)
    stopped = {by_number[number].bot for number in plan.stop}
    serving = {each.bot for each in running if each.bot and not each.going} - stopped
    assert not serving & set(plan.start)
    for bot in plan.start:
        whole = [need for need in given_needs if bot in need.bots]
        assert any(serving | set(plan.start) >= set(need.bots) for need in whole)
    if plan.waits is None:
        # All of them can run side by side, at the latest when those that leave have left.
        assert len({bot for need in given_needs for bot in need.bots}) <= slots
    else:
        younger = [need for need in given_needs if need.match > plan.waits]
        only_younger = {bot for need in younger for bot in need.bots} - {
            bot for need in given_needs if need.match <= plan.waits for bot in need.bots
        }
        assert not only_younger & set(plan.start)


@given(st.data(), st.integers(4, 6))
def test_the_oldest_match_begins_as_soon_as_nobody_plays(data: st.DataObject, slots: int) -> None:
    """Nothing blocks for ever: what is idle gives way, and what leaves is gone some time."""
    running = [
        occupant(each.program, each.bot, idle=each.idle_since, going=each.going)
        for each in data.draw(occupants(slots))
    ]
    wanted = data.draw(st.frozensets(st.sampled_from(BOTS), min_size=1, max_size=4))
    for _ in range(3):
        plan = plan_slots(slots, running, [PendingMatch(1, tuple(wanted))])
        running = [each for each in running if each.program not in plan.stop and not each.going]
        running += [occupant(100 + place, bot) for place, bot in enumerate(plan.start)]
    assert wanted <= {each.bot for each in running}
