"""What the doctor says of the sandbox: a line for each protection."""

from pathlib import Path

import pytest

from arena.sandbox.capabilities import Capabilities
from arena.sandbox.protections import Protection
from arena.sandbox.seccomp.system_calls import ARCHITECTURES
from arena.server.maintenance.checks import sandbox
from arena.server.maintenance.checks.finding import Level
from arena.server.maintenance.checks.sandbox import check_sandbox


def a_machine(why_not: str = "") -> Capabilities:
    program = Path("/usr/bin/true")
    return Capabilities(
        bwrap=program,
        version="bubblewrap 0.8.0",
        root=False,
        setpriv=program,
        env=program,
        architecture=ARCHITECTURES["aarch64"],
        cgroups=None,
        why_not=why_not,
    )


def test_each_protection_has_a_line_that_says_whether_it_is_live():
    first, *lines, _ = check_sandbox(a_machine())
    assert first.level is Level.WARN
    assert first.says.endswith("memory, pids missing.")
    assert "--allow-weak-sandbox" in first.do
    assert [line.check for line in lines] == [f"sandbox: {each.value}" for each in Protection]
    warned = {line.check for line in lines if line.level is Level.WARN}
    assert warned == {"sandbox: memory", "sandbox: pids", "sandbox: cpu", "sandbox: uid"}
    for line in lines:
        assert line.says.startswith("Not live: " if line.check in warned else "Live: ")
        assert bool(line.do) is (line.check in warned)


def test_where_no_sandbox_can_be_made_one_line_says_why_and_what_to_do():
    (line,) = check_sandbox(a_machine("Install bubblewrap."))
    assert (line.level, line.do) == (Level.WARN, "Install bubblewrap.")


@pytest.mark.parametrize("why_not", ["", "the kernel has no /proc/PID/schedstat"])
def test_the_last_line_is_about_waiting_for_processors(monkeypatch: pytest.MonkeyPatch, why_not: str) -> None:
    monkeypatch.setattr(sandbox, "why_not_measured", lambda _: why_not)
    *_, line = check_sandbox(a_machine())
    assert line.check == "sandbox: waiting"
    assert line.level is (Level.WARN if why_not else Level.OK)
    assert why_not in line.says
    assert bool(line.do) is bool(why_not)
