"""Measuring programs in processes of their own, and what they use up."""

import mmap
import os
import sys
import time
from pathlib import Path

import pytest

from benchmarks.processes.usage import cpu_s, memory_bytes, run_program, thread_cpu_s
from benchmarks.processes.worker import Worker, WorkerFailedError


def test_a_program_answers_what_it_is_asked() -> None:
    with Worker("benchmarks.engines.ours", "caravan") as engine:
        assert engine.ask("kind") == "plain"
        answer = engine.ask("play", seconds=0.01)
        assert answer["plies"] > 100
        assert answer["legal_actions"] > 10 * answer["plies"]
        assert answer["cpu_s"] >= 0.01


def test_a_program_that_ends_leaves_its_last_words() -> None:
    ended = pytest.raises(WorkerFailedError, match=r"^ours .*\(KeyError: 'ludo'\)$")
    with Worker("benchmarks.engines.ours", "ludo") as engine, ended:
        engine.ask("kind")


def test_a_program_that_does_not_answer_is_given_up() -> None:
    silent = pytest.raises(WorkerFailedError, match=r"^ours .* within 0\.01 s")
    with Worker("benchmarks.engines.ours", "caravan") as engine, silent:
        engine.ask("play", seconds=60, within_s=0.01)


def test_nothing_is_left_of_a_program_afterwards() -> None:
    with Worker("benchmarks.engines.ours", "caravan") as engine:
        pid = engine.pid
    assert not Path(f"/proc/{pid}").exists()


def test_processor_time_is_that_of_the_process_and_of_all_its_threads() -> None:
    before, own_before = cpu_s(os.getpid()), time.process_time()
    while time.process_time() - own_before < 0.02:
        pass
    assert cpu_s(os.getpid()) - before == pytest.approx(time.process_time() - own_before, abs=0.01)


def test_memory_grows_with_what_a_process_keeps() -> None:
    before = memory_bytes(os.getpid())
    # From the kernel: what `bytearray` asks for may be memory that this process has had before.
    with mmap.mmap(-1, 16_000_000, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as kept:
        kept.write(b"\1" * len(kept))
        assert memory_bytes(os.getpid()) - before > 0.8 * len(kept)


def test_the_thread_of_a_process_has_at_most_its_processor_time() -> None:
    assert 0 < thread_cpu_s(os.getpid(), os.getpid()) <= cpu_s(os.getpid())


def test_a_program_that_has_run_tells_its_code_its_processor_time_and_its_last_words() -> None:
    work = "import time\nwhile time.process_time() < 0.2: pass\n"
    ended = run_program([sys.executable, "-c", f"{work}raise SystemExit('no more')"], os.environ)
    assert (ended.code, ended.last_line) == (1, "no more")
    assert ended.seconds >= 0.2
    assert 0.2 <= ended.cpu_s <= ended.seconds + 0.1
