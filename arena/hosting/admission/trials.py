"""Tries a submitted bot in the sandbox: that it starts, then the conformance suite (docs/bots/conformance.md)."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.conformance.run import a_folder
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios import SCENARIOS
from arena.conformance.scenarios.hellos import PLAYS, STARTS
from arena.conformance.verdict import ScenarioVerdict
from arena.conformance.waiter import Stopwatch
from arena.conformance.worker_messages import ScenarioOutcome
from arena.core.errors import ErrorReason
from arena.hosting.admission.trial_worker import OverrunError, TrialProcess, TrialWorker, a_trial_worker
from arena.hosting.host.process import START_WALL_S
from arena.sandbox.exit_status import ExitReason as How
from arena.sandbox.exit_status import ExitStatus
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.sandbox import Sandbox
from arena.store.bots.submissions import Rejection, TrialRow, TrialVerdict
from arena.store.json_columns import VersionProgram

HELLO_S: Final = 10.0
"""How long a program has from its start to its hello, time left out in which it or its worker got no processor."""

_LOOK_AGAIN_S: Final = 0.1

PATIENCE_S: Final = 10.0
"""How long the suite waits for a message."""

AT_ONCE: Final = 3
"""Scenarios that are tried beside each other: most of the time each of them waits."""

OUTPUT_BYTES: Final = 4096
"""The end of what a program has written, as its owner is shown it."""

_MOST_NAMED: Final = 5
_LAST_LINES: Final = 12
_OVERRUN_ADVICE: Final = "Send only what is asked for, on one connection."
_OVERRUN_BEFORE: Final = "The process that tries the bot was ended before its turn came."
_SAID_ANYWAY: Final = {How.EXITED, How.SIGNALLED, How.STOPPED}
"""Ends that a row of the suite tells well enough."""

_ADVICE: Final = {
    How.MEMORY: "Let it need less, or raise limits.memory_mib in bot.toml.",
    How.PIDS: "Let it start fewer processes and threads, or raise limits.pids in bot.toml.",
}
"""What to do if it ended so before its hello."""

Report = Callable[[Sequence[TrialRow], int], Awaitable[None]]
"""Told after each scenario: what was found so far, in the order of the suite, and of how many scenarios."""


@dataclass(frozen=True, slots=True)
class _Task:
    """One scenario of one game."""

    name: str
    scenario: Scenario
    game: str


@dataclass(frozen=True, slots=True)
class _Found:
    row: TrialRow
    output: str
    """The end of what the program has written, if it failed."""


class Trials:
    """Tries programs; each scenario with a process of its own."""

    def __init__(self, sandbox: Sandbox, *, root: Path | None = None, at_once: int = AT_ONCE) -> None:
        """`root`: where folders with sockets are made, a short path; None: where the system has its own."""
        self._sandbox = sandbox
        self._root = root
        self._at_once = at_once

    async def try_program(
        self, folder: Path, program: VersionProgram, report: Report | None = None
    ) -> Rejection | None:
        """Return why the program in the folder may not play; None if it may.

        Raises SandboxError: it could not be started at all, which is not its fault.
        """
        tasks = _tasks(program.games)
        opening = [place for place, task in enumerate(tasks) if task.scenario.opens]
        others = [place for place, task in enumerate(tasks) if not task.scenario.opens]
        found: dict[int, _Found] = {}
        slots = asyncio.Semaphore(self._at_once)

        async def note() -> None:
            if report is not None:
                await report([found[place].row for place in sorted(found)], len(tasks))

        async def work(place: int) -> None:
            async with slots:
                found[place] = await self._try(worker, folder, program, tasks[place])
                await note()

        async with a_trial_worker() as worker:
            if (rejection := await self._start(worker, folder, program)) is not None:
                return rejection
            await _all(map(work, opening))
            failed = [each.row.scenario for each in found.values() if each.row.verdict is TrialVerdict.FAILED]
            if failed:
                why = f"The scenario {failed[0]} has to pass first."
                found |= {place: _not_tried(tasks[place], why) for place in others}
                await note()
            else:
                await _all(map(work, others))
        return _rejection([found[place] for place in sorted(found)])

    async def _start(self, worker: TrialWorker, folder: Path, program: VersionProgram) -> Rejection | None:
        """Return why it does not start; None once it has said hello. Raises SandboxError if it got no processor."""
        process = TrialProcess(self._sandbox, folder, program)
        ending, advice = None, ""
        with a_folder(self._root) as place:
            hello_s = self._sandbox.runtimes.start_s(program.runtime, HELLO_S)
            try:
                outcome = await _within_its_time(
                    worker.try_scenario(place, STARTS.name, process, game=None, patience=START_WALL_S),
                    process,
                    worker,
                    hello_s,
                )
            except TimeoutError:
                why = f"it said no hello within {hello_s:g} s"
            except OverrunError as error:
                why, advice = str(error), _OVERRUN_ADVICE
            else:
                if ScenarioVerdict(outcome.verdict) is ScenarioVerdict.PASSED:
                    return None
                ending = _ending_of(process)
                if ending is not None and ending.reason is How.STOPPED:
                    ending = None
                why = outcome.why if ending is None else ending.sentence
        return Rejection(
            ErrorReason.BOT_START_FAILED,
            f"The bot did not start: {why[:1].lower()}{why[1:].removesuffix('.')}. {advice or _advice(ending)}",
            _end_of(process.output()),
        )

    async def _try(self, worker: TrialWorker, folder: Path, program: VersionProgram, task: _Task) -> _Found:
        if worker.has_overrun:
            return _not_tried(task, _OVERRUN_BEFORE)
        process = TrialProcess(self._sandbox, folder, program)
        with a_folder(self._root) as place:
            try:
                patience = max(PATIENCE_S, self._sandbox.runtimes.start_s(program.runtime, PATIENCE_S))
                outcome = await worker.try_scenario(
                    place, task.scenario.name, process, game=task.game, patience=patience
                )
            except OverrunError as error:
                sentence = f"{error} {_OVERRUN_ADVICE}"
                return _Found(TrialRow(task.name, TrialVerdict.FAILED, sentence), _end_of(process.output()))
        ending = _ending_of(process)
        verdict = TrialVerdict[ScenarioVerdict(outcome.verdict).name]
        sentence, output = f"{outcome.why} {outcome.to_do}".strip(), ""
        if verdict is TrialVerdict.FAILED:
            if ending is not None and ending.reason not in _SAID_ANYWAY:
                sentence = f"{outcome.why} {ending.sentence}"
            output = _end_of("\n".join(process.output().splitlines()[-_LAST_LINES:]))
        return _Found(TrialRow(task.name, verdict, sentence), output)


async def _all(work: Iterable[Coroutine[None, None, None]]) -> None:
    """Do all of it. Raises the first error, and cancels the rest."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None  # the others have the same cause


async def _within_its_time(
    hello: Coroutine[Any, Any, ScenarioOutcome], process: TrialProcess, worker: TrialWorker, hello_s: float
) -> ScenarioOutcome:
    """Return how the wait for its hello came out.

    Raises:
        TimeoutError: it did not within `hello_s` from its start, time left out in which the program, the worker or this
            process got no processor.
        SandboxError: it did not within START_WALL_S, because of such time.
    """
    loop = asyncio.get_running_loop()
    began, time_of = loop.time(), None
    waiting = asyncio.ensure_future(hello)
    try:
        while not waiting.done():
            if time_of is None and process.started:
                time_of = Stopwatch(
                    loop.time, lambda: process.waited_s() + worker.waited_s(), read_every_s=_LOOK_AGAIN_S
                )
            if time_of is not None and time_of.read() >= hello_s:
                raise TimeoutError
            if loop.time() - began >= START_WALL_S:
                raise SandboxError(f"It got no processor for its start within {START_WALL_S:g} s.")
            await asyncio.wait({waiting}, timeout=_LOOK_AGAIN_S)
        return waiting.result()
    finally:
        waiting.cancel()
        await asyncio.wait({waiting})


def _tasks(games: Sequence[str]) -> list[_Task]:
    """Return the whole suite with the first game, and one short match of each other."""
    return [
        *(_Task(scenario.name, scenario, games[0]) for scenario in SCENARIOS),
        *(_Task(f"{PLAYS.name}:{game}", PLAYS, game) for game in games[1:]),
    ]


def _not_tried(task: _Task, why: str) -> _Found:
    return _Found(TrialRow(task.name, TrialVerdict.NOT_TRIED, why), "")


def _rejection(found: Sequence[_Found]) -> Rejection | None:
    failed = [each for each in found if each.row.verdict is TrialVerdict.FAILED]
    if not failed:
        return None
    names = [each.row.scenario for each in failed]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return Rejection(
        ErrorReason.CONFORMANCE_FAILED,
        f"{len(failed)} of {len(found)} scenarios failed: {', '.join(names[:_MOST_NAMED])}{more}. "
        "Try the bot with `arena conformance`, which shows more of each.",
        failed[0].output,
    )


def _ending_of(process: TrialProcess) -> ExitStatus | None:
    """Return how the program ended, if it has. Raises SandboxError if that was the arena's fault."""
    ending = process.ending
    if ending is not None and ending.reason is How.LOST:
        raise SandboxError(ending.sentence)
    return ending


def _advice(ending: ExitStatus | None) -> str:
    """Return what to do about a program that did not start. `ending`: how it ended; None if it did not."""
    if ending is not None and ending.reason in _ADVICE:
        return _ADVICE[ending.reason]
    if ending is not None and ending.code == 0:
        return "It has to go on until the arena says goodbye."
    return (
        "Its output, if there is any, gives the reason. Test it with `arena conformance -- COMMAND` in its folder. In "
        "the sandbox it has no network, and only the packages of its runtime and of the submission."
    )


def _end_of(output: str) -> str:
    return output.encode()[-OUTPUT_BYTES:].decode(errors="replace")
