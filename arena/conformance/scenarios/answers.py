"""Answers that do not count, and messages that a bot may not know."""

from typing import Final

from google.protobuf.message import Message

from arena.codecs.shared_messages import evaluation_of
from arena.conformance import requirements
from arena.conformance.bot_seat import BotSeat
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat, begun
from arena.conformance.scripted_match import ScriptedMatch
from arena.conformance.scripted_server import ScriptedServer
from arena.conformance.verdict import UnmetError
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
    play_pb2.Warning.CODE_EVALUATION_IGNORED,
)

_EVALUATED: Final = 8
"""So many decisions of a match are tried for their evaluations."""


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


async def evaluation(server: ScriptedServer) -> None:
    """Play the begin of a match of the fewest and of the most seats: is every evaluation that it sends in bounds?"""
    connection = await server.welcomed()
    spec = server.game(connection).spec
    for assignment, size in enumerate(sorted({spec.min_seats, spec.max_seats}), 1):
        match = ScriptedMatch(server.game(connection), assignment, seats=size, own=(0,))
        seat = BotSeat(connection, match, seat=0, assignment=assignment)
        await seat.begin()
        for _ in range(_EVALUATED):
            if match.next_seat() != seat.seat:
                break
            await seat.ask()
            answer = await seat.receive_answer()
            _check_evaluation(answer, size)
            seat.take(answer)
        await seat.end()


def _check_evaluation(answer: play_pb2.Answer, seats: int) -> None:
    """Raise UnmetError if the answer, in a match with so many seats, has an evaluation that is out of bounds."""
    if not answer.HasField("evaluation"):
        return
    try:
        evaluation_of(answer.evaluation, seats)
    except ValueError as error:
        which = f"decision {answer.decision} of assignment {answer.assignment}"
        what = f"The evaluation in its answer to {which} is out of bounds: {error}."
        raise UnmetError(what, requirements.EVALUATION) from None


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
    Scenario(
        "evaluation",
        "Keeps its evaluations, if it sends any, within their bounds.",
        evaluation,
        advice=(requirements.EVALUATION,),
    ),
    Scenario("newer", "Ignores kinds, fields and enum values of a newer arena.", newer),
)
