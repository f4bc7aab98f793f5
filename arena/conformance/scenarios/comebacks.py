"""Connections that are lost."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import Message

from arena.conformance import demands
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios.everyday import a_seat
from arena.conformance.seat import Seat
from arena.conformance.stage import Stage
from arena.conformance.talk import Talk


async def back_at(stage: Stage, *seats: Seat, asked: bool) -> Talk:
    """The bot has come back and is told its seats anew, with their open decisions if there are any."""
    talk = await stage.back()
    told: list[Message] = [stage.welcome(resumed=True, assignments=len(seats))]
    for seat in seats:
        seat.talk = talk
        told += [seat.assigned(), seat.started(comeback=True)]
        if asked and seat.decision is not None:
            told.append(seat.decision)
    await talk.say(*told)
    return talk


async def reset(stage: Stage) -> None:
    """The connection is reset twice: once an answer is lost with it, once it has arrived."""
    talk = await stage.welcomed()
    seat = await a_seat(stage, talk)
    await seat.play(2)
    await seat.ask()
    await seat.hear_answer()
    stage.cut()
    await back_at(stage, seat, asked=True)
    await seat.answered(demands.ANSWER_AGAIN)
    stage.cut()
    talk = await back_at(stage, seat, asked=False)
    await talk.quiet(demands.ONCE, but=("pong", "debug", "ready"))
    await seat.play(2)


SCENARIOS: Final = (
    Scenario("reset", "Comes back with its resume token when the connection is reset, and plays on.", reset),
)
