"""`arena play GAME me ... --browser` in Chromium: whole matches by clicking."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.cli.framework.processes import without_arena
from arena.core.endings.terminations import Termination
from arena.match_log.reader import read_log
from engine.registry import GAMES
from tests.system.browser.pages import OpenPage, overflow, serious_faults
from tests.system.play.arena_process import WAIT_S

SHORT = {"caravan": ("--option", "turn_limit=16"), "wasteland": ("--option", "max_rounds=3")}
CLICK = """number => {
    const found = (selector) => [...document.querySelectorAll(selector)];
    const send = document.getElementById("send");
    const spots = found(".spot:not(.chosen)"), choices = found("#choices button");
    if (!send.disabled && number % 3) send.click();
    else if (spots.length && number % 5) spots[(number * 7) % spots.length].dispatchEvent(new MouseEvent("click"));
    else if (choices.length) choices[number % choices.length].click();
    else send.click();
    return document.getElementById("status").textContent;
}"""
"""Click on something that can be clicked; return what the page says."""


@contextmanager
def played(folder: Path, game: str, *args: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a match; yield the address of the page, and the command."""
    command = ["play", game, "me", "greedy", "--browser", "--log", "a.arenalog", *args]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.cli.app", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env=without_arena({}),
    )
    try:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "http://" in line)
        found = re.search(r"http://\S+", said)
        assert found is not None
        yield found[0], process
    finally:
        process.terminate()
        process.communicate(timeout=WAIT_S)


def click_to_the_end(page: Page) -> None:
    """Click until the match is over."""
    number = 0
    while page.evaluate(CLICK, number) != "The match is over.":
        number += 1
        page.evaluate("() => new Promise(requestAnimationFrame)")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_clicking(tmp_path: Path, open_page: OpenPage, game: str) -> None:
    with played(tmp_path, game, *SHORT.get(game, ())) as (address, process):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        assert serious_faults(page) == []
        page.click("#hint")
        expect(page.locator("#news")).to_contain_text("would play: ")
        click_to_the_end(page)
        expect(page.locator("#board svg")).to_be_visible()
        page.close()
        assert process.wait(WAIT_S) == 0
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert [seat.ending.termination for seat in log.result.seats] == [Termination.NORMAL] * 2


def test_a_camel_and_then_a_square_make_a_move_that_can_be_taken_back(
    tmp_path: Path, open_page: OpenPage
) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address, width=375, dark=True)
        place = page.get_by_role("button", name="places a camel on 24")
        place.click()
        page.click("#send")
        page.wait_for_selector("#choices button:has-text('moves a camel')")
        page.locator("#filter").fill("moves")
        before = page.locator("#choices button").count()
        camel = page.locator(".spot").first
        camel.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".spot.chosen")).to_have_count(1)
        assert page.locator("#choices button").count() <= before
        page.locator(".spot:not(.chosen)").first.dispatch_event("click")
        expect(page.locator("#planned li")).to_have_count(1)
        assert overflow(page) == 0
        assert serious_faults(page) == []
        page.reload()
        expect(page.locator("#planned li")).to_have_count(1)
        page.click("#undo")
        expect(page.locator("#planned li")).to_have_count(0)


def test_an_illegal_action_is_explained_and_rules_are_found(tmp_path: Path, open_page: OpenPage) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        page.locator("#filter").fill("MOVE(1,2)")
        page.keyboard.press("Enter")
        expect(page.locator("#news")).to_contain_text("C8")
        page.locator("#rules").fill("own city delivered")
        page.keyboard.press("Enter")
        expect(page.locator("#news")).to_contain_text("C14")


def test_resigning_is_confirmed_and_ends_the_match(tmp_path: Path, open_page: OpenPage) -> None:
    with played(tmp_path, "caravan") as (address, process):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#resign")
        expect(page.locator("#status")).to_have_text("The match is over.")
        page.close()
        assert process.wait(WAIT_S) == 0
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert log.result.seats[0].ending.termination is Termination.RESIGNATION
