"""Starts processes until it is refused one, ends them all, and plays on."""

import contextlib
import subprocess

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import ByHand


def bomb() -> int:
    """Processes that could be started."""
    started: list[subprocess.Popen[bytes]] = []
    with contextlib.suppress(BlockingIOError):
        while True:
            started.append(subprocess.Popen(("sleep", "86400")))
    for each in started:
        each.kill()
        each.wait()
    return len(started)


if __name__ == "__main__":
    with ByHand() as bot:  # the library would die of it, since it is refused threads
        bot.take_one_seat()
        bombed = False
        for message in bot.messages():
            if message.HasField("decision"):
                if not bombed:
                    line = play_pb2.Debug(assignment=bot.assignment, text=f"{bomb()} processes started")
                    bot.say(play_pb2.ClientMessage(debug=line))
                    bombed = True
                decision = message.decision.decision
                answer = play_pb2.Answer(assignment=bot.assignment, decision=decision, index=0)
                bot.say(play_pb2.ClientMessage(answer=answer))
            elif message.HasField("goodbye"):
                break
