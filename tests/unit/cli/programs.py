"""The command line as a process of its own."""

import os
import subprocess
import sys

from tests.checkout import ROOT


def environment(**changes: str) -> dict[str, str]:
    """Ours, such that `arena` is found wherever the process runs."""
    return os.environ | {"PYTHONPATH": str(ROOT)} | changes


def start(*args: str, code: str | None = None, **changes: str) -> subprocess.Popen[str]:
    """Start `arena ARGS...`, or `python -c CODE ARGS...`, with its output in pipes."""
    program = ["-m", "arena.cli.app"] if code is None else ["-c", code]
    return subprocess.Popen(
        [sys.executable, *program, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**changes),
    )


def finish(process: subprocess.Popen[str], *, within: float = 60) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a process that ends by itself, within so many seconds."""
    out, err = process.communicate(timeout=within)
    return process.returncode, out, err
