"""The credit for network time: measured, capped, and not to be gained by delaying pongs."""

from arena.core.clock.round_trip import RoundTrip
from arena.core.clock.time_control import TimeControl
from arena.core.units import NS_PER_MS

LONG = TimeControl(per_decision_ms=10_000)


def test_before_the_first_pong_and_on_a_unix_socket_nothing_is_credited() -> None:
    remote, local = RoundTrip(local=False), RoundTrip(local=True)
    remote.note_answer(5 * NS_PER_MS)
    local.note_pong(3 * NS_PER_MS)
    assert remote.credit_ns(LONG) == local.credit_ns(LONG) == 0


def test_the_lowest_time_of_pongs_and_answers_is_credited() -> None:
    trip = RoundTrip(local=False)
    trip.note_pong(30 * NS_PER_MS)
    assert trip.credit_ns(LONG) == 30 * NS_PER_MS
    trip.note_answer(12 * NS_PER_MS)
    trip.note_pong(40 * NS_PER_MS)
    assert trip.credit_ns(LONG) == 12 * NS_PER_MS


def test_the_credit_is_at_most_100_ms_and_a_tenth_of_per_decision() -> None:
    trip = RoundTrip(local=False)
    trip.note_pong(900 * NS_PER_MS)
    assert trip.credit_ns(LONG) == 100 * NS_PER_MS
    assert trip.credit_ns(TimeControl(per_decision_ms=200)) == 20 * NS_PER_MS


def test_an_answer_stamped_before_its_question_was_known_to_be_sent_took_no_time() -> None:
    trip = RoundTrip(local=False)
    trip.note_pong(3 * NS_PER_MS)
    trip.note_answer(-59_457)
    assert trip.credit_ns(LONG) == 0
