"""What an author's own mistakes cost: the decision or the match at hand, never the other matches."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from arena.sdk import Clock, Match
from arena.sdk.client import ExitCode
from arena.sdk.exceptions import MESSAGE_CHARACTERS, describe
from arena.v1 import match_pb2, play_pb2
from tests.unit.sdk.bots import Second, choosing
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import Line, a_decision, seated, welcomed


def test_an_exception_costs_the_decision_and_is_explained_in_a_debug_line(play: Play) -> None:
    async def script(line: Line) -> None:
        await line.send(decision=a_decision(1))
        debug = await line.expect("debug")
        assert (debug.assignment, debug.decision, debug.exception) == (1, 1, True)
        assert "ZeroDivisionError: " in debug.text
        assert re.search(r"\(\S*test_author_errors\.py, line \d+, in <lambda>\)$", debug.text)
        assert await line.expect("answer") == play_pb2.Answer(assignment=1, decision=1)
        assert (await line.ask(2)).index == 1

    assert play(choosing(lambda seen, _: 1 // (seen.turn - 1)), seated(script)) == ExitCode.DONE


def test_what_is_no_choice_counts_as_an_exception_and_an_exit_ends_nothing(play: Play) -> None:
    choices = [3, -1, None, True, "PASS", 2.0, match_pb2.Match(), SystemExit(5)]

    def choose(observation: Any, _: Sequence[Any]) -> object:
        choice = choices[observation.turn - 1]
        if isinstance(choice, SystemExit):
            raise choice
        return choice

    async def script(line: Line) -> None:
        for number in range(1, len(choices) + 1):
            await line.send(decision=a_decision(number))
            debug = await line.expect("debug")
            assert debug.exception
            assert re.search(r"\.py, line \d+, (in )?choose\)$", debug.text), debug.text
            assert (await line.expect("answer")).WhichOneof("choice") is None

    assert play(choosing(choose), seated(script)) == ExitCode.DONE


def test_a_bot_that_cannot_be_made_resigns_and_the_others_play_on(play: Play) -> None:
    made: list[object] = []

    class Fragile(Second):
        def __init__(self) -> None:
            made.append(self)
            if len(made) == 1:
                raise OSError("no opening book")

    async def script(line: Line) -> None:
        await line.start(1)
        debug = await line.expect("debug")
        assert debug.exception
        assert "OSError: no opening book (" in debug.text
        assert debug.text.endswith("in __init__)")
        assert (await line.expect("resign")).assignment == 1
        await line.start(2)
        assert (await line.ask(1, 2)).index == 1

    play(Fragile, welcomed(script))


def test_a_bot_that_resigns_while_it_thinks_gives_no_answer_any_more(play: Play) -> None:
    class Polite(Second):
        def choose(self, observation: object, legal_actions: Sequence[object], clock: Clock) -> int:
            self.resign()
            return 1

    async def script(line: Line) -> None:
        for assignment in (1, 2):  # an answer of the first match would come before the second resignation
            await line.start(assignment)
            await line.send(decision=a_decision(1, assignment))
            assert (await line.expect("resign")).assignment == assignment

    assert play(Polite, welcomed(script)) == ExitCode.DONE


def test_an_exception_in_a_hook_changes_nothing(play: Play) -> None:
    class Noisy(Second):
        def on_match_started(self, match: Match) -> None:
            raise RuntimeError("not now")

        on_decision_closed = on_match_news = on_match_started  # type: ignore[assignment]

    async def script(line: Line) -> None:
        await line.send(match_news=play_pb2.MatchNews(assignment=1))
        assert (await line.ask(1)).index == 1

    assert play(Noisy, seated(script)) == ExitCode.DONE


class UnreadableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def test_an_exception_is_described_by_the_authors_own_line_even_if_a_library_has_raised_it() -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - its words are not ours
        json.loads("{")
    described = describe(raised.value, json.loads)
    assert described.startswith("JSONDecodeError: ")
    assert "test_author_errors.py, line " in described
    assert "decoder.py" not in described


def test_a_long_or_unreadable_message_leaves_room_for_the_place() -> None:
    for error in (ValueError("x\n" * 10_000), UnreadableError()):
        described = describe(error, test_a_long_or_unreadable_message_leaves_room_for_the_place)
        assert described.startswith(f"{type(error).__name__}: ")
        assert "\n" not in described
        assert re.search(r"test_author_errors\.py, line \d+, test_a_long\w+\)$", described)
        assert len(described) < 2 * MESSAGE_CHARACTERS
