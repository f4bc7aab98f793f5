"""Answers that do not count, and messages that a bot may not know."""

from typing import Final

from google.protobuf.message import Message

from arena.conformance import requirements
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat, begun
from arena.conformance.scripted_server import ScriptedServer
from arena.v1 import ending_pb2, match_pb2, play_pb2

UNKNOWN_VALUE: Final = 99
"""No enum of arena.v1 has it."""

_NUMBER: Final = bytes.fromhex("c03e07")
"""Field 1000, a varint: 7."""
_TEXT: Final = bytes.fromhex("ca3e05") + b"later"
"""Field 1001, five bytes."""


def as_from_a_newer_arena(frame: play_pb2.PlayResponse) -> None:
    """Add unknown fields to every message in the frame, and unknown kinds before, between and behind."""
    known = list(frame.messages)
    del frame.messages[:]
    for message in known:
        frame.messages.add().MergeFromString(_TEXT)
        frame.messages.add().CopyFrom(message)
    frame.messages.add()
    frame.messages.add().MergeFromString(_NUMBER)
    _add_fields(frame)


def _add_fields(message: Message) -> None:
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for inner in value if field.is_repeated else (value,):
            _add_fields(inner)
    message.MergeFromString(_NUMBER + _TEXT)


_REASONS: Final = (
    play_pb2.AnswerIgnored.REASON_LATE,
    play_pb2.AnswerIgnored.REASON_REPEATED,
    play_pb2.AnswerIgnored.REASON_UNKNOWN,
)
_CODES: Final = (
    play_pb2.Warning.CODE_UNKNOWN_MESSAGE,
    play_pb2.Warning.CODE_UNEXPECTED_MESSAGE,
    play_pb2.Warning.CODE_OUT_OF_RANGE,
    play_pb2.Warning.CODE_DEBUG_CUT,
)


async def reject(server: ScriptedServer) -> None:
    """Reject an answer as illegal; close a decision before it is answered. The bot must continue with the next."""
    connection, seat = await begun(server)
    await seat.ask()
    await seat.receive_answer()
    illegal = play_pb2.DecisionClosed.CAUSE_ILLEGAL_ACTION
    await connection.send(seat.closed(illegal, "The action is not legal: this is a test."))
    await server.waiter.pause()
    await seat.decide(requirements.NO_TRY)
    question = seat.question()
    late = play_pb2.DecisionClosed.CAUSE_TIME_FORFEIT
    await connection.send(question, seat.closed(late, "The answer was late: this is a test."))
    await seat.decide(requirements.NO_TRY)
    await seat.play(2)


async def ignored(server: ScriptedServer) -> None:
    """Send news about answers that had no effect, and warnings, between decisions and while one is open."""
    connection, seat = await begun(server)
    sentence = "This is a test: go on as if nothing were the matter."
    for reason in _REASONS:
        await connection.send(seat.ignored(reason, sentence))
    await seat.ask()
    for code in _CODES:
        await connection.send(play_pb2.Warning(code=code, assignment=1, sentence=sentence))
    await seat.answered(requirements.NEWS)
    await seat.play(2)


async def newer(server: ScriptedServer) -> None:
    """Send kinds, fields and enum values that the bot cannot know with each frame and the last goodbye."""
    connection = await server.first_hello()
    connection.rewrite = as_from_a_newer_arena
    await connection.send(server.welcome(), play_pb2.Ping(id=1))
    await connection.receive("pong", requirements.NEWER)
    seat = await a_seat(server, connection)
    await seat.decide(requirements.NEWER)
    await connection.send(
        play_pb2.Warning(code=UNKNOWN_VALUE, sentence="A warning of a newer arena."),  # type: ignore[arg-type]
        seat.ignored(UNKNOWN_VALUE, "A reason of a newer arena."),  # type: ignore[arg-type]
    )
    await seat.ask()
    await seat.receive_answer(requirements.NEWER)
    await connection.send(seat.closed(UNKNOWN_VALUE, "A cause of a newer arena."))  # type: ignore[arg-type]
    await seat.decide(requirements.NEWER)
    ended = seat.ended()
    ended.match.state = match_pb2.MatchState.ValueType(UNKNOWN_VALUE)
    for each in ended.match.seats:
        each.ending.termination = ending_pb2.Termination.ValueType(UNKNOWN_VALUE)
    await connection.send(ended)
    following = await a_seat(server, connection, 2)
    await following.decide(requirements.NEWER)
    await connection.send(play_pb2.Goodbye(code=UNKNOWN_VALUE, sentence="A goodbye of a newer arena."))  # type: ignore[arg-type]
    connection.end()
    await server.ended(requirements.END)


SCENARIOS: Final = (
    Scenario("reject", "Continues when a decision was closed as illegal or as late.", reject),
    Scenario("ignored", "Treats ignored answers and warnings as news, not as errors.", ignored),
    Scenario("newer", "Ignores kinds, fields and enum values of a newer arena.", newer),
)
