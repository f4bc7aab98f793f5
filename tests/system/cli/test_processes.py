"""Child processes leave nothing behind."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Child, format_exit, stop_all
from tests.unit.cli.programs import environment

GRANDCHILD = """
import os, subprocess, sys
sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(sleeper.pid, flush=True)
{then}
"""


def a_child(code: str, log: Path | None = None) -> Child:
    return Child("it", [sys.executable, "-c", code], environment=environment(), log=log)


def first_line(log: Path, child: Child) -> str:
    """Return what the child has written, once it is a line."""
    return until(lambda: log.read_text().partition("\n")[0] if "\n" in log.read_text() else "", child)


def until(ready: Callable[[], str], child: Child) -> str:
    """Return what `ready` gives once it gives something; the child's end ends the wait."""
    while not (found := ready()):
        if child.code() is not None:
            return ready()
        os.sched_yield()
    return found


def runs(pid: int) -> bool:
    """Whether a process is there and is no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_for_end(child: Child) -> int:
    while (code := child.code()) is None:
        os.sched_yield()
    return code


def gone(pid: int) -> bool:
    """Wait until a killed process is gone."""
    while runs(pid):
        os.sched_yield()
    return True


def test_its_exit_code_is_known_once_it_has_ended():
    assert wait_for_end(a_child("raise SystemExit(7)")) == 7


def test_when_it_ends_what_it_had_started_ends_too(tmp_path):
    log = tmp_path / "log"
    child = a_child(GRANDCHILD.format(then=""), log)

    pid = int(first_line(log, child))
    wait_for_end(child)

    assert gone(pid)


def test_killing_it_kills_what_it_had_started(tmp_path):
    log = tmp_path / "log"
    child = a_child(GRANDCHILD.format(then="sleeper.wait()"), log)
    pid = int(first_line(log, child))

    child.kill()

    assert child.code() == -signal.SIGKILL
    assert gone(pid)


def test_stopping_asks_first(tmp_path):
    log = tmp_path / "log"
    child = a_child(
        "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(5)); print('on', flush=True);"
        "signal.pause()",
        log,
    )
    first_line(log, child)

    stop_all([child])

    assert child.code() == 5


def test_stopping_in_a_hurry_kills_what_does_not_listen(tmp_path):
    log = tmp_path / "log"
    child = a_child(
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True);"
        "signal.sigwait([signal.SIGUSR1])",
        log,
    )
    first_line(log, child)

    stop_all([child], hurry=lambda: True)

    assert child.code() == -signal.SIGKILL


def test_the_tail_of_its_log_is_what_this_process_has_written(tmp_path):
    log = tmp_path / "log"
    log.write_text("from an earlier run\n")
    child = a_child("print(*range(20), sep='\\n', flush=True); raise SystemExit('last words')", log)
    wait_for_end(child)

    assert child.tail(3).splitlines() == ["18", "19", "last words"]
    assert child.tail(100).splitlines()[0] == "0"


def test_a_program_that_cannot_be_run_says_why(tmp_path):
    program, log = tmp_path / "program", tmp_path / "log"
    program.write_bytes(b"\x7fELF nonsense")
    program.chmod(0o755)

    child = Child("it", [str(program)], environment=os.environ, log=log)

    assert wait_for_end(child) == 1
    assert "Exec format error" in child.tail()


def test_a_child_is_asked_to_end_when_its_parent_is_killed(tmp_path):
    log = tmp_path / "log"
    middle = a_child(
        "import os, sys, time\n"
        "from arena.cli.framework.processes import Child\n"
        "child = Child('it', [sys.executable, '-c', 'import time; time.sleep(600)'], environment=os.environ)\n"
        "print(child.pid, flush=True); time.sleep(600)",
        log,
    )
    pid = int(first_line(log, middle))

    os.kill(middle.pid, signal.SIGKILL)

    assert wait_for_end(middle) == -signal.SIGKILL
    assert gone(pid)


def test_a_program_that_is_not_there_is_a_sentence():
    with pytest.raises(CliError, match="/no/such/program"):
        Child("greedy", ["/no/such/program"], environment={})


@pytest.mark.parametrize(
    ("code", "words"), [(0, "exit code 0"), (3, "exit code 3"), (-9, "signal SIGKILL"), (-250, "signal 250")]
)
def test_an_end_is_said_in_words(code, words):
    assert format_exit(code) == words
