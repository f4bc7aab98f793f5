"""`arena play GAME me ... --browser` in Chromium: whole matches by clicking."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.cli.framework.processes import without_arena
from arena.core.endings.terminations import Termination
from arena.match_log.reader import read_log
from arena.v1 import ending_pb2, match_pb2
from engine.registry import GAMES
from tests.system.browser.pages import Faults, OpenPage, overflow, serious_faults
from tests.system.opponent import challenge, greedy_plays
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.relay import Relay
from tests.unit.cli.programs import environment

SHORT = {"caravan": ("--option", "turn_limit=8"), "wasteland": ("--option", "max_rounds=3")}
CLICK = """number => {
    const found = (selector) => [...document.querySelectorAll(selector)];
    const send = document.getElementById("send");
    const spots = found(".spot:not(.chosen)"), choices = found("#choices button");
    if (!send.disabled && number % 3) send.click();
    else if (spots.length && number % 5) spots[(number * 7) % spots.length].dispatchEvent(new MouseEvent("click"));
    else if (choices.length) choices[number % choices.length].click();
    else send.click();
    return document.getElementById("news").textContent.split("The match is over").length - 1;
}"""
"""Click on something that can be clicked; return how many matches are over."""


@contextmanager
def played(folder: Path, game: str, *args: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a match; yield the address of the page, and the command."""
    command = ["play", game, "me", "greedy", "--browser", "--log", "a.arenalog", *args]
    with page_of(command, folder) as started:
        yield started


@contextmanager
def page_of(
    command: Sequence[str], folder: Path | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a command; yield the address of its page, and the command."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena.cli.app", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env=without_arena(environment()),
    )
    try:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "http://" in line)
        found = re.search(r"http://\S+", said)
        assert found is not None
        yield found[0], process
    finally:
        process.kill()  # its programs end with it
        process.communicate(timeout=WAIT_S)


TO_THE_END = f"""async matches => {{
    const click = {CLICK};
    for (let number = 0; click(number) < matches; number++) await new Promise(requestAnimationFrame);
}}"""
"""The same on every frame, until so many matches are over: in the page, since calls from here cost more than clicks."""


def click_to_the_end(page: Page, matches: int = 1) -> None:
    """Click until so many matches are over."""
    page.evaluate(TO_THE_END, matches)


ILLEGAL = {
    "caravan": ("MOVE(13,0)", "C8"),
    "caravanserai": ("CAMEL(0)", "S44"),
    "ahldarahd": ('{"type":"pass"}', "A48"),
    "wasteland": ('{"type":"stop"}', "W72"),
}
"""Actions that are not legal at first, and the rule."""


def check_illegal(page: Page, game: str) -> None:
    """Try an illegal action: the rule is named, and nothing is planned."""
    notation, rule = ILLEGAL[game]
    page.locator("#filter").fill(notation)
    page.keyboard.press("Enter")
    expect(page.locator("#news")).to_contain_text(rule)
    expect(page.locator("#planned li")).to_have_count(0)
    page.locator("#filter").fill("")


def check_first_screen(page: Page) -> None:
    """Everything is in the window at once: the picture, the buttons, the list as far as there is room, the news."""
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    outside = """all => all.filter(each => {
        const box = each.getBoundingClientRect();
        return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth || !box.height;
    }).map(each => each.id || each.className.baseVal)"""
    parts = "#board svg, .spot, #short, #buttons button, #choices, #news, #rules"
    assert page.locator(parts).evaluate_all(outside) == []
    list_ends, section_ends = (
        page.locator(part).evaluate("each => each.getBoundingClientRect().bottom")
        for part in ("#choices", "#move")
    )
    assert section_ends - list_ends < 20


def check_labels(page: Page) -> None:
    """Every label in the middle of a box leaves its frame free."""
    tight = """all => all.filter(each => {
        let box = each.previousElementSibling;
        while (box && box.tagName === "text") box = box.previousElementSibling;
        return box && ["rect", "path"].includes(box.tagName) && each.getBBox().width > box.getBBox().width - 5;
    }).map(each => each.textContent)"""
    labels = page.locator("#board text[text-anchor=middle]")
    assert labels.count() > 20
    assert labels.evaluate_all(tight) == []


def plan_and_undo(page: Page) -> None:
    """Click on an action, and take it back."""
    page.locator("#choices button").nth(1).click()
    expect(page.locator("#planned li")).to_have_count(1)
    page.click("#undo")
    expect(page.locator("#planned li")).to_have_count(0)


def break_connection(page: Page) -> None:
    """Lose the connection of the page in the middle of a turn: it says so, keeps the plan, and continues."""
    page.locator("#choices button").nth(1).click()
    expect(page.locator("#planned li")).to_have_count(1)
    page.context.set_offline(True)
    page.click("#undo")
    expect(page.locator("#status")).to_contain_text(re.compile("does not answer"))
    expect(page.locator("#planned li")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator("#status")).not_to_contain_text("does not answer")
    page.reload()
    expect(page.locator("#planned li")).to_have_count(1)
    page.click("#undo")
    expect(page.locator("#planned li")).to_have_count(0)


def forgive_lost_connections(faults: Faults) -> None:
    """Forget what Chromium itself reports of a connection that a test has cut."""
    faults[:] = [each for each in faults if "net::ERR_" not in each]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_clicking(
    tmp_path: Path, open_page: OpenPage, faults: Faults, game: str
) -> None:
    with played(tmp_path, game, *SHORT.get(game, ())) as (address, process):
        page = open_page(address, height=900)
        page.wait_for_selector("#choices button")
        check_first_screen(page)
        check_labels(page)
        assert serious_faults(page) == []
        page.click("#hint")
        expect(page.locator("#news")).to_contain_text("would play: ")
        expect(page.locator("#choices button").first).to_contain_text("Hint: ")
        check_illegal(page, game)
        plan_and_undo(page)
        break_connection(page)
        click_to_the_end(page)
        expect(page.locator("#board svg")).to_be_visible()
        page.close()
        assert process.wait(WAIT_S) == 0
    forgive_lost_connections(faults)
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert [seat.ending.termination for seat in log.result.seats] == [Termination.NORMAL] * 2


def test_a_camel_and_then_a_square_make_a_move_that_can_be_taken_back(
    tmp_path: Path, open_page: OpenPage
) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address, width=375, dark=True)
        page.locator("#choices button", has_text="places a camel on 24").click()
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
        page.locator("#filter").fill("places")
        page.locator(".spot").evaluate_all(TWO_CLICKS)
        expect(page.locator("#planned li")).to_have_count(2)


TWO_CLICKS = "all => [3, 4].forEach(each => all[each].dispatchEvent(new MouseEvent('click')))"
"""Click on two places before the page can have the position after the first click."""


def test_an_illegal_action_is_explained_and_rules_are_found(tmp_path: Path, open_page: OpenPage) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        page.locator("#filter").fill("MOVE(1,2)")
        page.keyboard.press("Enter")
        expect(page.locator("#news")).to_contain_text("C8")
        page.locator("#rules").fill("own city delivered")
        page.keyboard.press("Enter")
        expect(page.locator("#answer")).to_contain_text("C14")
        page.locator("#short summary").click()
        page.locator("#short .clause", has_text="C13").first.click()
        expect(page.locator("#answer p").first).to_contain_text("C13 Move a good")
        assert page.locator("#answer").evaluate("each => each.scrollTop") == 0


def test_resigning_is_confirmed_and_the_page_keeps_the_end_when_the_program_is_gone(
    tmp_path: Path, open_page: OpenPage, faults: Faults
) -> None:
    with played(tmp_path, "caravan") as (address, process):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#resign")
        result = "The match is over: you are in place 2 of 2."
        expect(page.locator("#status")).to_contain_text(result)
        assert process.wait(WAIT_S) == 0
        expect(page.locator("#rules")).to_be_disabled()
        expect(page.locator("#status")).to_contain_text(result)
        expect(page.locator("#end")).to_contain_text("arena log render a.arenalog -o a.html")
        expect(page.locator("#board svg")).to_be_visible()
        page.close()
    forgive_lost_connections(faults)
    log = read_log((tmp_path / "a.arenalog").read_bytes())
    assert log.result.seats[0].ending.termination is Termination.RESIGNATION


def test_a_turn_is_played_by_keyboard_alone(tmp_path: Path, open_page: OpenPage) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        for _ in range(2):  # the summary of the rules, then the first circle
            page.keyboard.press("Tab")
        expect(page.locator(".spot:focus")).to_have_attribute("aria-label", "places a camel on (1)")
        for arrow in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowRight"):
            page.keyboard.press(arrow)
        expect(page.locator(".spot:focus")).to_have_attribute("aria-label", "places a camel on 2")
        page.keyboard.press("Enter")
        expect(page.locator("#planned li")).to_have_text(["places a camel on 2"])
        expect(page.locator("#send")).to_be_focused()  # there is nothing else to plan
        page.keyboard.press("Tab")
        page.keyboard.press("Space")  # undo
        expect(page.locator("#planned li")).to_have_count(0)
        page.locator("#choices button").nth(0).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#planned li")).to_have_count(1)
        expect(page.locator("#send")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#news")).to_contain_text("Turn 2")


def test_a_circle_says_what_it_leads_to(tmp_path: Path, open_page: OpenPage) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address)
        page.get_by_role("button", name="places a camel on 24").first.dispatch_event("click")
        page.click("#send")
        page.wait_for_selector("#choices button:has-text('moves a camel')")
        page.locator("#filter").fill("moves")
        camel = page.locator(".spot").first
        expect(camel).to_have_attribute("aria-label", "moves a camel from 24 to ... (48 actions)")
        camel.dispatch_event("click")
        labels = page.locator(".spot:not(.chosen)").evaluate_all("all => all.map(each => each.ariaLabel)")
        assert len(labels) == 48
        assert all(label.startswith("moves a camel from 24 to ") for label in labels)


def test_two_pages_of_one_match_show_the_same_and_a_second_click_on_send_sends_nothing_more(
    tmp_path: Path, open_page: OpenPage
) -> None:
    with played(tmp_path, "caravan") as (address, _):
        one, two = open_page(address), open_page(address)
        for page in (one, two):
            page.wait_for_selector("#choices button")
        one.locator("#choices button").nth(3).click()
        expect(two.locator("#planned li")).to_have_count(1)
        turn = two.evaluate("state.turn")
        two.evaluate("turn => { for (let i = 0; i < 3; i++) send({ do: 'send', turn }); }", turn)
        expect(one.locator("#news")).to_contain_text("Turn 2")
        one.wait_for_selector("#choices button")
        expect(one.locator("#planned li")).to_have_count(0)


def test_closing_the_page_and_coming_back_in_the_middle_of_a_turn_keeps_the_plan(
    tmp_path: Path, open_page: OpenPage
) -> None:
    with played(tmp_path, "caravan") as (address, _):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        page.locator("#choices button").nth(3).click()
        expect(page.locator("#planned li")).to_have_count(1)
        planned = page.locator("#planned li").inner_text()
        page.close()
        expect(open_page(address).locator("#planned li")).to_have_text([planned])


def test_a_program_that_is_killed_is_reported_on_the_page(
    tmp_path: Path, open_page: OpenPage, faults: Faults
) -> None:
    with played(tmp_path, "caravan") as (address, process):
        page = open_page(address)
        page.wait_for_selector("#choices button")
        process.kill()
        expect(page.locator("#status")).to_contain_text("does not answer")
        page.locator("#choices button").nth(1).click()
        expect(page.locator("#status")).to_contain_text(re.compile("does not answer"))
        page.close()
    forgive_lost_connections(faults)


def test_a_challenge_on_an_arena_is_played_on_one_page_with_the_clock_in_view(
    arena: ArenaProcess, open_page: OpenPage
) -> None:
    arena.bots.CreateBot(bot_id="ada")
    with greedy_plays(arena), Relay(arena.tcp) as relay:
        command = ["bot", "play", "ada", "--browser", "--server", relay.address]
        with page_of([*command, "--token", str(arena.data / "organiser.token")]) as (address, process):
            page = open_page(address)
            expect(page.locator("#status")).to_have_text("Waiting for a match.")
            challenge(arena)
            page.wait_for_selector("#choices button")
            expect(page.locator("#clock")).to_contain_text(re.compile(r"Time left: [01]:\d\d"))
            assert serious_faults(page) == []
            page.locator("#choices button").nth(1).click()
            expect(page.locator("#planned li")).to_have_count(1)
            relay.cut()
            expect(page.locator("#news")).to_contain_text("Trying again")
            page.click("#send")  # what is sent before the connection is back arrives after
            click_to_the_end(page, matches=2)
            page.close()
            process.send_signal(signal.SIGINT)
            assert process.wait(WAIT_S) == 0
    matches = arena.matches.ListMatches(match_pb2.ListMatchesRequest(bot="bots/ada")).matches
    assert [seat.ending.termination for match in matches for seat in match.seats] == [
        ending_pb2.TERMINATION_NORMAL
    ] * 4
    assert [match.rated for match in matches] == [False, False]
