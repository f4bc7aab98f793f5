"""Each scenario catches what it is there for: a bot with one flaw fails it, and its row says which flaw that is."""

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.cli.framework.processes import Child
from arena.conformance import requirements, scripted_server
from arena.conformance.bot_process import LocalBotProcess
from arena.conformance.run import try_bot, try_scenario
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios import SCENARIOS
from arena.conformance.scripted_match import CLOCK
from arena.conformance.scripted_server import BotUnderTest, ScriptedServer
from arena.conformance.verdict import Requirement, Row, ScenarioVerdict
from tests.checkout import ROOT
from tests.unit.conformance import one_flaw

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}

LONG = 1.0
"""A lull in which also a busy machine hears what a bot says too early, in seconds."""

SHORT = 6.0
"""Patience with bots that are known to keep silent, in seconds."""

CAUGHT: dict[str, tuple[str, Requirement, str]] = {
    "PlaysChess": ("hello", requirements.GAMES, "Its hello names chess"),
    "SpeaksAnotherProtocol": ("hello", requirements.PROTOCOL, "offers protocol 2 to 2"),
    "HidesItsToken": ("hello", requirements.TOKEN, "without its token"),
    "TakesNoMatches": ("hello", requirements.CAPACITY, "takes 0 matches"),
    "BringsALongLabel": ("hello", requirements.LABELS, "longer than 32 characters"),
    "NamesItsVersionWithASlash": ("hello", requirements.LABELS, "hello.bot_version is '1/2'"),
    "KnowsNoUnixSockets": ("unix", requirements.ADDRESS, "ended (exit code 2) where it had to connect"),
    "OpensManyConnections": ("ping", requirements.ONE_CONNECTION, "more than 8 connections at once"),
    "ChattersBetweenDecisions": ("slow", requirements.FLOOD, "more than 256 messages while no decision"),
    "ChattersInItsDecision": ("slow", requirements.FLOOD, "came that no script had asked for"),
    "ExplainsItselfAtLength": ("slow", requirements.FRAME, "sent a frame of 2000"),
    "PongsInShort": ("ping", requirements.PONG, "which answers no ping"),
    "IsReadyTwice": ("slow", requirements.READY, "sent `ready` twice for one seat"),
    "ChoosesNothingOnSeat0Of4": ("seats", requirements.LEGAL, "neither `index` nor `action`"),
    "GoesByTheMatch": ("both", requirements.ONCE, "which was not asked"),
    "TiresOfLongMatches": ("load", requirements.APART, "ended (exit code 1) where it had to send its answer"),
    "TakesANoShowToHeart": ("withdrawn", requirements.WITHDRAWN, "ended (exit code 1)"),
    "GivesUpWithASeat": ("forfeit", requirements.SEAT_ENDED, "ended (exit code 1)"),
    "TriesAgain": ("reject", requirements.ONCE, "It answered decision 3 of assignment 1 twice."),
    "TakesNewsForErrors": ("ignored", requirements.NEWS, "closed the connection"),
    "RefusesWhatItDoesNotKnow": ("newer", requirements.NEWER, "ended (exit code 1)"),
    "ComesBackAsAnother": ("reset", requirements.SAME_VERSION, "as version '2' instead of '1'"),
    "EndsWithTheStream": (
        "stream-end",
        requirements.COME_BACK,
        "ended (exit code 0) where it had to connect",
    ),
    "ShowsItsTokenOnce": ("lost-welcome", requirements.RESUME_TOKEN, "without the resume token"),
    "EndsBeforeItsFirstWelcome": ("early-loss", requirements.COME_BACK, "ended (exit code 1)"),
    "EndsWhenNobodyAnswers": ("unreachable", requirements.FIRST_CONNECT, "ended (exit code 1)"),
    "InsistsOnItsToken": ("token", requirements.END, "connected again"),
    "PrintsItsToken": ("token", requirements.SECRET_OUTPUT, "It printed its token."),
    "SaysNothingOfItsRefusal": ("token", requirements.SENTENCE, 'did not print "The token is'),
    "IsFineWithItsRefusal": ("version", requirements.REFUSED, "ended with exit code 0"),
    "ComesBackAfterItsReplacement": ("replaced", requirements.END, "connected again"),
    "ComesBackAtOnce": ("pause", requirements.COME_BACK_LATER, "came back too early"),
    "StaysAway": ("pause", requirements.COME_BACK_LATER, "its program ended (exit code 1)"),
    "RunsFromADrain": ("drain", requirements.DRAINING, "ended (exit code 0)"),
    "EndsBadlyWithTheArena": ("drain", requirements.COME_BACK_LATER, "its program ended (exit code 1)"),
    "KnowsNoTls": ("tls", requirements.ENCRYPTED, "did not connect"),
    "MixesMatchesUp": ("several", requirements.APART, "did not send its answer to decision"),
    "StopsReadingAtAnEnd": ("frames", requirements.IN_ORDER, "did not send `ready`"),
    "AnswersOnce": ("reset", requirements.ANSWER_AGAIN, "did not send its answer to decision 3"),
    "KeepsItsSeats": ("missed-end", requirements.NOT_ANNOUNCED, "did not send `ready` for assignment 3"),
    "KeepsUnannouncedSeats": (
        "missed-end",
        requirements.NOT_ANNOUNCED,
        "did not half-close its idle connection",
    ),
    "KeepsForgottenSeats": ("forgotten", requirements.FORGOTTEN, "did not half-close its idle connection"),
    "KeepsWithdrawnSeats": ("withdrawn", requirements.WITHDRAWN, "did not half-close its idle connection"),
    "ConnectsForEver": ("stop", requirements.STOP, "did not end after SIGTERM"),
    "ComesBackForEver": ("stop-in-match", requirements.STOP_IN_MATCH, "did not end after SIGTERM"),
    "StaysAnswered": ("forgotten", requirements.FORGOTTEN, "did not send its answer to decision 1"),
}
"""By flaw: the scenario that it fails, the requirement that is not met, and words of the reason."""

SILENT = {
    "KnowsNoTls",
    "MixesMatchesUp",
    "StopsReadingAtAnEnd",
    "AnswersOnce",
    "KeepsItsSeats",
    "StaysAnswered",
    "KeepsUnannouncedSeats",
    "KeepsForgottenSeats",
    "KeepsWithdrawnSeats",
    "ConnectsForEver",
    "ComesBackForEver",
}
"""Flaws that show by silence alone: the scenario fails when patience is over."""


def bot(flaw: str = "Bot", **fields: Any) -> BotUnderTest:
    """Return the program with this flaw, as the kit starts it."""

    async def launch(settings: Mapping[str, str], folder: Path) -> LocalBotProcess:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **settings}
        command = (sys.executable, one_flaw.__file__, flaw)
        log = folder / "program.log"
        return LocalBotProcess(Child("bot", command, environment=environment, log=log), log)

    return BotUnderTest(launch, **fields)


@pytest.mark.parametrize("flaw", CAUGHT)
def test_a_bot_with_a_flaw_fails_the_scenario_that_is_there_for_it(loop: asyncio.Runner, flaw: str) -> None:
    scenario, requirement, why = CAUGHT[flaw]
    tried = bot(flaw, patience=SHORT) if flaw in SILENT else bot(flaw, lull=LONG)
    row = loop.run(try_scenario(tried, BY_NAME[scenario]))

    assert (row.verdict, row.requirement) == (ScenarioVerdict.FAILED, requirement), row
    assert why in row.why


def test_a_bot_that_makes_call_after_call_fails_where_the_kit_waits_for_something_else(
    loop: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted_server, "CALLS", 3)

    row = loop.run(try_scenario(bot("CallsAllTheTime"), BY_NAME["ping"]))

    assert (row.verdict, row.requirement) == (ScenarioVerdict.FAILED, requirements.ONE_CONNECTION), row
    assert "3 Play calls" in row.why


@pytest.mark.parametrize(
    ("flaw", "scenario", "advice", "why"),
    [
        ("DropsAllWhenAsked", "leave", requirements.LEAVE, "Its program ended"),
        ("WritesAtOnce", "metadata", requirements.METADATA_FIRST, "before the initial metadata had come"),
        ("ExpectsTooMuch", "evaluation", requirements.EVALUATION, "scores_per_mille has 1 values"),
        ("KeepsItsSeats", "several", None, "one match at a time"),
        ("Resigns", "slow", None, "has to play on"),
    ],
)
def test_a_bot_that_lacks_only_what_is_recommended_or_optional_does_not_fail(
    loop: asyncio.Runner, flaw: str, scenario: str, advice: Requirement | None, why: str
) -> None:
    row = loop.run(try_scenario(bot(flaw, lull=LONG), BY_NAME[scenario]))

    assert row.verdict is (ScenarioVerdict.ADVICE if advice else ScenarioVerdict.NOT_TRIED), row
    assert row.requirement is advice
    assert row.to_do == (advice.to_do if advice else "")
    assert why in row.why


def test_every_scenario_has_a_flaw_that_it_catches_and_every_flaw_is_caught() -> None:
    others = {"Bot", "CallsAllTheTime", "Crashes", "DropsAllWhenAsked", "ExpectsTooMuch", "Resigns"}
    others |= {"WritesAtOnce"}
    assert {scenario for scenario, *_ in CAUGHT.values()} | {"evaluation", "leave", "metadata"} == set(
        BY_NAME
    )
    assert CAUGHT.keys() | others == one_flaw.flaws().keys()


def test_a_call_that_is_gone_before_it_is_taken_up_is_no_fault_of_the_kit(loop: asyncio.Runner) -> None:
    async def play(server: ScriptedServer) -> None:
        connection = await server.first_call()
        server.cut()
        await server.waiter.until(lambda: connection.gone or None, "go", requirements.COME_BACK)
        await connection.accept()
        await connection.send(server.welcome())
        await server.hello()

    row = loop.run(try_scenario(bot(), Scenario("gone", "Calls again.", play)))

    assert row.verdict is ScenarioVerdict.PASSED, row


def test_a_bot_may_use_all_the_time_that_its_clock_shows() -> None:
    assert CLOCK.per_decision_ms + CLOCK.bank_ms < bot().patience * 1000


def test_without_a_hello_nothing_else_is_tried(loop: asyncio.Runner) -> None:
    async def rows() -> list[Row]:
        return [row async for row in try_bot(bot("PlaysChess"), SCENARIOS)]

    first, *rest = loop.run(rows())

    assert first.verdict is ScenarioVerdict.FAILED
    assert {row.verdict for row in rest} == {ScenarioVerdict.NOT_TRIED}
    assert all("scenario hello" in row.why for row in rest)


def test_a_failure_shows_the_last_messages_and_what_the_program_wrote(loop: asyncio.Runner) -> None:
    row = loop.run(try_scenario(bot("RefusesWhatItDoesNotKnow"), BY_NAME["newer"]))

    assert row.messages[0].startswith("> hello { lowest_protocol: 1")
    assert row.messages[-1] == "* the connection is gone"
    assert any(line.startswith("< welcome {") for line in row.messages)
    assert "What is that?" in row.output


def test_a_game_that_is_asked_for_must_be_played(loop: asyncio.Runner) -> None:
    row = loop.run(try_scenario(bot(game="wasteland"), BY_NAME["hello"]))

    assert row.requirement is requirements.GAMES
    assert "play wasteland" in row.why


@pytest.mark.parametrize("scenario", ["hello", "unreachable", "token"])
def test_a_bot_that_the_arena_runs_dials_in_at_a_socket_and_has_no_token(
    loop: asyncio.Runner, scenario: str
) -> None:
    seen: dict[str, str] = {}

    async def launch(settings: Mapping[str, str], folder: Path) -> LocalBotProcess:
        seen.update(settings)
        started = await bot().launch(settings, folder)
        assert isinstance(started, LocalBotProcess)
        return started

    row = loop.run(try_scenario(BotUnderTest(launch, is_hosted=True), BY_NAME[scenario]))

    assert row.verdict is ScenarioVerdict.PASSED, row
    assert set(seen) == {"ARENA_ADDRESS"}
    assert seen["ARENA_ADDRESS"].startswith("unix:///")
    assert seen["ARENA_ADDRESS"].endswith("/bot/play.sock")


def test_a_bot_that_the_arena_runs_is_not_tried_over_the_network(loop: asyncio.Runner) -> None:
    hosted = BotUnderTest(bot().launch, is_hosted=True)

    row = loop.run(try_scenario(hosted, BY_NAME["tls"]))

    assert (row.verdict, row.why) == (
        ScenarioVerdict.NOT_TRIED,
        "The arena runs it, and it has no network there.",
    )
