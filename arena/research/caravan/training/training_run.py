"""A training from its first round to its last, which continues where it was interrupted."""

import json
import multiprocessing
import os
import signal
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.research.caravan.training.bot import WEIGHTS, Network, number_of_features
from arena.research.caravan.training.learning import Floats, Learner, new_weights
from arena.research.caravan.training.self_play import Played, Task, play

CHECKPOINT: Final = "checkpoint.npz"
_TASKS: Final = 4
"""Tasks of a round, whatever the number of workers: so the weights do not depend on it."""
_SLOWER_AFTER: Final = 100
"""Rounds after which the learning rate has halved; after twice as many it is a third, and so on."""
_FINE_AFTER: Final = 40
_FINE: Final = 0.2
"""After so many rounds the learning rate falls to this part of it, so that the values settle."""
_HOT: Final = 0.03
"""The temperature of the first round."""
_COLDER_AFTER: Final = 15
"""Rounds after which it has halved, likewise."""
_DIGITS: Final = 6


class TrainingError(Exception):
    """A training cannot begin or continue: sentences that say what is wrong and what to do."""


@dataclass(frozen=True)
class Plan:
    """What a training consists of. The same plan and number of rounds give the same weights."""

    seed: int = 1
    seats: int = 2
    matches: int = 8
    """Of a round, before the network learns from them."""


@dataclass
class Progress:
    """How far a training has come."""

    rounds: int = 0
    matches: int = 0
    decisions: int = 0
    processor_seconds: float = 0.0
    """Of all processes together."""


class TrainingRun:
    """The training of a folder: its weights, and a checkpoint after each round."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin, or read the checkpoint of the folder.

        Raises:
            TrainingError: the checkpoint belongs to another plan, or cannot be read.
            OSError: the folder cannot be made or read.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.plan, self.progress = folder, plan, Progress()
        path = folder / CHECKPOINT
        if path.exists():
            self.learner = self._read(path)
        else:
            self.learner = Learner(new_weights(number_of_features(), np.random.default_rng(plan.seed)))

    def run(self, rounds: int, workers: int) -> Iterator[str]:
        """Train up to that number of rounds; yield a line after each."""
        with _processes(workers) as pool:
            while self.progress.rounds < rounds:
                began = time.process_time()
                tasks = self._tasks()
                with _interrupts_later():  # workers that are started now leave Ctrl-C to this process
                    playing = pool.map(play, tasks)
                played = list(playing)
                error = self._learn(played)
                own_seconds = time.process_time() - began
                self._note(played, own_seconds)
                self.save()
                yield self._line(played, error)

    def _tasks(self) -> list[Task]:
        each, more = divmod(self.plan.matches, _TASKS)
        return [
            Task(
                self.learner.weights,
                seed=(self.plan.seed, self.progress.rounds, number),
                matches=each + (number < more),
                seats=self.plan.seats,
                temperature=_HOT / (1 + self.progress.rounds / _COLDER_AFTER),
            )
            for number in range(_TASKS)
            if each or number < more
        ]

    def _learn(self, played: list[Played]) -> float:
        dice = np.random.default_rng((self.plan.seed, self.progress.rounds))
        rate = 1 / (1 + self.progress.rounds / _SLOWER_AFTER)
        if self.progress.rounds >= _FINE_AFTER:
            rate *= _FINE
        rows = np.concatenate([part.rows for part in played])
        return self.learner.learn(rows, np.concatenate([part.wanted for part in played]), rate, dice)

    def _note(self, played: list[Played], own_seconds: float) -> None:
        progress = self.progress
        progress.rounds += 1
        progress.matches += sum(len(part.scores) for part in played)
        progress.decisions += sum(part.plies for part in played)
        progress.processor_seconds += own_seconds + sum(part.processor_seconds for part in played)

    def _line(self, played: list[Played], error: float) -> str:
        scores = [score for part in played for match in part.scores for score in match]
        plies = sum(part.plies for part in played) / sum(len(part.scores) for part in played)
        done = self.progress
        return (
            f"round {done.rounds}: {done.matches} matches, {done.processor_seconds / 60:.1f} min of processor time; "
            f"last round: {plies:.0f} decisions per match, mean score {np.mean(scores):.1f}, error {error**0.5:.3f}"
        )

    def save(self) -> None:
        """Replace checkpoint and weights; what is interrupted leaves the old ones."""
        learner = self.learner
        lists = {"weights": learner.weights, "means": learner.means, "squares": learner.squares}
        arrays: dict[str, Any] = {
            f"{name}_{place}": each for name, those in lists.items() for place, each in enumerate(those)
        }
        about = {"plan": asdict(self.plan), "progress": asdict(self.progress), "steps": learner.steps}
        unfinished = self.folder / f"{CHECKPOINT}.unfinished"
        with unfinished.open("wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), **arrays)
        unfinished.replace(self.folder / CHECKPOINT)
        unfinished = self.folder / f"{WEIGHTS}.unfinished"
        unfinished.write_text(self._weights(), encoding="utf-8")
        unfinished.replace(self.folder / WEIGHTS)

    def _weights(self) -> str:
        """Return the file that the bot reads: the network, and where it comes from."""
        hidden, hidden_bias, output, output_bias = (_rounded(each) for each in self.learner.weights)
        network = Network(hidden, hidden_bias, output, output_bias[0])
        about = {"plan": asdict(self.plan), "progress": asdict(self.progress)}
        lines = [
            f"{json.dumps(name)}: {json.dumps(value)}" for name, value in (about | network._asdict()).items()
        ]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def _read(self, path: Path) -> Learner:
        try:
            with path.open("rb") as file, np.load(file) as arrays:
                about = json.loads(str(arrays["about"]))
                weights, means, squares = (
                    [arrays[f"{name}_{place}"] for place in range(len(Network._fields))]
                    for name in ("weights", "means", "squares")
                )
                plan, progress = Plan(**about["plan"]), Progress(**about["progress"])
                learner = Learner(weights, means, squares, about["steps"])
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise TrainingError(
                f"{path} is no checkpoint of this program ({error}): name another folder, or remove it."
            ) from None
        if weights[0].shape[1] != number_of_features():
            raise TrainingError(
                f"The training in {self.folder} was begun with other features: name another folder."
            )
        if plan != self.plan:
            raise TrainingError(
                f"The training in {self.folder} was begun with {_options(plan)}, not {_options(self.plan)}:"
                " give the same, or name another folder."
            )
        self.progress = progress
        return learner


def _options(plan: Plan) -> str:
    return " ".join(f"--{name} {value}" for name, value in asdict(plan).items())


def _rounded(values: Floats) -> Any:
    if values.ndim > 1:
        return [_rounded(each) for each in values]
    return [round(each, _DIGITS) for each in values.tolist()]


@contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Run worker processes, which end with this one however it ends; at once if it is interrupted."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)
    try:
        yield pool
    except (KeyboardInterrupt, GeneratorExit):
        for worker in multiprocessing.active_children():
            worker.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Hold Ctrl-C back; processes that are started meanwhile never get it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Leave Ctrl-C to the main process, and end when it has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main = multiprocessing.parent_process()
    assert main is not None

    def end_with_it() -> None:
        main.join()
        os._exit(1)

    threading.Thread(target=end_with_it, daemon=True).start()
