"""One match from its first offer to its result, on a clock that the test moves."""

import weakref
from collections.abc import Collection
from typing import NoReturn

import pytest

from arena.core.clock.processor_use import WAIT_AGAIN_NS, ProcessorUse
from arena.core.endings.arena_faults import DURING_BOT
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.endings.verdicts import no_show, program_ended
from arena.core.match import LAST_STANDING, SOLO_FORFEIT, MatchState
from arena.core.referee.referee import Referee
from arena.core.units import NS_PER_MS
from arena.runner.history import SeatActed, SeatForfeited
from arena.runner.local_report import report
from arena.runner.match_runner import READY_WALL_MS, NoShow
from engine.state import COMPILED
from tests.unit.core.causes import a_cause
from tests.unit.runner.fakes import FakePlayer, MatchFixture, without_garbage_collector


def test_the_match_begins_when_the_last_seat_is_ready() -> None:
    fixture = MatchFixture(3).offer(0, 1)
    assert [player.told for player in fixture.players] == [["offer"]] * 3
    fixture.runner.ready(2)
    assert fixture.players[0].told == ["offer", "start", "ask #1"]
    assert fixture.players[1].told == ["offer", "start"]


def test_a_seat_that_is_not_ready_in_10_s_is_a_no_show_and_nobody_saw_anything() -> None:
    fixture = MatchFixture(2).offer(0)
    fixture.timers.move(9_999)
    assert fixture.ends == []
    fixture.timers.move(1)
    assert fixture.ends == [NoShow((1,))]
    for player in fixture.players:
        assert (player.told, "not ready" in player.withdrawn) == (["offer", "withdraw"], True)
    fixture.runner.ready(1)
    assert fixture.players[1].told[-1] == "withdraw"


@pytest.mark.parametrize(
    "use", [None, ProcessorUse(0, 0, stalled_ns=11_000 * NS_PER_MS)], ids=["connects by itself", "hosted"]
)
def test_time_in_which_the_arena_did_not_run_makes_nobody_a_no_show(use: ProcessorUse | None) -> None:
    fixture = MatchFixture(2).offer(0)
    fixture.players[1].use = use
    fixture.timers.move(1_000)
    fixture.stalls.beat_at(1_000)
    fixture.timers.move(11_000)
    assert fixture.ends == []
    fixture.stalls.beat_at(12_000)
    fixture.stalls.meter.rest()
    fixture.timers.move(8_999)
    assert fixture.ends == []
    fixture.timers.move(1)
    assert fixture.ends == [NoShow((1,))]


@pytest.mark.parametrize(
    ("use", "waits_ms", "more_ms", "end"),
    [
        (ProcessorUse(0, 4_000 * NS_PER_MS, stalled_ns=1_000 * NS_PER_MS), 14_999, 1, NoShow((1,))),
        (ProcessorUse(0, 0, pending_ns=20 * NS_PER_MS), 10_000, WAIT_AGAIN_NS // NS_PER_MS, NoShow((1,))),
        (ProcessorUse(0, 10**15), READY_WALL_MS - 1, 1, NoShow((), starved=True)),
    ],
    ids=["has waited", "may have waited", "gets no processor for two minutes"],
)
def test_a_seat_whose_process_waited_for_a_processor_has_longer_to_be_ready(
    use: ProcessorUse, waits_ms: int, more_ms: int, end: NoShow
) -> None:
    fixture = MatchFixture(2).offer(0)
    fixture.players[1].use = use
    fixture.timers.move(waits_ms)
    assert fixture.ends == []
    fixture.timers.move(more_ms)
    assert fixture.ends == [end]


def test_no_position_leaves_before_it_is_stored_that_the_match_runs() -> None:
    fixture = MatchFixture(2)
    fixture.stored_at_once = False
    fixture.begin()
    assert [player.told for player in fixture.players] == [["offer"]] * 2
    fixture.runner.begin()
    assert fixture.players[0].told == ["offer", "start", "ask #1"]


def test_a_missed_deadline_is_noticed_by_the_alarm() -> None:
    fixture = MatchFixture(2).begin()
    fixture.players[0].take(1)
    fixture.timers.move(100)
    assert fixture.players[0].told[-1] == "ask #1"
    fixture.timers.move(1)
    assert fixture.players[0].told[-1] == "close #1 TIME_FORFEIT"
    assert fixture.players[1].told[-1] == "ask #1"


def test_the_alarm_moves_along_with_the_decisions() -> None:
    fixture = MatchFixture(2).begin()
    for _ in range(20):
        asked = max(fixture.players, key=lambda player: fixture.runner.state.seat_to_act == player.seat)
        fixture.timers.move(90)
        asked.answer()
    assert all(record.cause.name == "CHOSEN" for record in fixture.log.plies)
    assert len([alarm for alarm in fixture.timers.alarms if not alarm.cancelled]) <= 1


def test_happenings_are_sent_once_and_own_actions_are_not_repeated() -> None:
    fixture = MatchFixture(2).begin()
    first = fixture.players[0].questions[0]
    assert [type(each).__name__ for each in first.happened] == ["TurnBegan"]
    fixture.players[0].answer(5)
    told = fixture.players[1].questions[0].happened
    assert [each for each in told if isinstance(each, SeatActed)] == [
        SeatActed(0, first.legal_actions[5], by_default=False)
    ]
    fixture.players[1].answer(0)
    again = fixture.players[0].questions[1].happened
    assert [each.seat for each in again if isinstance(each, SeatActed)] == [1]


def test_live_players_hear_what_others_do_at_once_and_not_again() -> None:
    fixture = MatchFixture(3)
    fixture.players[2].live = True
    fixture.begin()
    fixture.players[0].answer(5)
    heard = [each for each in fixture.players[2].news_heard if isinstance(each, SeatActed)]
    assert [each.seat for each in heard] == [0]
    fixture.players[1].answer(0)
    told = fixture.players[2].questions[0].happened
    assert [each.seat for each in told if isinstance(each, SeatActed)] == [1]


def test_a_position_is_shown_to_nobody_while_the_question_about_it_is_held_back() -> None:
    """An accomplice who watches, or who plays at the same table, would tell it to the bot whose clock does not run."""
    fixture = MatchFixture(3)
    fixture.players[2].live = True
    fixture.begin()
    shown = len(fixture.runner.spectator_view.frames())
    fixture.players[1].holds_back = True
    heard = 0
    while fixture.runner.state.seat_to_act == 0:
        heard = len(fixture.players[2].news_heard)
        fixture.players[0].answer()
        shown += fixture.runner.state.seat_to_act == 0
    assert len(fixture.runner.spectator_view.frames()) == shown
    assert len(fixture.players[2].news_heard) == heard
    fixture.runner.released(1, 1, fixture.timers.now())
    assert len(fixture.runner.spectator_view.frames()) == shown + 1
    assert len(fixture.players[2].news_heard) > heard


def test_the_alarm_is_set_when_a_question_is_released_though_no_write_ends() -> None:
    fixture = MatchFixture(2)
    fixture.players[0].holds_back = True
    fixture.begin()
    fixture.timers.move(5_000)
    assert fixture.players[0].told[-1] == "ask #1"
    fixture.runner.released(0, 1, fixture.timers.now())
    fixture.timers.move(110)
    assert fixture.players[0].told[-1] == "ask #1"
    fixture.timers.move(1)
    assert "close #1 TIME_FORFEIT" in fixture.players[0].told


def test_a_forfeit_is_sent_to_the_others_with_their_next_decision() -> None:
    fixture = MatchFixture(3).begin()
    fixture.runner.resigned(1, fixture.timers.now())
    assert fixture.players[1].told[-1] == "end seat RESIGNATION"
    fixture.players[0].answer(0)
    happened = fixture.players[2].questions[0].happened
    assert SeatForfeited(1, Termination.RESIGNATION) in happened
    assert SeatActed(1, fixture.runner.state.default_action(), by_default=True) in happened


def test_a_player_away_at_the_start_may_come_back_within_its_absence() -> None:
    fixture = MatchFixture(2)
    fixture.players[0].present = False
    fixture.begin()
    fixture.players[0].take(1)
    fixture.timers.move(50)
    fixture.runner.returned(0, fixture.timers.now())
    fixture.players[0].answer(0)
    assert fixture.players[1].told[-1] == "ask #1"


def test_a_closed_match_accepts_nothing_more() -> None:
    fixture = MatchFixture(2).begin()
    fixture.runner.void(a_cause("the arena was shut down"))
    assert fixture.result().state is MatchState.ABORTED
    fixture.players[0].answer(0)
    fixture.runner.resigned(0, fixture.timers.now())
    fixture.timers.move(100_000)
    assert len(fixture.ends) == 1


def test_a_match_void_before_it_began_is_withdrawn() -> None:
    fixture = MatchFixture(2).offer()
    fixture.runner.void(a_cause("the arena was shut down"))
    assert fixture.ends == [NoShow(())]


def test_a_whole_match_is_logged_ply_by_ply() -> None:
    fixture = MatchFixture(2, turn_limit="5").begin()
    while not fixture.ends:
        asked = next(player for player in fixture.players if player.seat == fixture.runner.state.seat_to_act)
        asked.answer(0)
    result = fixture.result()
    assert (result.state, result.ending) == (MatchState.FINISHED, "TURN_LIMIT")
    assert len(fixture.log.plies) == result.plies == 5
    set_up = fixture.log.records[0]
    assert [type(event).__name__ for event in set_up] == ["TurnBegan"]


def test_a_match_that_is_let_go_is_free_without_the_garbage_collector() -> None:
    with without_garbage_collector():
        fixture = MatchFixture().begin()
        log = weakref.ref(fixture.log)
        fixture.runner.resigned(0, fixture.timers.now())
        fixture.runner.let_go()
        fixture.timers.alarms.clear()
        # What the fakes hold, which a real arena has dropped by now.
        fixture.players = []
        del fixture.runner, fixture.log
        assert log() is None


def a_crash() -> SeatEnding:
    """Return the ending of a seat whose program has exited."""
    return program_ended(Termination.EXITED, 0, "3")


def test_a_player_gone_before_all_are_ready_is_a_no_show_at_once() -> None:
    fixture = MatchFixture(2).offer(0)
    fixture.runner.ended(0, a_crash(), fixture.timers.now())
    assert fixture.ends == [NoShow((0,))]
    assert fixture.players[1].told == ["offer", "withdraw"]
    fixture.runner.ended(1, a_crash(), fixture.timers.now())
    assert len(fixture.ends) == 1


def test_a_player_gone_while_the_beginning_is_stored_has_lost_the_match() -> None:
    fixture = MatchFixture(2)
    fixture.stored_at_once = False
    fixture.begin()
    fixture.runner.ended(0, a_crash(), fixture.timers.now())
    assert fixture.ends == []
    fixture.runner.begin()
    seats = fixture.result().seats
    assert seats[0].ending.termination is Termination.EXITED
    assert not seats[1].ending.forfeited


interpreted = pytest.mark.skipif(COMPILED, reason="what is compiled cannot be broken from outside")


def broken(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("secret=17")


def test_an_error_while_a_match_begins_makes_it_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 46."""
    fixture = MatchFixture(2)
    monkeypatch.setattr(FakePlayer, "start", broken)
    fixture.begin()
    result = fixture.result()
    assert (result.state, result.plies) == (MatchState.ABORTED, 0)
    assert {seat.ending.fault for seat in result.seats} == {Fault.ARENA}


@interpreted
def test_a_match_ends_even_if_voiding_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 46."""
    fixture = MatchFixture(2).begin()
    monkeypatch.setattr(Referee, "answered", broken)
    monkeypatch.setattr(Referee, "void", broken)
    fixture.players[0].answer(0)
    result = fixture.result()
    assert (result.state, len(result.seats), len(fixture.ends)) == (MatchState.ABORTED, 2, 1)


def test_an_internal_error_voids_the_match_and_its_cause_names_the_bot_but_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fixture = MatchFixture(2).begin()
    monkeypatch.setattr(FakePlayer, "ask", broken)
    fixture.players[0].answer(0)
    cause = fixture.runner.cause
    assert cause is not None
    details = dict(cause.details)
    assert details[DURING_BOT] == fixture.setup.seats[0].bot
    assert (details["decision"], details["exception"]) == ("1", "RuntimeError")
    result = fixture.result()
    assert (result.state, {seat.ending.fault for seat in result.seats}) == (MatchState.ABORTED, {Fault.ARENA})
    assert "error of the arena" in result.void_reason
    assert "secret" not in f"{cause} {result.void_reason}"
    assert not set(details) & set(dict(result.seats[1].ending.evidence))


@interpreted
def test_an_end_without_a_last_position_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 46."""
    fixture = MatchFixture(2).begin()
    fixture.runner.void(a_cause())
    monkeypatch.setattr(type(fixture.runner.state), "observe", broken)
    fixture.runner.announce(report(fixture.setup, fixture.result(), "", 0))
    for player in fixture.players:
        assert player.over is not None
        assert player.over.observation is None


def without(absent: Collection[int], seats: int = 2) -> MatchFixture:
    """Return a match that begins without these seats."""
    fixture = MatchFixture(seats)
    fixture.runner = fixture.new_runner(fixture.players, dict.fromkeys(absent, AWAY))
    return fixture.begin()


AWAY = no_show("it was away", (("absent_min", "10"),))


def test_a_match_that_only_one_seat_is_left_of_when_it_begins_ends_at_once_and_nobody_is_asked() -> None:
    fixture = without([0])
    result = fixture.result()
    assert (result.state, result.ending, result.plies) == (MatchState.FINISHED, LAST_STANDING, 0)
    assert [(seat.placing, seat.ending.termination) for seat in result.seats] == [
        (2, Termination.NO_SHOW),
        (1, Termination.NORMAL),
    ]
    assert [player.questions for player in fixture.players] == [[], []]


def test_bots_that_are_all_absent_share_the_placing() -> None:
    result = without(range(3), 3).result()
    assert (result.state, result.ending) == (MatchState.FINISHED, SOLO_FORFEIT)
    assert [seat.placing for seat in result.seats] == [1, 1, 1]
    assert all(seat.ending.forfeited for seat in result.seats)


def test_the_two_present_of_three_play_on_and_the_absent_one_is_last() -> None:
    fixture = without([0], 3)
    asked = [seat for seat, player in enumerate(fixture.players) if player.questions]
    assert asked in ([1], [2])
    fixture.runner.resigned(asked[0], fixture.timers.now())
    result = fixture.result()
    assert [result.seats[seat].placing for seat in (0, asked[0], 3 - asked[0])] == [2, 2, 1]
