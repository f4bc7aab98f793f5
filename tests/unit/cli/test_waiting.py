"""Waiting for the end of a tournament, challenge or gate: `arena tournament wait`, and `--wait` of what begins one."""

import json
import os
import signal

import pytest

from tests.unit.cli.test_gate import LADDER, ON_LADDER
from tests.unit.cli.test_tournaments import CUP, GATE, TABLE

ENDED_CUP = CUP.replace("STATE_RUNNING", "STATE_FINISHED")
WAIT = ("tournament", "wait", "cup")


def gate(state: str, verdict: str = "UNDECIDED", counts: str = "") -> str:
    return GATE.replace("STATE_RUNNING", f"STATE_{state} {counts}").replace(
        "VERDICT_UNDECIDED", f"VERDICT_{verdict}"
    )


def test_waiting_ends_with_the_last_match_and_shows_the_standings_as_run_does(fake, ask):
    stages = [CUP, CUP.replace("STATE_RUNNING", "STATE_PAUSED running_matches: 1"), ENDED_CUP]
    fake.answers |= {"GetTournament": lambda _: stages.pop(0), "GetCrosstable": TABLE}
    waited = ask(*WAIT)
    assert (waited.exit_code, waited.stderr, stages) == (0, "", [])

    fake.answers |= {"GetTournament": ENDED_CUP}
    assert ask("tournament", "run", "cup", "--wait").stdout == waited.stdout
    told = json.loads(ask(*WAIT, "--format", "json").stdout)
    assert [each["bot"] for each in told["standings"]] == ["bots/bob", "bots/c|d"]
    assert {call.method for call in fake.calls} == {"GetTournament", "GetCrosstable"}, (
        "waiting changes nothing"
    )


def test_progress_of_a_gate_has_an_estimated_total_and_at_the_end_the_true_one(fake, ask):
    def matches(text: str, number: int) -> str:
        return text.replace("matches: 32 ended_matches: 32", f"matches: {number} ended_matches: {number}")

    stages = [matches(GATE, 12), matches(gate("FINISHED"), 17).replace("set_ups_left: 130", "")]
    fake.answers |= {"GetTournament": lambda _: stages.pop(0)}
    lines = [line for line in ask("tournament", "wait", "gate-1").stderr.splitlines() if " matches." in line]
    assert lines == ["12 of about 532 matches.", "17 of 17 matches."]


@pytest.mark.parametrize("state", ["PAUSED", "PLANNED"])
def test_a_tournament_that_does_not_run_is_not_waited_for(fake, ask, state):
    fake.answers |= {
        "GetTournament": CUP.replace("STATE_RUNNING", f"STATE_{state}"),
        "GetCrosstable": TABLE,
    }
    result = ask(*WAIT)
    assert result.exit_code == 1
    assert "arena tournament run cup" in result.stderr
    assert "bob" in result.stdout


@pytest.mark.parametrize(("verdict", "code"), [("BETTER", 0), ("NOT_BETTER", 5), ("UNDECIDED", 6)])
def test_a_gate_is_waited_for_again_with_its_verdict_and_exit_code(fake, ask, verdict, code):
    over = gate("FINISHED", verdict)
    stages = [gate("RUNNING"), over]
    fake.answers |= {
        "GetTournament": lambda _: stages.pop(0),
        "GetLadder": LADDER,
        "CreateTournament": GATE,
    }
    waited = ask("tournament", "wait", "gate-1")
    assert (waited.exit_code, stages) == (code, [])
    assert "7 set-ups; Elo +52.1" in waited.stderr

    fake.answers |= {"GetTournament": over}
    first = ask(*ON_LADDER, "--wait")
    assert (first.exit_code, first.stdout) == (code, waited.stdout)
    told = json.loads(ask("tournament", "wait", "gate-1", "--format", "json").stdout)
    assert told["gate"]["verdict"] == f"VERDICT_{verdict}"


def test_a_gate_that_is_paused_is_undecided(fake, ask):
    fake.answers |= {"GetTournament": gate("PAUSED")}
    result = ask("tournament", "wait", "gate-1")
    assert result.exit_code == 6
    assert "arena tournament run gate-1" in result.stderr


CREATED = {
    "CreateTournament": CUP,
    "RunTournament": "",
    "GetLadder": LADDER,
    "GetBot": 'bot { name: "bots/a" }',
}


@pytest.mark.parametrize(
    ("words", "shown", "name"),
    [
        (WAIT, CUP, "cup"),
        (("tournament", "run", "cup", "--wait"), CUP, "cup"),
        (("challenge", "ann", "bob", "--wait"), CUP, "cup"),
        (("tournament", "wait", "gate-1"), GATE, "gate-1"),
        ((*ON_LADDER, "--wait"), GATE, "gate-1"),
    ],
)
def test_who_no_longer_waits_is_told_how_to_wait_again(fake, ask, words, shown, name):
    looks = iter(range(100))

    def show(_):
        if next(looks) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return shown

    fake.answers |= CREATED | {"GetTournament": show, "CreateTournament": shown}
    result = ask(*words)
    assert result.exit_code == 130
    assert f"arena tournament wait {name}" in result.stderr
    assert {"PauseTournament", "WithdrawFromTournament"}.isdisjoint(call.method for call in fake.calls)
