"""Why a bot gets no match, in words: the same word for the same reason wherever it is shown."""

import re
from pathlib import Path

import pytest

from arena.core.unavailability import UnavailableReason, not_connected
from arena.v1 import bot_pb2
from arena.wire.owner_wording import format_unavailable, unavailable_words

REASON = bot_pb2.UnavailableReason.Value


def test_the_reasons_are_those_of_the_wire() -> None:
    on_wire = {
        name.removeprefix("UNAVAILABLE_REASON_"): number
        for name, number in bot_pb2.UnavailableReason.items()
        if number
    }
    assert {reason.name: reason.value for reason in UnavailableReason} == on_wire


def test_the_page_explains_each_word_in_order() -> None:
    section = Path("docs/matchmaking.md").read_text("utf-8").partition("## Why a bot gets no match")[2]
    words = re.findall(r"^\| ([a-z ]+) \|", section.partition("\n## ")[0], re.MULTILINE)
    assert words[1:] == [unavailable_words(reason.value, "") for reason in UnavailableReason]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reason", "sentence", "shown"),
    [
        ("UNAVAILABLE_REASON_NOT_CONNECTED", not_connected().sentence, "not connected"),
        ("UNAVAILABLE_REASON_NOT_CONNECTED", not_connected(", as said").sentence, "not connected, as said"),
        ("UNAVAILABLE_REASON_NOT_CONNECTED", "", "not connected"),
        ("UNAVAILABLE_REASON_FULL", "it plays 2 of 2", "full: it plays 2 of 2"),
        ("UNAVAILABLE_REASON_UNSPECIFIED", "it rests", "it rests"),
        ("UNAVAILABLE_REASON_UNSPECIFIED", "", ""),
    ],
)
def test_a_reason_is_one_word_and_what_more_is_known(reason: str, sentence: str, shown: str) -> None:
    assert unavailable_words(REASON(reason), sentence) == shown


@pytest.mark.parametrize("says_it", [True, False])
def test_the_reason_of_a_bot_is_shown_for_arenas_without_the_word_too(says_it: bool) -> None:
    paused = bot_pb2.Bot(paused="it rests")
    suspended = bot_pb2.Bot(hosting=bot_pb2.Hosting(benched="It crashed."), paused="it crashed")
    if says_it:
        paused.unavailable_reason = bot_pb2.UNAVAILABLE_REASON_PAUSED
        suspended.unavailable_reason = bot_pb2.UNAVAILABLE_REASON_SUSPENDED
    assert format_unavailable(paused) == "paused: it rests"
    assert format_unavailable(suspended) == "suspended: It crashed"
