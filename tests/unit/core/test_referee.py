"""The referee: every race is a list of events with their times. Rows are those of docs/bad_inputs.md."""

import pytest

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import Fault
from arena.core.match import Cause
from arena.core.units import NS_PER_MS
from tests.unit.core.referee_table import RefereeTable


def test_a_match_is_asked_and_answered_to_its_end() -> None:
    table = RefereeTable(rounds=1)
    assert table.new() == ["ask 0 #1"]
    table.turn(0, 1, 3, 1)
    assert table.new() == ["play 0 +3 CHOSEN", "ask 1 #1"]
    table.turn(1, 1, 2, 2)
    assert table.new() == ["play 1 +2 CHOSEN", "finish FINISHED COUNTED_OUT"]
    assert table.placings == [1, 2]
    assert table.terminations == ["NORMAL", "NORMAL"]


def test_the_clock_starts_when_the_question_is_sent_not_when_it_is_ready() -> None:
    table = RefereeTable()
    table.tick(10_000)
    table.sent(0, 1, 20_000).answer(0, 1, 2, 20_100)
    assert table.new()[1:] == ["play 0 +2 CHOSEN", "ask 1 #1"]
    assert table.played[0].record.used_ns == 100 * NS_PER_MS


def test_row_19_a_missed_decision_gets_the_default_and_a_strike() -> None:
    table = RefereeTable().sent(0, 1, 0).tick(150)
    assert table.new() == ["ask 0 #1"]
    table.tick(150.5)
    assert table.new() == ["close 0 #1 late 1 strikes 1", "play 0 +1 TIME_FORFEIT", "ask 1 #1"]
    assert table.played[0].record.bank_ns == 0


def test_row_20_one_rule_decides_at_the_deadline_however_late_the_verdict_comes() -> None:
    in_time = RefereeTable().sent(0, 1, 0).answer(0, 1, 2, 150).tick(500)
    assert in_time.new()[1:] == ["play 0 +2 CHOSEN", "ask 1 #1"]
    late = RefereeTable().sent(0, 1, 0).answer(0, 1, 2, 150.000001)
    assert late.new()[1:3] == ["close 0 #1 late 1 strikes 1", "play 0 +1 TIME_FORFEIT"]


def test_the_referee_wakes_just_after_the_deadline() -> None:
    table = RefereeTable()
    assert table.wake_ms(0) is None
    table.sent(0, 1, 5)
    assert table.wake_ms(5) == 155 + 1 / NS_PER_MS


def test_network_time_is_credited() -> None:
    table = RefereeTable(credit_ms=10).sent(0, 1, 0)
    assert table.wake_ms(0) == 160 + 1 / NS_PER_MS
    table.answer(0, 1, 2, 160)
    assert table.played[0].record.credit_ns == 10 * NS_PER_MS
    assert table.played[0].record.used_ns == 150 * NS_PER_MS


def test_a_stall_of_the_arena_is_charged_to_nobody() -> None:
    table = RefereeTable().sent(0, 1, 0)
    table.stalls.beat_at(0)
    table.stalls.beat_at(400)
    table.tick(400)
    assert table.new() == ["ask 0 #1"]
    assert table.wake_ms(400) == 550 + 1 / NS_PER_MS
    table.answer(0, 1, 2, 430)
    assert table.played[0].record.stall_ns >= 400 * NS_PER_MS
    assert table.played[0].record.used_ns <= 30 * NS_PER_MS


def test_a_question_that_is_not_known_to_be_written_is_charged_from_the_cap_of_the_credit_on() -> None:
    """The bot may have read all of its frame but the last byte, so that no write ends."""
    table = RefereeTable().released(0, 1, 0)
    assert table.wake_ms(0) == 10 + 150 + 1 / NS_PER_MS
    table.answer(0, 1, 2, 90)
    record = table.played[0].record
    assert (record.started_ns, record.used_ns) == (10 * NS_PER_MS, 80 * NS_PER_MS)
    written_late = RefereeTable().released(0, 1, 0).sent(0, 1, 70).answer(0, 1, 2, 90)
    assert written_late.played[0].record.used_ns == 80 * NS_PER_MS


def test_a_bot_that_lets_no_write_end_is_late_while_it_does() -> None:
    table = RefereeTable().released(0, 1, 0).tick(160)
    assert table.new() == ["ask 0 #1"]
    table.tick(160.000001)
    assert table.new()[0] == "close 0 #1 late 1 strikes 1"


def test_a_bot_that_breaks_its_connection_off_is_charged_for_the_time_before() -> None:
    table = RefereeTable(control=LONG).released(0, 1, 0).lost(0, 900).sent(0, 1, 900).returned(0, 950)
    table.answer(0, 1, 2, 1_000)
    assert table.played[0].record.used_ns == 900 * NS_PER_MS


def test_while_the_arena_cannot_write_no_clock_starts() -> None:
    table = RefereeTable().released(0, 1, 0)
    table.stalls.beat_at(0)
    table.stalls.beat_at(400, worked=400)
    table.stalls.beat_at(420, worked=420)
    table.sent(0, 1, 401).answer(0, 1, 2, 431)
    assert table.played[0].record.used_ns == 30 * NS_PER_MS


def test_time_in_which_the_arena_wrote_to_others_first_does_not_count_before_the_start() -> None:
    table = RefereeTable().released(0, 1, 0)
    table.referee.delayed(0, 1, 300 * NS_PER_MS)
    assert table.wake_ms(0) == 300 + 10 + 150 + 1 / NS_PER_MS
    table.sent(0, 1, 305)
    table.referee.delayed(0, 1, 1_000 * NS_PER_MS)  # it is known, and sent again after a comeback
    table.answer(0, 1, 2, 335)
    assert table.played[0].record.used_ns == 30 * NS_PER_MS


def test_no_stall_that_the_bots_owner_has_caused_puts_the_start_off() -> None:
    table = RefereeTable(owner="mallory").released(0, 1, 0)
    table.stalls.beat_at(0)
    table.stalls.meter.note_messages("mallory", 80 * NS_PER_MS)
    table.stalls.beat_at(80, worked=80)
    table.stalls.beat_at(95, worked=95)
    table.sent(0, 1, 90).answer(0, 1, 2, 100)
    assert table.played[0].record.used_ns == 90 * NS_PER_MS


def test_a_stall_that_was_over_before_the_answer_came_kept_nobody_from_thinking() -> None:
    """The arena has worked for all of it, so it may have been made by messages."""
    table = RefereeTable().sent(0, 1, 0)
    table.stalls.beat_at(0)
    for beat in (60, 75, 90):
        table.stalls.beat_at(beat, worked=beat)
    table.answer(0, 1, 2, 100)
    assert table.played[0].record.used_ns == 100 * NS_PER_MS


def test_row_12_an_illegal_action_is_final() -> None:
    table = RefereeTable().sent(0, 1, 0).answer(0, 1, 7, 5)
    assert table.new()[1:] == ["close 0 #1 late 0 strikes 1", "play 0 +1 ILLEGAL_ACTION", "ask 1 #1"]
    table.answer(0, 1, 2, 6)
    assert table.new() == ["ignore 0 #1 REPEATED 0"]


def test_row_17_an_unreadable_answer_is_as_illegal_and_earns_no_increment() -> None:
    table = RefereeTable().sent(0, 1, 0).answer(0, 1, "square is 99, but the board has 49", 5)
    assert table.new()[1:3] == ["close 0 #1 late 0 strikes 1", "play 0 +1 ILLEGAL_ACTION"]
    assert table.played[0].record.bank_ns == 50 * NS_PER_MS


def test_row_13_a_late_answer_is_ignored_with_its_delay() -> None:
    table = RefereeTable().sent(0, 1, 0).tick(160)
    table.new()
    table.answer(0, 1, 2, 187)
    assert table.new() == ["ignore 0 #1 LATE 37"]


def test_row_14_an_answer_for_a_decision_not_yet_asked_is_unknown() -> None:
    table = RefereeTable()
    table.new()
    table.answer(0, 1, 2, 1)
    table.sent(0, 1, 2).answer(0, 2, 2, 3).answer(0, 0, 2, 3).answer(1, 1, 2, 3)
    assert table.new() == [
        "ignore 0 #1 UNKNOWN 0",
        "ignore 0 #2 UNKNOWN 0",
        "ignore 0 #0 UNKNOWN 0",
        "ignore 1 #1 UNKNOWN 0",
    ]


def test_row_14_what_was_received_just_before_the_match_began_breaks_nothing() -> None:
    """It was stamped when it came, and waited behind the beginning; the table checks that no time is below zero."""
    table = RefereeTable()
    table.new()
    table.answer(0, 1, 2, -0.2).answer(1, 7, 2, -0.1)
    assert table.new() == ["ignore 0 #1 UNKNOWN 0", "ignore 1 #7 UNKNOWN 0"]
    table.resigned(1, -0.1)
    assert table.new() == ["end 1 RESIGNATION", "finish FINISHED LAST_STANDING"]


@pytest.mark.parametrize("released", [False, True])
def test_an_answer_that_a_bot_guessed_before_the_match_began_takes_no_time(released: bool) -> None:
    """It was stamped when it came, and is handled after the question was released, written or not."""
    table = RefereeTable()
    table.new()
    if released:
        table.released(0, 1, 0)
    else:
        table.sent(0, 1, -0.7)
    table.answer(0, 1, 2, -0.7)
    assert table.new() == ["play 0 +2 CHOSEN", "ask 1 #1"]
    assert (table.played[0].record.started_ns, table.played[0].record.used_ns) == (0, 0)


def test_an_answer_that_a_bot_guessed_does_not_start_its_clock_before_the_decision_before_is_over() -> None:
    table = RefereeTable().sent(0, 1, 0).answer(0, 1, 2, 30).released(1, 1, 31).answer(1, 1, 2, 29)
    assert (table.played[1].record.started_ns, table.played[1].record.used_ns) == (30 * NS_PER_MS, 0)
    table.sent(0, 2, 32).answer(0, 2, 2, 33)
    assert table.played[2].record.started_ns == 32 * NS_PER_MS


def test_row_15_of_two_answers_the_first_counts() -> None:
    table = RefereeTable().sent(0, 1, 0).answer(0, 1, 2, 1).answer(0, 1, 3, 1)
    assert table.new()[1:] == ["play 0 +2 CHOSEN", "ask 1 #1", "ignore 0 #1 REPEATED 0"]


def test_more_strikes_than_allowed_forfeit_the_seat_and_the_last_one_standing_wins() -> None:
    table = RefereeTable(rounds=5).sent(0, 1, 0).tick(200)
    table.turn(1, 1, 1, 201).sent(0, 2, 201).tick(500)
    assert table.new()[-3:] == [
        "play 0 +1 TIME_FORFEIT",
        "end 0 TIME_FORFEIT",
        "finish FINISHED LAST_STANDING",
    ]
    assert table.placings == [2, 1]
    assert table.terminations == ["TIME_FORFEIT", "NORMAL"]
    assert table.results[1].ending.fault is Fault.OPPONENT


def test_a_forfeited_seat_is_played_by_default_without_delay() -> None:
    table = RefereeTable(seats=3, rounds=2).turn(0, 1, 3, 1).resigned(1, 2)
    assert table.new()[-3:] == ["end 1 RESIGNATION", "play 1 +1 FORFEITED", "ask 2 #1"]
    table.turn(2, 1, 2, 3).turn(0, 2, 3, 4)
    assert table.new()[-2:] == ["play 1 +1 FORFEITED", "ask 2 #2"]
    table.turn(2, 2, 2, 5)
    assert table.placings == [1, 3, 2]


def test_forfeited_seats_share_the_last_placing_whatever_their_score() -> None:
    table = RefereeTable(seats=4, rounds=2)
    for seat in range(4):
        table.turn(seat, 1, 3 if seat < 2 else 1, 1)
    table.resigned(0, 2).resigned(1, 3)
    table.turn(2, 2, 2, 4).turn(3, 2, 1, 5)
    assert table.placings == [3, 3, 1, 2]
    assert table.terminations == ["RESIGNATION", "RESIGNATION", "NORMAL", "NORMAL"]


def test_row_49_seats_that_fail_together_are_taken_in_the_order_of_the_events() -> None:
    table = RefereeTable(seats=3).resigned(2, 5).resigned(0, 5)
    assert table.new()[-2:] == ["end 0 RESIGNATION", "finish FINISHED LAST_STANDING"]
    assert table.placings == [2, 1, 2]
    table.resigned(1, 5)
    assert table.new() == []


def test_a_resignation_out_of_turn_leaves_the_open_decision_of_another_seat_alone() -> None:
    table = RefereeTable(seats=3).sent(0, 1, 0).resigned(2, 10)
    table.new()
    table.answer(0, 1, 2, 20)
    assert table.new() == ["play 0 +2 CHOSEN", "ask 1 #1"]
    assert table.played[0].record.used_ns == 20 * NS_PER_MS


def test_row_22_while_the_connection_is_lost_the_clock_runs_on() -> None:
    table = RefereeTable(rounds=5).sent(0, 1, 0).lost(0, 10).tick(151)
    assert "close 0 #1 late 1 strikes 1" in table.new()
    table.turn(1, 1, 1, 152).sent(0, 2, 152).tick(500)
    ending = table.results[0].ending
    assert (ending.termination.name, ending.fault) == ("TIME_FORFEIT", Fault.NETWORK)
    assert ("connected", "no") in ending.evidence


LONG = TimeControl(per_decision_ms=60_000, bank_ms=0, strikes=1, absence_ms=1_000)


def test_row_22_absence_with_a_decision_open_adds_up_to_a_forfeit() -> None:
    table = RefereeTable(control=LONG).sent(0, 1, 0).lost(0, 100).returned(0, 700)
    assert table.wake_ms(700) == 60_000 + 1 / NS_PER_MS
    table.lost(0, 1_000)
    assert table.wake_ms(1_000) == 1_400 + 1 / NS_PER_MS
    table.tick(1_400)
    assert table.result is None
    table.tick(1_401)
    assert table.terminations == ["DISCONNECT", "NORMAL"]
    assert table.results[0].ending.fault is Fault.NETWORK


@pytest.mark.parametrize(("comes_back", "fault"), [(False, Fault.BOT), (True, Fault.NETWORK)])
def test_row_22_what_ended_a_connection_is_the_bots_fault_until_it_is_back(
    comes_back: bool, fault: Fault
) -> None:
    table = RefereeTable(control=LONG).sent(0, 1, 0).lost(0, 100, "it half-closed its call")
    if comes_back:
        table.returned(0, 200).lost(0, 300)
    table.tick(1_301)
    ending = table.results[0].ending
    assert ending.fault is fault
    assert (("why", "it half-closed its call") in ending.evidence) is not comes_back


def test_absence_without_an_open_decision_costs_nothing() -> None:
    table = RefereeTable(control=LONG).lost(1, 0).sent(0, 1, 0).tick(5_000).answer(0, 1, 2, 6_000)
    assert table.new()[-1] == "ask 1 #1"
    table.sent(1, 1, 6_000).tick(6_999)
    assert table.result is None
    table.tick(7_001)
    assert table.terminations == ["NORMAL", "DISCONNECT"]


def test_absence_is_booked_when_a_decision_is_closed_meanwhile() -> None:
    control = TimeControl(per_decision_ms=600, bank_ms=0, strikes=9, absence_ms=1_000)
    table = RefereeTable(control=control, rounds=5).sent(0, 1, 0).lost(0, 0).tick(601)
    table.turn(1, 1, 1, 5_000).sent(0, 2, 5_000)
    table.tick(5_390)
    assert table.result is None
    table.tick(5_400)
    assert table.terminations == ["DISCONNECT", "NORMAL"]


def test_while_the_arena_does_not_run_nobody_is_absent() -> None:
    table = RefereeTable(control=LONG).sent(0, 1, 0).lost(0, 100)
    table.stalls.beat_at(200)
    table.tick(3_200)
    assert (table.result, table.wake_ms(3_200)) == (None, 4_100 + 1 / NS_PER_MS)
    table.stalls.beat_at(3_200)
    table.stalls.meter.rest()
    table.tick(4_100)
    assert table.result is None
    table.tick(4_101)
    assert ("absent_ms", "1001") in table.results[0].ending.evidence


def test_while_the_arena_does_not_run_the_last_one_standing_is_waited_for() -> None:
    table = RefereeTable(control=LONG).lost(1, 0).resigned(0, 10)
    table.stalls.beat_at(10)
    table.tick(3_010)
    assert (table.result, table.wake_ms(3_010)) == (None, 4_010)
    table.returned(1, 3_500)
    assert table.new()[-1] == "finish FINISHED LAST_STANDING"


def test_if_the_last_one_standing_is_absent_too_there_is_no_contest() -> None:
    table = RefereeTable(control=LONG).lost(1, 0).resigned(0, 10)
    assert table.result is None
    assert table.wake_ms(10) == 1_010
    table.tick(1_010)
    assert table.new()[-1] == "finish NO_CONTEST -"
    assert table.placings == [0, 0]


def test_the_only_seat_that_gives_up_leaves_a_result_without_a_score() -> None:
    """Design, section 9: solo is ranked by score, so a forfeit is one."""
    table = RefereeTable(seats=1).sent(0, 1, 0).answer(0, 1, 3, 1).resigned(0, 2)
    assert table.new()[-2:] == ["end 0 RESIGNATION", "finish FINISHED FORFEIT"]
    assert table.placings == [1]
    assert table.results[0].score == 0


def test_the_only_seat_forfeits_by_its_strikes_and_by_its_absence_too() -> None:
    struck = RefereeTable(seats=1, rounds=5).sent(0, 1, 0).tick(200).sent(0, 2, 200).tick(500)
    assert struck.new()[-2:] == ["end 0 TIME_FORFEIT", "finish FINISHED FORFEIT"]
    gone = RefereeTable(seats=1, control=LONG).lost(0, 0)
    gone.tick(1_001)
    assert gone.new()[-2:] == ["end 0 DISCONNECT", "finish FINISHED FORFEIT"]


def test_the_only_seat_whose_last_strike_ends_the_game_keeps_the_games_ending_but_has_forfeited() -> None:
    table = RefereeTable(seats=1, rounds=2).sent(0, 1, 0).tick(200).sent(0, 2, 200).tick(500)
    assert table.new()[-1] == "finish FINISHED COUNTED_OUT"
    assert table.terminations == ["TIME_FORFEIT"]


def test_if_the_last_one_standing_comes_back_it_has_won() -> None:
    table = RefereeTable(control=LONG).lost(1, 0).resigned(0, 10).returned(1, 900)
    assert table.new()[-1] == "finish FINISHED LAST_STANDING"
    assert table.placings == [2, 1]


def test_row_46_a_void_match_places_nobody_and_is_the_arenas_fault() -> None:
    table = RefereeTable().sent(0, 1, 0).void("the disk is full", 5)
    assert table.new()[-1] == "finish ABORTED -"
    assert table.placings == [0, 0]
    assert {seat.ending.fault for seat in table.results} == {Fault.ARENA}
    table.void("again", 6).tick(10_000)
    assert table.new() == []


BANKED = TimeControl(
    per_decision_ms=100, bank_ms=500, increment_ms=10, grace_ms=0, strikes=1, absence_ms=1_000, hold_ms=0
)
"""With more in the bank than one decision is free, so that a long thought over a plan touches it."""


def test_a_plan_is_one_decision_charged_and_credited_for_its_pieces() -> None:
    table = RefereeTable(rounds=1, moves_each=3, control=BANKED).sent(0, 1, 0).answer(0, 1, (3, 2, 1), 340)
    assert table.new()[1:] == ["play 0 +3 CHOSEN", "play 0 +2 CHOSEN", "play 0 +1 CHOSEN", "ask 1 #1"]
    records = [played.record for played in table.played]
    assert [record.decision for record in records] == [1, 1, 1]
    assert [record.used_ns for record in records] == [340 * NS_PER_MS, 0, 0]
    assert [record.bank_ns for record in records] == [(500 - 40 + 30) * NS_PER_MS, 0, 0]
    assert table.referee.clock(0).bank_ns == 490 * NS_PER_MS


def test_row_20_a_plan_has_no_more_time_to_come_than_one_action() -> None:
    """The verdict falls at the deadline, when nobody can know yet that the answer will be a plan."""
    in_time = RefereeTable(moves_each=3).sent(0, 1, 0)
    assert in_time.wake_ms(0) == 150 + 1 / NS_PER_MS
    assert in_time.answer(0, 1, (3, 2, 1), 150).new()[1] == "play 0 +3 CHOSEN"
    late = RefereeTable(moves_each=3).sent(0, 1, 0).answer(0, 1, (3, 2, 1), 150.000001)
    assert late.new()[1:] == ["close 0 #1 late 1 strikes 1", "play 0 +1 TIME_FORFEIT", "ask 0 #2"]
    assert late.played[0].record.bank_ns == 0


def test_row_12_a_plan_with_an_illegal_piece_changes_nothing_and_costs_one_strike() -> None:
    """The default is one action, not a plan: the next decision of the turn is asked as usual."""
    for place in range(3):
        plan = tuple(9 if index == place else 3 for index in range(3))
        table = RefereeTable(rounds=1, moves_each=3).sent(0, 1, 0).answer(0, 1, plan, 1)
        assert table.new()[1:] == ["close 0 #1 late 0 strikes 1", "play 0 +1 ILLEGAL_ACTION", "ask 0 #2"]
        assert table.state.sums == [1, 0]
        assert f"action {place + 1} of " in table.sentences[-1]


@pytest.mark.parametrize("plan", [(3, 9, 1), "cells has 3"], ids=["illegal", "unreadable"])
def test_row_17_a_refused_plan_is_charged_as_one_action_and_earns_nothing(
    plan: tuple[int, ...] | str,
) -> None:
    table = RefereeTable(rounds=1, moves_each=3, control=BANKED).sent(0, 1, 0).answer(0, 1, plan, 340)
    assert table.played[0].record.bank_ns == (500 - 240) * NS_PER_MS


def test_row_15_after_a_plan_another_answer_to_its_decision_is_repeated() -> None:
    table = RefereeTable(rounds=1, moves_each=2).sent(0, 1, 0).answer(0, 1, (3, 3), 1).answer(0, 1, (1, 1), 2)
    assert table.new()[1:] == ["play 0 +3 CHOSEN", "play 0 +3 CHOSEN", "ask 1 #1", "ignore 0 #1 REPEATED 0"]


def test_a_plan_must_not_reach_into_another_seats_turn_or_beyond_the_end() -> None:
    table = RefereeTable(rounds=1, moves_each=2).sent(0, 1, 0).answer(0, 1, (1, 1, 1), 1)
    assert "play 0 +1 ILLEGAL_ACTION" in table.new()
    alone = RefereeTable(seats=1, rounds=1, moves_each=2).sent(0, 1, 0).answer(0, 1, (1, 1, 1), 1)
    assert "play 0 +1 ILLEGAL_ACTION" in alone.new()


@pytest.mark.parametrize(("moves_each", "after"), [(3, "ask 0 #2"), (2, "finish FINISHED COUNTED_OUT")])
def test_a_plan_may_end_in_the_middle_of_a_turn_or_end_the_game(moves_each: int, after: str) -> None:
    table = RefereeTable(seats=1, rounds=1, moves_each=moves_each).sent(0, 1, 0).answer(0, 1, (3, 3), 1)
    assert table.new()[-1] == after


def test_the_whole_turns_of_a_forfeited_seat_are_played_at_once_and_without_a_question() -> None:
    table = RefereeTable(seats=6, rounds=2, moves_each=5, control=BANKED).resigned(1, 0)
    table.new()
    table.sent(0, 1, 0).answer(0, 1, (3,) * 5, 7)
    assert table.new() == [
        *["play 0 +3 CHOSEN"] * 5,
        *["play 1 +1 FORFEITED"] * 5,
        "ask 2 #1",
    ]
    defaults = [played.record for played in table.played if played.record.seat == 1]
    assert {(record.decision, record.used_ns, record.bank_ns) for record in defaults} == {(0, 0, 0)}


def test_a_seat_over_its_limit_plays_on_without_free_time() -> None:
    control = TimeControl(per_decision_ms=900, bank_ms=50, increment_ms=0, strikes=5, seat_limit_ms=1_000)
    table = RefereeTable(control=control, rounds=9)
    table.sent(0, 1, 0).answer(0, 1, 1, 800).turn(1, 1, 1, 800)
    table.sent(0, 2, 800).answer(0, 2, 1, 1_600).turn(1, 2, 1, 1_600)
    table.sent(0, 3, 1_600).answer(0, 3, 1, 1_651)
    assert table.played[-1].record.over_seat_limit
    assert table.played[-1].record.cause is Cause.TIME_FORFEIT


def test_a_digest_is_recorded_at_every_32nd_ply_and_at_the_end() -> None:
    table = RefereeTable(seats=1, rounds=70)
    for decision in range(1, 71):
        table.turn(0, decision, 1, decision)
    with_digest = [ply for ply, played in enumerate(table.played) if played.record.digest]
    assert with_digest == [31, 63]
    assert table.result is not None
    assert table.result.digest == table.state.digest()[:8]


def test_time_left_shrinks_once_the_question_is_sent() -> None:
    table = RefereeTable()
    assert table.referee.time_left(0, 9) == 150 * NS_PER_MS
    table.sent(0, 1, 0)
    assert table.referee.time_left(0, 40 * NS_PER_MS) == 110 * NS_PER_MS
    assert table.referee.time_left(1, 40 * NS_PER_MS) == 0


def test_the_time_of_a_seat_that_is_debugged_is_a_stall_and_that_of_the_others_counts() -> None:
    table = RefereeTable(untimed=frozenset({0})).sent(0, 1, 0).tick(100_000)
    table.lost(0, 100_000).tick(200_000).returned(0, 200_000)
    wake = table.wake_ms(200_000)
    assert wake is not None
    assert wake > 200_000
    table.answer(0, 1, 2, 300_000)
    assert table.new() == ["ask 0 #1", "play 0 +2 CHOSEN", "ask 1 #1"]
    record = table.played[0].record
    assert (record.used_ns, record.stall_ns, record.bank_ns) == (0, 300_000 * NS_PER_MS, 60 * NS_PER_MS)
    table.sent(1, 1, 300_000).tick(300_151)
    assert table.new() == ["close 1 #1 late 1 strikes 1", "play 1 +1 TIME_FORFEIT", "ask 0 #2"]
