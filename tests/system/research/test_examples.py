"""Every example of the page about environments runs as pasted."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT, text

EXAMPLES = re.findall(r"^```python\n(.*?)^```", text("docs/research.md"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_runs_as_pasted(example: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_page_has_an_example_of_each_environment() -> None:
    imported = set(re.findall(r"from arena\.research\.(\w+) import", "".join(EXAMPLES)))
    assert imported == {"pettingzoo", "gymnasium", "vector", "openspiel", "setting"}
