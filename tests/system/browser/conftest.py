"""Chromium for tests of pages: no fault may remain on a page when its test ends."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.system.browser.pages import PATIENCE_MS, Faults, OpenPage, open_in

expect.set_options(timeout=PATIENCE_MS)

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REQUIRE: Final = "REQUIRE_BROWSER"
"""Set in CI: a browser that is not there fails the tests instead of skipping them."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start one browser for each file of tests: while it runs, no test can run an event loop of its own."""
    with sync_playwright() as driver:
        program = next(filter(None, map(shutil.which, NAMES)), driver.chromium.executable_path)
        if not Path(program).exists():
            why_not = "no browser here: `apt install chromium` or `.venv/bin/playwright install chromium`"
            (pytest.fail if os.environ.get(REQUIRE) else pytest.skip)(why_not)
        arguments = ["--disable-gpu"]  # without a graphics card a program would stand in for one
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        started = driver.chromium.launch(executable_path=program, args=arguments, timeout=PATIENCE_MS)
        yield started
        started.close()


@pytest.fixture
def faults() -> Faults:
    """Collect what pages said or loaded that they should not; what is left at the end fails the test."""
    return []


@pytest.fixture
def open_page(browser: Browser, faults: Faults) -> Iterator[OpenPage]:
    """Open a page: `open_page(url, width=375, dark=True)`."""
    with ExitStack() as opened:
        yield open_in(browser, faults, opened)
        assert faults == []
