"""Signing in and out in Chromium, and what a person then sees and does."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from arena.v1 import match_pb2, token_pb2
from tests.system.browser.arena_with_matches import Shown, shown_arena
from tests.system.browser.pages import Faults, OpenPage, overflow, serious_faults
from tests.system.browser.signing_in import sign_in
from tests.system.hosting.needs import needs_sandbox
from tests.unit.hosting.admissions import an_archive

OUTPUT = "<script>alert('compiled')</script> no such header"
FAILS_TO_BUILD = {
    "bot.toml": """
command = ["python", "bot.py"]
games = ["caravan"]
runtime = "python"
build = ["python", "build.py"]
""",
    "bot.py": "import arena.sdk\n",
    "build.py": f"raise SystemExit({OUTPUT!r})\n",
}

PRIVATE = (
    *(
        "account",
        "account/team",
        "account/bots/ant",
        "account/bots/new",
        "bots/ant",
        "bots/ant/challenge",
        "sign-in",
    ),
    *("organiser", "organiser/queue/caravan", "organiser/faults", "organiser/audit", "organiser/audit/2"),
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    with shown_arena(tmp_path_factory.mktemp("signed_in") / "data") as arena:
        arena.arena.bots.CreateBot(bot_id="new", description="<b>new</b>")
        yield arena


@pytest.fixture(scope="module")
def token(shown: Shown) -> str:
    """Return the token of the owner of all bots, who is an organiser."""
    return (shown.arena.data / "organiser.token").read_text().strip()


def resigned(shown: Shown) -> match_pb2.Match:
    """Return a match in which coward has written debug lines."""
    return next(each for each in shown.matches() if each.ladder == "ladders/short")


def test_signing_in_and_out(shown: Shown, open_page: OpenPage, token: str) -> None:
    page = open_page(f"{shown.address}/bots/ant")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Your token").fill(token)
    page.keyboard.press("Enter")
    page.wait_for_url("**/bots/ant")
    expect(page.get_by_role("link", name="organiser", exact=True)).to_be_visible()
    assert token not in page.content()
    [cookie] = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"] > 0) == (True, "Strict", True)
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert page.context.cookies() == []
    page.go_back()
    page.goto(f"{shown.address}/account")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_without_javascript_a_person_signs_in_and_out(shown: Shown, open_page: OpenPage, token: str) -> None:
    page = open_page(f"{shown.address}/sign-in", javascript=False)
    page.get_by_label("Your token").fill(token)
    page.locator("form.entry button").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_a_wrong_token_is_told_and_a_revoked_one_signs_out(
    shown: Shown, open_page: OpenPage, faults: Faults
) -> None:
    page = open_page(f"{shown.address}/sign-in")
    page.get_by_label("Your token").fill("arn_nonsense")
    page.locator("form.entry button").click()
    expect(page.get_by_role("alert")).to_contain_text("not a token")
    assert serious_faults(page) == []
    made = shown.arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/bob")
    page = sign_in(open_page, shown.address, made.secret)
    shown.arena.tokens.RevokeToken(name=made.token.name)
    page.goto(f"{shown.address}/account")
    expect(page.get_by_role("heading", name="You were signed out")).to_be_visible()
    assert page.context.cookies() == []
    page.locator("main").get_by_role("link", name="Sign in").click()
    expect(page.get_by_label("Your token")).to_be_visible()
    assert all("401" in fault for fault in faults)
    faults.clear()


def test_a_form_on_another_site_does_nothing(
    shown: Shown, open_page: OpenPage, browser: Browser, token: str
) -> None:
    """A page of another origin posts to the pages in the browser of a person who is signed in."""
    page = sign_in(open_page, shown.address, token)
    csrf = page.locator("form[action='/sign-out'] input").get_attribute("value")
    evil = page.context.new_page()
    address = shown.address.replace("127.0.0.1", "localhost")
    evil.route(
        "**/evil",
        lambda route: route.fulfill(
            content_type="text/html",
            body=f"<form method=post action='{shown.address}/sign-out'><input name=csrf value='{csrf}'><button>x",
        ),
    )
    evil.goto(f"{address}/evil")
    with evil.expect_navigation() as moved:
        evil.locator("button").click()
    assert moved.value is not None
    assert moved.value.status == 403
    page.reload()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


@pytest.mark.parametrize("place", PRIVATE)
def test_every_page_of_a_person_is_whole_and_readable(
    shown: Shown, open_page: OpenPage, token: str, place: str
) -> None:
    page = sign_in(open_page, shown.address, token, f"/{place}")
    expect(page.locator("h1")).to_be_visible()
    assert overflow(page) == 0
    assert serious_faults(page) == []
    page.set_viewport_size({"width": 375, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert overflow(page) == 0
    assert serious_faults(page) == []


def test_debug_lines_are_at_their_decision_in_the_replay(
    shown: Shown, open_page: OpenPage, token: str
) -> None:
    match = resigned(shown)
    page = sign_in(open_page, shown.address, token, f"/{match.name}")
    lines = page.locator("#debug-lines tbody tr")
    expect(lines.first).to_contain_text("<b>doubt")
    frame = page.frame_locator("#replay")
    lines.nth(1).get_by_role("link").click()
    expect(frame.locator("#debug li")).to_have_count(1)
    expect(frame.locator("#debug li")).to_have_text(re.compile(r"<b>doubt [26]</b> x{300}"))
    expect(frame.locator("#who")).to_have_text("coward")
    assert frame.locator("#turns .debug").count() == lines.count()
    assert frame.locator("#turns .debug b").count() == 0
    frame.locator("#scrubber").focus()
    page.keyboard.press("Home")
    expect(frame.locator("#debug")).to_be_hidden()
    page.goto(f"{shown.address}/{match.name}/replay")
    assert overflow(page) == 0
    assert serious_faults(page) == []


def test_a_stranger_sees_no_debug_lines(shown: Shown, open_page: OpenPage) -> None:
    made = shown.arena.tokens.CreateToken(role=token_pb2.ROLE_OWNER, owner="owners/bob")
    page = sign_in(open_page, shown.address, made.secret, f"/{resigned(shown).name}")
    frame = page.frame_locator("#replay")
    expect(frame.locator("#turns li").first).to_be_visible()
    assert "doubt" not in page.content()
    assert frame.locator(".debug").count() == 0
    assert page.locator("#debug-lines").count() == 0


@needs_sandbox
def test_a_submission_is_uploaded_and_its_output_shown(
    shown: Shown, open_page: OpenPage, faults: Faults, token: str
) -> None:
    page = sign_in(open_page, shown.address, token, "/account/bots/new")
    archive = page.get_by_label("Archive of the bot's folder")
    archive.set_input_files({"name": "bot.zip", "mimeType": "application/zip", "buffer": b"no archive"})
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("not an archive")
    assert all("400" in fault for fault in faults)
    faults.clear()
    data = an_archive(FAILS_TO_BUILD)
    archive.set_input_files({"name": "bot.tar.gz", "mimeType": "application/gzip", "buffer": data})
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/submissions/1")
    expect(page.get_by_role("status")).to_contain_text("BUILD_FAILED")  # without loading the page again
    expect(page.locator("pre.output")).to_contain_text(OUTPUT)
    assert overflow(page) == 0
    assert serious_faults(page) == []
    page.goto(f"{shown.address}/account/bots/new")
    expect(page.locator("table td.lost")).to_have_text("rejected")


def test_a_challenge_begins_unrated_matches(shown: Shown, open_page: OpenPage, token: str) -> None:
    page = sign_in(open_page, shown.address, token, "/bots/ant")
    page.get_by_role("link", name="Challenge it").click()
    page.get_by_label("Your bot").select_option("bee")
    page.get_by_label("Game").select_option("caravan")
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_url("**/tournaments/*")
    name = f"tournaments/{page.url.rpartition('/')[2]}"
    matches = shown.matches(tournament=name)
    assert len(matches) == 2
    assert not any(each.rated for each in matches)
    assert {seat.bot for each in matches for seat in each.seats} == {"bots/ant", "bots/bee"}


@pytest.mark.parametrize("javascript", [True, False])
def test_a_wrong_option_comes_back_beside_its_field_and_is_corrected(
    shown: Shown, open_page: OpenPage, faults: Faults, token: str, javascript: bool
) -> None:
    """On a narrow window, with everything that folds open."""
    page = open_page(f"{shown.address}/sign-in?next=/bots/ant/challenge", width=375, javascript=javascript)
    page.get_by_label("Your token").fill(token)
    page.locator("form.entry button").click()
    page.get_by_label("Your bot").select_option("bee")
    page.get_by_label("Game").select_option("wasteland")
    expect(page.get_by_text("Options of Caravan", exact=True)).to_be_visible(visible=not javascript)
    page.get_by_label("Game").select_option("caravan")
    for title in ("Options of Caravan", "Change this clock"):
        page.get_by_text(title, exact=True).click()
    page.get_by_label("Camels of each seat").fill("7")
    page.get_by_label("turn_limit The match ends").fill("20")
    page.get_by_label("Clock", exact=True).select_option("quick")
    page.get_by_label("Missed or illegal").fill("4")
    page.get_by_role("button", name="Challenge").click()
    expect(page.get_by_role("alert")).to_contain_text("5 or 6")
    expect(page.get_by_label("Camels of each seat")).to_be_focused()
    expect(page.get_by_label("Camels of each seat")).to_have_value("7")
    expect(page.get_by_label("Missed or illegal")).to_have_value("4")
    assert overflow(page) == 0
    if javascript:  # which axe needs
        assert serious_faults(page) == []
        page.emulate_media(color_scheme="dark")
        assert serious_faults(page) == []
    page.get_by_label("Camels of each seat").fill("6")
    page.get_by_role("button", name="Challenge").click()
    page.wait_for_url("**/tournaments/*")
    made = shown.arena.tournaments.GetTournament(name=f"tournaments/{page.url.rpartition('/')[2]}").tournament
    assert (made.options.caravan.camels, made.options.caravan.turn_limit) == (6, 20)
    assert (made.time_control.per_decision_ms, made.time_control.strikes) == (100, 4)
    assert all("400" in fault for fault in faults)
    faults.clear()
