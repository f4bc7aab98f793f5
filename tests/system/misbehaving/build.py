"""Whether the misbehaving bots of a language can be started; those in Go are built on the way."""

import fcntl
import subprocess

from sample_bots.languages import Language
from tests.system.misbehaving.table import ZOO
from tests.system.polyglot.languages import need as need_sample_bots

SAMPLE_BOTS = {"go": "go", "javascript": "typescript"}
"""Whose generated messages and packages they use."""


def need(language: str) -> None:
    """They can be started; otherwise the test is skipped, with what to do, or fails where CI demands them."""
    if language == "python":
        return
    need_sample_bots(Language(SAMPLE_BOTS[language]))
    if language != "go":
        return
    folder = ZOO / "go"
    with (folder / "build").open() as lock:  # several processes of tests may want it at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = subprocess.run([folder / "build"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
