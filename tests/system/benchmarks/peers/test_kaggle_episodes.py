"""Episodes of kaggle-environments that break off; the package itself is replaced."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

Play = Callable[[str, list[str], float], dict[str, float]]


class Episode:
    """An environment of which each run ends with the next of these statuses."""

    def __init__(self, statuses: Iterator[str]) -> None:
        self._statuses = statuses
        self.steps: list[list[dict[str, str]]] = []

    def run(self, _agents: list[str]) -> None:
        status = next(self._statuses)
        self.steps = [[{"status": status}, {"status": "DONE"}]] * 4


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Iterator[str]], Play]:
    """Return what makes `play` with an environment whose episodes end with these statuses."""

    def make_play(statuses: Iterator[str]) -> Play:
        def make(_environment: str, configuration: dict[str, Any]) -> Episode:
            return Episode(statuses)

        package = ModuleType("kaggle_environments")
        package.make = make  # type: ignore[attr-defined]  # the package is replaced
        monkeypatch.setitem(sys.modules, "kaggle_environments", package)
        monkeypatch.delitem(sys.modules, "benchmarks.peers.kaggle_episodes", raising=False)
        play: Play = import_module("benchmarks.peers.kaggle_episodes").play
        monkeypatch.delitem(sys.modules, "benchmarks.peers.kaggle_episodes")
        return play

    return make_play


def endless(*first: str, then: str) -> Iterator[str]:
    """Yield these statuses, and then one for ever."""
    yield from first
    while True:
        yield then


def test_an_episode_that_breaks_off_does_not_count(play: Callable[[Iterator[str]], Play]) -> None:
    found = play(endless("INVALID", "ERROR", then="DONE"))("rps", ["a", "b"], 1e-9)
    assert (found["decisions"], found["broken"]) == (6, 2)
    assert found["seconds"] > 0


def test_it_is_given_up_if_every_episode_breaks_off(play: Callable[[Iterator[str]], Play]) -> None:
    with pytest.raises(RuntimeError, match="INVALID"):
        play(endless(then="INVALID"))("connectx", ["a", "b"], 1.0)
