"""What bots count: above all, for how long they waited for the arena."""

from benchmarks.clients.tally import Tally


def test_a_wait_is_from_an_answer_to_the_other_seats_decision() -> None:
    tally = Tally()
    tally.asked("m", 0, 100)
    tally.answered("m", 0, 130)
    tally.asked("m", 1, 200)
    tally.answered("m", 1, 205)
    tally.asked("m", 0, 300)
    assert tally.waits_ns == [70, 95]
    assert tally.decisions == 3


def test_what_another_programs_bot_thought_in_between_is_no_wait() -> None:
    tally = Tally()
    tally.asked("m", 0, 100)
    tally.answered("m", 0, 110)
    tally.asked("m", 0, 900)  # seat 1 is somebody else's
    assert tally.waits_ns == []


def test_matches_do_not_mix() -> None:
    tally = Tally()
    tally.answered("m", 0, 100)
    tally.answered("n", 0, 200)
    tally.asked("n", 1, 230)
    tally.asked("m", 1, 300)
    assert tally.waits_ns == [30, 200]


def test_a_turn_is_from_one_decision_to_the_next_and_pauses_between_matches_do_not_count() -> None:
    tally = Tally()
    tally.asked("m", 0, 100)
    tally.asked("m", 1, 150)
    tally.ended("m")
    tally.asked("n", 0, 10_000)
    tally.asked("n", 1, 10_040)
    assert (tally.turns, tally.turns_ns) == (2, 90)


def test_an_answer_in_a_match_that_ended_is_never_waited_for() -> None:
    tally = Tally()
    tally.answered("m", 0, 100)
    tally.ended("m")
    tally.asked("m", 1, 900)
    assert tally.waits_ns == []
