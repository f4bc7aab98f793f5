"""How long a program that is tried has until its hello, where its worker gets no processor either."""

import asyncio
from contextlib import nullcontext
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


@pytest.mark.parametrize(
    ("waits", "started", "wall_s", "error"),
    [
        ("", True, 120.0, TimeoutError),
        ("program", True, 120.0, None),
        ("worker", True, 120.0, None),
        ("", False, 120.0, None),
        ("worker", True, 0.0, SandboxError),
    ],
    ids=["late", "program waits", "worker waits", "not started", "no processor for two minutes"],
)
def test_the_time_for_a_hello_is_from_the_start_without_waits(
    monkeypatch: pytest.MonkeyPatch, waits: str, started: bool, wall_s: float, error: type[Exception] | None
) -> None:
    """A program or worker that waits gets no processor at all."""
    for name, value in (("_LOOK_AGAIN_S", 0.0), ("START_WALL_S", wall_s)):
        monkeypatch.setattr(trials, name, value)
    program = create_autospec(TrialProcess, instance=True)
    worker = create_autospec(TrialWorker, instance=True)
    for name, each in (("program", program), ("worker", worker)):
        each.waited_s.side_effect = count(0.0, 10.0 if name == waits else 0.0).__next__
    program.started = started
    with nullcontext() if error is None else pytest.raises(error):
        assert asyncio.run(trials._within_its_time(hello(), program, worker, 0.0)) is OUTCOME
