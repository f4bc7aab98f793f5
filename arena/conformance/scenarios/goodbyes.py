"""The end of a connection: refused, ended for a while, replaced, or left."""

import signal
from typing import Final

import grpc

from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection
from arena.conformance.bot_process import how_ended
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat, begun
from arena.conformance.scripted_server import ScriptedServer
from arena.conformance.verdict import UnmetError
from arena.v1 import play_pb2

_PAUSE_MS: Final = 1_500


async def _refuse(
    server: ScriptedServer,
    connection: BotConnection,
    goodbye: play_pb2.Goodbye,
    status: grpc.StatusCode = grpc.StatusCode.OK,
) -> None:
    """Refuse the connection with this goodbye.

    Raises UnmetError: the program does not end with another code than 0 and print the sentence.
    """
    await connection.send(goodbye)
    connection.end(status)
    code = await server.ended(requirements.END)
    if code == 0:
        raise UnmetError("It was refused, and its program ended with exit code 0.", requirements.REFUSED)
    if goodbye.sentence not in " ".join((await server.output()).split()):
        what = f'It was refused, and its program did not print "{goodbye.sentence}"'
        raise UnmetError(what, requirements.SENTENCE)


async def token(server: ScriptedServer) -> None:
    """Refuse the token before the hello is read."""
    connection = await server.first_call()
    await connection.accept()
    goodbye = play_pb2.Goodbye(
        code=play_pb2.Goodbye.CODE_UNAUTHENTICATED,
        reason="TOKEN_INVALID",
        sentence="The token is not valid: this is a test.",
    )
    await _refuse(server, connection, goodbye, grpc.StatusCode.UNAUTHENTICATED)


async def version(server: ScriptedServer) -> None:
    """Refuse the hello."""
    connection = await server.first_hello()
    goodbye = play_pb2.Goodbye(
        code=play_pb2.Goodbye.CODE_VERSION_UNSUPPORTED,
        reason="VERSION_UNSUPPORTED",
        sentence="This arena speaks another protocol: this is a test.",
    )
    await _refuse(server, connection, goodbye, grpc.StatusCode.FAILED_PRECONDITION)


async def replaced(server: ScriptedServer) -> None:
    """Let another connection take over the session in the middle of a match."""
    connection, _ = await begun(server)
    goodbye = play_pb2.Goodbye(
        code=play_pb2.Goodbye.CODE_REPLACED, sentence="Another connection has taken over: this is a test."
    )
    await _refuse(server, connection, goodbye)


async def pause(server: ScriptedServer) -> None:
    """End the connection for a while, and say when to come back."""
    connection = await server.first_hello()
    goodbye = play_pb2.Goodbye(
        code=play_pb2.Goodbye.CODE_RATE_LIMITED,
        reason="RATE_LIMITED",
        sentence="Too many connections were opened: this is a test.",
        come_back=True,
        come_back_after_ms=_PAUSE_MS,
    )
    code = await server.say_goodbye(connection, goodbye, grpc.StatusCode.RESOURCE_EXHAUSTED)
    if code is not None:
        what = f"It was asked to come back later, and its program ended ({how_ended(code)})."
        raise UnmetError(what, requirements.COME_BACK_LATER)
    connection = await server.admit(await server.hello(requirements.COME_BACK_LATER))
    await (await a_seat(server, connection)).play(2)


async def drain(server: ScriptedServer) -> None:
    """Shut down: finish the match in play, then end the connection."""
    connection, seat = await begun(server)
    await connection.send(play_pb2.Draining(within_ms=10_000))
    await seat.decide(requirements.DRAINING)
    await seat.end()
    goodbye = play_pb2.Goodbye(
        code=play_pb2.Goodbye.CODE_SHUTTING_DOWN,
        reason="DRAINING",
        sentence="The arena shuts down: this is a test.",
        come_back=True,
        come_back_after_ms=_PAUSE_MS,
    )
    code = await server.say_goodbye(connection, goodbye, grpc.StatusCode.UNAVAILABLE)
    if code not in {None, 0}:
        what = f"The arena shut down, and its program ended ({how_ended(code)})."
        raise UnmetError(what, requirements.COME_BACK_LATER)


async def leave(server: ScriptedServer) -> None:
    """Send the program SIGTERM in the middle of a match."""
    connection, seat = await begun(server)
    server.signal(signal.SIGTERM)
    await connection.receive("capacity", requirements.LEAVE, where=lambda capacity: capacity.matches == 0)
    await seat.decide(requirements.LEAVE)
    if connection.matches > 1:  # One more assignment has crossed `capacity` on its way.
        crossed = await a_seat(server, connection, 2, requirements.CROSSED)
        await crossed.decide(requirements.CROSSED)
        await crossed.end()
    await seat.end()
    await connection.receive_half_close(requirements.LEAVE)
    await connection.send(play_pb2.Goodbye(code=play_pb2.Goodbye.CODE_DONE, sentence="All done."))
    connection.end()
    code = await server.ended(requirements.LEAVE)
    if code:
        raise UnmetError(f"It left properly, but its program ended ({how_ended(code)}).", requirements.LEAVE)


async def stop(server: ScriptedServer) -> None:
    """Send the program SIGTERM while nothing listens at the address: it knows of no match, and ends."""
    await server.be_unreachable(requirements.FIRST_CONNECT, back=False)
    server.signal(signal.SIGTERM)
    await server.ended(requirements.STOP, "end after SIGTERM")


async def stop_in_match(server: ScriptedServer) -> None:
    """Send the program SIGTERM when its connection was lost in a match, and nothing listens any more."""
    await begun(server)
    await server.be_unreachable(requirements.COME_BACK, back=False)
    server.signal(signal.SIGTERM)
    await server.ended(requirements.STOP_IN_MATCH, "end after SIGTERM")


SCENARIOS: Final = (
    Scenario("token", "Prints the reason and exits when its token is refused.", token),
    Scenario("version", "Prints the reason and exits when its hello is refused.", version),
    Scenario("replaced", "Exits when another connection takes over its session.", replaced),
    Scenario("pause", "Comes back no earlier than the goodbye says.", pause),
    Scenario("drain", "Finishes its matches while the arena drains, and obeys the goodbye.", drain),
    Scenario(
        "leave",
        "On SIGTERM, takes no more matches and finishes the running ones.",
        leave,
        advice=(requirements.LEAVE, requirements.CROSSED),
    ),
    Scenario("stop", "Ends on SIGTERM while it cannot connect.", stop),
    Scenario("stop-in-match", "Ends on SIGTERM when its connection was lost in a match.", stop_in_match),
)
