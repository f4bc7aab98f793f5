"""The command line as a process of its own."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import json_format

from arena.v1 import submission_pb2
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


def submitted(data: Path, bot: str, path: Path) -> submission_pb2.Submission:
    """Submit a bot to the arena of the data folder; return the submission as the command gives it to a program."""
    process = start("bot", "submit", "--format", "json", "--data", str(data), bot, str(path))
    _, out, err = finish(process, within=240)
    assert out, err
    return json_format.Parse(out, submission_pb2.Submission())


def check_ctrl_c(pipe: Path, *args: str) -> None:
    """Send Ctrl-C to `arena ARGS...` once its program has written its id to `pipe`; no process may be left."""
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    process = start(*args)
    assert select.select([end], [], [], 60)[0], "not started"
    program = int(os.read(end, 20))
    os.close(end)

    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)

    assert code == 128 + signal.SIGINT, err
    assert "No process is left" in out
    with pytest.raises(ProcessLookupError):
        os.kill(program, 0)
