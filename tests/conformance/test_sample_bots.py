"""The Python sample bots pass every scenario, as processes."""

from __future__ import annotations

import json
import sys

import pytest

from arena.conformance.scenarios import SCENARIOS
from tests.cli.programs import ROOT, finish, start


@pytest.mark.parametrize("name", ["random_bot", "caravan/greedy"])
def test_a_sample_bot_passes_every_scenario(name: str) -> None:
    program = str(ROOT / "sample_bots" / "python" / f"{name}.py")

    code, out, err = finish(
        start("conformance", "--format", "json", "--", sys.executable, program), within=300
    )

    assert code == 0, out + err
    assert json.loads(out)["passed"] == len(SCENARIOS)
