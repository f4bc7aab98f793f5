"""The bot on docs/bots/wasteland.md, as it stands there: who copies it has one that works."""

import re
from importlib import import_module
from typing import Any

import pytest

from engine.wasteland import WASTELAND
from sample_bots.python.random_bot import RandomBot
from tests.checkout import text
from tests.unit.sample_bots.driver import play_match, program_on

PATH = "docs/bots/wasteland.md"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    return program_on(PATH, "courier", monkeypatch)


def test_it_plays_whole_matches_legally_and_delivers_missions(page: dict[str, Any]) -> None:
    """W58: some dozens in these matches; by any listed action a seat delivers hardly ever."""
    delivered = 0
    for seats in (2, 3, 4):
        played = play_match(WASTELAND, [page["Courier"], *[RandomBot] * (seats - 1)], seats)
        assert played.outcome.ending in ("GOAL", "ROUND_LIMIT")
        delivered += sum('"deliver"' in action for action in played.actions)
    assert delivered >= 5


def test_every_name_of_its_tables_is_there() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", text(PATH), re.MULTILINE)
    tables = [(module, names) for module, names in rows if re.search(r"`[A-Z]{2}", names)]
    assert len(tables) == 6
    for module, names in tables:
        for name in re.findall(r"`(\w+)", names):
            assert hasattr(import_module(f"engine.wasteland.{module}"), name), name
