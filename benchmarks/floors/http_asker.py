"""The arena's side of JSON over HTTP: it posts the decisions of a real match to the bots and reads their answers.

Arguments: the script, the port of the bots. The JSON is put together beforehand: no time of the asker's goes into it.
"""

import json
import sys
import time
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path

from google.protobuf.json_format import MessageToDict

from arena.v1 import play_pb2
from benchmarks.floors.script import SEATS, Script
from benchmarks.processes.answering import answer_commands

_HEADERS = {"Content-Type": "application/json"}


class Asker:
    """Asks two bots in turns, each on a connection of its own."""

    def __init__(self, script: Script, port: int) -> None:
        self._questions = cycle([(seat, _as_json(frame)) for seat, frame in script.frames])
        self._bots = [HTTPConnection("127.0.0.1", port) for _ in range(SEATS)]

    def play(self, seconds: float) -> dict[str, float]:
        """Return decisions in so many seconds."""
        began = time.monotonic()
        decisions = 0
        while (now := time.monotonic()) - began < seconds:
            seat, question = next(self._questions)
            bot = self._bots[seat]
            bot.request("POST", "/move", question, _HEADERS)
            json.loads(bot.getresponse().read())["index"]
            decisions += 1
        return {"decisions": decisions, "seconds": now - began}


def _as_json(frame: bytes) -> bytes:
    (message,) = play_pb2.PlayResponse.FromString(frame).messages
    return json.dumps(MessageToDict(message.decision, preserving_proto_field_name=True)).encode()


if __name__ == "__main__":
    answer_commands({"play": Asker(Script.load(Path(sys.argv[1])), int(sys.argv[2])).play})
