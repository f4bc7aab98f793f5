"""How long gates may keep bots from rated play (docs/matchmaking.md)."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.core.pairing.held_time import OWED, HeldTime

BOTS = ("ann", "bob", "cid")
LONGEST = 50
steps = st.lists(st.tuples(st.integers(0, LONGEST), st.sets(st.sampled_from(BOTS))), max_size=60)


@given(steps)
def test_gates_that_hold_bots_only_when_they_may_hold_each_for_a_fifth_of_its_time_and_one_step_more(
    wishes: list[tuple[int, set[str]]],
) -> None:
    time, held_for, passed = HeldTime(), Counter[str](), 0
    for elapsed, wished in wishes:
        held = {bot for bot in wished if time.may_hold(bot)}
        time.pass_time(elapsed, held)
        passed += elapsed
        held_for.update(dict.fromkeys(held, elapsed))
        for bot in BOTS:
            # What was held before the last step is paid for, or it would not have been held.
            assert held_for[bot] * (OWED + 1) <= passed + LONGEST * OWED


def test_a_bot_that_was_held_may_be_held_again_after_four_times_as_long() -> None:
    time = HeldTime()
    assert time.may_hold("ann")
    time.pass_time(10, {"ann"})
    time.pass_time(39, ())
    assert not time.may_hold("ann")
    assert time.may_hold("bob")
    time.pass_time(1, ())
    assert time.may_hold("ann")


def test_time_without_a_gate_is_not_saved_up() -> None:
    time = HeldTime()
    time.pass_time(1_000, ())
    time.pass_time(1, {"ann"})
    assert not time.may_hold("ann")
