"""Waiting for a ladder: why it does not go on is said, and what goes on when somebody stops waiting."""

import os
import signal

TOO_FEW = "1 of its bots are connected and not paused, and a match needs 2"


def ladder(state: str, finished: int = 0, running: int = 0, waiting_for: str = "") -> str:
    counts = f"finished_matches: {finished} running_matches: {running} remaining_matches: 7"
    return f'ladder {{ name: "ladders/main" state: STATE_{state} {counts} waiting_for: "{waiting_for}" }}'


def test_why_a_ladder_waits_is_said_once_and_not_for_what_passes_at_once(fake, ask):
    reasons = ["", "a moment", "", TOO_FEW, TOO_FEW, TOO_FEW]
    stages = [ladder("RUNNING", waiting_for=reason) for reason in reasons] + [ladder("PAUSED")] * 2
    fake.answers |= {"GetLadder": lambda _: stages.pop(0), "RunLadder": ""}

    result = ask("ladder", "run", "main", "--matches", "2", "--wait")

    assert result.exit_code == 0, result.output
    assert result.stderr == f"Waiting: {TOO_FEW}.\n"


def test_waiting_ends_when_the_ladder_has_paused_and_its_last_match_is_over(fake, ask):
    stages = [
        *(ladder("RUNNING", 5, running) for running in (0, 2)),
        *(ladder("PAUSED", finished, running) for finished, running in ((6, 1), (7, 0), (7, 0))),
    ]
    fake.answers |= {"GetLadder": lambda _: stages.pop(0), "RunLadder": ""}

    result = ask("ladder", "run", "main", "--matches", "2", "--wait")

    assert result.exit_code == 0, result.output
    assert stages == []
    assert "7 finished, 0 running" in result.stdout
    assert fake.texts("RunLadder") == ['name: "ladders/main" matches: 2']


def test_an_interrupted_wait_tells_that_the_ladder_goes_on_and_how_to_pause_it(fake, ask):
    looks = iter(range(100))

    def show(_: object) -> str:
        if next(looks) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return ladder("RUNNING")

    fake.answers |= {"GetLadder": show, "RunLadder": ""}

    result = ask("ladder", "run", "main", "--matches", "9", "--wait")

    assert result.exit_code == 130
    assert "7 matches" in result.stderr
    assert "arena ladder pause main" in result.stderr
    assert fake.requests("PauseLadder") == []
