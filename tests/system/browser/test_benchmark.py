"""The benchmark of the replay page."""

from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.replay_page import COLUMNS, figures

LOG = Path(__file__).parents[2] / "data" / "logs" / "caravan-2-seats.arenalog"


def test_every_step_of_a_page_is_measured(browser: Browser, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    row = dict(zip(COLUMNS[1:], figures(browser, LOG, target), strict=True))
    assert row["plies"] == "191"
    assert int(row["steps"]) >= 192
    assert row["file kB"] == f"{target.stat().st_size / 1000:,.0f}"
    assert 0 < float(row["step ms"]) <= float(row["p99 ms"]) <= float(row["longest ms"])
