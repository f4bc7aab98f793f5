"""Connections that are lost."""

from __future__ import annotations

from typing import Final

import grpc
from google.protobuf.message import Message

from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection
from arena.conformance.bot_seat import BotSeat
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat
from arena.conformance.scripted_server import ScriptedServer
from arena.v1 import play_pb2


async def told_anew(server: ScriptedServer, seat: BotSeat, *, is_asked: bool) -> BotConnection:
    """The bot has come back, and is told its seat anew, with the decision if that is still open. Raises UnmetError."""
    connection = await server.back()
    seat.connection = connection
    told: list[Message] = [
        server.welcome(resumed=True, assignments=1),
        seat.assigned(),
        seat.started(comeback=True),
    ]
    if is_asked and seat.decision is not None:
        told.append(seat.decision)
    await connection.say(*told)
    return connection


async def reset(server: ScriptedServer) -> None:
    """The connection is reset twice: once an answer is lost with it, once it has arrived."""
    connection = await server.welcomed()
    seat = await a_seat(server, connection)
    await seat.play(2)
    await seat.ask()
    await seat.hear_answer()
    server.cut()
    await told_anew(server, seat, is_asked=True)
    await seat.answered(requirements.ANSWER_AGAIN)
    server.cut()
    await told_anew(server, seat, is_asked=False)
    await server.waiting.pause()
    await seat.play(2)
    await seat.end()


async def stream_end(server: ScriptedServer) -> None:
    """The call ends without goodbye, with each of two statuses, while a decision is open."""
    connection = await server.welcomed()
    seat = await a_seat(server, connection)
    await seat.play(2)
    for status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.OK):
        await seat.ask()
        connection.end(status)
        connection = await told_anew(server, seat, is_asked=True)
        await seat.answered(requirements.ANSWER_AGAIN)
    await seat.play(2)


async def lost_welcome(server: ScriptedServer) -> None:
    """The connection is lost again before the bot is welcomed back."""
    connection = await server.welcomed()
    seat = await a_seat(server, connection)
    await seat.play(2)
    for _ in range(2):
        server.cut()
        await server.back()
    server.cut()
    await told_anew(server, seat, is_asked=False)
    await seat.play(2)


async def missed_end(server: ScriptedServer) -> None:
    """A match ends while the bot is away: once it is told of that, once the match is not told anew."""
    connection = await server.welcomed()
    first = await a_seat(server, connection, 1)
    await first.play(2)
    server.cut()
    connection = await server.back()
    await connection.say(server.welcome(resumed=True), first.ended())
    second = await a_seat(server, connection, 2)
    await second.play(2)
    server.cut()
    connection = await server.back()
    await connection.say(server.welcome(resumed=True), play_pb2.Ping(id=1))
    third = await a_seat(server, connection, 3, requirements.NOT_ANNOUNCED)
    await third.play(2)


async def forgotten(server: ScriptedServer) -> None:
    """The arena was started again: nothing is resumed, and assignments count from 1 again."""
    connection = await server.welcomed()
    seat = await a_seat(server, connection)
    await seat.play(3)
    server.cut()
    connection = await server.back()
    await connection.say(server.welcome(), play_pb2.Ping(id=1))
    again = await a_seat(server, connection)
    for _ in range(4):
        await again.ask()
        await again.answered(requirements.FORGOTTEN)


async def unreachable(server: ScriptedServer) -> None:
    """Nobody answers when the program starts, and again for a while in the middle of a match."""
    await server.nobody_there(requirements.FIRST_CONNECT)
    connection = await server.first_hello(requirements.FIRST_CONNECT)
    await connection.say(server.welcome(), play_pb2.Ping(id=1))
    seat = await a_seat(server, connection)
    await seat.play(2)
    await server.nobody_there(requirements.COME_BACK)
    await told_anew(server, seat, is_asked=False)
    await seat.play(2)


async def early_loss(server: ScriptedServer) -> None:
    """The connection is lost behind the first hello: there is nothing to resume, and the bot says hello again."""
    await server.first_hello()
    server.cut()
    connection = await server.hello(requirements.COME_BACK)
    await connection.say(server.welcome(), play_pb2.Ping(id=1))
    seat = await a_seat(server, connection)
    await seat.play(2)


SCENARIOS: Final = (
    Scenario("reset", "Comes back after a reset with its resume token, and plays on.", reset),
    Scenario("stream-end", "Comes back when the call ends without goodbye.", stream_end),
    Scenario("lost-welcome", "Tries again when it is lost before it is welcomed back.", lost_welcome),
    Scenario("missed-end", "Lets go of matches that ended while it was away.", missed_end),
    Scenario("forgotten", "Begins anew when the arena has forgotten its session.", forgotten),
    Scenario("early-loss", "Says hello again when it is lost before its first welcome.", early_loss),
    Scenario("unreachable", "Tries again while nobody answers.", unreachable),
)
