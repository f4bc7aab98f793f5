"""Goodbyes after which a bot has to end."""

from __future__ import annotations

from typing import Final

import grpc

from arena.conformance import demands
from arena.conformance.scenario import Scenario
from arena.conformance.stage import Stage
from arena.conformance.verdict import UnmetError
from arena.v1 import play_pb2


async def _ends_refused(stage: Stage) -> None:
    """The program ends by itself, with a code other than 0 and a word on why."""
    code = await stage.ended(demands.END)
    if code == 0:
        raise UnmetError("It was refused, and its program ended with exit code 0.", demands.REFUSED)
    if not stage.output().strip():
        raise UnmetError("It was refused, and its program printed nothing about it.", demands.REFUSED)


async def token(stage: Stage) -> None:
    """The token is refused before hello is read."""
    await stage.door.open()
    stage.start()
    talk = await stage.called(demands.ADDRESS)
    await talk.accept()
    goodbye = play_pb2.Goodbye(
        code=play_pb2.Goodbye.CODE_UNAUTHENTICATED,
        reason="TOKEN_INVALID",
        sentence="The token is not valid: this is a test of what you do then.",
    )
    await talk.say(goodbye)
    talk.end(grpc.StatusCode.UNAUTHENTICATED)
    await _ends_refused(stage)


SCENARIOS: Final = (
    Scenario("token", "Ends when its token is refused, says so, and does not come back.", token),
)
