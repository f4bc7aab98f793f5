"""Whether bots think longer on one machine than on others."""

import pytest

from arena.server.cluster.think_times import ThinkTimes

ANT_BEE = (("ant", "1"), ("bee", "1"))
CAT_DOG = (("cat", "1"), ("dog", "1"))


def test_slow_bots_do_not_make_their_machine_slow() -> None:
    times = ThinkTimes()
    for machine in ("a", "b"):
        for _ in range(10):
            times.add(machine, ANT_BEE, 10, 1.0)
    for _ in range(90):
        times.add("a", CAT_DOG, 10, 50.0)
    assert times.ratio("a", 10) == pytest.approx(1.0)


def test_a_machine_is_compared_by_the_pairings_that_others_have_played() -> None:
    times = ThinkTimes()
    for pairing, elsewhere in ((ANT_BEE, 1.0), (CAT_DOG, 20.0)):
        for _ in range(5):
            times.add("a", pairing, 10, 2 * elsewhere)
            times.add("b", pairing, 10, elsewhere)
            times.add("c", pairing, 10, elsewhere)
    assert times.ratio("a", 10) == pytest.approx(2.0)
    assert times.ratio("b", 10) == pytest.approx(1 / 1.5)


def test_too_few_matches_say_nothing() -> None:
    times = ThinkTimes()
    for _ in range(9):
        times.add("a", ANT_BEE, 10, 2.0)
        times.add("b", ANT_BEE, 10, 1.0)
    assert times.ratio("a", 10) is None
    times.add("a", ANT_BEE, 10, 2.0)
    assert times.ratio("a", 10) is None, "the others have one fewer"
    times.add("b", ANT_BEE, 10, 1.0)
    assert times.ratio("a", 10) == pytest.approx(2.0)
    times.forget("a")
    assert times.ratio("a", 10) is None
