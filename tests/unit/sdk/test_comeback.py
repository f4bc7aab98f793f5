"""How a bot comes back after a lost connection, and when it does not."""

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import grpc
import pytest

from arena.sdk import Bot, Clock, Match, Result, client
from arena.sdk.client import ExitCode
from arena.sdk.connection import PING_S, Connection
from arena.sdk.session import Session
from arena.sdk.workers import Workers
from arena.v1 import play_pb2
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import Line, Script, a_decision, a_start, an_assignment, an_end, welcomed

GOODBYE = play_pb2.Goodbye


class Counter(Bot):
    """Answers with the number of times this object was asked, less one."""

    games = ("caravan",)

    def __init__(self) -> None:
        self.asked = -1

    def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
        self.asked += 1
        return self.asked


def a_thinker() -> tuple[type[Counter], threading.Event, threading.Event]:
    """Return a bot, what it sets when it thinks, and what it waits for before it answers."""
    thinking, go_on = threading.Event(), threading.Event()

    class Thinker(Counter):
        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            thinking.set()
            assert go_on.wait(10)
            return super().choose(observation, legal_actions, clock)

    return Thinker, thinking, go_on


async def _lose(line: Line) -> None:
    await line.abort(grpc.StatusCode.UNAVAILABLE, "the network is gone")


def lost(script: Script) -> Script:
    """Return a script of a session in a match, whose connection is lost after it."""

    async def whole(line: Line) -> None:
        await line.welcome(resume_token="first")
        await line.start()
        await script(line)
        await line.abort(grpc.StatusCode.UNAVAILABLE, "the network is gone")

    return whole


async def _go_on(line: Line, decision: play_pb2.Decision) -> None:
    await line.send(assigned=an_assignment(), match_started=a_start(comeback=True), decision=decision)


async def _say_nothing(line: Line) -> None:
    """Expect and send nothing more."""


_say_done = welcomed(_say_nothing)


def test_the_bot_resumes_its_session_and_its_match_continues(play: Play) -> None:
    started: list[bool] = []

    class Resumer(Counter):
        def on_match_started(self, match: Match) -> None:
            started.append(match.comeback)

    async def before(line: Line) -> None:
        await line.ask(1)

    async def after(line: Line) -> None:
        hello = await line.welcome(resume_token="second", resumed=True)
        assert (hello.resume_token, hello.claim) == ("first", False)
        await _go_on(line, a_decision(2))
        assert (await line.expect("answer")).index == 1
        await _lose(line)

    async def last(line: Line) -> None:
        assert (await line.welcome(resumed=True)).resume_token == "second"
        await line.goodbye(GOODBYE.CODE_DONE)

    assert play(Resumer, lost(before), after, last) == ExitCode.DONE
    assert started == [False, True]


def test_the_bot_is_told_of_a_match_that_the_arena_knows_no_longer_but_not_of_one_that_has_ended(
    play: Play,
) -> None:
    told: list[str] = []

    class Loser(Counter):
        matches = 2

        def on_match_ended(self, match: Match, result: Result) -> None:
            told.append(f"{match.name} ended")

        def on_match_lost(self, match: Match) -> None:
            told.append(f"{match.name} lost")

    async def before(line: Line) -> None:
        await line.start(2)
        await line.send(match_ended=an_end(2))
        await line.ping()

    assert play(Loser, lost(before), welcomed(_say_nothing, resumed=False)) == ExitCode.DONE
    assert told == ["matches/2 ended", "matches/1 lost"]


def test_a_decision_that_comes_again_gets_the_answer_it_had(play: Play) -> None:
    async def before(line: Line) -> None:
        for number in (1, 2):
            await line.ask(number)

    async def after(line: Line) -> None:
        await _go_on(line, a_decision(2))
        assert await line.expect("answer") == play_pb2.Answer(assignment=1, decision=2, index=1)

    assert play(Counter, lost(before), welcomed(after, resumed=True)) == ExitCode.DONE


def test_thinking_continues_while_the_connection_is_lost(play: Play) -> None:
    thinker, _, go_on = a_thinker()

    async def before(line: Line) -> None:
        await line.send(decision=a_decision(1))
        await line.ping()

    async def after(line: Line) -> None:
        await _go_on(line, a_decision(1))
        await line.ping()
        go_on.set()
        assert await line.expect("answer") == play_pb2.Answer(assignment=1, decision=1, index=0)

    assert play(thinker, lost(before), welcomed(after, resumed=True)) == ExitCode.DONE


def test_after_a_restart_of_the_arena_the_old_matches_are_forgotten(play: Play) -> None:
    """Row 42: numbers of assignments begin again, and an old match's answer must not reach a new one."""
    go_on = threading.Event()

    class Slow(Counter):
        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            if observation.turn == 1:
                assert go_on.wait(10)
                self.debug("too late")
            return super().choose(observation, legal_actions, clock)

    async def before(line: Line) -> None:
        await line.send(decision=a_decision(1))
        await line.ping()

    async def after(line: Line) -> None:
        await line.welcome(resumed=False)
        await line.start()
        go_on.set()
        assert await line.ask(2) == play_pb2.Answer(assignment=1, decision=2, index=0)
        await line.goodbye(GOODBYE.CODE_DONE)

    assert play(Slow, lost(before), after) == ExitCode.DONE


def test_a_connection_that_ends_without_a_goodbye_is_opened_again(play: Play) -> None:
    assert play(Counter, Line.welcome, _say_done) == ExitCode.DONE


@pytest.mark.parametrize(
    "code", ["SHUTTING_DOWN", "MALFORMED_MESSAGE", "MESSAGE_FLOOD", "SLOW_READER", "INTERNAL"]
)
def test_a_goodbye_may_ask_the_bot_to_come_back(play: Play, code: str) -> None:
    async def script(line: Line) -> None:
        await line.welcome()
        await line.goodbye(GOODBYE.Code.Value(f"CODE_{code}"), come_back=True, come_back_after_ms=1)

    assert play(Counter, script, _say_done) == ExitCode.DONE


def test_a_refused_resume_token_is_not_shown_again(play: Play) -> None:
    async def before(line: Line) -> None:
        await line.welcome(resume_token="first")
        await _lose(line)

    async def refuse(line: Line) -> None:
        assert (await line.expect("hello")).resume_token == "first"
        await line.goodbye(GOODBYE.CODE_RESUME_INVALID, come_back=True)

    async def after(line: Line) -> None:
        assert (await line.welcome()).resume_token == ""
        await line.goodbye(GOODBYE.CODE_DONE)

    assert play(Counter, before, refuse, after) == ExitCode.DONE


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("DONE", ExitCode.DONE),
        ("SHUTTING_DOWN", ExitCode.DONE),
        ("REPLACED", ExitCode.REFUSED),
        ("UNAUTHENTICATED", ExitCode.REFUSED),
        ("HELLO_EXPECTED", ExitCode.REFUSED),
        ("VERSION_UNSUPPORTED", ExitCode.REFUSED),
        ("RESUME_INVALID", ExitCode.REFUSED),
    ],
)
def test_every_final_goodbye_has_its_exit_code_and_is_logged(
    play: Play, caplog: pytest.LogCaptureFixture, code: str, exit_code: ExitCode
) -> None:
    async def script(line: Line) -> None:
        await line.expect("hello")
        come_back = code == "REPLACED"  # row 11: the bot does not take its session back
        value = GOODBYE.Code.Value(f"CODE_{code}")
        await line.goodbye(value, sentence="This is why.", come_back=come_back)

    with caplog.at_level("INFO", logger="arena.sdk"):
        assert play(Counter, script) == exit_code
    assert "This is why." in caplog.text


@pytest.mark.parametrize(
    "status", ["UNAUTHENTICATED", "PERMISSION_DENIED", "FAILED_PRECONDITION", "UNIMPLEMENTED"]
)
def test_a_status_that_would_only_come_again_ends_the_program(
    play: Play, caplog: pytest.LogCaptureFixture, status: str
) -> None:
    """Rows 1, 2 and 4, when the goodbye is lost."""

    async def script(line: Line) -> None:
        await line.abort(grpc.StatusCode[status], "not like this")

    assert play(Counter, script) == ExitCode.REFUSED
    assert "not like this" in caplog.text


def test_a_bot_receives_matches_that_ended_while_it_was_disconnected(play: Play) -> None:
    placings: list[int] = []

    class Waiter(Counter):
        def on_match_ended(self, match: Match, result: Any) -> None:
            placings.append(result.placing)

    async def after(line: Line) -> None:
        await line.send(match_ended=an_end(), assigned=an_assignment(2))
        await line.expect("ready")
        await line.send(match_started=a_start(2), decision=a_decision(1, 2))
        await line.expect("answer")

    play(Waiter, lost(_say_nothing), welcomed(after, resumed=True, assignments=0))
    assert placings == [1]


def test_an_assignment_that_is_not_announced_again_has_ended_and_the_bot_can_leave(play: Play) -> None:
    """The end of match 1 was told more than a minute ago, while nobody heard."""
    leave = asyncio.Event()

    async def before(line: Line) -> None:
        await line.start(2)

    async def after(line: Line) -> None:
        await line.send(
            assigned=an_assignment(2), match_started=a_start(2, comeback=True), decision=a_decision(1, 2)
        )
        await line.expect("answer")
        leave.set()
        await line.expect("capacity")
        await line.send(match_ended=an_end(2))
        await line.expect_half_close()

    assert (
        play(Counter, lost(before), welcomed(after, resumed=True, assignments=1), leave=leave)
        == ExitCode.DONE
    )


def test_what_was_asked_before_a_newer_decision_is_not_answered_any_more(play: Play) -> None:
    """Its end was said while nobody heard."""
    thinker, thinking, go_on = a_thinker()

    async def before(line: Line) -> None:
        await line.send(decision=a_decision(1))
        await asyncio.to_thread(thinking.wait, 10)

    async def after(line: Line) -> None:
        await _go_on(line, a_decision(2))
        await line.ping()
        go_on.set()
        assert (await line.expect("answer")).decision == 2

    assert play(thinker, lost(before), welcomed(after, resumed=True)) == ExitCode.DONE


async def test_pings_may_be_rare_while_no_match_is_played_if_the_arena_has_agreed() -> None:
    session = Session(Counter, Workers(0))
    session.attach(lambda message: None)
    allowed = [session.ping_s]
    for message in (
        play_pb2.ServerMessage(welcome=play_pb2.Welcome(idle_ping_s=60)),
        play_pb2.ServerMessage(assigned=an_assignment()),
        play_pb2.ServerMessage(withdrawn=play_pb2.Withdrawn(assignment=1)),
        play_pb2.ServerMessage(welcome=play_pb2.Welcome()),  # an older arena, after a comeback
    ):
        session.handle(message)
        allowed.append(session.ping_s)
    assert allowed == [PING_S, 60, PING_S, 60, PING_S]


def test_a_silent_connection_is_given_up(
    play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    margins = iter((0.05 - PING_S, 60.0))
    monkeypatch.setattr(client, "Connection", lambda endpoint: Connection(endpoint, margin_s=next(margins)))

    async def dead(line: Line) -> None:
        with suppress(EOFError):
            while True:
                await line.receive()

    assert play(Counter, dead, _say_done) == ExitCode.DONE
    assert "0.05 s" in caplog.text
