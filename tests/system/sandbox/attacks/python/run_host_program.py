"""Runs a program of the host's that is none of its runtime."""

import subprocess

from attack import attempt, setting


def run() -> str:
    return subprocess.run([setting("HOST_PROGRAM")], capture_output=True, text=True, check=True).stdout


attempt(run)
