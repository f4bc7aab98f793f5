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


async def told_anew(stage: ScriptedServer, seat: BotSeat, *, is_asked: bool) -> BotConnection:
    """The bot has come back, and is told its seat anew, with the decision if that is still open. Raises UnmetError."""
    talk = await stage.back()
    seat.talk = talk
    told: list[Message] = [
        stage.welcome(resumed=True, assignments=1),
        seat.assigned(),
        seat.started(comeback=True),
    ]
    if is_asked and seat.decision is not None:
        told.append(seat.decision)
    await talk.say(*told)
    return talk


async def reset(stage: ScriptedServer) -> None:
    """The connection is reset twice: once an answer is lost with it, once it has arrived."""
    talk = await stage.welcomed()
    seat = await a_seat(stage, talk)
    await seat.play(2)
    await seat.ask()
    await seat.hear_answer()
    stage.cut()
    await told_anew(stage, seat, is_asked=True)
    await seat.answered(requirements.ANSWER_AGAIN)
    stage.cut()
    await told_anew(stage, seat, is_asked=False)
    await stage.waiting.pause()
    await seat.play(2)
    await seat.end()


async def stream_end(stage: ScriptedServer) -> None:
    """The call ends without goodbye, with each of two statuses, while a decision is open."""
    talk = await stage.welcomed()
    seat = await a_seat(stage, talk)
    await seat.play(2)
    for status in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.OK):
        await seat.ask()
        talk.end(status)
        talk = await told_anew(stage, seat, is_asked=True)
        await seat.answered(requirements.ANSWER_AGAIN)
    await seat.play(2)


async def lost_welcome(stage: ScriptedServer) -> None:
    """The connection is lost again before the bot is welcomed back."""
    talk = await stage.welcomed()
    seat = await a_seat(stage, talk)
    await seat.play(2)
    for _ in range(2):
        stage.cut()
        await stage.back()
    stage.cut()
    await told_anew(stage, seat, is_asked=False)
    await seat.play(2)


async def missed_end(stage: ScriptedServer) -> None:
    """A match ends while the bot is away: once it is told of that, once the match is not told anew."""
    talk = await stage.welcomed()
    first = await a_seat(stage, talk, 1)
    await first.play(2)
    stage.cut()
    talk = await stage.back()
    await talk.say(stage.welcome(resumed=True), first.ended())
    second = await a_seat(stage, talk, 2)
    await second.play(2)
    stage.cut()
    talk = await stage.back()
    await talk.say(stage.welcome(resumed=True), play_pb2.Ping(id=1))
    third = await a_seat(stage, talk, 3, requirements.NOT_TOLD_ANEW)
    await third.play(2)


async def forgotten(stage: ScriptedServer) -> None:
    """The arena was started again: nothing is resumed, and assignments count from 1 again."""
    talk = await stage.welcomed()
    seat = await a_seat(stage, talk)
    await seat.play(3)
    stage.cut()
    talk = await stage.back()
    await talk.say(stage.welcome(), play_pb2.Ping(id=1))
    again = await a_seat(stage, talk)
    for _ in range(4):
        await again.ask()
        await again.answered(requirements.FORGOTTEN)


async def unreachable(stage: ScriptedServer) -> None:
    """Nobody answers when the program starts, and again for a while in the middle of a match."""
    await stage.nobody_there(requirements.FIRST_CONNECT)
    talk = await stage.first_hello(requirements.FIRST_CONNECT)
    await talk.say(stage.welcome(), play_pb2.Ping(id=1))
    seat = await a_seat(stage, talk)
    await seat.play(2)
    await stage.nobody_there(requirements.COME_BACK)
    await told_anew(stage, seat, is_asked=False)
    await seat.play(2)


async def early_loss(stage: ScriptedServer) -> None:
    """The connection is lost behind the first hello: there is nothing to resume, and the bot says hello again."""
    await stage.first_hello()
    stage.cut()
    talk = await stage.hello(requirements.COME_BACK)
    await talk.say(stage.welcome(), play_pb2.Ping(id=1))
    seat = await a_seat(stage, talk)
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
