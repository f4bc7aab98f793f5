"""How a connection begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.conformance import demands
from arena.conformance.scenario import Scenario
from arena.conformance.stage import Stage
from arena.conformance.verdict import UnmetError
from arena.v1 import play_pb2

_PROTOCOL: Final = 1
_LABELS: Final = {"bot_version": 64, "language": 32, "software": 64}
"""The longest that each label of a hello may be, in characters."""


async def hello(stage: Stage) -> None:
    """The bot introduces itself as the page asks."""
    talk = await stage.first_hello()
    said = talk.hello
    if not said.lowest_protocol <= _PROTOCOL <= said.highest_protocol:
        spoken = f"protocol {said.lowest_protocol} to {said.highest_protocol}"
        raise UnmetError(f"Its hello offers {spoken}; this arena speaks {_PROTOCOL}.", demands.PROTOCOL)
    stage.game(talk)
    for label, longest in _LABELS.items():
        text: str = getattr(said, label)
        if len(text) > longest or not text.isprintable() or "/" in text:
            raise UnmetError(
                f"hello.{label} is {text!r}: at most {longest} printable characters without '/'.",
                demands.LABELS,
            )
    if talk.matches == 0:
        raise UnmetError("Its hello takes 0 matches, so it would never get one.", demands.CAPACITY)
    await talk.say(stage.welcome())
    await talk.quiet(demands.HELLO_FIRST)


async def metadata(stage: Stage) -> None:
    """The initial metadata come late: the bot writes nothing before."""
    await stage.door.open()
    stage.start()
    talk = await stage.called(demands.ADDRESS)
    await talk.quiet(demands.METADATA_FIRST)
    await talk.accept()
    await talk.hear_hello()


async def ping(stage: Stage) -> None:
    """Pings are answered, each by its id, also while a decision is open."""
    talk = await stage.welcomed()
    for number in (1, 2, 3):
        await talk.hear("pong", demands.PONG, where=_answers(number))
        await talk.say(play_pb2.Ping(id=number + 1))
    await talk.say(play_pb2.Ping(id=4_000_000_000), play_pb2.Ping(id=0))
    for number in (4, 4_000_000_000, 0):
        await talk.hear("pong", demands.PONG, where=_answers(number))


def _answers(number: int) -> Callable[[play_pb2.Pong], bool]:
    return lambda pong: pong.id == number


SCENARIOS: Final = (
    Scenario(
        "hello", "Says hello, with the token in the metadata, and waits for what comes.", hello, opens=True
    ),
    Scenario("metadata", "Writes nothing before the arena's initial metadata have come.", metadata),
    Scenario("ping", "Answers pings at once, each with its own id.", ping),
)
