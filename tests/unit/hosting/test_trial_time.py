"""How long a program that is tried has until its hello, where its worker gets no processor either."""

import asyncio
from itertools import count
from unittest.mock import create_autospec

import pytest

from arena.conformance.worker_messages import ScenarioOutcome
from arena.hosting.admission import trials
from arena.hosting.admission.trial_worker import TrialProcess, TrialWorker
from arena.sandbox.process_spec import SandboxError

OUTCOME = ScenarioOutcome(1, "passed", "", "")


async def hello() -> ScenarioOutcome:
    """Return the outcome after many turns of the event loop."""
    for _ in range(200):
        await asyncio.sleep(0)
    return OUTCOME


def outcome(
    *, program_waits: bool = False, worker_waits: bool = False, started: bool = True
) -> ScenarioOutcome:
    """How the wait for it comes out; whoever waits gets no processor at all."""
    waits, does_not = count(0.0, 10.0).__next__, lambda: 0.0
    program, worker = (
        create_autospec(TrialProcess, instance=True),
        create_autospec(TrialWorker, instance=True),
    )
    program.waited_s.side_effect = waits if program_waits else does_not
    worker.waited_s.side_effect = waits if worker_waits else does_not
    program.started = started
    return asyncio.run(trials._within_its_time(hello(), program, worker))


@pytest.fixture(autouse=True)
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "HELLO_S", 0.0)
    monkeypatch.setattr(trials, "_LOOK_AGAIN_S", 0.0)


def test_a_program_that_could_run_and_says_no_hello_is_late() -> None:
    with pytest.raises(TimeoutError):
        outcome()


def test_neither_what_the_program_waits_counts_nor_what_its_worker_does() -> None:
    assert outcome(program_waits=True) is OUTCOME
    assert outcome(worker_waits=True) is OUTCOME


def test_its_time_begins_with_its_start() -> None:
    assert outcome(started=False) is OUTCOME


def test_who_gets_no_processor_for_two_minutes_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "START_WALL_S", 0.0)
    with pytest.raises(SandboxError, match="no processor"):
        outcome(worker_waits=True)
