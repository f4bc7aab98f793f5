"""Child processes leave nothing behind."""

import os
import signal
import sys
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
    """Return what the child has written, once it is a line or the child has ended."""
    while "\n" not in log.read_text() and child.code() is None:
        os.sched_yield()
    return log.read_text().partition("\n")[0]


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


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the file that a child writes to."""
    return tmp_path / "log"


def test_its_exit_code_is_known_once_it_has_ended():
    assert wait_for_end(a_child("raise SystemExit(7)")) == 7


@pytest.mark.parametrize("is_killed", [False, True])
def test_the_processes_of_a_child_end_with_it(log, is_killed):
    child = a_child(GRANDCHILD.format(then="sleeper.wait()" if is_killed else ""), log)
    pid = int(first_line(log, child))

    if is_killed:
        child.kill()

    assert wait_for_end(child) == (-signal.SIGKILL if is_killed else 0)
    assert gone(pid)


@pytest.mark.parametrize(
    ("handler", "in_a_hurry", "code"),
    [("lambda *_: sys.exit(5)", False, 5), ("signal.SIG_IGN", True, -signal.SIGKILL)],
)
def test_a_child_that_is_stopped_may_end_by_itself_unless_in_a_hurry(log, handler, in_a_hurry, code):
    child = a_child(
        f"import signal, sys; signal.signal(signal.SIGTERM, {handler}); print('on', flush=True);"
        "signal.pause()",
        log,
    )
    first_line(log, child)

    stop_all([child], hurry=lambda: in_a_hurry)

    assert child.code() == code


def test_the_tail_of_a_log_is_the_output_of_this_process(log):
    log.write_text("from an earlier run\n")
    child = a_child("print(*range(20), sep='\\n', flush=True); raise SystemExit('last words')", log)
    wait_for_end(child)

    assert child.tail(3).splitlines() == ["18", "19", "last words"]
    assert child.tail(100).splitlines()[0] == "0"


def test_a_program_that_cannot_be_run_is_reported_in_its_log(tmp_path, log):
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF nonsense")
    program.chmod(0o755)

    child = Child("it", [str(program)], environment=os.environ, log=log)

    assert wait_for_end(child) == 1
    assert "Exec format error" in child.tail()


def test_a_child_gets_sigterm_when_its_parent_is_killed(log):
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


def test_a_missing_program_is_named():
    with pytest.raises(CliError, match="/no/such/program"):
        Child("greedy", ["/no/such/program"], environment={})


@pytest.mark.parametrize(
    ("code", "words"), [(0, "exit code 0"), (3, "exit code 3"), (-9, "signal SIGKILL"), (-250, "signal 250")]
)
def test_the_end_of_a_process_in_words(code, words):
    assert format_exit(code) == words
