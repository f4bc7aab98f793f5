"""What a bot says that it expects goes with its answer, and costs nothing where it is wrong."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from arena.sdk import Bot, Clock
from arena.sdk.client import ExitCode
from arena.sdk.evaluation import evaluation_message
from arena.v1 import play_pb2
from tests.unit.sdk.bots import Second
from tests.unit.sdk.conftest import Play
from tests.unit.sdk.scripted_arena import Line, a_decision, seated


def expecting(*expect: Callable[[Bot], None]) -> type[Second]:
    """Return a bot that calls one of these in each decision before it chooses."""

    class Expecting(Second):
        def choose(self, observation: Any, legal_actions: Sequence[Any], clock: Clock) -> object:
            expect[observation.turn - 1](self)
            return 1

    return Expecting


def test_an_evaluation_goes_with_the_answer_of_its_decision_alone(play: Play) -> None:
    async def script(line: Line) -> None:
        first = await line.ask(1)
        assert list(first.evaluation.scores_per_mille) == [625, 375]
        assert first.evaluation.line == "good"
        assert not (await line.ask(2)).HasField("evaluation")
        assert (await line.ask(3)).evaluation == play_pb2.Evaluation(final_scores=[52, 47])

    bot = expecting(
        lambda bot: bot.set_evaluation([0.625, 0.375], "good"),
        lambda _: None,
        lambda bot: bot.set_evaluation(final_scores=[52.4, 46.6]),
    )
    assert play(bot, seated(script)) == ExitCode.DONE


@pytest.mark.parametrize(
    "values", [([1.2, 0.0],), ([0.5],), ([0.5, float("nan")],), (["a", "b"],), ([0.5, 0.5], 7), (None,)]
)
def test_a_wrong_evaluation_is_not_sent_and_costs_no_decision(
    play: Play, values: tuple[Any, ...], caplog: pytest.LogCaptureFixture
) -> None:
    async def script(line: Line) -> None:
        assert await line.ask(1) == play_pb2.Answer(assignment=1, decision=1, index=1)

    def expect(bot: Bot) -> None:
        bot.set_evaluation([0.5, 0.5])
        bot.set_evaluation(*values)

    assert play(expecting(expect), seated(script)) == ExitCode.DONE
    assert "the evaluation is not sent" in caplog.text


def test_a_choice_that_fails_sends_no_evaluation(play: Play) -> None:
    async def script(line: Line) -> None:
        await line.send(decision=a_decision(1))
        assert (await line.expect("debug")).exception
        assert await line.expect("answer") == play_pb2.Answer(assignment=1, decision=1)

    def expect(bot: Bot) -> None:
        bot.set_evaluation([0.5, 0.5])
        raise OSError("no table")

    assert play(expecting(expect), seated(script)) == ExitCode.DONE


def test_a_long_line_is_cut_between_two_characters_and_values_are_rounded() -> None:
    message = evaluation_message([0.33333, 0.66667, 0.5000001], "\u00fc" * 150 + "\ud800", [], seats=3)
    assert message.line == "\u00fc" * 100
    assert list(message.scores_per_mille) == [333, 667, 500]
    assert list(evaluation_message([1.0000000001, -0.0], "", [], seats=2).scores_per_mille) == [1000, 0]


def test_a_match_of_one_seat_has_a_final_score_alone() -> None:
    assert list(evaluation_message([], "", [31.7], seats=1).final_scores) == [32]
    with pytest.raises(ValueError, match=r"^scores has 1 values, but needs none"):
        evaluation_message([1.0], "", [], seats=1)


def test_without_an_arena_nothing_happens() -> None:
    Second().set_evaluation([0.5, 0.5])
