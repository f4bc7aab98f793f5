"""The web pages of a real arena in Chromium: wide and narrow, light and dark, with and without JavaScript."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from arena.cli.framework.processes import without_arena
from arena.v1 import match_pb2
from tests.system.browser.arena_with_matches import GAMES, Shown, pages_of, shown_arena
from tests.system.browser.pages import Faults, OpenPage, overflow, serious_faults
from tests.system.cli.test_processes import gone

PLACES = (
    *("", "ladders", "ladders/caravan", "ladders/solo", "ladders/short", "bots", "bots/ant", "bots/coward"),
    *("matches", "matches?state=finished&bot=ant", "now", "wall", "wall?ladder=solo"),
    *("tournaments", "tournaments/spring", "tournaments/summer"),
)
Find = Callable[[match_pb2.Match], bool]


def rated(ladder: str) -> Find:
    """Return what finds a match of a ladder that counts."""
    return lambda match: match.ladder == f"ladders/{ladder}" and not match.void_reason


MATCHES: dict[str, Find] = {
    **{game: rated(game) for game in GAMES},
    "solo": lambda match: match.ladder == "ladders/solo",
    "resigned": lambda match: match.ladder == "ladders/short",
    "void": lambda match: bool(match.void_reason),
    "tournament": lambda match: match.tournament == "tournaments/spring",
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with shown_arena(tmp_path_factory.mktemp("site") / "data") as arena:
        yield arena


def match_of(shown: Shown, find: Find) -> str:
    """Return the address of a match."""
    return f"{shown.address}/{next(each.name for each in shown.matches() if find(each))}"


def check(open_page: OpenPage, url: str) -> None:
    """Check a page as everybody may see it: wide and light, then narrow and dark."""
    page = open_page(url)
    expect(page.locator("h1")).to_be_visible()
    assert overflow(page) == 0, f"{url}, wide"
    assert serious_faults(page) == [], f"{url}, light"
    page.set_viewport_size({"width": 375, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert overflow(page) == 0, f"{url}, narrow"
    assert serious_faults(page) == [], f"{url}, dark"
    page.close()


def text_without_scripts(open_page: OpenPage, url: str) -> str:
    """Return the text of the main part."""
    page = open_page(url, width=375, javascript=False)
    text = page.locator("main").inner_text()
    page.close()
    return text


@pytest.mark.parametrize("place", PLACES)
def test_every_page_is_whole_at_every_width_and_readable_without_scripts(
    shown: Shown, open_page: OpenPage, place: str
) -> None:
    url = f"{shown.address}/{place}"
    check(open_page, url)
    assert len(text_without_scripts(open_page, url)) > 40


@pytest.mark.parametrize("kind", MATCHES)
def test_the_page_of_every_kind_of_match_is_whole_and_tells_its_end(
    shown: Shown, open_page: OpenPage, kind: str
) -> None:
    url = match_of(shown, MATCHES[kind])
    check(open_page, url)
    told = text_without_scripts(open_page, url)
    for word in {"resigned": ("RESIGNATION",), "void": ("oid", "a test of void matches")}.get(
        kind, ("place",)
    ):
        assert word in told


def test_a_page_that_is_not_there_says_so(shown: Shown, open_page: OpenPage, faults: Faults) -> None:
    check(open_page, f"{shown.address}/bots/nobody")
    assert all("404" in fault for fault in faults)
    faults.clear()


def test_a_match_grows_while_it_is_played(shown: Shown, open_page: OpenPage) -> None:
    check(open_page, f"{shown.address}/{shown.live}")
    page = open_page(f"{shown.address}/{shown.live}")
    page.wait_for_selector("#live svg")
    for _ in range(3):
        before = page.locator("#live").inner_html()
        assert shown.waiting.stdin is not None
        shown.waiting.stdin.write("\n" * 4)
        shown.waiting.stdin.flush()
        page.wait_for_function("before => document.getElementById('live').innerHTML !== before", arg=before)
    assert page.locator("#live .turns li").count() > 0


@pytest.mark.parametrize("place", ["ladders/caravan", "wall?ladder=caravan", "now"])
def test_a_page_shows_a_new_match_without_being_loaded_again(
    shown: Shown, open_page: OpenPage, place: str
) -> None:
    page = open_page(f"{shown.address}/{place}")
    page.evaluate("window.sameDocument = true")
    before = page.locator("main").inner_html()
    newest = play_another(shown)
    page.wait_for_function("before => document.querySelector('main').innerHTML !== before", arg=before)
    if not place.startswith("wall"):
        page.wait_for_selector(f"a[href='/{newest}']")
    assert page.evaluate("window.sameDocument")


def play_another(shown: Shown) -> str:
    """Play another match group of the ladder; return the newest match that has ended."""
    over = sum("match over" in line for line in shown.arena.log)
    shown.arena.ladders.RunLadder(name="ladders/caravan", matches=2)
    shown.arena.wait_for("match over", over + 2)
    listed = shown.arena.matches.ListMatches(ladder="ladders/caravan", state=match_pb2.MATCH_STATE_FINISHED)
    return str(listed.matches[0].name)


def test_a_page_recovers_when_its_server_was_away(shown: Shown, open_page: OpenPage, faults: Faults) -> None:
    with pages_of(shown.arena) as (address, server):
        page = open_page(f"{address}/ladders/caravan")
        page.evaluate("window.sameDocument = true")
        open_page(f"{match_of(shown, MATCHES['caravan'])}/replay".replace(shown.address, address))
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        with page.expect_event("requestfailed"):
            server.kill()
    assert children
    assert all(gone(int(child)) for child in children)
    newest = play_another(shown)
    with pages_of(shown.arena, urlsplit(address).port or 0):
        page.wait_for_selector(f"a[href='/{newest}']")
    assert page.evaluate("window.sameDocument")
    assert all("ERR_" in fault or "[object Event]" in fault for fault in faults), faults
    faults.clear()


def steps_name_plies(page: Page) -> None:
    """Step through the replay in the page of a match: its address names the ply, and an address opens its ply."""
    frame = page.frame_locator("#replay")
    frame.locator("#scrubber").focus()
    page.keyboard.press("End")
    page.wait_for_url(re.compile(r"#ply=\d{2,}$"))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("#ply=1$"))
    page.goto(page.url.replace("#ply=1", "#ply=7"))
    expect(frame.locator("body")).to_contain_text("Ply 7 of")
    page.reload()
    expect(frame.locator("body")).to_contain_text("Ply 7 of")


def test_the_address_of_a_match_names_the_step_of_its_replay(shown: Shown, open_page: OpenPage) -> None:
    steps_name_plies(open_page(match_of(shown, MATCHES["caravan"])))


def test_exported_pages_work_from_disk(
    shown: Shown, open_page: OpenPage, faults: Faults, tmp_path: Path
) -> None:
    folder = tmp_path / "public"
    command = ["pages", "export", str(folder), "--data", str(shown.arena.data)]
    subprocess.run(
        [sys.executable, "-m", "arena.cli.app", *command],
        check=True,
        capture_output=True,
        env=without_arena({}),
    )
    files = sorted(folder.rglob("*.html"))
    assert {"index.html", "ladders/caravan.html", "tournaments/spring.html"} <= {
        file.relative_to(folder).as_posix() for file in files
    }
    for file in files:
        linked = re.findall(r'(?:href|src)="([^"#:]+)[^":]*"', file.read_text())
        assert not [each for each in linked if not (file.parent / each).is_file()], file
    for place in ("index", "ladders/caravan", "bots/ant", "tournaments/spring"):
        page = open_page((folder / f"{place}.html").as_uri(), width=375)
        expect(page.locator("h1")).to_be_visible()
        assert overflow(page) == 0
    match = match_of(shown, MATCHES["wasteland"]).removeprefix(shown.address)
    steps_name_plies(open_page((folder / f"{match.strip('/')}.html").as_uri()))
    own = folder.resolve().as_uri()
    faults[:] = [fault for fault in faults if not fault.startswith(f"request: {own}/")]
