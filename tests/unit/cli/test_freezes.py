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
