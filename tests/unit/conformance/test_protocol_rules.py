"""What a bot must never say, message by message."""

from contextlib import nullcontext
from typing import Any

import pytest

from arena.conformance import requirements
from arena.conformance.protocol_rules import ProtocolRules
from arena.conformance.verdict import NotTriedError, Requirement, UnmetError
from arena.v1 import play_pb2

HELLO = play_pb2.ClientMessage(hello=play_pb2.Hello())
READY = play_pb2.ClientMessage(ready=play_pb2.Ready(assignment=1))


def answer(decision: int, assignment: int = 1) -> play_pb2.ClientMessage:
    return play_pb2.ClientMessage(answer=play_pb2.Answer(assignment=assignment, decision=decision, index=0))


def asked(decision: int, assignment: int = 1) -> play_pb2.ServerMessage:
    return play_pb2.ServerMessage(decision=play_pb2.Decision(assignment=assignment, decision=decision))


WELCOME = play_pb2.ServerMessage(welcome=play_pb2.Welcome())
RESUMED = play_pb2.ServerMessage(welcome=play_pb2.Welcome(resumed=True))
ASSIGNED = play_pb2.ServerMessage(assigned=play_pb2.Assigned(assignment=1))
CLOSED = play_pb2.ServerMessage(decision_closed=play_pb2.DecisionClosed(assignment=1, decision=1))
ENDED = play_pb2.ServerMessage(match_ended=play_pb2.MatchEnded(assignment=1))
BEGUN: list[play_pb2.ClientMessage | play_pb2.ServerMessage] = [HELLO, WELCOME, ASSIGNED, READY]


def play(rules: ProtocolRules, *said: play_pb2.ClientMessage | play_pb2.ServerMessage) -> None:
    """Both sides say this, in order."""
    for message in said:
        if isinstance(message, play_pb2.ServerMessage):
            rules.note_sent(message)
        else:
            rules.check(message)


@pytest.mark.parametrize(
    ("said", "last", "requirement", "why"),
    [
        ([], READY, requirements.HELLO_FIRST, "first message was `ready`"),
        ([HELLO], HELLO, requirements.HELLO_FIRST, "`hello` twice"),
        ([HELLO], READY, requirements.NOT_BEFORE_WELCOME, "`ready` before it was welcomed"),
        ([HELLO, WELCOME], play_pb2.ClientMessage(), requirements.FRAME, "without a kind"),
        ([HELLO, WELCOME], READY, requirements.ASSIGNMENT, "assignment 1, which it was not given"),
        (
            [HELLO, WELCOME],
            play_pb2.ClientMessage(debug=play_pb2.Debug(assignment=3)),
            requirements.ASSIGNMENT,
            "assignment 3",
        ),
        (
            [HELLO, WELCOME],
            play_pb2.ClientMessage(pong=play_pb2.Pong(id=4)),
            requirements.PONG,
            "the id 4, which answers no ping",
        ),
        (BEGUN, answer(1), requirements.ONCE, "decision 1 of assignment 1, which was not asked"),
        ([*BEGUN, asked(1)], answer(2), requirements.ONCE, "decision 2 of assignment 1, which was not asked"),
        ([*BEGUN, asked(1)], answer(1, 2), requirements.ONCE, "assignment 2, which was not asked"),
        ([*BEGUN, asked(1), answer(1)], answer(1), requirements.ONCE, "twice"),
        ([*BEGUN, asked(1), answer(1), CLOSED], answer(1), requirements.ONCE, "twice"),
        ([*BEGUN, asked(1), CLOSED, answer(1)], answer(1), requirements.ONCE, "twice"),
        ([*BEGUN, asked(1), WELCOME, ASSIGNED], answer(1), requirements.ONCE, "which was not asked"),
    ],
)
def test_what_a_bot_must_not_say(
    said: list[Any], last: play_pb2.ClientMessage, requirement: Requirement, why: str
) -> None:
    rules = ProtocolRules()
    play(rules, *said)

    with pytest.raises(UnmetError) as caught:
        rules.check(last)

    assert caught.value.requirement is requirement
    assert why in caught.value.what


@pytest.mark.parametrize(
    "said",
    [
        [*BEGUN, asked(1), CLOSED, answer(1)],
        [*BEGUN, asked(1), ENDED, answer(1)],
        [*BEGUN, asked(1), answer(1), asked(1), answer(1)],
        [*BEGUN, READY],
        [
            HELLO,
            WELCOME,
            play_pb2.ServerMessage(ping=play_pb2.Ping(id=0)),
            play_pb2.ClientMessage(pong=play_pb2.Pong(id=0)),
        ],
        [HELLO, WELCOME, play_pb2.ClientMessage(capacity=play_pb2.Capacity())],
    ],
    ids=["an answer that crosses", "as a match ends", "asked again", "ready again", "a pong", "capacity"],
)
def test_what_a_bot_may_say(said: list[Any]) -> None:
    play(ProtocolRules(), *said)


def test_a_new_connection_begins_with_hello_and_continues_with_the_open_question() -> None:
    first = ProtocolRules()
    play(first, *BEGUN, asked(1), asked(2), answer(2))

    with pytest.raises(UnmetError, match="first message"):
        ProtocolRules(before=first).check(READY)
    again = ProtocolRules(before=first)
    play(again, HELLO, RESUMED, answer(1))
    with pytest.raises(UnmetError, match="twice"):
        again.check(answer(2))


def test_what_was_under_way_on_a_lost_connection_is_not_held_against_the_next_one() -> None:
    lost = ProtocolRules()
    play(lost, *BEGUN, asked(1))
    again = ProtocolRules(before=lost)

    lost.check(answer(1))

    play(again, HELLO, RESUMED, asked(1), answer(1))


def test_a_resignation_is_allowed_and_ends_the_scenario() -> None:
    rules = ProtocolRules()
    play(rules, *BEGUN)

    with pytest.raises(NotTriedError, match="resigned assignment 1"):
        rules.check(play_pb2.ClientMessage(resign=play_pb2.Resign(assignment=1)))


@pytest.mark.parametrize(
    ("count", "size", "fits"),
    [(0, 100, False), (64, 100, True), (65, 100, False), (1, 131_072, True), (1, 131_073, False)],
)
def test_a_frame_has_1_to_64_messages_and_128_kib_at_most(count: int, size: int, fits: bool) -> None:
    frame = play_pb2.PlayRequest(messages=[HELLO] * count)
    with nullcontext() if fits else pytest.raises(UnmetError) as failed:
        ProtocolRules().check_frame(frame, size)
    assert fits or (failed and failed.value.requirement is requirements.FRAME)


def test_a_decision_has_4_mib_of_frames_at_most() -> None:
    rules = ProtocolRules()
    play(rules, *BEGUN)
    frame = play_pb2.PlayRequest(messages=[HELLO])
    for number in (1, 2):
        rules.note_sent(asked(number))
        for _ in range(32):
            rules.check_frame(frame, 131_072)
    with pytest.raises(UnmetError) as failed:
        rules.check_frame(frame, 1)
    assert failed.value.requirement is requirements.FLOOD
