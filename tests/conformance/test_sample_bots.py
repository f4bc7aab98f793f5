"""The smallest sample bots of every game pass every scenario, as processes."""

from __future__ import annotations

import json

import pytest

from arena.cli import sample_bots
from arena.conformance.scenarios import SCENARIOS
from engine.registry import GAMES
from tests.cli.programs import finish, start

SMALL = ("random", "greedy")
"""Bots that answer at once."""

SHORT = "the game's matches are short."
"""Why a scenario may go untried: that is no matter of the bot."""


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game in GAMES for name in sample_bots.names(game) if name in SMALL],
)
def test_a_sample_bot_passes_every_scenario(game: str, name: str) -> None:
    command = sample_bots.command(game, name)

    code, out, err = finish(
        start("conformance", "--game", game, "--format", "json", "--", *command), within=300
    )

    assert code == 0, out + err
    told = json.loads(out)
    short = [row for row in told["scenarios"] if row["why"].endswith(SHORT)]
    assert told["passed"] + len(short) == len(SCENARIOS)
