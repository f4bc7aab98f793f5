"""A machine with far more to do than it can: hosted bots of every language play slower, and nobody loses by it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from arena.core.match import Cause
from arena.match_log.files import LogFiles
from arena.match_log.reader import read_log
from arena.v1 import ending_pb2, match_pb2, time_control_pb2
from sample_bots.languages import LANGUAGES
from sample_bots.submission import assemble
from tests.system.hosting.needs import needs_sandbox
from tests.system.hosting.test_trials import RANDOM, TrialFixture, a_program
from tests.system.play.arena_process import ArenaProcess
from tests.system.polyglot.languages import REQUIRE, need
from tests.unit.hosting.sample_submissions import plant_folder

pytestmark = needs_sandbox

BUSY: Final = 8
"""Processes beside the arena that would take a processor each."""

TIGHT: Final = time_control_pb2.TimeControl(
    per_decision_ms=500, bank_ms=2_000, increment_ms=0, strikes=0, absence_ms=0, hold_ms=5_000,
    seat_limit_ms=1_800_000,
)  # fmt: skip
"""The first decision that is charged too much loses the match; so does a lost connection."""

OPTIONS: Final = {"turn_limit": "8"}

GROUPS_EACH: Final = 1
"""Of each bot; each group has two matches. `make soak ARGS=tests/system/hosting/test_overload.py` plays more."""


@contextmanager
def overloaded() -> Iterator[None]:
    """Beside whatever is done in it run processes that never rest."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.fixture
def bots(tmp_path: Path) -> list[str]:
    """Host the greedy bots of all languages; one that is not built is left out, or fails the test.

    If only one is left, it plays against itself.
    """
    (tmp_path / "data").mkdir(mode=0o700)
    names = []
    for language in LANGUAGES:
        if not language.is_built():
            if os.environ.get(REQUIRE):
                need(language)
            continue
        names.append(f"{language.name}-greedy")
        assemble(language, "greedy", tmp_path / language.name)
        plant_folder(tmp_path / "data", names[-1], tmp_path / language.name)
    if len(names) == 1:
        names.append(f"{names[0]}-again")
        plant_folder(tmp_path / "data", names[-1], tmp_path / LANGUAGES[0].name)
    return names


def test_an_overloaded_machine_makes_matches_slower_and_no_bot_loses(bots: list[str], tmp_path: Path) -> None:
    matches = GROUPS_EACH * len(bots)
    with ArenaProcess(tmp_path / "data") as arena:
        with overloaded():
            arena.ladder("main", *bots, seat_counts=[2], time_control=TIGHT, options=OPTIONS, matches=matches)
            for ended in range(1, matches + 1):
                arena.wait_for("match over", ended)
        _check_matches(arena, matches)
        _check_bots(arena, bots)
        assert arena.terminate() == 0
    _check_charges(tmp_path / "data" / "logs", matches)


def test_an_honest_submission_passes_its_trial_on_an_overloaded_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the limits of every trial; what is left out of them is in test_slow_starts.py."""
    with asyncio.Runner() as runner, overloaded():
        trial = TrialFixture(runner, tmp_path, monkeypatch)
        trial.only("hello", "seats", "leave")
        trial.passes(RANDOM, a_program())


def _check_matches(arena: ArenaProcess, matches: int) -> None:
    """Each match was played to its end by all of its bots."""
    for number in range(1, matches + 1):
        match = arena.match(f"matches/{number}")
        assert match.state == match_pb2.MATCH_STATE_FINISHED, (match.void_reason, arena.log)
        for seat in match.seats:
            assert seat.ending.termination == ending_pb2.TERMINATION_NORMAL, (seat, arena.log)


def _check_bots(arena: ArenaProcess, bots: list[str]) -> None:
    """No bot is suspended, and none has been."""
    for bot in bots:
        shown = arena.bots.GetBot(name=f"bots/{bot}").bot
        assert not shown.hosting.benched, (bot, shown.hosting.benched)
    failed = [line for line in arena.log if "version suspended" in line or "hosted program failed" in line]
    assert not failed, failed


def _check_charges(logs: Path, matches: int) -> None:
    """Every answer was the bot's own, and cost it less than it had."""
    files = LogFiles(logs)
    for number in range(1, matches + 1):
        log = read_log(files.read(number))
        assert all(ply.cause is Cause.CHOSEN for ply in log.plies)
