"""Is gone in the middle of an answer: half of an HTTP/2 frame has been sent."""

from arena.v1 import play_pb2
from tests.system.misbehaving.python.by_hand import STREAM, ByHand, prefixed, request
from tests.system.misbehaving.python.visit import Visit, run
from tests.system.play.wire import Kind, frame


def misbehave(visit: Visit) -> None:
    with ByHand() as bot:
        bot.take_one_seat()
        decision = bot.hear("decision").decision
        answer = play_pb2.Answer(assignment=bot.assignment, decision=decision.decision, index=0)
        whole = prefixed(request(play_pb2.ClientMessage(answer=answer)))
        bot.send_bytes(frame(Kind.DATA, stream=STREAM, payload=whole)[:-3])


if __name__ == "__main__":
    run(misbehave)
