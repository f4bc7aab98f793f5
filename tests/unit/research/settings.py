"""Settings of every game for the tests of environments, and positions of their matches."""

from collections.abc import Iterator
from pathlib import Path

from arena.research.setting import Setting
from engine.game import State
from engine.registry import GAMES
from tests.unit.contract.cases import Case, sample, walk

OPTIONS: dict[str, tuple[dict[str, str], ...]] = {
    "caravan": (
        {"camels": "6"},
        {"goods": "FULL"},
        {"board": "classic"},
        {"no_progress_turns": "5"},
        {"turn_limit": "12"},
    ),
    "caravanserai": ({"expert": "true"},),
    "ahldarahd": ({"neutral_board": "true"}, {"night_of_the_outsider": "true"}, {"trading": "true"}),
    "wasteland": ({"check_rule": "deter"}, {"max_rounds": "3"}),
}
"""By game: each of its options with another value than the default."""


def all_settings() -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield every game with each number of seats, and each of its options with a number of seats that allows it."""
    for game, rules in GAMES.items():
        for seats in range(rules.spec.min_seats, rules.spec.max_seats + 1):
            yield game, seats, {}
        for options in OPTIONS[game]:
            yield game, rules.spec.min_seats, options


_SETTINGS: dict[Path, Setting] = {}
_STATES: dict[Path, list[State]] = {}
"""By playthrough, once they were asked for."""


def setting_of(case: Case) -> Setting:
    """Return the setting of a playthrough."""
    if case.path not in _SETTINGS:
        _SETTINGS[case.path] = Setting(case.game, case.seats, case.options)
    return _SETTINGS[case.path]


def some_states(case: Case) -> list[State]:
    """Return about 25 positions of a playthrough's match, from its beginning to near its end; nobody changes them."""
    if case.path not in _STATES:
        every = max(1, sum(1 for _ in walk(case)) // 25)
        _STATES[case.path] = [step.state for step in sample(case, every)]
    return _STATES[case.path]
