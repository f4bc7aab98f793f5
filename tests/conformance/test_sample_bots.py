"""The sample bots pass every scenario, as processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.app import app
from tests.checkout import ROOT


@pytest.mark.parametrize("file", ["random_bot.py", "greedy.py"])
def test_a_sample_bot_passes_every_scenario(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    program = str(Path("sample_bots/python") / file)
    monkeypatch.chdir(ROOT)

    result = CliRunner().invoke(app, ["conformance", "--", sys.executable, program], prog_name="arena")

    assert result.exit_code == 0, result.output
