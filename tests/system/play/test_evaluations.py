"""Evaluations over the wire: kept in the log, sent to nobody before, and never a fault. Rows: docs/bad_inputs.md."""

import threading
from typing import Any

import grpc
import pytest

from arena.core.match import Cause
from arena.core.ply import PlyRecord
from arena.match_log.reader import read_log
from arena.v1 import match_pb2, play_pb2
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot
from tests.system.play.test_match import SHORT
from tests.unit.sessions.caravanserai_match import CaravanseraiMatch

MARK = "Ωmega-line"
"""In no word of the arena."""

EXPECTED = play_pb2.Evaluation(scores_per_mille=[713, 287], line=MARK, final_scores=[31, -7])


def answer(bot: RawBot, decision: play_pb2.Decision, evaluation: play_pb2.Evaluation, index: int = 0) -> None:
    """Answer with a place in the list, and an evaluation."""
    said = play_pb2.Answer(assignment=decision.assignment, decision=decision.decision, index=index)
    said.evaluation.CopyFrom(evaluation)
    bot.say(answer=said)


def play_to_the_end(bots: list[RawBot], evaluation: play_pb2.Evaluation, *, turn: int = 0) -> match_pb2.Match:
    """Take the first action in every decision, each with this evaluation, until all seats know the end."""
    ended: list[match_pb2.Match] = []
    while len(ended) < len(bots):
        bot = bots[turn % len(bots)]
        message = bot.hear_any()
        assert message is not None, bot.kinds()
        if message.HasField("decision"):
            answer(bot, message.decision, evaluation)
            turn += 1
        elif message.HasField("match_ended"):
            ended.append(message.match_ended.match)
            turn += 1
    return ended[0]


def plies_of(bot_factory: BotFactory, match: str) -> tuple[PlyRecord, ...]:
    return read_log(bot_factory.arena.log_bytes(match)).plies


def heard(bots: list[RawBot]) -> bytes:
    """Return all that these bots were sent."""
    return b"".join(message.SerializeToString() for bot in bots for message in bot.heard)


def warnings_of(bot: RawBot) -> list[play_pb2.Warning]:
    return [message.warning for message in bot.heard if message.HasField("warning")]


def test_nobody_is_sent_an_evaluation_and_the_log_has_it(bot_factory: BotFactory) -> None:
    live = {"preferences": play_pb2.Preferences(live=True, text=True)}
    bots = bot_factory.table(2, hellos=(live,), options=SHORT)
    matches = bot_factory.arena.matches
    first = bots[0].hear("decision")
    running = match_pb2.MATCH_STATE_RUNNING
    [name] = [match.name for match in matches.ListMatches().matches if match.state == running]
    shown: list[Any] = []
    watch = matches.WatchMatch(name=name, from_start=True)
    watcher = threading.Thread(target=lambda: shown.extend(watch))
    watcher.start()
    answer(bots[0], first, EXPECTED)
    second = bots[1].hear("decision")
    asked = [matches.GetMatch(name=name), matches.ListMatches()]
    with pytest.raises(grpc.RpcError) as refused:
        bot_factory.arena.log_bytes(name)
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    answer(bots[1], second, EXPECTED)
    ended = play_to_the_end(bots, EXPECTED)
    watcher.join()
    assert shown[-1].ended
    assert ended.name == name
    assert ended.state == match_pb2.MATCH_STATE_FINISHED
    sent = heard(bots) + b"".join(each.SerializeToString() for each in [*asked, *shown])
    assert MARK.encode() not in sent
    assert EXPECTED.SerializeToString() not in sent
    assert not [warning for bot in bots for warning in warnings_of(bot)]
    plies = plies_of(bot_factory, name)
    kept = {(ply.seat, ply.evaluation) for ply in plies}
    assert {seat for seat, _ in kept} == {0, 1}
    [evaluation] = {evaluation for _, evaluation in kept}
    assert evaluation is not None
    assert (evaluation.scores_per_mille, evaluation.line) == ((713, 287), MARK)
    assert evaluation.final_scores == (31, -7)


def test_a_log_is_sealed_with_its_evaluations_while_its_group_is_played(bot_factory: BotFactory) -> None:
    """Matches of a group that share a seed: the first has ended, the second is played."""
    bots = bot_factory.table(2, game="caravanserai")
    seat = CaravanseraiMatch.begun(bots).seat  # who begins is drawn
    first = bots[seat].hear("decision")
    answer(bots[seat], first, EXPECTED)
    asked = bots[1 - seat].hear("decision")
    bots[1 - seat].say(resign=play_pb2.Resign(assignment=asked.assignment))
    ended = [bot.hear("match_ended").match for bot in bots]
    with pytest.raises(grpc.RpcError) as refused:
        bot_factory.arena.log_bytes(ended[0].name)
    assert "LOG_SEALED" in str(refused.value.trailing_metadata())
    again = [bot.take_seat() for bot in bots]
    for bot in bots:
        bot.hear("match_started")
    bots[0].say(resign=play_pb2.Resign(assignment=again[0].assignment))
    ended += [bot.hear("match_ended").match for bot in bots]
    assert {match.state for match in ended} == {match_pb2.MATCH_STATE_FINISHED}
    assert MARK.encode() not in heard(bots)
    [evaluation] = {ply.evaluation for ply in plies_of(bot_factory, ended[0].name)}
    assert evaluation is not None
    assert evaluation.line == MARK


OUT_OF_BOUNDS = {
    "one score too few": play_pb2.Evaluation(scores_per_mille=[500]),
    "one score too many": play_pb2.Evaluation(scores_per_mille=[1, 2, 3]),
    "a score above 1000": play_pb2.Evaluation(scores_per_mille=[1001, 0]),
    "a thousand scores": play_pb2.Evaluation(scores_per_mille=[0] * 100_000),
    "a final score too few": play_pb2.Evaluation(final_scores=[4]),
    "a final score that is too large": play_pb2.Evaluation(final_scores=[1_000_001, 0]),
    "a final score that is too small": play_pb2.Evaluation(final_scores=[0, -1_000_001]),
    "a line of 201 bytes": play_pb2.Evaluation(scores_per_mille=[500, 500], line="ü" * 100 + "."),
}


@pytest.mark.parametrize("evaluation", OUT_OF_BOUNDS.values(), ids=OUT_OF_BOUNDS)
def test_row_51_an_evaluation_out_of_bounds_is_left_out_and_costs_nothing(
    bot_factory: BotFactory, evaluation: play_pb2.Evaluation
) -> None:
    bots = bot_factory.table(2, options=SHORT)
    first = bots[0].hear("decision")
    answer(bots[0], first, evaluation, index=7)
    warning = bots[0].hear("warning")
    assert warning.code == play_pb2.Warning.CODE_EVALUATION_IGNORED
    assert warning.assignment == first.assignment
    [seen] = [each.action for each in bots[1].hear("decision").happened if each.HasField("action")]
    assert seen.action == first.legal_actions[7]
    for bot in bots:
        bot.say(resign=play_pb2.Resign(assignment=first.assignment))
    ended = bots[0].hear("match_ended").match
    assert [seat.strikes for seat in ended.seats] == [0, 0]
    [chosen] = [ply for ply in plies_of(bot_factory, ended.name) if ply.cause is Cause.CHOSEN]
    assert chosen.evaluation is None


def test_the_bounds_themselves_are_allowed(bot_factory: BotFactory) -> None:
    widest = play_pb2.Evaluation(
        scores_per_mille=[0, 1000], line="ü" * 100, final_scores=[-1_000_000, 1_000_000]
    )
    bots = bot_factory.table(2, options=SHORT)
    answer(bots[0], bots[0].hear("decision"), widest)
    answer(bots[1], bots[1].hear("decision"), play_pb2.Evaluation())
    name = play_to_the_end(bots, play_pb2.Evaluation(line="x")).name
    assert not warnings_of(bots[0])
    kept = [ply.evaluation for ply in plies_of(bot_factory, name)]
    assert kept[0] is not None
    assert (kept[0].scores_per_mille, kept[0].final_scores) == ((0, 1000), (-1_000_000, 1_000_000))
    assert len(kept[0].line.encode()) == 200


def test_an_answer_that_does_not_count_leaves_no_evaluation(bot_factory: BotFactory) -> None:
    """Row 17: the default is played, and it is not what the bot has chosen."""
    bots = bot_factory.table(2, options=SHORT)
    answer(bots[0], bots[0].hear("decision"), EXPECTED, index=9_999)
    assert bots[0].hear("decision_closed").strikes == 1
    bots[1].hear("decision")
    bots[0].say(resign=play_pb2.Resign(assignment=1))
    name = bots[1].hear("match_ended").match.name
    assert {(ply.cause, ply.evaluation) for ply in plies_of(bot_factory, name)} == {
        (Cause.ILLEGAL_ACTION, None)
    }


def test_the_welcome_says_how_long_a_line_may_be(bot_factory: BotFactory) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    assert bot.hello().limits.evaluation_line_bytes == 200
