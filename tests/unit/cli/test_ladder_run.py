"""Waiting for a ladder: why it does not go on is said, and what goes on when somebody stops waiting."""

from __future__ import annotations

import os
import signal

from arena.v1 import ladder_pb2

RUNNING, PAUSED = ladder_pb2.Ladder.STATE_RUNNING, ladder_pb2.Ladder.STATE_PAUSED
TOO_FEW = "1 of its bots are connected and not paused, and a match needs 2"


def ladder(state: ladder_pb2.Ladder.State.ValueType, waiting_for: str = "") -> ladder_pb2.GetLadderResponse:
    return ladder_pb2.GetLadderResponse(
        ladder=ladder_pb2.Ladder(
            name="ladders/main", state=state, remaining_matches=7, waiting_for=waiting_for
        )
    )


def test_why_a_ladder_waits_is_said_once_and_not_for_what_passes_at_once(fake, ask):
    reasons = ["", "a moment", "", TOO_FEW, TOO_FEW, TOO_FEW]
    stages = [*(ladder(RUNNING, reason) for reason in reasons), ladder(PAUSED), ladder(PAUSED)]
    fake.answers |= {"GetLadder": lambda _: stages.pop(0), "RunLadder": ladder_pb2.RunLadderResponse()}

    result = ask("ladder", "run", "main", "--matches", "2", "--wait")

    assert result.exit_code == 0, result.output
    assert result.stderr == f"Waiting: {TOO_FEW}.\n"


def test_who_stops_waiting_is_told_that_the_ladder_goes_on_and_how_to_pause_it(fake, ask):
    looks = iter(range(100))

    def stand(_: ladder_pb2.GetLadderRequest) -> ladder_pb2.GetLadderResponse:
        if next(looks) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return ladder(RUNNING)

    fake.answers |= {"GetLadder": stand, "RunLadder": ladder_pb2.RunLadderResponse()}

    result = ask("ladder", "run", "main", "--matches", "9", "--wait")

    assert result.exit_code == 130
    assert "7 matches" in result.stderr
    assert "arena ladder pause main" in result.stderr
    assert fake.requests("PauseLadder") == []
