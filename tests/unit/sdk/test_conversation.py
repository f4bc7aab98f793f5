"""What a bot says in answer to each message of the arena. Row numbers are those of docs/bad_inputs.md."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from arena.games.caravan.v1 import caravan_pb2
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.sdk import Clock, LegalActions, Match, Plays, Result, View
from arena.sdk.client import ExitCode
from arena.v1 import happening_pb2, play_pb2
from tests.unit.sdk.bots import Second, choosing
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import (
    Line,
    a_decision,
    a_start,
    an_assignment,
    an_end,
    place,
    seated,
    welcomed,
)


def test_hello_says_all_that_the_class_says(play: Play) -> None:
    class Searcher(Second):
        version = "2.1"
        games = (Plays("caravan", (1, 2)), "wasteland")
        matches = 5
        open_decisions = 2
        legal_actions = LegalActions.PACKED
        view = View.EVENTS
        live = True

    async def script(line: Line) -> None:
        hello = await line.welcome()
        assert line.metadata["authorization"] == "Bearer a-token"
        assert (hello.lowest_protocol, hello.highest_protocol) == (1, 1)
        assert (hello.bot_version, hello.language) == ("2.1", "python")
        games = [(game.game, list(game.rules_versions)) for game in hello.games]
        assert games == [("caravan", [1, 2]), ("wasteland", [])]
        assert hello.capacity == play_pb2.Capacity(matches=5, open_decisions=2)
        assert hello.preferences == play_pb2.Preferences(
            legal_actions=play_pb2.LEGAL_ACTIONS_FORM_PACKED, view=play_pb2.VIEW_FORM_EVENTS, live=True
        )
        assert hello.claim, "of what its predecessor has lost"
        await line.goodbye(play_pb2.Goodbye.CODE_DONE)

    play(Searcher, script)


def test_a_bot_receives_its_match_its_clock_and_its_result(play: Play) -> None:
    seen: list[Any] = []

    class Curious(Second):
        def on_match_started(self, match: Match) -> None:
            seen.append(match)

        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            seen.append((observation, list(legal_actions), clock, list(self.happened)))
            return 0

        def on_match_ended(self, match: Match, result: Result) -> None:
            seen.append(result)

    happening = happening_pb2.Happening(action=happening_pb2.SeatAction(seat=0, action=place(5)))

    async def script(line: Line) -> None:
        await line.start(ladder="ladders/main", rated=True)
        await line.ask(1, happened=[happening])
        await line.send(match_ended=an_end())

    play(Curious, welcomed(script))
    match, (observation, actions, clock, happened), result = seen
    where = (match.name, match.ladder, match.game, match.rated)
    assert where == ("matches/1", "ladders/main", "caravan", True)
    assert (match.seats, match.seat, match.participants) == (2, 1, ("bots/other", "bots/tester"))
    assert match.options == caravan_pb2.Options(camels=5)
    assert match.view == observation == caravan_pb2.Observation(turn=1)
    assert actions == [
        caravan_pb2.Action(pass_turn=caravan_pb2.Pass()),
        caravan_pb2.Action(place=caravan_pb2.Place(to_square=0)),
        caravan_pb2.Action(place=caravan_pb2.Place(to_square=1)),
    ]
    times = (clock.per_decision_ms, clock.bank_ms, clock.increment_ms, clock.time_left_ms)
    assert times == (1000, 5000, 50, 6000)
    assert happened == [happening]
    assert (result.placing, result.score, result.ending) == (1, 7, "FINAL_DELIVERY")
    assert result.sentence == an_end().match.seats[1].ending.sentence
    assert result.view == caravan_pb2.Observation(turn=9)


def test_an_action_of_the_list_and_one_outside_of_it_are_answered_typed(play: Play) -> None:
    choices = iter([place(1).caravan, place(40)])

    async def script(line: Line) -> None:
        assert (await line.ask(1)).action == place(1)
        assert (await line.ask(2)).action == place(40)

    play(choosing(lambda *_: next(choices)), seated(script))


@pytest.mark.parametrize("form", LegalActions)
def test_a_plan_is_answered_typed_whatever_form_the_list_has(play: Play, form: LegalActions) -> None:
    plan = caravanserai_pb2.Plan(pieces=[caravanserai_pb2.PIECE_CAMEL], cells=[caravanserai_pb2.Cell(q=-3)])
    planner = choosing(
        lambda *_: caravanserai_pb2.Action(plan=plan), games=("caravanserai",), legal_actions=form
    )

    async def script(line: Line) -> None:
        await line.start(game="caravanserai")
        answer = await line.ask(1, legal_actions=[], packed_legal_actions=[41943040])
        assert answer.action.caravanserai.plan == plan

    play(planner, welcomed(script))


def test_packed_actions_come_as_ints(play: Play) -> None:
    packed = choosing(lambda _, legal: list(legal).index(4_000_000_000), legal_actions=LegalActions.PACKED)

    async def script(line: Line) -> None:
        answer = await line.ask(1, legal_actions=[], packed_legal_actions=[7, 8, 4_000_000_000])
        assert answer.index == 2

    play(packed, seated(script))


def test_several_matches_on_one_connection_each_have_a_bot_of_their_own(play: Play) -> None:
    class Counter(Second):
        asked = -1

        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            self.asked += 1
            return self.asked

    async def script(line: Line) -> None:
        await line.start(2)
        answers = []
        for number, assignment in ((1, 1), (1, 2), (2, 2), (2, 1), (3, 2)):
            answer = await line.ask(number, assignment)
            answers.append((answer.assignment, answer.decision, answer.index))
        assert answers == [(1, 1, 0), (2, 1, 0), (2, 2, 1), (1, 2, 1), (2, 3, 2)]

    play(Counter, seated(script))


def test_answers_that_wait_for_each_other_go_out_in_one_frame(play: Play) -> None:
    async def script(line: Line) -> None:
        pings = [play_pb2.ServerMessage(ping=play_pb2.Ping(id=number)) for number in range(100)]
        await line.send_frame(*pings)
        assert [(await line.expect("pong")).id for _ in pings] == list(range(100))
        assert line.frames == [1, 64, 36]

    play(Second, welcomed(script))


def test_a_ping_is_answered_while_the_bot_thinks(play: Play) -> None:
    go_on = threading.Event()

    async def script(line: Line) -> None:
        await line.send(decision=a_decision(1), ping=play_pb2.Ping(id=5))
        assert (await line.expect("pong")).id == 5
        await line.send(assigned=an_assignment(2))
        assert (await line.expect("ready")).assignment == 2
        go_on.set()
        assert (await line.expect("answer")).index == 2

    play(choosing(lambda *_: 2 * go_on.wait(10)), seated(script))


def test_two_open_decisions_of_one_frame_are_thought_about_at_once(play: Play) -> None:
    both = threading.Barrier(2, timeout=60)

    async def script(line: Line) -> None:
        await line.start(2)
        decisions = [play_pb2.ServerMessage(decision=a_decision(1, assignment)) for assignment in (1, 2)]
        await line.send_frame(*decisions)
        answers = [await line.expect("answer") for _ in decisions]
        assert {answer.assignment for answer in answers} == {1, 2}
        assert {answer.index for answer in answers} == {0, 1}

    play(choosing(lambda *_: both.wait(), open_decisions=2), seated(script))


def test_messages_about_unknown_assignments_are_ignored(play: Play) -> None:
    async def script(line: Line) -> None:
        await line.send(
            match_started=a_start(9),
            decision=a_decision(1, 9),
            decision_closed=play_pb2.DecisionClosed(assignment=9, decision=1),
            match_news=play_pb2.MatchNews(assignment=9),
            answer_ignored=play_pb2.AnswerIgnored(assignment=9),
            seat_ended=play_pb2.SeatEnded(assignment=9),
            withdrawn=play_pb2.Withdrawn(assignment=9),
            match_ended=an_end(9),
            warning=play_pb2.Warning(code=play_pb2.Warning.CODE_DEBUG_CUT),
            draining=play_pb2.Draining(within_ms=1),
        )
        await line.ping()

    assert play(Second, welcomed(script)) == ExitCode.DONE


def test_without_views_the_observation_is_none(play: Play) -> None:
    decision = a_decision(1)
    decision.ClearField("view")

    async def script(line: Line) -> None:
        await line.send(decision=decision)
        assert (await line.expect("answer")).index == 0

    play(choosing(lambda observation, _: int(observation is not None), view=View.EVENTS), seated(script))


def test_an_answer_to_a_closed_decision_is_not_sent(play: Play) -> None:
    """Row 19."""
    go_on = threading.Event()
    closed: list[int] = []

    class Late(Second):
        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            assert go_on.wait(10)
            return observation.turn

        def on_decision_closed(self, message: play_pb2.DecisionClosed) -> None:
            closed.append(message.strikes)

    async def script(line: Line) -> None:
        await line.send(decision=a_decision(1))
        cause = play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT
        await line.send(
            decision_closed=play_pb2.DecisionClosed(assignment=1, decision=1, cause=cause, strikes=1)
        )
        await line.ping()
        go_on.set()
        answer = await line.ask(2)
        assert (answer.decision, answer.index) == (2, 2)

    play(Late, seated(script))
    assert closed == [1]


@pytest.mark.parametrize(
    "closing",
    [
        {"decision_closed": play_pb2.DecisionClosed(assignment=1, decision=1, strikes=1)},
        {"match_ended": an_end()},
        {"withdrawn": play_pb2.Withdrawn(assignment=1)},
    ],
)
def test_a_bot_that_still_thinks_sees_that_its_answer_is_not_waited_for(
    play: Play, closing: dict[str, Any]
) -> None:
    """Row 19."""
    asked, seen = threading.Event(), threading.Event()

    class Patient(Second):
        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            assert self.is_open()
            asked.set()
            deadline = time.monotonic() + 60
            while self.is_open() and time.monotonic() < deadline:
                threading.Event().wait(0.01)
            if not self.is_open():
                seen.set()
            return 0

    async def script(line: Line) -> None:
        await line.send(decision=a_decision(1))
        assert await asyncio.to_thread(asked.wait, 60)
        await line.send(**closing)
        assert await asyncio.to_thread(seen.wait, 90)

    play(Patient, seated(script))
    assert seen.is_set()


def test_a_decision_that_is_closed_without_a_cause_is_not_logged(
    play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    """It is a replay, which lists the decisions itself."""
    cause = play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT

    async def script(line: Line) -> None:
        await line.ask(1)
        await line.send(
            decision_closed=play_pb2.DecisionClosed(assignment=1, decision=1, sentence="As recorded.")
        )
        await line.ask(2)
        await line.send(
            decision_closed=play_pb2.DecisionClosed(
                assignment=1, decision=2, cause=cause, sentence="Too late."
            )
        )
        await line.ping()

    play(Second, seated(script))
    assert [message for message in caplog.messages if "As recorded" in message or "Too late" in message] == [
        "matches/1: Too late."
    ]


def test_debug_lines_name_the_running_decision_and_are_cut_between_characters(play: Play) -> None:
    class Talker(Second):
        def on_match_started(self, match: Match) -> None:
            self.debug("before")

        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            self.debug("é" * 3000)
            return 0

    async def script(line: Line) -> None:
        assert (await line.expect("debug")) == play_pb2.Debug(assignment=1, decision=0, text="before")
        await line.send(decision=a_decision(4))
        debug = await line.expect("debug")
        assert (debug.decision, debug.text) == (4, "é" * 2048)
        await line.expect("answer")

    play(Talker, seated(script))


def test_news_between_decisions_reach_a_bot_that_wants_them(play: Play) -> None:
    news: list[int] = []

    class Ponderer(Second):
        live = True

        def on_match_news(self, happened: Sequence[happening_pb2.Happening]) -> None:
            news.extend(happening.action.seat for happening in happened)

    async def script(line: Line) -> None:
        acted = happening_pb2.Happening(action=happening_pb2.SeatAction(seat=3))
        await line.send(match_news=play_pb2.MatchNews(assignment=1, happened=[acted]))
        await line.ask()

    play(Ponderer, seated(script))
    assert news == [3]
