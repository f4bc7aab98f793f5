"""The files in docs/monitoring: alerts fire when they should, and every metric in use exists."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard

from tests.checkout import ROOT, text

ALERTS: Final = "docs/monitoring/alerts.yml"
DASHBOARD: Final = "docs/monitoring/dashboard.json"
PAGES: Final = ("docs/operations.md", "docs/hosting.md")
SERIES: Final = re.compile(r"_(?:bucket|count|sum)$")


def promtool(*words: str | Path) -> str:
    """Run promtool, which must succeed; return its output."""
    program = shutil.which("promtool")
    if program is None and not os.environ.get("REQUIRE_BOTS"):
        pytest.skip("promtool is not installed (on Debian: apt install prometheus)")
    assert program is not None, "promtool is not installed"
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_alert_fires_at_the_first_event_and_is_silent_without_one(tmp_path: Path) -> None:
    cases = Path(__file__).with_name("alerts_test.yml").read_text()
    file = tmp_path / "alerts_test.yml"
    file.write_text(cases.replace("RULES", str(ROOT / ALERTS)))
    rules = promtool("check", "rules", ROOT / ALERTS)
    promtool("test", "rules", file)
    names = re.findall(r"alert: (\w+)", text(ALERTS))
    assert f"{len(names)} rules found" in rules
    assert [name for name in names if cases.count(name) != 2] == [], "each silent once and firing once"


@pytest.mark.parametrize("file", [ALERTS, DASHBOARD])
def test_every_metric_in_use_is_documented(file: str) -> None:
    documented = set(re.findall(r"`((?:arena|process)_\w+)`", "".join(map(text, PAGES))))
    used = {SERIES.sub("", name) for name in re.findall(r"\b(?:arena|process)_\w+", text(file))}
    assert len(used) >= 7
    assert used <= documented


def missing(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """Return the places of what we wrote that Grafana's model of a dashboard has not read."""
    if isinstance(ours, dict):
        return [
            place
            for key, value in ours.items()
            for place in (
                missing(value, theirs[key], f"{path}.{key}") if key in theirs else [f"{path}.{key}"]
            )
        ]
    if isinstance(ours, list):
        pairs = zip(ours, theirs, strict=True)
        return [
            place
            for index, (one, other) in enumerate(pairs)
            for place in missing(one, other, f"{path}[{index}]")
        ]
    return [] if ours == theirs else [path]


def test_the_dashboard_is_one_by_grafanas_own_model() -> None:
    ours = json.loads(text(DASHBOARD))
    theirs = json.loads(JSONEncoder().encode(Dashboard.from_json(ours)))
    assert missing(ours, theirs) == []
    assert len({panel["id"] for panel in ours["panels"]}) == len(ours["panels"])
