"""However a program or its arena ends, nothing is left: no process, no cgroup, no open file (row 40)."""

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox import proc_fs
from arena.sandbox.capabilities import find_cgroups
from arena.sandbox.exit_status import ExitReason
from arena.sandbox.process import SandboxedProcess
from arena.sandbox.process_spec import ProcessLimits, ProcessSpec
from tests.checkout import ROOT
from tests.system.sandbox.sandbox_fixture import PATIENCE_S, SandboxFixture

DAEMON = (
    "import os, signal, sys\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "heard, said = os.pipe()\n"
    "if not os.fork():\n"
    "    os.setsid()\n"
    "    if not os.fork():\n"
    "        print('begun', flush=True); os.write(said, b'.'); signal.pause(); signal.pause()\n"
    "    os._exit(0)\n"
    "os.wait()\n"
    "os.read(heard, 1)\n"
)
"""A program that ends and leaves a daemon behind, once that runs: with it everything ends that it has started."""


def marks(folder: Path) -> set[str]:
    """Return what is left of the arena of this folder, of processes and of groups."""
    arena = SandboxFixture(folder).sandbox()._arena
    cgroups = find_cgroups()
    found = {mark for mark, _ in proc_fs.find_marked(lambda word: word.startswith(f"{arena}-"))}
    return found | {name for name in (cgroups.names() if cgroups else []) if name.startswith(f"{arena}-")}


def children() -> set[int]:
    """Return the processes below this one, including zombies."""
    return set(proc_fs.descendants(os.getpid()))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def until_it_says(running: SandboxedProcess, words: bytes) -> None:
    """Wait for what the program writes."""
    loop = asyncio.get_running_loop()
    said = asyncio.Event()

    def look() -> None:
        if words in running.captured_output():
            said.set()
        else:
            loop.call_later(0.005, look)

    look()
    await said.wait()


ENDINGS = {
    "by itself": ("sh", "-c", "exit 0"),
    "leaving a daemon": ("sh", "-c", "(setsid sleep 1000 &) ; exit 0"),
    "by a signal": ("sh", "-c", "kill -9 $$"),
    "by its output": ("yes",),
}


@pytest.mark.parametrize("command", ENDINGS.values(), ids=ENDINGS)
async def test_nothing_is_left_when_a_program_has_ended(fixture, command):
    await (await fixture.start(*command)).wait()  # the first takes what is kept for the next
    before = children(), open_files()
    for _ in range(3):
        await (await fixture.start(*command)).wait()
    assert (children(), open_files()) == before
    assert marks(fixture.folder) == set()


async def test_a_program_that_ends_when_asked_is_given_the_time(fixture):
    script = "trap 'echo asked; exit 7' TERM; echo begun; while true; do sleep 0.01; done"
    running = await fixture.start("sh", "-c", script)
    await until_it_says(running, b"begun")
    ending = await running.stop(grace_s=30)
    assert (ending.reason, ending.code) == (ExitReason.STOPPED, 7)
    assert ending.tail.endswith("asked\n")


async def test_a_daemon_that_ignores_signals_is_ended(fixture):
    running = await fixture.start("python", "-c", DAEMON, runtime="python")
    await until_it_says(running, b"begun")
    ending = await running.stop(grace_s=0.1)
    assert marks(fixture.folder) == set()
    assert ending.reason in {ExitReason.STOPPED, ExitReason.EXITED}


async def test_stop_may_be_called_several_times_and_after_the_end(fixture):
    running = await fixture.start("sleep", "1000")
    endings = list(await asyncio.gather(running.stop(0), running.stop(1), running.wait()))
    endings += [await running.stop(), await running.wait()]
    assert all(each is endings[0] for each in endings)
    assert endings[0].reason is ExitReason.STOPPED


@pytest.mark.parametrize("stops", [True, False], ids=["stop", "wait"])
async def test_a_cancelled_stop_still_ends_the_program_and_a_cancelled_wait_does_not(fixture, stops):
    running = await fixture.start("sh", "-c", "trap '' TERM; echo begun; sleep 1000; sleep 1000")
    await until_it_says(running, b"begun")
    work = asyncio.ensure_future(running.stop(grace_s=1000) if stops else running.wait())
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert running.is_ending is stops
    assert (await (running.wait() if stops else running.stop(0))).reason is ExitReason.STOPPED


async def test_a_start_that_is_cancelled_or_fails_leaves_nothing(fixture):
    async def is_cancelled(steps: int) -> bool:
        starting = asyncio.ensure_future(fixture.start("sleep", "1000"))
        for _ in range(steps):
            await asyncio.sleep(0.001)
        starting.cancel()
        try:
            await (await starting).stop(0)
        except asyncio.CancelledError:
            return True
        return False

    before = children(), open_files()
    assert await is_cancelled(0)
    for steps in range(1, 30, 2):
        await is_cancelled(steps)
    assert (children(), open_files()) == before
    assert marks(fixture.folder) == set()


ARENA = """
import asyncio, os, signal, sys
from pathlib import Path
from tests.system.sandbox.sandbox_fixture import SandboxFixture

async def main(folder, moment):
    fixture = SandboxFixture(folder)
    die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    sandbox = fixture.sandbox()
    if moment in ("admit", "restrict"):
        setattr(sandbox, f"_{moment}", die)
    fixture.sandbox = lambda: sandbox
    if moment.isdecimal():
        asyncio.get_running_loop().call_later(int(moment) / 1000, die)
    await fixture.start("sleep", "1000")
    if not moment.isdecimal():
        die()
    await asyncio.Event().wait()

asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""


@pytest.mark.parametrize("moment", ["admit", "restrict", "started", "2", "5", "9", "14", "20", "40"])
def test_what_a_killed_arena_leaves_is_swept_away(fixture, moment):
    """`moment`: a step of the start, or milliseconds."""
    fixture.write("x", "")
    killed = subprocess.run([sys.executable, "-c", ARENA, str(fixture.folder), moment], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    left = marks(fixture.folder)
    assert fixture.sandbox().sweep() >= len(left) - 1  # one may end by itself meanwhile
    assert marks(fixture.folder) == set()
    assert fixture.sandbox().sweep() == 0


def test_a_program_that_has_begun_dies_with_its_arena(fixture):
    fixture.write("x", "")
    subprocess.run([sys.executable, "-c", ARENA, str(fixture.folder), "started"], cwd=ROOT, check=False)
    arena = fixture.sandbox()._arena
    for _, pid in proc_fs.find_marked(lambda word: word.startswith(f"{arena}-")):
        with contextlib.suppress(ProcessLookupError):
            dying = os.pidfd_open(pid)
            assert select.select([dying], [], [], PATIENCE_S)[0], "nobody swept"
            os.close(dying)
    fixture.sandbox().sweep()


async def test_a_program_begins_only_when_it_would_die_with_its_arena(fixture, monkeypatch):
    """bubblewrap binds its first process to the launcher a moment after it has forked the program, and then sleeps."""
    steps: list[str] = []
    sandbox = fixture.sandbox()

    def is_at_work(_pid: int) -> bool:
        steps.append("look")
        return len(steps) < 4

    monkeypatch.setattr(proc_fs, "is_at_work", is_at_work)
    monkeypatch.setattr(sandbox, "_restrict", lambda *_: steps.append("released"))
    await (await sandbox.start(ProcessSpec(("true",), "cpp", fixture.bot), ProcessLimits())).wait()
    assert steps == ["look"] * 4 + ["released"]


def test_a_process_is_at_work_until_it_waits_or_is_gone():
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    idle = subprocess.Popen([sys.executable, "-c", "print('idle', flush=True); input()"],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    try:
        assert proc_fs.is_at_work(busy.pid)
        assert idle.stdout is not None
        idle.stdout.readline()
        while proc_fs.is_at_work(idle.pid):
            pass  # for ever, if one that waits passes for one at work
    finally:
        for process in (busy, idle):
            process.kill()
            process.communicate()
    assert not proc_fs.is_at_work(busy.pid)


async def test_running_programs_and_those_of_other_arenas_are_not_swept(fixture, tmp_path_factory):
    sandbox = fixture.sandbox()
    running = await sandbox.start(ProcessSpec(("sleep", "1000"), "cpp", fixture.bot), ProcessLimits())
    other = SandboxFixture(tmp_path_factory.mktemp("other"))
    for each in (sandbox, fixture.sandbox(), other.sandbox()):
        assert each.sweep() == 0
    assert (await running.stop(0)).reason is ExitReason.STOPPED
