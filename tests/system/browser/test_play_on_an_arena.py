"""A person who is signed in plays by hand against a bot of an arena, in Chromium."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from arena.v1 import match_pb2, token_pb2
from tests.system.browser.arena_with_matches import ArenaWithPages, arena_with_two_bots
from tests.system.browser.pages import OpenPage, overflow, serious_faults
from tests.system.browser.signing_in import sign_in
from tests.system.browser.test_play_by_hand import CLICK
from tests.system.play.arena_process import WAIT_S


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaWithPages]:
    with arena_with_two_bots(tmp_path_factory.mktemp("by_hand") / "data") as arena:
        yield arena


def token_of(shown: ArenaWithPages, user: str) -> str:
    made = shown.arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner=f"owners/{user}")
    return str(made.secret)


def begin(open_page: OpenPage, shown: ArenaWithPages, user: str, game: str, bot: str | None = None) -> Page:
    """Sign in and begin to play against ant; return the page when the board is there."""
    page = sign_in(open_page, shown.address, token_of(shown, user), "/bots/ant")
    page.get_by_role("link", name="Play against it by hand").click()
    page.get_by_label("Game").select_option(game)
    if bot is not None:
        page.get_by_label("You play as").select_option(bot)
    for title in ("Options of Caravanserai", "Change this clock"):
        if page.get_by_text(title).is_visible():
            page.get_by_text(title).click()
    if game == "caravanserai":
        page.get_by_label("Whether the expert rules are played").fill("true")
    page.get_by_label("Clock", exact=True).select_option("brisk")
    page.get_by_label("Missed or illegal decisions").fill("9")
    assert overflow(page) == 0
    assert serious_faults(page) == []
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/play")
    expect(page.frame_locator("#board").locator("#choices button").first).to_be_visible()
    return page


def board(page: Page) -> FrameLocator:
    return page.frame_locator("#board")


RESIGN = """() => {
    const resign = document.getElementById("resign");
    if (resign.disabled) return false;
    resign.click();
    return true;
}"""
"""Resign as soon as it is possible: between a look at the button and a click, an answer could disable it."""


def challenge_of(shown: ArenaWithPages, bot: str) -> list[match_pb2.Match]:
    """Return the matches of a bot, oldest first."""
    return list(reversed(shown.matches(bot=f"bots/{bot}")))


def wait_until_ended(pid: int) -> None:
    """Return when a process is gone."""
    give_up = time.monotonic() + WAIT_S
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < give_up
        time.sleep(0.1)


def programs(shown: ArenaWithPages) -> set[int]:
    """Return the programs by which people play on this arena; other tests may run arenas of their own."""
    found = set()
    for each in Path("/proc").glob("[0-9]*"):
        try:
            command = (each / "cmdline").read_bytes().split(b"\0")
            environment = (each / "environ").read_bytes()
        except OSError:
            continue
        if b"--served" in command and str(shown.arena.data).encode() in environment:
            found.add(int(each.name))
    return found


def test_a_person_plays_both_matches_of_a_challenge(shown: ArenaWithPages, open_page: OpenPage) -> None:
    before = programs(shown)
    page = begin(open_page, shown, "ida", "caravanserai")
    assert overflow(page) == 0
    assert serious_faults(page) == []
    [program] = programs(shown) - before
    assert b"arn_" not in Path(f"/proc/{program}/cmdline").read_bytes()
    frame = next(each for each in page.frames if "/play/board/" in each.url)
    for number in range(40):
        frame.evaluate(CLICK, number)
        frame.evaluate("() => new Promise(requestAnimationFrame)")
    page.on("dialog", lambda dialog: dialog.accept())
    frame.wait_for_function(RESIGN)
    expect(board(page).locator("#news")).to_contain_text("in place 2 of 2")
    frame.wait_for_function(RESIGN)
    expect(page.locator("#playing [role=status]")).to_have_text("It is over.")
    first, second = challenge_of(shown, "ida-by-hand")
    challenge = shown.arena.tournaments.GetTournament(name=first.tournament).tournament
    assert challenge.options.caravanserai.expert
    assert (challenge.time_control.per_decision_ms, challenge.time_control.strikes) == (20_000, 9)
    assert first.state == second.state == match_pb2.MATCH_STATE_FINISHED
    assert not first.rated
    assert first.plies > 0
    assert {each.ending for each in (first, second)} == {"LAST_STANDING"}
    assert {seat.bot for seat in second.seats} == {"bots/ant", "bots/ida-by-hand"}
    wait_until_ended(program)
    [token] = [each for each in shown.arena.tokens.ListTokens().tokens if each.bot == "bots/ida-by-hand"]
    assert token.revoked


def test_a_lost_page_comes_back_and_a_bot_that_others_play_is_refused(
    shown: ArenaWithPages, open_page: OpenPage
) -> None:
    page = begin(open_page, shown, "lea", "caravan")
    choice = board(page).locator("#choices button").first
    choice.click()
    expect(board(page).locator("#planned li")).to_have_count(1)
    page.goto(f"{shown.address}/matches")
    page.goto(f"{shown.address}/play")
    expect(board(page).locator("#planned li")).to_have_count(1)
    page.goto(f"{shown.address}/bots/ant/play")
    page.get_by_role("button", name="Play").or_(page.get_by_text("All your bots")).first.wait_for()
    assert "All your bots are on a ladder, or a program plays for them." in page.content()
    page.goto(f"{shown.address}/play")
    page.get_by_role("button", name="End").click()
    expect(page.locator("#playing [role=status]")).to_have_text("It is over.")


def test_a_person_who_signs_out_plays_no_more_and_strangers_see_no_board(
    shown: ArenaWithPages, open_page: OpenPage
) -> None:
    """The last test of this file: until its matches are lost by absence, the opponent plays with nobody else."""
    before = programs(shown)
    page = begin(open_page, shown, "joe", "caravan")
    [program] = programs(shown) - before
    stranger = sign_in(open_page, shown.address, token_of(shown, "kim"))
    for place, status in (("play/board/", 410), ("play/board/state", 204), ("play/board/play.js", 410)):
        answer = stranger.request.get(f"{shown.address}/{place}")
        assert answer.status == status
        assert "choices" not in answer.text()
    csrf = stranger.locator("form[action='/sign-out'] input").get_attribute("value") or ""
    sent = stranger.request.post(
        f"{shown.address}/play/board/do",
        data={"do": "resign"},
        headers={"origin": shown.address, "x-csrf": csrf},
    )
    assert sent.status == 410
    forged = page.request.post(
        f"{shown.address}/play/board/do",
        data={"do": "resign"},
        headers={"origin": shown.address, "x-csrf": "x"},
    )
    assert forged.status == 403
    assert challenge_of(shown, "joe-by-hand")[0].state == match_pb2.MATCH_STATE_RUNNING
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    wait_until_ended(program)
