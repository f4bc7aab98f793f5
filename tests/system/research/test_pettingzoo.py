"""PettingZoo's own tests of environments, on every game, number of seats and option."""

import warnings
from collections.abc import Iterator

import pytest
from pettingzoo.test import api_test, render_test, seed_test

from arena.research.pettingzoo import env
from tests.unit.research.settings import all_settings

SETTINGS = [
    pytest.param(*setting, id=" ".join([setting[0], str(setting[1]), *setting[2]]))
    for setting in all_settings()
]

KNOWN = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What these tests say of any observation that is a dict, which they allow."""


@pytest.fixture(autouse=True)
def _no_other_warnings() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert not [str(one.message) for one in caught if not str(one.message).startswith(KNOWN)]


@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_the_environment_has_the_interface(game: str, seats: int, options: dict[str, str]) -> None:
    api_test(env(game, seats=seats, options=options))


@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_seeds_make_matches_repeatable(game: str, seats: int, options: dict[str, str]) -> None:
    seed_test(lambda: env(game, seats=seats, options=options))


@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_every_render_mode_renders(game: str, seats: int, options: dict[str, str]) -> None:
    render_test(
        lambda render_mode: env(game, seats=seats, options=options, render_mode=render_mode),
        custom_tests={"svg": lambda picture: picture.startswith("<svg")},
    )
