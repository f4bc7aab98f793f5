"""`arena ladder reveal`: what cannot be undone is asked for first."""

import pytest

from arena.cli.ladder import freezes
from arena.v1 import ladder_pb2


@pytest.mark.parametrize(
    ("options", "terminal", "typed", "reveals"),
    [
        ("--all", True, "y", True),
        ("--all", True, "n", False),
        ("--all", True, "", False),
        ("--all --yes", True, "", True),
        ("--all", False, "", True),
        ("", True, "", True),
    ],
)
def test_all_ranks_at_once_are_asked_for_on_a_terminal(
    fake, ask, monkeypatch, options, *, terminal, typed, reveals
):
    monkeypatch.setattr(freezes, "has_terminal", lambda: terminal)
    fake.answers["RevealLadderRanks"] = ladder_pb2.RevealLadderRanksResponse()
    shown = ask(*f"ladder reveal main {options}".split(), typed=f"{typed}\n")
    assert bool(fake.requests("RevealLadderRanks")) is reveals
    assert (shown.exit_code == 0) is reveals
    assert ("main" in shown.stderr) is (options == "--all" and terminal)


@pytest.mark.parametrize(
    ("when", "freezes_then"), [("now", True), ("30m", True), ("2020-01-01T18:00", False)]
)
def test_a_time_that_has_passed_freezes_nothing(fake, ask, when, *, freezes_then):
    fake.answers["SetLadderFreeze"] = ladder_pb2.SetLadderFreezeResponse()
    shown = ask("ladder", "freeze", "main", when)
    assert bool(fake.requests("SetLadderFreeze")) is freezes_then
    assert shown.exit_code == (0 if freezes_then else 2)
