"""Reads 256 bytes, waits, and reads the next ones."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import ByHand
from tests.system.misbehaving.python.visit import Visit, run


def misbehave(visit: Visit) -> None:
    with ByHand(window=256, pause_s=0.02) as bot:
        bot.take_one_seat()
        for message in bot.messages():
            if message.HasField("match_ended"):
                break
            if message.HasField("decision"):
                decision = message.decision.decision
                answer = play_pb2.Answer(assignment=bot.assignment, decision=decision, index=0)
                bot.say(play_pb2.ClientMessage(answer=answer))


if __name__ == "__main__":
    run(misbehave)
