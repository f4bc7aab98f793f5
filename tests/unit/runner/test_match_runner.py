"""One match from its first offer to its result, on a clock that the test moves."""

from __future__ import annotations

import weakref
from collections.abc import Collection
from pathlib import Path
from typing import NoReturn

import pytest

from arena.core.clock.processor_use import WAIT_AGAIN_NS, ProcessorUse
from arena.core.clock.stalls import StallMeter
from arena.core.debug_line import DebugLine
from arena.core.endings.arena_faults import DURING_BOT
from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.endings.verdicts import no_show, program_ended
from arena.core.match import LAST_STANDING, SOLO_FORFEIT, MatchState
from arena.core.referee.referee import Referee
from arena.core.units import NS_PER_MS
from arena.runner.history import SeatActed, SeatForfeited
from arena.runner.match_runner import READY_WALL_MS, MatchRunner, NoShow
from arena.store.store import Store
from engine.state import COMPILED
from tests.unit.core.causes import a_cause
from tests.unit.runner.fakes import FakePlayer, MatchFixture, without_garbage_collector
from tests.unit.store.store_fixture import StoreFixture


def test_the_match_begins_when_the_last_seat_is_ready() -> None:
    room = MatchFixture(3)
    room.runner.offer()
    for player in room.players[:2]:
        player.match.ready(player.seat)
    assert [player.told for player in room.players] == [["offer"]] * 3
    room.runner.ready(2)
    assert room.players[0].told == ["offer", "start", "ask #1"]
    assert room.players[1].told == ["offer", "start"]


def test_a_seat_that_is_not_ready_in_10_s_is_a_no_show_and_nobody_saw_anything() -> None:
    room = MatchFixture(2)
    room.runner.offer()
    room.runner.ready(0)
    room.timers.move(9_999)
    assert room.ends == []
    room.timers.move(1)
    assert room.ends == [NoShow((1,))]
    for player in room.players:
        assert (player.told, "not ready" in player.withdrawn) == (["offer", "withdraw"], True)
    room.runner.ready(1)
    assert room.players[1].told[-1] == "withdraw"


def test_a_seat_whose_program_got_no_processor_has_so_much_longer_to_be_ready() -> None:
    room = MatchFixture(2)
    room.runner.offer()
    room.runner.ready(0)
    room.players[1].use = ProcessorUse(0, 4_000 * NS_PER_MS, stalled_ns=1_000 * NS_PER_MS)
    room.timers.move(14_999)
    assert room.ends == []
    room.timers.move(1)
    assert room.ends == [NoShow((1,))]


def test_a_seat_whose_program_may_turn_out_to_have_waited_is_looked_at_again() -> None:
    room = MatchFixture(2)
    room.runner.offer()
    room.runner.ready(0)
    room.players[1].use = ProcessorUse(0, 0, pending_ns=20 * NS_PER_MS)
    room.timers.move(10_000)
    assert room.ends == []
    room.timers.move(WAIT_AGAIN_NS // NS_PER_MS)
    assert room.ends == [NoShow((1,))]


def test_a_seat_whose_program_gets_no_processor_at_all_is_not_waited_for_longer_than_two_minutes() -> None:
    room = MatchFixture(2)
    room.runner.offer()
    room.runner.ready(0)
    room.players[1].use = ProcessorUse(0, 10**15)
    room.timers.move(READY_WALL_MS - 1)
    assert room.ends == []
    room.timers.move(1)
    assert room.ends == [NoShow((), starved=True)]


def test_no_position_leaves_before_it_is_stored_that_the_match_runs() -> None:
    room = MatchFixture(2)
    room.stored_at_once = False
    room.begin()
    assert [player.told for player in room.players] == [["offer"]] * 2
    room.runner.begin()
    assert room.players[0].told == ["offer", "start", "ask #1"]


def test_a_missed_deadline_is_noticed_by_the_alarm() -> None:
    room = MatchFixture(2).begin()
    room.players[0].take(1)
    room.timers.move(100)
    assert room.players[0].told[-1] == "ask #1"
    room.timers.move(1)
    assert room.players[0].told[-1] == "close #1 TIME_FORFEIT"
    assert room.players[1].told[-1] == "ask #1"


def test_the_alarm_moves_along_with_the_decisions() -> None:
    room = MatchFixture(2).begin()
    for _ in range(20):
        asked = max(room.players, key=lambda player: room.runner.state.seat_to_act == player.seat)
        room.timers.move(90)
        asked.answer()
    assert all(record.cause.name == "CHOSEN" for record in room.log.plies)
    assert len([alarm for alarm in room.timers.alarms if not alarm.cancelled]) <= 1


def test_what_happened_since_is_told_once_and_own_actions_are_not_repeated() -> None:
    room = MatchFixture(2).begin()
    first = room.players[0].questions[0]
    assert [type(each).__name__ for each in first.happened] == ["TurnBegan"]
    room.players[0].answer(5)
    told = room.players[1].questions[0].happened
    assert [each for each in told if isinstance(each, SeatActed)] == [
        SeatActed(0, first.legal_actions[5], by_default=False)
    ]
    room.players[1].answer(0)
    again = room.players[0].questions[1].happened
    assert [each.seat for each in again if isinstance(each, SeatActed)] == [1]


def test_live_players_hear_what_others_do_at_once_and_not_again() -> None:
    room = MatchFixture(3)
    room.players[2].live = True
    room.begin()
    room.players[0].answer(5)
    heard = [each for each in room.players[2].news_heard if isinstance(each, SeatActed)]
    assert [each.seat for each in heard] == [0]
    room.players[1].answer(0)
    told = room.players[2].questions[0].happened
    assert [each.seat for each in told if isinstance(each, SeatActed)] == [1]


def test_a_position_is_shown_to_nobody_while_the_question_about_it_is_held_back() -> None:
    """An accomplice who watches, or who plays at the same table, would tell it to the bot whose clock does not run."""
    room = MatchFixture(3)
    room.players[2].live = True
    room.begin()
    shown = len(room.runner.spectator_view.frames())
    room.players[1].holds_back = True
    heard = 0
    while room.runner.state.seat_to_act == 0:
        heard = len(room.players[2].news_heard)
        room.players[0].answer()
        shown += room.runner.state.seat_to_act == 0
    assert len(room.runner.spectator_view.frames()) == shown
    assert len(room.players[2].news_heard) == heard
    room.runner.released(1, 1, room.timers.now())
    assert len(room.runner.spectator_view.frames()) == shown + 1
    assert len(room.players[2].news_heard) > heard


def test_the_alarm_is_set_when_a_question_is_released_though_no_write_ends() -> None:
    room = MatchFixture(2)
    room.players[0].holds_back = True
    room.begin()
    room.timers.move(5_000)
    assert room.players[0].told[-1] == "ask #1"
    room.runner.released(0, 1, room.timers.now())
    room.timers.move(110)
    assert room.players[0].told[-1] == "ask #1"
    room.timers.move(1)
    assert "close #1 TIME_FORFEIT" in room.players[0].told


def test_a_forfeit_is_told_to_the_others_with_their_next_decision() -> None:
    room = MatchFixture(3).begin()
    room.runner.resigned(1, room.timers.now())
    assert room.players[1].told[-1] == "end seat RESIGNATION"
    room.players[0].answer(0)
    happened = room.players[2].questions[0].happened
    assert SeatForfeited(1, Termination.RESIGNATION) in happened
    assert SeatActed(1, room.runner.state.default_action(), by_default=True) in happened


def test_a_player_away_at_the_start_may_come_back_within_its_absence() -> None:
    room = MatchFixture(2)
    room.players[0].present = False
    room.begin()
    room.players[0].take(1)
    room.timers.move(50)
    room.runner.returned(0, room.timers.now())
    room.players[0].answer(0)
    assert room.players[1].told[-1] == "ask #1"


def test_an_internal_error_voids_the_match_and_blames_no_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = MatchFixture(2).begin()

    def broken(_: FakePlayer, question: object) -> None:
        raise RuntimeError("secret=17")

    monkeypatch.setattr(FakePlayer, "ask", broken)
    room.players[0].answer(0)
    result = room.result()
    assert result.state is MatchState.ABORTED
    assert {seat.ending.fault for seat in result.seats} == {Fault.ARENA}
    assert "error of the arena" in result.void_reason
    assert "secret" not in result.void_reason


def test_a_closed_match_hears_nothing_more() -> None:
    room = MatchFixture(2).begin()
    room.runner.void(a_cause("the arena was shut down"))
    assert room.result().state is MatchState.ABORTED
    room.players[0].answer(0)
    room.runner.resigned(0, room.timers.now())
    room.timers.move(100_000)
    assert len(room.ends) == 1


def test_a_match_void_before_it_began_is_withdrawn() -> None:
    room = MatchFixture(2)
    room.runner.offer()
    room.runner.void(a_cause("the arena was shut down"))
    assert room.ends == [NoShow(())]


def test_a_whole_match_is_logged_ply_by_ply() -> None:
    room = MatchFixture(2, turn_limit="5").begin()
    while not room.ends:
        asked = next(player for player in room.players if player.seat == room.runner.state.seat_to_act)
        asked.answer(0)
    result = room.result()
    assert (result.state, result.ending) == (MatchState.FINISHED, "TURN_LIMIT")
    assert len(room.log.plies) == result.plies == 5
    set_up = room.log.records[0]
    assert [type(event).__name__ for event in set_up] == ["TurnBegan"]


def test_a_debug_line_is_kept_for_its_seat() -> None:
    room = MatchFixture(2).begin()
    room.runner.keep_debug(1, DebugLine(1, "hm"))
    assert room.runner.debug_lines == [[], [DebugLine(1, "hm")]]


def test_a_match_that_is_let_go_is_free_without_the_garbage_collector() -> None:
    with without_garbage_collector():
        room = MatchFixture().begin()
        log = weakref.ref(room.log)
        room.runner.resigned(0, room.timers.now())
        room.runner.let_go()
        room.timers.alarms.clear()
        # What the fakes hold, which a real arena has dropped by now.
        room.players = []
        del room.runner, room.log
        assert log() is None


def a_crash() -> SeatEnding:
    """Return the ending of a seat whose program has exited."""
    return program_ended(Termination.EXITED, 0, "3")


def test_a_player_gone_before_all_are_ready_is_a_no_show_at_once() -> None:
    room = MatchFixture(2)
    room.runner.offer()
    room.runner.ready(0)
    room.runner.ended(0, a_crash(), room.timers.now())
    assert room.ends == [NoShow((0,))]
    assert room.players[1].told == ["offer", "withdraw"]
    room.runner.ended(1, a_crash(), room.timers.now())
    assert len(room.ends) == 1


def test_a_player_gone_while_the_beginning_is_stored_has_lost_the_match() -> None:
    room = MatchFixture(2)
    room.stored_at_once = False
    room.begin()
    room.runner.ended(0, a_crash(), room.timers.now())
    assert room.ends == []
    room.runner.begin()
    seats = room.result().seats
    assert seats[0].ending.termination is Termination.EXITED
    assert not seats[1].ending.forfeited


interpreted = pytest.mark.skipif(COMPILED, reason="what is compiled cannot be broken from outside")


def broken(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("secret=17")


def test_an_error_while_a_match_begins_makes_it_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 46."""
    room = MatchFixture(2)
    monkeypatch.setattr(FakePlayer, "start", broken)
    room.begin()
    result = room.result()
    assert (result.state, result.plies) == (MatchState.ABORTED, 0)
    assert {seat.ending.fault for seat in result.seats} == {Fault.ARENA}


@interpreted
def test_a_match_ends_even_if_voiding_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Row 46."""
    room = MatchFixture(2).begin()
    monkeypatch.setattr(Referee, "answered", broken)
    monkeypatch.setattr(Referee, "void", broken)
    room.players[0].answer(0)
    result = room.result()
    assert (result.state, len(result.seats), len(room.ends)) == (MatchState.ABORTED, 2, 1)


def test_the_cause_of_a_failure_names_the_bot_but_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = MatchFixture(2).begin()
    monkeypatch.setattr(FakePlayer, "ask", broken)
    room.players[0].answer(0)
    cause = room.runner.cause
    assert cause is not None
    details = dict(cause.details)
    assert details[DURING_BOT] == room.setup.seats[0].bot
    assert (details["decision"], details["exception"]) == ("1", "RuntimeError")
    assert "secret" not in str(cause)
    assert not set(details) & set(dict(room.result().seats[1].ending.evidence))


@interpreted
def test_an_end_without_a_last_position_is_announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Row 46."""
    room = MatchFixture(2).begin()
    room.runner.void(a_cause())
    monkeypatch.setattr(type(room.runner.state), "observe", broken)
    db = StoreFixture(Store(f"sqlite:///{tmp_path / 'arena.db'}"))
    db.store.migrate()
    db.populate("ant", "bee")
    match = db.pair("ant", "bee")[0]
    room.runner.announce(db.store.read(lambda tx: tx.matches.get(match)))
    db.store.close()
    assert [player.over is not None and player.over.observation is None for player in room.players] == [
        True
    ] * 2


def without(absent: Collection[int], seats: int = 2) -> MatchFixture:
    """Return a match that begins without these seats."""
    room = MatchFixture(seats)
    room.runner = MatchRunner(
        room.setup,
        room.players,
        room.log,
        timers=room.timers,
        stalls=StallMeter(),
        match_manager=room,
        absent=dict.fromkeys(absent, AWAY),
    )
    return room.begin()


AWAY = no_show("it was away", (("absent_min", "10"),))


def test_a_match_that_only_one_seat_is_left_of_when_it_begins_ends_at_once_and_nobody_is_asked() -> None:
    room = without([0])
    result = room.result()
    assert (result.state, result.ending, result.plies) == (MatchState.FINISHED, LAST_STANDING, 0)
    assert [(seat.placing, seat.ending.termination) for seat in result.seats] == [
        (2, Termination.NO_SHOW),
        (1, Termination.NORMAL),
    ]
    assert [player.questions for player in room.players] == [[], []]


def test_bots_that_are_all_absent_share_the_placing() -> None:
    result = without(range(3), 3).result()
    assert (result.state, result.ending) == (MatchState.FINISHED, SOLO_FORFEIT)
    assert [seat.placing for seat in result.seats] == [1, 1, 1]
    assert all(seat.ending.forfeited for seat in result.seats)


def test_those_who_are_left_of_three_play_on_and_the_absent_one_is_last() -> None:
    room = without([0], 3)
    asked = [seat for seat, player in enumerate(room.players) if player.questions]
    assert asked in ([1], [2])
    room.runner.resigned(asked[0], room.timers.now())
    result = room.result()
    assert [result.seats[seat].placing for seat in (0, asked[0], 3 - asked[0])] == [2, 2, 1]
