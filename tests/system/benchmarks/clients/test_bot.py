"""The bot of the benchmark: what it answers, when it keeps its answers back, and what it takes for trouble."""

import asyncio
from collections.abc import Sequence

import pytest

from arena.v1 import match_pb2, play_pb2
from benchmarks.clients.bot import Bot, Ends
from benchmarks.clients.tally import Tally


class Line:
    """A link that the test is the other end of."""

    def __init__(self) -> None:
        self._incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.frames: list[list[play_pb2.ClientMessage]] = []

    async def read(self) -> bytes | None:
        return await self._incoming.get()

    async def write(self, frame: bytes) -> None:
        self.frames.append(list(play_pb2.PlayRequest.FromString(frame).messages))

    async def say(self, *messages: play_pb2.ServerMessage) -> None:
        """One frame for the bot; returns when it has dealt with it."""
        self._incoming.put_nowait(play_pb2.PlayResponse(messages=messages).SerializeToString())
        for _ in range(3):  # the bot wakes up, reads, and deals with it
            await asyncio.sleep(0)

    def answers(self) -> list[tuple[int, int, int]]:
        """Return assignment, decision and index of all answers."""
        messages = (message for frame in self.frames for message in frame if message.HasField("answer"))
        return [(each.answer.assignment, each.answer.decision, each.answer.index) for each in messages]


def assigned(assignment: int, seat: int = 0) -> play_pb2.ServerMessage:
    match = f"matches/{assignment}"
    return play_pb2.ServerMessage(assigned=play_pb2.Assigned(assignment=assignment, match=match, seat=seat))


def decision(assignment: int, number: int = 1, listed: int = 5) -> play_pb2.ServerMessage:
    return play_pb2.ServerMessage(
        decision=play_pb2.Decision(assignment=assignment, decision=number, packed_legal_actions=range(listed))
    )


def ended(assignment: int, decisions: int, *, strikes: int = 0, void: str = "") -> play_pb2.ServerMessage:
    match = match_pb2.Match(
        state=match_pb2.MATCH_STATE_ABORTED if void else match_pb2.MATCH_STATE_FINISHED,
        seats=[match_pb2.MatchSeat(decisions=decisions, strikes=strikes)],
        void_reason=void,
    )
    return play_pb2.ServerMessage(match_ended=play_pb2.MatchEnded(assignment=assignment, match=match))


OPEN, CLOSE = "open", "close"
"""Steps of a conversation that are done to the bot; all others are messages of one frame."""


def talk(*steps: Sequence[play_pb2.ServerMessage] | str) -> tuple[Line, Ends]:
    """Run a conversation; return what was sent in it, and the bot."""

    async def run() -> tuple[Line, Ends]:
        line, ends = Line(), Ends()
        bot = Bot(line, play_pb2.Hello(language="python"), ends)
        running = asyncio.create_task(bot.run(lambda: None))
        await asyncio.sleep(0)
        for step in steps:
            if step == OPEN:
                await bot.open(Tally())
            elif step == CLOSE:
                bot.close()
            else:
                assert not isinstance(step, str)
                await line.say(*step)
        running.cancel()
        return line, ends

    return asyncio.run(run())


def test_it_introduces_itself_and_is_ready_even_before_it_may_answer() -> None:
    ping = play_pb2.ServerMessage(ping=play_pb2.Ping(id=8))
    line, _ = talk([assigned(3)], [ping], [decision(3)])
    assert [frame[0].WhichOneof("kind") for frame in line.frames] == ["hello", "ready", "pong"]


def test_answers_wait_until_the_gate_is_opened_and_then_go_out_at_once() -> None:
    waiting = ([assigned(1), assigned(2)], [decision(1), decision(2)])
    assert talk(*waiting)[0].answers() == []
    assert [answer[0] for answer in talk(*waiting, OPEN)[0].answers()] == [1, 2]
    more = (*waiting, OPEN, [decision(1, 2)])
    assert len(talk(*more)[0].answers()) == 3
    assert len(talk(*more, CLOSE, [decision(1, 3)])[0].answers()) == 3


def test_however_many_answers_were_kept_no_frame_holds_more_than_it_may() -> None:
    line, _ = talk(*([assigned(number), decision(number)] for number in range(1, 151)), OPEN)
    assert [len(frame) for frame in line.frames if frame[0].HasField("answer")] == [64, 64, 22]


def test_every_answer_is_in_the_list_and_all_of_the_list_comes_up() -> None:
    questions = ([decision(1, number, listed=9)] for number in range(1, 200))
    assert {index for *_, index in talk(OPEN, [assigned(1)], *questions)[0].answers()} == set(range(9))


@pytest.mark.parametrize(
    ("asked", "counted", "lost"), [((1, 2), 2, 0), ((1,), 3, 2)], ids=["all is well", "two are lost"]
)
def test_answers_and_decisions_of_a_match_that_ended_are_compared(
    asked: Sequence[int], counted: int, lost: int
) -> None:
    questions = [decision(1, number) for number in asked]
    _, ends = talk(OPEN, [assigned(1), *questions], [ended(1, decisions=counted)])
    assert ends == Ends(seats=1, decisions=counted, lost=lost, troubles=[])


def test_strikes_void_matches_and_whatever_else_is_said_are_trouble() -> None:
    goodbye = play_pb2.ServerMessage(goodbye=play_pb2.Goodbye(sentence="Too many messages."))
    _, ends = talk(
        [assigned(1), assigned(2)],
        [ended(1, 0, strikes=1)],
        [ended(2, 0, void="the disk was full")],
        [goodbye],
    )
    strikes, void, said = ends.troubles
    assert strikes == "matches/1 ended with strikes"
    assert void.startswith("matches/2 ")
    assert "the disk was full" in void
    assert "Too many messages." in said


def test_no_two_bots_play_alike() -> None:
    questions = [[decision(1, number, listed=1_000)] for number in range(1, 21)]
    one, other = (talk([assigned(1)], OPEN, *questions)[0].answers() for _ in range(2))
    assert one != other
