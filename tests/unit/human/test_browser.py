"""The server of the page on which a person plays: over HTTP, without a browser."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from rich.text import Text

from arena.drawings.narration import Paragraph
from arena.human import browser as browser_module
from arena.human.browser import Browser
from arena.human.lines import ClosedError, Question
from arena.human.terminal import Resigned, Seat
from arena.human.turn import Advice, PlannedTurn
from tests.unit.human.positions import positions

NAMES = ("<b>me</b>", "ant")
UNTIMED = Question()
JSON = {"content-type": "application/json"}


@pytest.fixture
def browser() -> Iterator[Browser]:
    browser = Browser()
    browser.begin(Seat("caravan", 0, NAMES), "You are me.")
    yield browser
    browser.close()


def call(
    browser: Browser, method: str, name: str, body: str | None = None, headers: dict[str, str] | None = None,
    secret: str | None = None,
) -> tuple[int, bytes, dict[str, str]]:  # fmt: skip
    """Return status, body and headers of an answer."""
    parts = urlsplit(browser.address)
    path = parts.path if secret is None else f"/{secret}/"
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    connection.request(method, path + name, body, headers or {})
    answer = connection.getresponse()
    found = answer.status, answer.read(), {key.lower(): value for key, value in answer.getheaders()}
    connection.close()
    return found


def state(browser: Browser, after: int = 0) -> dict[str, Any]:
    """Return the state of the page."""
    shown: dict[str, Any] = json.loads(call(browser, "GET", f"state?after={after}")[1])
    return shown


def hinting(turn: PlannedTurn) -> Advice:
    """Advise to place a camel on 24."""
    return Advice("A hint.", turn.choices()[25])


def asked(browser: Browser, question: Question = UNTIMED) -> SimpleQueue:
    """Ask for an action of the first position; the answer comes in the queue."""
    turn = PlannedTurn("caravan", next(positions("caravan", 2, seed=1)).observe(0), NAMES)
    answers: SimpleQueue = SimpleQueue()

    def ask() -> None:
        try:
            answers.put([each.choice.notation for each in browser.ask(turn, hinting, question)])
        except Resigned:
            answers.put("resigned")
        except ClosedError:
            answers.put("closed")

    threading.Thread(target=ask, daemon=True).start()
    return answers


def do(browser: Browser, **command: object) -> None:
    """Send a command."""
    assert call(browser, "POST", "do", json.dumps(command), JSON)[0] == 204


def test_the_page_has_a_strict_policy_and_everything_it_needs(browser):
    status, page, headers = call(browser, "GET", "")
    assert status == 200
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    for name in ("play.js", "play.css", "pictures.css"):
        assert name.encode() in page
        assert call(browser, "GET", name)[0] == 200


@pytest.mark.parametrize("name", ["", "state?after=0", "play.js"])
def test_nothing_is_there_without_the_secret_or_under_another_name_of_the_host(browser, name):
    assert call(browser, "GET", name, secret="")[0] == 404
    assert call(browser, "GET", name, secret="x" * 22)[0] == 404
    assert call(browser, "GET", name, headers={"host": "evil.example"})[0] == 404


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ('{"do": "resign"}', {"content-type": "text/plain"}),
        ('{"do": "resign"}', {}),
        ("[]", JSON),
        ("{", JSON),
        ("x" * 200_000, JSON),
        ('{"do": "resign"}', {**JSON, "host": "evil.example"}),
    ],
)
def test_a_command_that_is_none_of_the_page_is_refused(browser, body, headers):
    answers = asked(browser)
    assert call(browser, "POST", "do", body, headers)[0] == 400
    do(browser, do="plan", notation="PLACE(24)")
    do(browser, do="send")
    assert answers.get(timeout=60) == ["PLACE(24)"]


def test_actions_are_planned_taken_back_and_sent(browser):
    answers = asked(browser)
    do(browser, do="send")  # nothing is planned
    do(browser, do="undo")
    do(browser, do="plan", notation="PLACE(24)")
    do(browser, do="undo")
    do(browser, do="plan", notation="MOVE(1,2)")
    do(browser, do="plan", notation="nonsense")
    do(browser, do="hint")
    do(browser, do="rules", words="pick up")
    do(browser, do="unknown")
    do(browser, do="plan", notation="PLACE(11)")
    do(browser, do="plan", notation="PLACE(12)")  # the plan is complete
    do(browser, do="send")
    assert answers.get(timeout=60) == ["PLACE(11)"]
    shown = state(browser)
    assert shown["waiting"]
    news = "\n".join(shown["news"])
    assert "C8" in news
    assert "A hint." in news


def test_the_state_has_the_position_and_the_actions_and_names_are_text(browser):
    answers = asked(browser)
    shown = state(browser)
    while not shown["choices"]:
        shown = state(browser, shown["version"])
    assert {each["notation"] for each in shown["choices"]} >= {"PASS", "PLACE(24)"}
    assert "<b>" not in shown["picture"]
    assert "&lt;b&gt;" in shown["picture"]
    do(browser, do="resign")
    assert answers.get(timeout=60) == "resigned"


def test_the_end_is_shown_once_and_waits_for_the_page(browser):
    seen = next(positions("caravan", 2, seed=1)).observe(0)
    ended = threading.Thread(target=browser.show_end, args=(seen, "You are in place 1."))
    ended.start()
    shown = state(browser)
    while not shown["over"]:
        shown = state(browser, shown["version"])
    assert shown["over"] == "You are in place 1."
    reader = threading.Thread(target=state, args=(browser, shown["version"]), daemon=True)
    reader.start()
    ended.join(60)
    assert not ended.is_alive()


def following(browser: Browser, key: str) -> dict[str, Any]:
    """Return the first state in which something is set."""
    shown = state(browser)
    while not shown[key]:
        shown = state(browser, shown["version"])
    return shown


def test_a_hint_names_its_action_until_something_is_planned(browser):
    answers = asked(browser)
    do(browser, do="hint")
    assert following(browser, "hint")["hint"] == "PLACE(24)"
    do(browser, do="plan", notation="PASS")
    assert following(browser, "planned")["hint"] == ""
    do(browser, do="send")
    assert answers.get(timeout=60) == ["PASS"]


def test_what_is_planned_is_shown_as_the_turn_of_this_seat_until_it_is_sent(browser):
    answers = asked(browser)
    before = following(browser, "choices")["picture"]
    do(browser, do="plan", notation="PLACE(24)")
    shown = following(browser, "planned")
    words = ["".join(each.itertext()) for each in ET.fromstring(shown["picture"])]
    assert any("not sent yet" in each for each in words)
    assert not any(each.startswith("Turn ") for each in words)
    assert emphasised(shown["picture"]) == emphasised(before) == ["row-0"]
    do(browser, do="send")
    assert answers.get(timeout=60) == ["PLACE(24)"]


def emphasised(picture: str) -> list[str | None]:
    """Return the ids of the emphasised rows."""
    groups = (each for each in ET.fromstring(picture) if each.get("id", "").startswith("row-"))
    return [each.get("id") for each in groups if each[0].get("class", "").startswith("place")]


def test_a_paragraph_of_news_is_one_line_that_the_page_wraps(browser):
    told = "It happened. " * 20
    browser.show([Text("Turn 1"), Paragraph(Text(told))])
    assert state(browser)["news"][-2:] == ["Turn 1", f" {told}"]


def first_turn(browser: Browser) -> int:
    """Pass in a first decision; return its number."""
    answers = asked(browser)
    turn = following(browser, "choices")["turn"]
    do(browser, do="plan", notation="PASS", turn=turn)
    do(browser, do="send", turn=turn)
    assert answers.get(timeout=60) == ["PASS"]
    return int(turn)


def test_a_command_for_an_earlier_decision_does_nothing(browser):
    turn = first_turn(browser)
    second = asked(browser)
    do(browser, do="plan", notation="PLACE(11)", turn=turn)
    do(browser, do="send", turn=turn)
    turn = following(browser, "choices")["turn"]
    do(browser, do="plan", notation="PLACE(12)", turn=turn)
    do(browser, do="send", turn=turn)
    assert second.get(timeout=60) == ["PLACE(12)"]


def test_who_resigns_while_the_page_is_a_decision_behind_resigns_the_match_but_never_the_next_one(browser):
    turn = first_turn(browser)
    second = asked(browser)
    do(browser, do="resign", turn=turn)
    assert second.get(timeout=60) == "resigned"
    browser.begin(Seat("caravan", 0, NAMES), "You are ant.")
    third = asked(browser)
    do(browser, do="resign", turn=turn)
    do(browser, do="resign", turn="x")
    turn = following(browser, "choices")["turn"]
    do(browser, do="plan", notation="PASS", turn=turn)
    do(browser, do="send", turn=turn)
    assert third.get(timeout=60) == ["PASS"]


def test_with_a_clock_the_page_has_the_time_left_and_what_the_arena_has_closed_is_no_question_any_more(
    browser,
):
    answers = asked(browser, Question(deadline=time.monotonic() + 1000))
    assert 0 < following(browser, "choices")["time_left_s"] <= 1000
    do(browser, do="resign")
    assert answers.get(timeout=60) == "resigned"
    assert state(browser)["time_left_s"] is None
    assert asked(browser, Question(lambda: False)).get(timeout=60) == "closed"


@pytest.fixture
def unread(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Browser:
    """Return a page whose program does not wait until the end of a match is read."""
    monkeypatch.setattr(browser_module, "_LAST_S", 0)
    return browser


def test_the_next_match_begins_on_the_same_page(unread):
    unread.show_end(next(positions("caravan", 2, seed=1)).observe(0), "You are in place 1.")
    unread.begin(Seat("wasteland", 1, NAMES), "You are ant.")
    shown = state(unread)
    assert (shown["over"], shown["news"]) == ("", ["You are me.", "You are in place 1.", "You are ant."])
    assert "Cash" in shown["short"]


def test_a_match_can_be_played_although_the_end_of_the_one_before_was_shown_after_it_began(unread):
    unread.begin(Seat("caravan", 1, NAMES), "You are ant.")
    unread.show_end(next(positions("caravan", 2, seed=1)).observe(0), "You are in place 1.")
    assert state(unread)["over"] == "You are in place 1."
    answers = asked(unread)
    shown = following(unread, "choices")
    assert (shown["over"], shown["waiting"]) == ("", False)
    do(unread, do="resign")
    assert answers.get(timeout=60) == "resigned"
