"""A match over the wire: assignments, decisions, answers, ends. Rows are those of docs/bad_inputs.md."""

import pytest

from arena.codecs.codec import codec_for
from arena.sessions.seat import DEBUG_CUT
from arena.v1 import ending_pb2, games_pb2, match_pb2, play_pb2, time_control_pb2
from engine.randomness import commitment
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot

SHORT = {"turn_limit": "3", "no_progress_turns": "100"}
"""A match of three turns: 1 + 2 + 3 points."""


def answer_everything(bots: list[RawBot], *, turn: int = 0) -> list[play_pb2.MatchEnded]:
    """All seats pass in turn, that of `turn` first, until the match has ended; PASS is index 0 in Caravan."""
    ended: list[play_pb2.MatchEnded] = []
    while len(ended) < len(bots):
        bot = bots[turn % len(bots)]
        message = bot.hear_any()
        assert message is not None, bot.kinds()
        if message.HasField("decision"):
            bot.answer(message.decision)
            turn += 1
        elif message.HasField("match_ended"):
            ended.append(message.match_ended)
            turn += 1
    return ended


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_is_played_from_its_assignment_to_its_end(bot_factory: BotFactory, seats: int) -> None:
    bots = bot_factory.table(seats, options=SHORT)
    ended = answer_everything(bots)
    matches = [each.match for each in ended]
    assert {match.state for match in matches} == {match_pb2.MATCH_STATE_FINISHED}
    assert {match.ending for match in matches} == {"TURN_LIMIT"}
    assert [seat.placing for seat in matches[0].seats] == [1] * seats
    assert commitment(matches[0].seed) == matches[0].seed_commitment
    shown = bot_factory.arena.match(matches[0].name)
    assert shown == matches[0]
    assert len(shown.log) == 64


def test_an_assignment_tells_everything_but_position_and_names(bot_factory: BotFactory) -> None:
    ids, bots = bot_factory.welcomed("ab")
    bot_factory.arena.ladder(f"l{bot_factory.number}", *ids, options=SHORT)
    assigned = [bot.take_seat() for bot in bots]
    assert sorted(each.seat for each in assigned) == [0, 1]
    first = assigned[0]
    assert (first.game, first.rules_version, first.seats, first.rated) == ("caravan", 1, 2, True)
    assert first.options.caravan.turn_limit == 3
    assert first.options.caravan.camels == 5
    assert first.time_control.per_decision_ms == 60_000
    assert first.ladder == f"ladders/l{bot_factory.number}"
    assert len(first.seed_commitment) == 32
    assert first.ready_within_ms == 10_000
    started = bots[0].hear("match_started")
    names = [participant.bot for participant in started.participants]
    assert sorted(names) == sorted(f"bots/{bot}" for bot in ids)
    assert not started.comeback
    assert started.view.caravan.turn == 1


def test_a_decision_holds_view_list_clock_and_what_happened(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    first = bots[0].hear("decision")
    assert first.decision == 1
    assert first.view.caravan.points == 1
    assert first.legal_actions[0].caravan.HasField("pass_turn")
    assert len(first.legal_actions) == 1 + 49
    assert first.per_decision_ms == first.time_left_ms == 60_000
    assert [happening.event.caravan.WhichOneof("kind") for happening in first.happened] == ["turn"]
    bots[0].answer(first, 7)
    second = bots[1].hear("decision")
    acted = second.happened[1].action
    assert (acted.seat, acted.by_default) == (0, False)
    assert acted.action == first.legal_actions[7]
    assert second.decision == 1


def test_the_same_action_may_be_answered_typed(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    decision = bots[0].hear("decision")
    bots[0].say(
        answer=play_pb2.Answer(assignment=decision.assignment, decision=1, action=decision.legal_actions[5])
    )
    acted = bots[1].hear("decision").happened[1].action
    assert acted.action == decision.legal_actions[5]


def test_lists_may_be_packed_or_left_out_and_views_too(bot_factory: BotFactory) -> None:
    packed = {"preferences": play_pb2.Preferences(legal_actions=play_pb2.LEGAL_ACTIONS_FORM_PACKED)}
    nothing = {
        "preferences": play_pb2.Preferences(
            legal_actions=play_pb2.LEGAL_ACTIONS_FORM_NONE, view=play_pb2.VIEW_FORM_EVENTS
        )
    }
    bots = bot_factory.table(2, hellos=(packed, nothing), options=SHORT)
    for _ in range(2):
        bot = bots[0]
        decision = bot.hear("decision")
        if decision.packed_legal_actions:
            assert not decision.legal_actions
            codec = codec_for("caravan")
            typed = games_pb2.Action.FromString(codec.encode_action(decision.packed_legal_actions[0]))
            assert typed.caravan.HasField("pass_turn")
            bot.answer(decision)
        else:
            assert not decision.HasField("view")
            assert not decision.legal_actions
            bot.say(
                answer=play_pb2.Answer(
                    assignment=decision.assignment, decision=decision.decision, action=_pass()
                )
            )
        bots.reverse()


def test_rows_12_and_17_an_illegal_answer_is_final_and_says_what_was_played(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    decision = bots[0].hear("decision")
    bots[0].answer(decision, 999)
    closed = bots[0].hear("decision_closed")
    assert closed.cause == play_pb2.DecisionClosed.CAUSE_ILLEGAL_ACTION
    assert (closed.strikes, closed.strikes_allowed, closed.late_ms) == (1, 2, 0)
    assert closed.played == [_pass()]
    assert "index is 999" in closed.sentence
    assert bots[1].hear("decision").happened[1].action.by_default


FAST = time_control_pb2.TimeControl(
    per_decision_ms=40, bank_ms=0, strikes=1, absence_ms=1_000, hold_ms=0, seat_limit_ms=60_000
)


def test_rows_13_and_19_a_missed_decision_and_its_late_answer(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT, time_control=FAST)
    decision = bots[0].hear("decision")
    closed = bots[0].hear("decision_closed")
    assert closed.cause == play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT
    assert closed.late_ms >= 1
    assert closed.strikes == 1
    bots[0].answer(decision)
    late = bots[0].hear("answer_ignored")
    assert late.reason == play_pb2.AnswerIgnored.REASON_LATE
    assert late.late_ms >= closed.late_ms


def test_of_four_the_others_play_on_and_see_the_forfeit(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(4, options={**SHORT, "turn_limit": "6"})
    bots[2].say(resign=play_pb2.Resign(assignment=1))
    bots[2].hear("seat_ended")
    for seat in (0, 1):
        bots[seat].answer(bots[seat].hear("decision"))
    decision = bots[3].hear("decision")
    forfeits = [each.forfeited for each in decision.happened if each.HasField("forfeited")]
    assert [(each.seat, each.termination) for each in forfeits] == [(2, ending_pb2.TERMINATION_RESIGNATION)]


def test_several_matches_on_one_connection_keep_apart(bot_factory: BotFactory) -> None:
    ids, bots = bot_factory.welcomed("ab", capacity=play_pb2.Capacity(matches=4))
    bot_factory.arena.ladder(f"l{bot_factory.number}", *ids, options=SHORT, matches=8)
    for bot in bots:
        assert [bot.take_seat().assignment for _ in range(4)] == [1, 2, 3, 4]
    waiting = list(bots)
    ended = {id(bot): 0 for bot in bots}
    while any(count < 4 for count in ended.values()):
        bot = waiting.pop(0)
        while ended[id(bot)] < 4:
            message = bot.hear_any()
            assert message is not None
            if message.HasField("decision"):
                bot.answer(message.decision)
                break
            ended[id(bot)] += message.HasField("match_ended")
        waiting.append(bot)
    finished = {
        message.match_ended.match.name
        for bot in bots
        for message in bot.heard
        if message.HasField("match_ended")
    }
    assert len(finished) >= 4


def test_a_bot_that_answers_one_at_a_time_is_asked_one_at_a_time(bot_factory: BotFactory) -> None:
    ids, bots = bot_factory.welcomed("ab", capacity=play_pb2.Capacity(matches=4, open_decisions=1))
    bot_factory.arena.ladder(f"l{bot_factory.number}", *ids, options=SHORT, matches=8)
    for bot in bots:
        for _ in range(4):
            bot.take_seat()
    for bot in bots:
        for _ in range(4):
            bot.hear("match_started")
    for answered in range(3):
        for bot in bots:
            decisions = [message.decision for message in bot.heard if message.HasField("decision")]
            decision = decisions[-1] if len(decisions) > answered else bot.hear("decision")
            bot.answer(decision)
            # A ping and its pong: everything that was sent before has been heard now.
            bot.say(pong=play_pb2.Pong(id=999))
            bot.hear("warning")
        open_now = [
            len([message for message in bot.heard if message.HasField("decision")]) - answered - 1
            for bot in bots
        ]
        assert max(open_now) <= 1


def test_with_live_news_a_bot_sees_what_others_do_as_it_happens(bot_factory: BotFactory) -> None:
    live = {"preferences": play_pb2.Preferences(live=True)}
    bots = bot_factory.table(3, hellos=(live, live, live))
    bots[0].answer(bots[0].hear("decision"), 3)
    news = bots[2].hear("match_news")
    while not any(each.HasField("action") for each in news.happened):
        news = bots[2].hear("match_news")
    acted = next(each.action for each in news.happened if each.HasField("action"))
    assert acted.seat == 0


def test_debug_lines_are_kept_and_cut_at_their_limit(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    decision = bots[0].hear("decision")
    bots[0].say(debug=play_pb2.Debug(assignment=1, decision=1, text="thinking of " + "x" * 5_000))
    assert bots[0].hear("warning").code == play_pb2.Warning.CODE_DEBUG_CUT
    bots[0].answer(decision)
    name = answer_everything(bots, turn=1)[0].match.name
    [line] = debug_lines(bot_factory, name, bots[0].heard).lines
    assert (line.seat, line.decision) == (0, 1)
    assert line.text == ("thinking of " + "x" * 5_000)[:4096]


def test_a_match_keeps_256_kib_of_debug_lines_and_each_counts_for_64_bytes(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    decision = bots[0].hear("decision")
    lines = [
        play_pb2.ClientMessage(debug=play_pb2.Debug(assignment=1, decision=1, text=text))
        for text in ["y" * 4096] * 63 + ["z"] * 65
    ]
    for first in range(0, len(lines), 12):  # a frame of 64 such lines would be too large
        bots[0].say_messages(*lines[first : first + 12])
    assert bots[0].hear("warning").code == play_pb2.Warning.CODE_DEBUG_CUT
    bots[0].answer(decision)
    name = answer_everything(bots, turn=1)[0].match.name
    kept = debug_lines(bot_factory, name, bots[0].heard).lines
    assert [len(line.text) for line in kept[:-1]] == [4096] * 63 + [1] * 64
    assert kept[-1].text == DEBUG_CUT


def debug_lines(
    bot_factory: BotFactory, match: str, heard: list[play_pb2.ServerMessage]
) -> match_pb2.ListDebugLinesResponse:
    """Return what MatchService lists of the bot that has heard this."""
    [bot] = [message.welcome.bot for message in heard if message.HasField("welcome")]
    listing = match_pb2.ListDebugLinesResponse()
    while not listing.lines or listing.next_page_token:
        page = bot_factory.arena.matches.ListDebugLines(
            name=match, bot=bot, page_size=100, page_token=listing.next_page_token
        )
        listing.next_page_token = ""
        listing.MergeFrom(page)
        if not page.lines:
            break
    return listing


def _pass() -> games_pb2.Action:
    action = games_pb2.Action()
    action.caravan.pass_turn.SetInParent()
    return action
