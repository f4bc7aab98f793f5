"""Bots of a test that play whatever comes."""

from collections.abc import Callable

from arena.v1 import match_pb2, play_pb2
from tests.system.play.raw_bot import RawBot


def play_on(
    bot: RawBot,
    matches: int | None = None,
    *,
    choose: Callable[[play_pb2.Decision], int] = lambda _: 0,
    on_end: Callable[[], object] = lambda: None,
) -> list[match_pb2.Match]:
    """Take every seat and answer every decision until so many matches have ended, or the stream; return them.

    `choose` returns the index of a legal action; `on_end` is called after each match.
    """
    ended: list[match_pb2.Match] = []
    while len(ended) != matches and (message := bot.hear_any()) is not None:
        if message.HasField("assigned"):
            bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
        elif message.HasField("decision"):
            bot.answer(message.decision, choose(message.decision))
        elif message.HasField("match_ended"):
            ended.append(message.match_ended.match)
            on_end()
    return ended
