"""What receivers read in each style; names and labels of bot authors cannot mention anybody or change the layout."""

import json
from typing import Any

import pytest

from arena.server.webhooks.bodies import TEST, body_of
from arena.store.webhooks.notifications import (
    admitted_data,
    node_data,
    rejected_data,
    rfc3339,
    suspended_data,
)
from arena.store.webhooks.outbox import NotificationType
from arena.store.webhooks.webhooks import WebhookStyle

SEATS = [
    {"seat": 0, "bot": "bots/ant", "version": "1", "placing": 2, "score": 3, "termination": "normal"},
    {"seat": 1, "bot": "bots/bee", "version": "1", "placing": 1, "score": 9, "termination": "normal"},
]
MATCH = {
    "match": "matches/17",
    "ladder": "ladders/main",
    "tournament": "",
    "state": "finished",
    "seats": SEATS,
}
STANDINGS = [
    {"rank": rank, "bot": f"bots/{bot}", "score": 1.5, "matches": 3}
    for rank, bot in ((1, "ant"), (2, "bee"), (2, "cow"), (4, "dog"))
]
CUP = {"tournament": "tournaments/cup", "format": "swiss", "bots": 12, "standings": STANDINGS}
EXAMPLES: dict[str, Any] = {
    "match.ended": MATCH,
    "match.left_to_organiser": MATCH,
    "tournament.ended": CUP,
    "version.admitted": admitted_data("ant", 4, "ab" * 32, plays=True),
    "version.rejected": rejected_data("ant", 4, "BUILD_FAILED"),
    "version.suspended": suspended_data("ant", "ab" * 32, 1, 0),
    "node.lost": node_data("lab-1", "It did not answer for 30 s."),
    TEST: {"webhook": "webhooks/0123456789ab"},
}
LINES = {
    "match.ended": "Match 17 of main has ended: 1. bee (9), 2. ant (3)",
    "match.left_to_organiser": "Match 17 of main is left to the organiser: it was void too often.",
    "tournament.ended": "The tournament cup (swiss, 12 bots) has ended: 1. ant, 2. bee, 2. cow.",
    "version.admitted": "Submission 4 of ant is admitted as version abababababab; it plays from now on.",
    "version.rejected": "Submission 4 of ant is rejected: BUILD_FAILED.",
    "version.suspended": (
        "Version abababababab of ant is suspended until 1970-01-01T00:00:00.000000Z: it failed too often."
    ),
    "node.lost": "The match node lab-1 is lost: It did not answer for 30 s.",
    TEST: "This is a test of the webhook 0123456789ab.",
}


def document(style: WebhookStyle, word: str, data: Any) -> Any:
    """Return the body as it is read."""
    return json.loads(body_of(style, word, 5, data))


def test_every_type_has_an_example() -> None:
    assert set(EXAMPLES) == set(LINES) == {*(each.word for each in NotificationType), TEST}


@pytest.mark.parametrize("word", EXAMPLES)
def test_json_is_type_time_and_data(word: str) -> None:
    assert document(WebhookStyle.JSON, word, EXAMPLES[word]) == {
        "type": word,
        "timestamp": "1970-01-01T00:00:00.000005Z",
        "data": EXAMPLES[word],
    }


@pytest.mark.parametrize("word", EXAMPLES)
def test_a_chat_gets_one_line(word: str) -> None:
    slack = document(WebhookStyle.SLACK, word, EXAMPLES[word])
    discord = document(WebhookStyle.DISCORD, word, EXAMPLES[word])
    assert slack["text"].replace("\N{WORD JOINER}", "") == LINES[word]
    assert discord["content"].replace("\\", "") == LINES[word]
    assert discord["allowed_mentions"] == {"parse": []}


def test_a_tournament_in_which_nobody_has_a_rank_has_just_ended() -> None:
    text = document(WebhookStyle.SLACK, "tournament.ended", {**CUP, "standings": []})["text"]
    assert text == "The tournament cup (swiss, 12 bots) has ended."


HOSTILE = "<@U1> <!channel> @everyone *bold* `code` [a](https://evil.example) & ||x||\n# big"


def test_text_of_authors_has_no_meaning_for_a_chat() -> None:
    data = {**EXAMPLES["version.admitted"], "version": HOSTILE}
    slack = document(WebhookStyle.SLACK, "version.admitted", data)["text"]
    assert not {"<", ">"} & set(slack)
    assert "&lt;!channel&gt;" in slack
    assert "*bold*" not in slack
    discord = document(WebhookStyle.DISCORD, "version.admitted", data)["content"]
    for meant in ("<@", "@everyone", "*bold", "`code", "[a", "https:", "||"):
        assert meant not in discord.replace(f"\\{meant[0]}", "").replace("\\:", "")
    assert "\n" not in slack + discord


def test_times_are_utc_with_microseconds() -> None:
    assert rfc3339(1_795_874_400_000_001) == "2026-11-28T14:00:00.000001Z"
