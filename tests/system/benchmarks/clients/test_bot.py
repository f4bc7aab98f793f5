"""The bot of the benchmark: what it answers, when it keeps its answers back, and what it takes for trouble."""

import asyncio
from collections.abc import Awaitable, Callable

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


def answers_to_the_same_questions() -> list[tuple[int, int, int]]:
    async def script(line: Line, bot: Bot) -> None:
        await line.say(assigned(1))
        await bot.open(Tally())
        for number in range(1, 21):
            await line.say(decision(1, number, listed=1_000))

    return talk(script)[0].answers()


def talk(script: Callable[[Line, Bot], Awaitable[None]]) -> tuple[Line, Ends]:
    """Run a conversation; return what was sent in it, and the bot."""

    async def run() -> tuple[Line, Ends]:
        line, ends = Line(), Ends()
        bot = Bot(line, play_pb2.Hello(language="python"), ends)
        running = asyncio.create_task(bot.run(lambda: None))
        await asyncio.sleep(0)
        await script(line, bot)
        running.cancel()
        return line, ends

    return asyncio.run(run())


def test_it_introduces_itself_and_is_ready_even_before_it_may_answer() -> None:
    async def script(line: Line, bot: Bot) -> None:
        await line.say(assigned(3))
        await line.say(play_pb2.ServerMessage(ping=play_pb2.Ping(id=8)))
        await line.say(decision(3))

    line, _ = talk(script)
    assert [frame[0].WhichOneof("kind") for frame in line.frames] == ["hello", "ready", "pong"]


def test_answers_wait_until_the_gate_is_opened_and_then_go_out_at_once() -> None:
    async def script(line: Line, bot: Bot) -> None:
        await line.say(assigned(1), assigned(2))
        await line.say(decision(1), decision(2))
        assert line.answers() == []
        await bot.open(Tally())
        assert [answer[0] for answer in line.answers()] == [1, 2]
        await line.say(decision(1, 2))
        assert len(line.answers()) == 3
        bot.close()
        await line.say(decision(1, 3))
        assert len(line.answers()) == 3

    talk(script)


def test_however_many_answers_were_kept_no_frame_holds_more_than_it_may() -> None:
    async def script(line: Line, bot: Bot) -> None:
        for number in range(1, 151):
            await line.say(assigned(number), decision(number))
        await bot.open(Tally())

    line, _ = talk(script)
    assert [len(frame) for frame in line.frames if frame[0].HasField("answer")] == [64, 64, 22]


def test_every_answer_is_in_the_list_and_all_of_the_list_comes_up() -> None:
    async def script(line: Line, bot: Bot) -> None:
        await bot.open(Tally())
        await line.say(assigned(1))
        for number in range(1, 200):
            await line.say(decision(1, number, listed=9))

    assert {index for *_, index in talk(script)[0].answers()} == set(range(9))


def test_a_match_that_ends_as_it_should_leaves_no_trouble() -> None:
    async def script(line: Line, bot: Bot) -> None:
        await bot.open(Tally())
        await line.say(assigned(1), decision(1, 1), decision(1, 2))
        await line.say(ended(1, decisions=2))

    assert talk(script)[1] == Ends(seats=1, decisions=2, lost=0, troubles=[])


def test_answers_and_decisions_that_do_not_agree_are_lost_ones() -> None:
    async def script(line: Line, bot: Bot) -> None:
        await bot.open(Tally())
        await line.say(assigned(1), decision(1, 1))
        await line.say(ended(1, decisions=3))

    assert talk(script)[1].lost == 2


def test_strikes_void_matches_and_whatever_else_is_said_are_trouble() -> None:
    async def script(line: Line, bot: Bot) -> None:
        await line.say(assigned(1), assigned(2))
        await line.say(ended(1, 0, strikes=1))
        await line.say(ended(2, 0, void="the disk was full"))
        await line.say(play_pb2.ServerMessage(goodbye=play_pb2.Goodbye(sentence="Too many messages.")))

    strikes, void, goodbye = talk(script)[1].troubles
    assert strikes == "matches/1 ended with strikes"
    assert void.startswith("matches/2 ")
    assert "the disk was full" in void
    assert "Too many messages." in goodbye


def test_no_two_bots_play_alike() -> None:
    assert answers_to_the_same_questions() != answers_to_the_same_questions()
