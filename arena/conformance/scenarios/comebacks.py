"""Connections that are lost."""

from typing import Final

import grpc

from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection
from arena.conformance.bot_seat import BotSeat
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat, begun, leave_without_match
from arena.conformance.scripted_server import ScriptedServer
from arena.v1 import play_pb2


async def resume(server: ScriptedServer, seat: BotSeat, *, is_asked: bool) -> BotConnection:
    """Resume the session: announce the seat again, with the decision if it is still open. Raises UnmetError."""
    seat.connection = await server.back()
    asked = [seat.decision] if is_asked and seat.decision is not None else []
    welcome = server.welcome(resumed=True, assignments=1)
    await seat.connection.send(welcome, seat.assigned(), seat.started(comeback=True), *asked)
    return seat.connection


async def reset(server: ScriptedServer) -> None:
    """Reset the connection twice: with an answer lost, and with the answer received."""
    _, seat = await begun(server)
    await seat.ask()
    await seat.receive_answer()
    server.cut()
    await resume(server, seat, is_asked=True)
    await seat.answered(requirements.ANSWER_AGAIN)
    server.cut()
    await resume(server, seat, is_asked=False)
    await server.waiter.pause()
    await seat.play(2)
    await seat.end()


async def stream_end(server: ScriptedServer) -> None:
    """End the call without goodbye, with each of two statuses, while a decision is open."""
    connection, seat = await begun(server)
    for status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.OK):
        await seat.ask()
        connection.end(status)
        connection = await resume(server, seat, is_asked=True)
        await seat.answered(requirements.ANSWER_AGAIN)
    await seat.play(2)


async def lost_welcome(server: ScriptedServer) -> None:
    """Lose the connection again before the welcome that follows a comeback."""
    _, seat = await begun(server)
    for _ in range(2):
        server.cut()
        await server.back()
    server.cut()
    await resume(server, seat, is_asked=False)
    await seat.play(2)


async def missed_end(server: ScriptedServer) -> None:
    """End a match while the bot is away: once announced on its return, once not. No match keeps it from leaving."""
    connection = await server.welcomed()
    first = await a_seat(server, connection, 1)
    await first.play(2)
    server.cut()
    connection = await server.back()
    await connection.send(server.welcome(resumed=True), first.ended())
    second = await a_seat(server, connection, 2)
    await second.play(2)
    server.cut()
    connection = await server.back()
    await connection.send(server.welcome(resumed=True), play_pb2.Ping(id=1))
    third = await a_seat(server, connection, 3, requirements.NOT_ANNOUNCED)
    await third.play(2)
    await third.end()
    await leave_without_match(server, connection, requirements.NOT_ANNOUNCED)


async def forgotten(server: ScriptedServer) -> None:
    """Restart the arena: nothing is resumed, and assignments count from 1 again."""
    connection, _ = await begun(server, 3)
    if connection.matches > 1:
        await a_seat(server, connection, 2)
    server.cut()
    connection = await server.admit(await server.back())
    again = await a_seat(server, connection)
    for _ in range(4):
        await again.decide(requirements.FORGOTTEN)
    await again.end()
    await leave_without_match(server, connection, requirements.FORGOTTEN)


async def unreachable(server: ScriptedServer) -> None:
    """Be unreachable when the program starts, and again for a while in the middle of a match."""
    await server.be_unreachable(requirements.FIRST_CONNECT)
    seat = await a_seat(server, await server.welcomed(requirements.FIRST_CONNECT))
    await seat.play(2)
    await server.be_unreachable(requirements.COME_BACK)
    await resume(server, seat, is_asked=False)
    await seat.play(2)


async def early_loss(server: ScriptedServer) -> None:
    """Lose the connection after the first hello: there is nothing to resume, and the bot says hello again."""
    await server.first_hello()
    server.cut()
    connection = await server.admit(await server.hello(requirements.COME_BACK))
    await (await a_seat(server, connection)).play(2)


SCENARIOS: Final = (
    Scenario("reset", "Reconnects after a reset with its resume token, and continues.", reset),
    Scenario("stream-end", "Reconnects when the call ends without goodbye.", stream_end),
    Scenario("lost-welcome", "Reconnects when the connection is lost before the welcome.", lost_welcome),
    Scenario("missed-end", "Drops matches that ended while it was disconnected.", missed_end),
    Scenario("forgotten", "Starts over when the arena has forgotten its session.", forgotten),
    Scenario(
        "early-loss", "Sends hello again when the connection is lost before its first welcome.", early_loss
    ),
    Scenario("unreachable", "Keeps trying while the arena is unreachable.", unreachable),
)
