"""A bot that is still busy with a match that has ended begins no other one, unless it would come too late for that."""

import threading
from typing import Any

import pytest

from arena.sdk import Match, Result
from arena.sdk.session import READY_EARLY_S
from arena.v1 import play_pb2
from tests.unit.sdk.bots import Second
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import Line, an_assignment, an_end, seated

LONG_MS = 1_000_000
"""`ready` is due so late that the test would fail before."""


class Learner(Second):
    """Learns from a match, when it has ended, until a test lets it go on."""

    matches = 1
    learning: threading.Event
    has_learned: threading.Event

    def on_match_ended(self, match: Match[Any, Any], result: Result[Any]) -> None:
        self.learning.set()
        assert self.has_learned.wait(30)


@pytest.fixture
def learner() -> type[Learner]:
    """Return a bot class with events of its own."""

    class Own(Learner):
        learning = threading.Event()
        has_learned = threading.Event()

    return Own


@pytest.mark.parametrize("matches", [1, 3], ids=["one match", "more matches than threads"])
def test_ready_waits_until_the_bot_is_done_with_the_match_before(
    play: Play, learner: type[Learner], matches: int
) -> None:
    learner.matches, learner.open_decisions = matches, 1

    async def script(line: Line) -> None:
        await line.send(match_ended=an_end(1), assigned=an_assignment(2, ready_within_ms=LONG_MS))
        await line.ping()
        learner.has_learned.set()
        assert (await line.expect("ready")).assignment == 2

    play(learner, seated(script))


def test_ready_comes_just_before_it_is_due_however_long_the_bot_takes(
    play: Play, learner: type[Learner]
) -> None:
    async def script(line: Line) -> None:
        due_ms = round(READY_EARLY_S * 1000) + 100
        await line.send(match_ended=an_end(1), assigned=an_assignment(2, ready_within_ms=due_ms))
        assert (await line.expect("ready")).assignment == 2
        assert learner.learning.wait(30), "it is still busy, as has_learned is not set"
        learner.has_learned.set()

    play(learner, seated(script))


def test_matches_that_the_bot_may_play_beside_are_begun_and_one_more_waits(
    play: Play, learner: type[Learner]
) -> None:
    learner.matches, learner.open_decisions = 3, 2

    async def script(line: Line) -> None:
        await line.send(match_ended=an_end(1), assigned=an_assignment(2, ready_within_ms=LONG_MS))
        assert (await line.expect("ready")).assignment == 2
        await line.send(assigned=an_assignment(3, ready_within_ms=LONG_MS))
        assert (await line.expect("ready")).assignment == 3
        await line.send(assigned=an_assignment(4, ready_within_ms=LONG_MS))
        await line.ping()
        learner.has_learned.set()
        assert (await line.expect("ready")).assignment == 4

    play(learner, seated(script))


def test_a_seat_that_is_withdrawn_meanwhile_never_gets_ready(play: Play, learner: type[Learner]) -> None:
    async def script(line: Line) -> None:
        await line.send(match_ended=an_end(1), assigned=an_assignment(2, ready_within_ms=LONG_MS))
        await line.ping()
        await line.send(withdrawn=play_pb2.Withdrawn(assignment=2))
        await line.ping()
        learner.has_learned.set()
        await line.start(3, ready_within_ms=LONG_MS)

    play(learner, seated(script))
