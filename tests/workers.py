"""How the tests are dealt out to the worker processes of pytest-xdist: what takes longest begins first.

A file of tests goes to one worker, so that what its tests share is set up once. `ALONE` names the files whose tests
are slow and share nothing, `TOGETHER` the folders whose files share something dear. Many tests wait most of their
time, for processes that start and for limits that pass: that is why there are more workers than processors.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import Scheduling

TOGETHER: Final = ("tests/system/compiled",)
"""Folders: all their tests go to one worker. The compiled wheel is built by the first, and others would wait for it."""

ALONE: Final = (
    "tests/system/misbehaving/test_hosted_zoo.py",
    "tests/system/compiled/test_wheel.py::test_without_a_compiler_or_on_demand_the_wheel_is_plain",
    "tests/system/polyglot/test_conformance.py",
    "tests/system/conformance/test_sample_bots.py",
    "tests/system/e2e/test_demo.py",
    "tests/system/polyglot/test_trials.py",
    "tests/system/polyglot/test_hosted.py",
    "tests/system/polyglot/test_other_runtimes.py",
    "tests/system/crash/test_crash.py",
    "tests/system/cli/test_conformance.py",
)
"""Files, or tests with their parameters: each test is dealt out by itself."""

FIRST: Final = (
    "tests/system/compiled",
    "tests/system/misbehaving/test_hosted_zoo.py",
    "tests/system/misbehaving/test_zoo.py",
    "tests/system/browser/test_play_by_hand.py",
    "tests/system/polyglot/test_policy.py",
    "tests/system/polyglot/test_conformance.py",
    "tests/system/conformance/test_sample_bots.py",
    "tests/system/e2e/test_demo.py",
    "tests/system/research/test_training.py",
    "tests/system/sandbox/test_attacks.py",
    "tests/system/conformance/test_flaws.py",
    "tests/system/e2e/test_tournament_commands.py",
    "tests/system/browser/test_play_on_an_arena.py",
    "tests/system/store/test_postgresql.py",
    "tests/system/polyglot",
    "tests/system/crash",
    "tests/system/sample_bots/caravan/test_matches.py",
    "tests/system/repository/test_adding_a_game.py",
    "tests/system/hosting",
    "tests/system/cli/test_conformance.py",
    "tests/system/cli/test_analyse.py",
    "tests/system/cli/test_bot_run.py",
    "tests/system/cli/test_compare.py",
    "tests/system/browser",
    "tests/system/e2e",
    "tests/system/play",
)
"""What begins first, the longest before the others: near the end only short tests are left, and no worker is idle."""


WAITING: Final = (
    "tests/system/misbehaving",
    "tests/system/polyglot/test_conformance.py",
    "tests/system/conformance",
    "tests/system/cli/test_conformance.py",
)
"""Folders and files whose tests mostly wait: run by all workers at once, they would leave processors idle."""


def unit_of(test: str) -> str:
    """Return what goes to one worker as a whole: the test itself, its file, or its folder. `test`: its id."""
    if test.startswith(ALONE):
        return test
    for folder in TOGETHER:
        if test.startswith(folder):
            return folder
    return test.partition("::")[0]


def place_of(test: str) -> int:
    """Return the rank of a test, the same for all tests of a unit: lower ones begin earlier."""
    unit = unit_of(test)
    return next((place for place, first in enumerate(FIRST) if unit.startswith(first)), len(FIRST))


def order_of(tests: Iterable[str]) -> dict[str, int]:
    """Return the rank of each unit of the tests: by place, where one that waits and one that computes take turns."""
    units = sorted(dict.fromkeys(map(unit_of, tests)), key=place_of)
    waiting = [unit for unit in units if unit.startswith(WAITING)]
    computing = [unit for unit in units if not unit.startswith(WAITING)]
    turns = (unit for pair in zip_longest(computing, waiting) for unit in pair if unit is not None)
    return {unit: rank for rank, unit in enumerate(turns)}


def make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Return the scheduler that gives pytest-xdist the units in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class ByUnit(LoadScopeScheduling):  # type: ignore[misc] # comes without types
        def _split_scope(self, nodeid: str) -> str:
            return unit_of(nodeid)

    config.option.loadscopereorder = False  # not the unit of the most tests first
    return ByUnit(config, log)
