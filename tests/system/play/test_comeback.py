"""Lost connections, and what a bot that reconnects is sent. Rows are those of docs/bad_inputs.md."""

import grpc

from arena.v1 import happening_pb2, play_pb2, time_control_pb2
from tests.system.play.conftest import BotFactory

LIVE = {"preferences": play_pb2.Preferences(live=True)}


def test_row_11_with_its_resume_token_a_new_connection_wins(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2)
    first = bots[0].hear("decision")
    again = bot_factory.back(bots[0])
    assert again.resume_token != bots[0].resume_token
    assert bots[0].hear_end().code == play_pb2.Goodbye.CODE_REPLACED
    assert bots[0].status is grpc.StatusCode.OK
    assert again.hear("assigned").assignment == first.assignment
    started = again.hear("match_started")
    assert started.comeback
    assert started.view == first.view
    assert list(started.answers) == []
    decision = again.hear("decision")
    assert (decision.assignment, decision.decision) == (first.assignment, first.decision)
    assert decision.legal_actions == first.legal_actions
    assert decision.time_left_ms < first.time_left_ms
    again.answer(decision)
    assert bots[1].hear("decision").decision == 1


def test_a_comeback_shows_the_last_view_and_the_answer_since_and_nothing_newer(
    bot_factory: BotFactory,
) -> None:
    bots = bot_factory.table(2)
    first = bots[0].hear("decision")
    bots[0].answer(first, 9)
    second = bots[1].hear("decision")
    bots[1].answer(second, 12)
    bots[1].hear("decision")
    again = bot_factory.back(bots[0])
    started = again.hear("match_started")
    assert started.view == first.view
    assert [(each.decision, list(each.actions)) for each in started.answers] == [
        (1, [first.legal_actions[9]])
    ]


def test_row_11_without_a_token_it_is_a_session_of_its_own(bot_factory: BotFactory) -> None:
    bot = bot_factory.register("a")
    one, other = bot_factory.dial(bot), bot_factory.dial(bot)
    assert one.hello().session != other.hello().session
    one.say(capacity=play_pb2.Capacity(matches=0)).half_close()
    assert one.hear_end().code == play_pb2.Goodbye.CODE_DONE


def test_a_forfeit_is_repeated_after_a_reconnect(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(3)
    bots[0].hear("decision")
    bots[0].say(resign=play_pb2.Resign(assignment=1))
    ending = bots[0].hear("seat_ended").ending
    bots[0].cut()
    again = bot_factory.back(bots[0])
    again.hear("match_started")
    assert again.hear("seat_ended").ending == ending
    assert again.kinds() == ["welcome", "assigned", "match_started", "seat_ended"]


def test_a_live_bot_is_sent_again_what_it_got_since_its_last_position(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(3, hellos=(LIVE, LIVE, LIVE))
    bots[0].answer(bots[0].hear("decision"), 3)
    heard: list[happening_pb2.Happening] = []
    while not any(each.HasField("action") for each in heard):
        heard += bots[2].hear("match_news").happened
    bots[2].cut()
    bots[1].answer(bots[1].hear("decision"), 5)  # the first of its two points of turn 2
    bots[1].hear("decision")
    again = bot_factory.back(bots[2], **LIVE)
    told = list(again.hear("match_news").happened)
    assert told[: len(heard)] == heard
    assert [each.action.seat for each in told if each.HasField("action")] == [0, 1]
    assert again.kinds() == ["welcome", "assigned", "match_started", "match_news"]


def test_a_bot_that_reconnects_may_want_no_news_any_more(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(3, hellos=(LIVE, LIVE, LIVE))
    again = bot_factory.back(bots[2])
    again.hear("match_started")
    bots[0].answer(bots[0].hear("decision"), 3)
    bots[1].answer(bots[1].hear("decision"), 5)
    bots[1].answer(bots[1].hear("decision"), 2)
    again.hear("decision")
    assert "match_news" not in again.kinds()


def test_a_question_held_back_goes_out_when_the_one_before_it_was_missed(bot_factory: BotFactory) -> None:
    """Not only when it was answered: `hold` is here longer than anybody waits."""
    control = time_control_pb2.TimeControl(
        per_decision_ms=500, bank_ms=0, strikes=5, absence_ms=30_000, hold_ms=60_000, seat_limit_ms=86_400_000
    )
    ids, bots = bot_factory.welcomed("ab", capacity=play_pb2.Capacity(matches=2, open_decisions=1))
    bot_factory.arena.ladder(f"l{bot_factory.number}", *ids, time_control=control, matches=2)
    for bot in bots:
        for _ in range(2):
            bot.take_seat()
    # Each is asked first in one match of the group; an answer there asks the other a second question.
    first = bots[0].hear("decision").assignment
    bots[1].answer(bots[1].hear("decision"))
    assert bots[0].hear("decision_closed").assignment == first
    assert bots[0].hear("decision").assignment != first
