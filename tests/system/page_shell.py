"""The commands of a page of the documentation, as pasted into a shell."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.checkout import ROOT, text

WITHIN_S: Final = 300


def blocks_of(page: str) -> list[str]:
    """Return the blocks of a page that are for a shell: those without a language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)
    return [code for language, code in blocks if not language]


def block(blocks: Sequence[str], beginning: str) -> str:
    """Return the block that begins so."""
    found = [code for code in blocks if code.startswith(beginning)]
    assert len(found) == 1
    return found[0]


class Shell:
    """A shell in a folder of its own, with `arena` and `python` on its path."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """`variables`: of its environment."""
        self.folder = folder
        (folder / "sample_bots").symlink_to(ROOT / "sample_bots")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", os.defpath)])
        self.environment = kept | {"PATH": path, "PYTHONPATH": str(ROOT)} | variables

    def start(self, script: str) -> "subprocess.Popen[str]":
        """Start a script in a process group of its own; the shell makes way for a single command."""
        return subprocess.Popen(
            ["bash", "-ec", script],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, script: str, codes: tuple[int, ...] = (0,)) -> str:
        """Run a script to its end; return what it has printed."""
        process = self.start(script)
        out, _ = process.communicate(timeout=WITHIN_S)
        assert process.returncode in codes, out
        return out

    def finished(self) -> list[Any]:
        """Return the matches that have ended."""
        listed: list[Any] = json.loads(self.run("arena match list --format json"))["matches"]
        return [match for match in listed if match["state"] == "MATCH_STATE_FINISHED"]


def wait_until(process: "subprocess.Popen[str]", is_done: Any) -> None:
    """Look again and again, as long as the process runs, for some minutes at most."""
    pause = threading.Event()
    for _ in range(WITHIN_S * 4):
        if is_done():
            return
        assert process.poll() is None, process.communicate()[0]
        pause.wait(0.25)
    pytest.fail("not done in time")
