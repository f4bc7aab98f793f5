"""Bots for a replay, each with a way of its own: `bots.py NAME [ARGUMENT]`."""

import os
import sys
import time
from pathlib import Path

from arena.v1 import play_pb2
from tests.unit.conformance.one_flaw import Bot

UNHEARD = {"welcome", "ping", "goodbye"}
"""What says nothing of the match."""


class Diarist(Bot):
    """Writes down all it is told of a match, one PlayResponse in all; always answers alike.

    Its argument: the file; and how it likes to be asked, as names of enum values, `live` or `text`.
    """

    step = 7

    def hello(self) -> play_pb2.Hello:
        hello = super().hello()
        hello.games.add(game="caravanserai")
        for word in sys.argv[3:]:
            if word == "live":
                hello.preferences.live = True
            elif word == "text":
                hello.preferences.text = True
            elif word.startswith("VIEW"):
                hello.preferences.view = play_pb2.ViewForm.Value(word)
            else:
                hello.preferences.legal_actions = play_pb2.LegalActionsForm.Value(word)
        return hello

    def take(self, message: play_pb2.ServerMessage) -> None:
        if message.WhichOneof("kind") not in UNHEARD:
            with Path(sys.argv[2]).open("ab") as diary:
                diary.write(play_pb2.PlayResponse(messages=[message]).SerializeToString())
        super().take(message)

    def on_decision(self, decision: play_pb2.Decision) -> None:
        listed = len(decision.legal_actions) + len(decision.packed_legal_actions)
        self.answer(decision, self.step * decision.decision % listed)


class OtherDiarist(Diarist):
    """The same, but that it answers otherwise."""

    step = 3


class Stepper(Bot):
    """As `Bot`, but in all games."""

    def hello(self) -> play_pb2.Hello:
        hello = super().hello()
        hello.games.add(game="caravanserai")
        return hello


class ResignsAtTheSecond(Bot):
    def on_decision(self, decision: play_pb2.Decision) -> None:
        if decision.decision == 2:
            self.say(resign=play_pb2.Resign(assignment=decision.assignment))
        else:
            super().on_decision(decision)


class CountsFromOne(Bot):
    """Once it answers with the index behind the last."""

    def on_decision(self, decision: play_pb2.Decision) -> None:
        last = decision.decision == 3
        self.answer(decision, len(decision.legal_actions) if last else 0)


class ThinksTooLong(Bot):
    def on_decision(self, decision: play_pb2.Decision) -> None:
        time.sleep(0.003)
        super().on_decision(decision)


class FallsSilent(Bot):
    def on_decision(self, decision: play_pb2.Decision) -> None:
        if decision.decision < 4:
            super().on_decision(decision)


class AnswersOncePinged(Bot):
    """Answers the first decision when it has heard of the arena again."""

    pings = 0
    open: play_pb2.Decision | None = None

    def on_ping(self, ping: play_pb2.Ping) -> None:
        super().on_ping(ping)
        self.pings += 1
        if self.open is not None and self.pings > 2:
            super().on_decision(self.open)
            self.open = None

    def on_decision(self, decision: play_pb2.Decision) -> None:
        if decision.decision == 1:
            self.open = decision
        else:
            super().on_decision(decision)


class Waits(Bot):
    """Tells its process id in the file, and answers nothing."""

    def on_decision(self, decision: play_pb2.Decision) -> None:
        with Path(sys.argv[2]).open("w") as file:
            file.write(str(os.getpid()))


if __name__ == "__main__":
    sys.exit(globals()[sys.argv[1]]().live())
