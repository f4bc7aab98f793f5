"""What a log says of one seat: its decisions, what it knew, what its clock held."""

import pytest

from arena.codecs.codec import codec_for
from arena.core.clock.seat_clock import SeatClock
from arena.core.match import Cause
from arena.core.units import NS_PER_MS
from arena.match_log.reader import read_log
from arena.replay.recording import Moment, Recording
from arena.replay.replay_session import Reply
from arena.runner.history import SeatActed
from engine.game import Event
from tests.unit.match_log.matches import a_match, caravan_setup
from tests.unit.match_log.pile import CODEC, Drew, codecs
from tests.unit.match_log.pile import CODEC as PILE

CARAVAN = codec_for("caravan")


def a_recording(source: int = 1, *, seat: int = 0, seats: int = 3, trouble: float = 0.0) -> Recording:
    match = a_match(source, setup=caravan_setup(seats), codec=CARAVAN, trouble=trouble)
    return Recording(read_log(match.log.data), CARAVAN.game, seat)


def all_told(recording: Recording, seat: int) -> list[object]:
    """Return all that the seat is told of the match."""
    questions = [moment.question(seat, live=False) for moment in recording.moments]
    asked = [happening for question in questions for happening in question.happened]
    return [*asked, *recording.last_news, *recording.ending]


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("source", [1, 2, 3])
def test_each_decision_of_the_seat_has_its_position_action_and_time(source: int, seat: int) -> None:
    recording = a_recording(source, seat=seat, trouble=0.02)
    result = recording.log.result.seats[seat]
    plies = recording.log.plies

    assert [moment.decision for moment in recording.moments] == list(range(1, len(recording.moments) + 1))
    # The last one may have been lost with the seat.
    assert result.decisions - len(recording.moments) in {0, 1}
    for moment in recording.moments:
        assert moment.played == (plies[moment.ply].action,)
        assert moment.state.seat_to_act == plies[moment.ply].seat == seat
        assert moment.state.is_legal(moment.played[0])
        assert moment.used_ns == plies[moment.ply].used_ns
    assert recording.moments[-1].strikes <= result.strikes


@pytest.mark.parametrize("source", [1, 2, 3])
def test_the_clock_follows_from_the_times_before(source: int) -> None:
    recording = a_recording(source, trouble=0.02)
    control = recording.log.setup.time_control
    clock = SeatClock(control)

    for moment in recording.moments:
        assert (moment.per_decision_ns, moment.bank_ns) == (clock.per_decision_ns, clock.bank_ns)
        assert moment.allowance_ns == clock.allowance_ns
        question = moment.question(0, live=False)
        assert question.bank_ms == clock.bank_ns // NS_PER_MS
        assert question.increment_ms == control.increment_ms
        cost = clock.measure(0, moment.used_ns, credit_ns=0, stall_ns=0)
        clock.charge(cost, earns=moment.cause is Cause.CHOSEN)
        if moment.cause is Cause.ILLEGAL_ACTION:  # a log does not tell how many actions an illegal plan had
            clock.bank_ns = moment.bank_after_ns


def test_actions_of_others_are_reported_once_and_own_actions_never() -> None:
    recording = a_recording(2, seat=1)
    log = recording.log

    told = all_told(recording, 1)
    acted = [(each.seat, each.action) for each in told if isinstance(each, SeatActed)]
    assert acted == [(ply.seat, ply.action) for ply in log.plies if ply.seat != 1]
    events = [each for each in told if isinstance(each, Event)]
    assert log.set_up is not None
    assert events == [*log.set_up.events, *(event for ply in log.plies for event in ply.events)]


def test_a_live_bot_receives_the_last_action_with_the_question_and_the_others_before() -> None:
    recording = a_recording(seat=2)

    for moment in recording.moments:
        asked = moment.question(2, live=True).happened
        assert [*moment.news, *asked] == moment.question(2, live=False).happened
        assert len([each for each in asked if isinstance(each, SeatActed)]) <= 1
    assert any(moment.news for moment in recording.moments)


def test_a_seat_that_forfeits_is_asked_no_more_from_there_on() -> None:
    recordings = (a_recording(source, trouble=0.05) for source in range(40))
    recording = next(each for each in recordings if each.forfeited)

    plies = enumerate(recording.log.plies)
    defaults = [number for number, ply in plies if ply.seat == 0 and ply.cause is Cause.FORFEITED]
    assert all(moment.ply < min(defaults, default=10**6) for moment in recording.moments)
    assert all(moment.cause is not Cause.FORFEITED for moment in recording.moments)


@pytest.mark.parametrize("seat", [0, 1])
def test_events_that_only_another_seat_saw_are_never_reported(seat: int) -> None:
    recording = Recording(read_log(a_match(5).log.data, codecs), PILE.game, seat)

    told = all_told(recording, seat)
    drawn = [event for ply in recording.log.plies for event in ply.events if isinstance(event, Drew)]
    assert {event.seat for event in drawn} == {0, 1}
    assert [each for each in told if isinstance(each, Drew)] == [each for each in drawn if each.seat == seat]


@pytest.fixture(scope="module")
def moments() -> tuple[Moment, ...]:
    """Of a match with plans, and with several decisions of a seat in a row."""
    return Recording(read_log(a_match(3).log.data, codecs), CODEC.game, 0).moments


def a_reply(moment: Moment, actions: tuple[int, ...] | None, took_ns: int = 0) -> Reply:
    return Reply(moment, actions, "", took_ns)


def test_the_recorded_actions_are_the_same_as_a_plan_or_step_by_step(moments: tuple[Moment, ...]) -> None:
    assert max(len(moment.played) for moment in moments) > 1
    assert any(len(moment.onwards) > len(moment.played) for moment in moments)
    for moment in moments:
        assert moment.onwards[: len(moment.played)] == moment.played
        for length in range(1, len(moment.onwards) + 1):
            assert a_reply(moment, moment.onwards[:length]).is_same


def test_other_actions_are_not_the_same(moments: tuple[Moment, ...]) -> None:
    for moment in moments:
        first, *others = moment.played
        assert not a_reply(moment, (first + 1, *others)).is_same
        assert not a_reply(moment, (*moment.onwards, first)).is_same
        assert not a_reply(moment, None).is_same


def test_an_answer_is_late_from_where_the_recorded_clock_had_run_out(moments: tuple[Moment, ...]) -> None:
    for moment in moments:
        assert a_reply(moment, moment.played, moment.allowance_ns).late_ns == 0
        assert a_reply(moment, moment.played, moment.allowance_ns + 7).late_ns == 7
