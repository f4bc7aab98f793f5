"""The smallest sample bots pass every scenario, as processes: the greedy one of every game, and random.

Random is one program for all games. It passes every scenario in the first, and in the others those that ask it for
many choices; that every scenario can be played with a game is what its greedy bot shows.
"""

import json

import pytest

from arena.cli import sample_bots
from arena.conformance.scenarios import SCENARIOS
from engine.registry import GAMES
from tests.system.conformance.choosing import CHOOSING
from tests.unit.cli.programs import finish, start

SMALL = ("random", "greedy")
"""Bots that answer at once."""

SHORT = "the game's matches are short."
"""Why a scenario may go untried: that is no matter of the bot."""


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game in GAMES for name in sample_bots.names(game) if name in SMALL],
)
def test_a_sample_bot_passes_the_scenarios(game: str, name: str) -> None:
    command = sample_bots.command(game, name)
    scenarios = (
        CHOOSING if name == "random" and game != next(iter(GAMES)) else [each.name for each in SCENARIOS]
    )
    only = [f"--only={scenario}" for scenario in scenarios]

    code, out, err = finish(
        start("conformance", "--game", game, "--format", "json", *only, "--", *command), within=300
    )

    assert code == 0, out + err
    told = json.loads(out)
    short = [row for row in told["scenarios"] if row["why"].endswith(SHORT)]
    assert told["passed"] + len(short) == len(scenarios)
