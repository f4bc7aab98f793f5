"""An arena that says what a test tells it to, over real gRPC on a Unix socket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

from arena.games.caravan.v1 import caravan_pb2
from arena.sdk.settings import Endpoint
from arena.v1 import games_pb2, match_pb2, play_pb2

PASS = games_pb2.Action(caravan=caravan_pb2.Action(pass_turn=caravan_pb2.Pass()))


def place(square: int) -> games_pb2.Action:
    return games_pb2.Action(caravan=caravan_pb2.Action(place=caravan_pb2.Place(to_square=square)))


class Line:
    """One connection as the arena sees it."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._received: list[play_pb2.ClientMessage] = []
        self.metadata = dict(context.invocation_metadata())
        self.frames: list[int] = []
        """How many messages each frame held."""

    async def send(self, **kinds: Any) -> None:
        """Send one frame with a message of each kind given."""
        await self.send_frame(*(play_pb2.ServerMessage(**{kind: body}) for kind, body in kinds.items()))

    async def send_frame(self, *messages: play_pb2.ServerMessage) -> None:
        await self._context.write(play_pb2.PlayResponse(messages=messages))

    async def receive(self) -> play_pb2.ClientMessage:
        """Return the bot's next message. Raises EOFError: when it has half-closed."""
        while not self._received:
            frame = await self._context.read()
            if frame is aio.EOF:
                raise EOFError("the bot has half-closed")
            self.frames.append(len(frame.messages))
            self._received.extend(frame.messages)
        return self._received.pop(0)

    async def expect(self, kind: str) -> Any:
        """Return the bot's next message, which must be of this kind."""
        message = await self.receive()
        assert message.WhichOneof("kind") == kind, message
        return getattr(message, kind)

    async def expect_half_close(self) -> None:
        try:
            message = await self.receive()
        except EOFError:
            return
        raise AssertionError(f"the bot said more: {message}")

    async def welcome(self, **fields: Any) -> play_pb2.Hello:
        """Read the bot's hello and welcome it; a session that is resumed has one assignment by default."""
        fields.setdefault("assignments", 1 if fields.get("resumed") else 0)
        hello = await self.expect("hello")
        assert isinstance(hello, play_pb2.Hello)
        await self.send(welcome=play_pb2.Welcome(protocol=1, bot="bots/tester", session="s1", **fields))
        return hello

    async def start(self, assignment: int = 1, **fields: Any) -> None:
        """Seat the bot in a match of two, wait until it is ready, and start the match."""
        await self.send(assigned=an_assignment(assignment, **fields))
        assert (await self.expect("ready")).assignment == assignment
        await self.send(match_started=a_start(assignment))

    async def ask(self, number: int = 1, assignment: int = 1, **fields: Any) -> play_pb2.Answer:
        """Ask for a decision and return the bot's answer."""
        await self.send(decision=a_decision(number, assignment, **fields))
        answer = await self.expect("answer")
        assert isinstance(answer, play_pb2.Answer)
        return answer

    async def ping(self) -> None:
        """Ping the bot and wait for its pong, after which it has read all before it."""
        await self.send(ping=play_pb2.Ping(id=1))
        await self.expect("pong")

    async def goodbye(self, code: play_pb2.Goodbye.Code.ValueType, **fields: Any) -> None:
        await self.send(goodbye=play_pb2.Goodbye(code=code, **fields))

    async def abort(self, code: grpc.StatusCode, details: str) -> None:
        """End the call at once with a status, as a lost connection or the library itself would."""
        await self._context.abort(code, details)


Script = Callable[[Line], Awaitable[None]]


def welcomed(script: Script, **fields: Any) -> Script:
    """Return a script with a welcome before it and a goodbye after it."""

    async def whole(line: Line) -> None:
        await line.welcome(**fields)
        await script(line)
        await line.goodbye(play_pb2.Goodbye.CODE_DONE)

    return whole


def seated(script: Script) -> Script:
    """Return a script with a welcome and the start of match 1 before it and a goodbye after it."""

    async def whole(line: Line) -> None:
        await line.start()
        await script(line)

    return welcomed(whole)


@asynccontextmanager
async def an_arena(folder: Path, *scripts: Script) -> AsyncIterator[Endpoint]:
    """Serve the n-th connection with the n-th script; afterwards all scripts have run and none has failed."""
    waiting = list(scripts)
    failures: list[BaseException] = []

    async def play(_requests: object, context: Any) -> None:
        await context.send_initial_metadata(())
        try:
            assert waiting, "the bot connected once more than the test expects"
            await waiting.pop(0)(Line(context))
        except (AssertionError, EOFError) as error:
            failures.append(error)
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the script failed")

    method = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=play_pb2.PlayRequest.FromString,
        response_serializer=play_pb2.PlayResponse.SerializeToString,
    )
    server = aio.server()
    service = grpc.method_handlers_generic_handler("arena.v1.PlayService", {"Play": method})
    server.add_generic_rpc_handlers((service,))
    address = f"unix://{folder}/arena.sock"
    server.add_insecure_port(address)
    await server.start()
    try:
        async with asyncio.timeout(60):  # only so that a broken sdk fails the test instead of hanging it
            yield Endpoint(address=address, token="a-token")
    finally:
        await server.stop(None)
    for failure in failures:
        raise failure
    assert not waiting, "the bot did not come back"


def an_assignment(assignment: int = 1, **fields: Any) -> play_pb2.Assigned:
    fields.setdefault("game", "caravan")
    return play_pb2.Assigned(
        assignment=assignment,
        match=f"matches/{assignment}",
        rules_version=1,
        options=games_pb2.GameOptions(caravan=caravan_pb2.Options(camels=5)),
        seats=2,
        seat=1,
        **fields,
    )


def a_start(assignment: int = 1, **fields: Any) -> play_pb2.MatchStarted:
    return play_pb2.MatchStarted(
        assignment=assignment,
        participants=[play_pb2.Participant(bot="bots/other"), play_pb2.Participant(bot="bots/tester")],
        view=a_view(),
        **fields,
    )


def a_view(turn: int = 1) -> games_pb2.Observation:
    return games_pb2.Observation(caravan=caravan_pb2.Observation(turn=turn))


def a_decision(number: int = 1, assignment: int = 1, **fields: Any) -> play_pb2.Decision:
    """Return a decision with three typed legal actions: pass, place on 0, place on 1."""
    fields.setdefault("legal_actions", [PASS, place(0), place(1)])
    return play_pb2.Decision(
        assignment=assignment,
        decision=number,
        view=a_view(number),
        per_decision_ms=1000,
        bank_ms=5000,
        increment_ms=50,
        time_left_ms=6000,
        **fields,
    )


def an_end(assignment: int = 1) -> play_pb2.MatchEnded:
    """Return the end of a match that the bot's seat 1 has won."""
    seats = [match_pb2.MatchSeat(placing=2, score=3), match_pb2.MatchSeat(placing=1, score=7)]
    seats[1].ending.sentence = "Played to its end."
    match = match_pb2.Match(name=f"matches/{assignment}", ending="FINAL_DELIVERY", seats=seats)
    return play_pb2.MatchEnded(assignment=assignment, match=match, view=a_view(9))
