"""What the tests of pages find on a faulty page, and charts on phones."""

from importlib.resources import files
from pathlib import Path

import pytest

from arena.pages.charts import ratio_chart
from tests.system.browser.pages import Faults, OpenPage, overflow, serious_faults


def test_errors_and_requests_of_a_page_are_faults(
    tmp_path: Path, open_page: OpenPage, faults: Faults
) -> None:
    page = tmp_path / "page.html"
    other = tmp_path / "other.css"
    page.write_text(
        "<title>Faulty</title><link rel=stylesheet href=other.css><script>console.error('said'); missing()</script>"
    )
    other.write_text("")
    open_page(page.as_uri())
    assert sorted(fault.partition(":")[0] for fault in faults) == ["console error", "page error", "request"]
    faults.clear()


def test_unreadable_and_overflowing_pages_are_found(tmp_path: Path, open_page: OpenPage) -> None:
    file = tmp_path / "page.html"
    file.write_text("<title>Wide</title><img src='data:,' width=500>")
    page = open_page(file.as_uri(), width=375)
    assert [fault.partition(":")[0] for fault in serious_faults(page)] == ["html-has-lang", "image-alt"]
    assert overflow(page) >= 125
    file.write_text("<!doctype html><html lang=en><title>Good</title><p>Good")
    page = open_page(file.as_uri(), width=375)
    assert serious_faults(page) == []
    assert overflow(page) == 0


@pytest.mark.parametrize("width", [320, 375, 420])
def test_a_chart_is_not_wider_than_a_phone(tmp_path: Path, open_page: OpenPage, width: int) -> None:
    style = files("arena.pages").joinpath("files/site.css").read_text()
    chart = ratio_chart("Ratio", [0.5, -0.5], -3.0, 3.0)
    file = tmp_path / "page.html"
    file.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Chart</title>"
        f"<style>{style}</style><main><section><figure>{chart}</figure></section></main>"
    )
    page = open_page(file.as_uri(), width=width)
    assert overflow(page) == 0
    right: float = page.evaluate("document.querySelector('.chart').getBoundingClientRect().right")
    assert 0 < right < width
