"""A match of Caravanserai in which every placement is one answer (S48), in its log and in all that reads it."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import groupby

from rich.console import Console

from arena.codecs.codec import codec_for
from arena.core.clock.time_control import TimeControl
from arena.core.match import Cause, MatchResult, NoteRecord
from arena.core.ply import PlyRecord
from arena.core.units import NS_PER_MS
from arena.drawings.drawing import drawing_for
from arena.drawings.narration import BoardFrequency
from arena.match_log.checks.check import Status
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import Verification, verify
from arena.match_report.explain import explain
from arena.match_report.export import export_lines
from arena.match_report.plies import ply_lines
from arena.match_report.story import story
from engine.caravanserai.observation import Decision
from engine.caravanserai.state import CaravanseraiState
from tests.unit.match_log.matches import KEY, logged
from tests.unit.runner.fakes import MatchFixture
from tests.unit.sessions.caravanserai_match import placement

CODEC = codec_for("caravanserai")
CONTROL = TimeControl(per_decision_ms=50, bank_ms=10_000, increment_ms=10, strikes=9)
THOUGHT_MS = 250
"""Over each plan: more than four actions have for free."""


@cache
def a_planned_match() -> tuple[MatchFixture, MatchResult]:
    """Three seats; the second plan of seat 0 is not legal."""
    fixture = MatchFixture(3, game="caravanserai", control=CONTROL).begin()
    while not fixture.ends:
        state = fixture.runner.state
        assert isinstance(state, CaravanseraiState)
        player = fixture.players[state.seat_to_act]
        question = player.questions[-1]
        player.take(question.decision)
        first_step = state.decision is Decision.STEP and not state.laid
        actions = placement(state).steps if first_step else (state.legal_actions()[0],)
        if first_step and state.round == 2 and state.seat_to_act == 0:
            actions = (*actions, actions[-1])
        fixture.timers.ns += (THOUGHT_MS if len(actions) > 1 else 1) * NS_PER_MS
        player.match.answered(player.seat, question.decision, actions, fixture.timers.now())
    return fixture, fixture.result()


def data_of(*, change: tuple[int, int] | None = None) -> bytes:
    """Return the log file. `change`: the number of a ply, and by how many nanoseconds its bank is off."""
    fixture, result = a_planned_match()
    set_up, *rest = fixture.log.records
    records: list[PlyRecord | NoteRecord] = rest
    if change is not None:
        place = [index for index, each in enumerate(records) if isinstance(each, PlyRecord)][change[0]]
        ply = records[place]
        assert isinstance(ply, PlyRecord)
        records = [*records[:place], replace(ply, bank_ns=ply.bank_ns + change[1]), *records[place + 1 :]]
    return logged(fixture.setup, tuple(records), result, set_up=set_up, codec=CODEC).data


def verified(data: bytes) -> Verification:
    return verify(data, keys=[KEY.public])


def the_log() -> MatchLog:
    return read_log(data_of())


def plans(log: MatchLog) -> list[list[PlyRecord]]:
    """Return the plies of each decision that has several."""
    decisions = [list(plies) for _, plies in groupby(log.plies, key=lambda ply: (ply.seat, ply.decision))]
    return [plies for plies in decisions if len(plies) > 1]


def test_a_plan_is_one_decision_of_the_log_with_all_its_time_at_the_first_ply() -> None:
    found = plans(the_log())
    assert len(found) > 10
    for first, *others in found:
        assert first.used_ns == THOUGHT_MS * NS_PER_MS
        assert {(ply.cause, ply.started_ns, ply.used_ns, ply.bank_ns) for ply in others} == {
            (Cause.CHOSEN, 0, 0, 0)
        }


def test_a_log_with_plans_verifies_and_a_wrong_charge_of_one_does_not() -> None:
    good = verified(data_of())
    assert {check.name: check.status for check in good.checks if check.status is not Status.OK} == {
        "derivation": Status.NOT_CHECKED
    }
    log = the_log()
    first = log.plies.index(plans(log)[0][0])
    off = verified(data_of(change=(first, 1)))
    [clock] = [check for check in off.checks if check.name == "clock"]
    assert clock.status is Status.FAILED


def test_an_illegal_plan_is_one_strike_and_one_default_and_the_log_says_which_step_it_was() -> None:
    [struck] = [ply for ply in the_log().plies if ply.cause is Cause.ILLEGAL_ACTION]
    seats = explain(the_log()).seats
    [strike] = seats[0].strikes
    assert strike.decision == struck.decision
    assert "of the plan's" in strike.why
    assert [len(seat.strikes) for seat in seats] == [1, 0, 0]


def test_an_explanation_counts_decisions_not_actions() -> None:
    log = the_log()
    for seat in explain(log).seats:
        assert len(seat.decisions) == seat.result.decisions < sum(ply.seat == seat.seat for ply in log.plies)
        assert sum(each.used_ns for each in seat.decisions) == seat.result.used_ns


def test_an_export_has_a_line_for_each_step_under_the_number_of_its_decision() -> None:
    lines = [json.loads(line) for line in export_lines(the_log(), CODEC)]
    plies = [line for line in lines if line["record"] == "ply"]
    assert [line["ply"] for line in plies] == list(range(len(the_log().plies)))
    told = [(line["seat"], line["decision"]) for line in plies]
    assert told == [(ply.seat, ply.decision) for ply in the_log().plies]


def printed(*, by_ply: bool) -> str:
    """Return the log as people read it."""
    console = Console(file=StringIO(), width=80, color_system=None)
    log = the_log()
    parts = (
        ply_lines(log, CODEC)
        if by_ply
        else story(log, CODEC, drawing_for("caravanserai"), BoardFrequency.NEVER)
    )
    for part in parts:
        console.print(part)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_log_told_by_action_marks_what_was_planned() -> None:
    assert printed(by_ply=True).count("  planned\n") == sum(len(plies) - 1 for plies in plans(the_log()))


def test_a_log_told_by_turns_counts_the_bank_by_the_length_of_a_plan() -> None:
    told = " ".join(printed(by_ply=False).split())
    lengths = [len(plies) for plies in plans(the_log())]
    costs = Counter(length for length in lengths if length * CONTROL.per_decision_ms < THOUGHT_MS)
    assert costs
    for length, times in costs.items():
        over = THOUGHT_MS - length * CONTROL.per_decision_ms
        sentence = f"Thought 250 ms over one plan of {length} actions: {over} ms from the bank"
        assert told.count(sentence) == times
    assert told.count("Thought") == costs.total()
