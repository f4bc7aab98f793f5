"""Connections of the bots in this folder, the report of all that they heard, and their entry point."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import grpc
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from arena.v1 import play_pb2
from tests.system.play.raw_bot import RawBot, hello

ADDRESS = os.environ["ARENA_ADDRESS"]
TOKEN = os.environ.get("ARENA_TOKEN", "")
"""Empty in a program that the arena runs."""
LOOT = os.environ.get("ARENA_LOOT", "")
"""The resume token of the honest bot, for who steals."""


NO_MATCHES = play_pb2.Capacity(open_decisions=1)


class Link(RawBot):
    """One connection to the arena."""

    def __init__(self, token: str | None = TOKEN, **how: Any) -> None:
        """Open it; nothing is sent yet."""
        super().__init__(ADDRESS, token, **how)
        self.assignment = 0

    def take_one_seat(self, **fields: Any) -> Link:
        """Say hello, and take the seat of one match and of no other; the match has begun."""
        self.hello(**fields)
        self.assignment = self.hear("assigned").assignment
        self.say(capacity=play_pb2.Capacity(), ready=play_pb2.Ready(assignment=self.assignment))
        self.hear("match_started")
        return self

    def decisions(self) -> Iterator[play_pb2.Decision]:
        """Return every decision, until the match or the connection has ended."""
        for message in self.everything():
            if message.HasField("decision"):
                yield message.decision

    def everything(self) -> Iterator[play_pb2.ServerMessage]:
        """Return every message, until the match or the connection has ended."""
        while (message := self.hear_any()) is not None and not message.HasField("match_ended"):
            yield message

    def answer_number(self, decision: int) -> None:
        """Answer the decision of this number, asked or not."""
        self.say(answer=play_pb2.Answer(assignment=self.assignment, decision=decision, index=0))

    def play_on(self) -> Link:
        """Answer as it should, until the match has ended."""
        for decision in self.decisions():
            self.answer(decision)
        return self

    def leave(self) -> Link:
        """Leave as it should."""
        self.half_close()
        return self.hear_all()

    def hear_all(self) -> Link:
        """Listen until the arena has ended the connection."""
        while self.hear_any() is not None:
            pass
        return self

    def end(self) -> str:
        """Return how the arena has ended the connection, in one line; empty if it has not."""
        if self.status is None:
            return ""
        goodbyes = [message.goodbye for message in self.heard if message.HasField("goodbye")]
        if not goodbyes:
            return f"{self.status.name}: {self._call.details()}"
        if "grpc-status-details-bin" in self.trailing:
            self._check_same(goodbyes[-1])
        code = play_pb2.Goodbye.Code.Name(goodbyes[-1].code).removeprefix("CODE_")
        return f"{self.status.name} {code}: {goodbyes[-1].sentence}"

    def _check_same(self, goodbye: play_pb2.Goodbye) -> None:
        """Check that the status says the same as the goodbye before it."""
        status = Status.FromString(self.trailing["grpc-status-details-bin"])
        info = ErrorInfo()
        assert status.details[0].Unpack(info)
        assert (info.reason, status.message) == (goodbye.reason, goodbye.sentence), (status, goodbye)

    def incidents(self) -> list[str]:
        """Return what the arena objected to, each in one line."""
        return [line for message in self.heard if (line := incident(message))]


ENUMS = {"decision_closed": "cause", "answer_ignored": "reason", "warning": "code"}
"""Kinds of messages that report a fault, and the field that says which."""


def incident(message: play_pb2.ServerMessage) -> str:
    """Return a message that reports a fault in one line; empty for any other."""
    kind = str(message.WhichOneof("kind"))
    if kind == "withdrawn":
        return f"WITHDRAWN: {message.withdrawn.sentence}"
    if kind not in ENUMS:
        return ""
    body, name = getattr(message, kind), ENUMS[kind]
    value = body.DESCRIPTOR.fields_by_name[name].enum_type.values_by_number[getattr(body, name)].name
    return f"{value.removeprefix(f'{name.upper()}_')}: {body.sentence}"


class Visit:
    """The connections of one bot, and what came of them."""

    def __init__(self) -> None:
        self._links: list[Link] = []
        self._ends: list[str] = []
        self._incidents: list[str] = []

    def dial(self, token: str | None = TOKEN, **how: Any) -> Link:
        """Open one more connection."""
        link = Link(token, **how)
        self._links.append(link)
        return link

    def seated(self, **fields: Any) -> Link:
        """Return a connection that has taken the seat of one match, which has begun."""
        return self.dial().take_one_seat(**fields)

    def back(self, resume_token: str) -> Link:
        """Return a connection that resumes a session, and takes no more matches."""
        link = self.dial()
        link.hello(resume_token=resume_token, capacity=NO_MATCHES)
        return link

    def refused(self, token: str | None = TOKEN, **fields: Any) -> None:
        """Say hello with these fields, and listen until the arena has ended the connection."""
        link = self.dial(token)
        link.say(hello=hello(**fields))
        link.hear_all()

    def note_end(self, end: str) -> None:
        """Add the end of a call of another kind, or of a plain connection."""
        self._ends.append(end)

    def note_refusal(self, call: Callable[[], object]) -> None:
        """Add how a call of another kind was refused."""
        try:
            call()
        except grpc.RpcError as error:
            self.note_end(status_of(error))

    def note_incident(self, line: str) -> None:
        """Add an incident that was not heard by a link."""
        self._incidents.append(line)

    def report(self) -> None:
        """Print all ends, and each incident once, so that the output is bounded."""
        ends = [*self._ends, *(link.end() for link in self._links)]
        incidents = [*self._incidents, *(line for link in self._links for line in link.incidents())]
        report = {"ends": [end for end in ends if end], "incidents": list(dict.fromkeys(incidents))}
        sys.stdout.write(f"{json.dumps(report)}\n")
        sys.stdout.flush()


PROGRAMS: dict[str, Callable[[], None]] = {}
"""What `main` runs, by name."""


def program(bot: Callable[[], None]) -> Callable[[], None]:
    """Make a function a program of its name."""
    PROGRAMS[bot.__name__] = bot
    return bot


def remote_bot(misbehave: Callable[[Visit], None]) -> Callable[[Visit], None]:
    """Make a function a program of its name, which reports how it was answered."""

    def run() -> None:
        visit = Visit()
        try:
            misbehave(visit)
        finally:
            visit.report()

    PROGRAMS[misbehave.__name__] = run
    return misbehave


InDecision = Callable[[Link, play_pb2.Decision], None]


def at_each_decision(misbehave: InDecision) -> Callable[[Visit], None]:
    """Make a function a program of its name: it is called with each decision of one match, and the bot leaves."""

    @wraps(misbehave)
    def play(visit: Visit) -> None:
        link = visit.seated()
        for decision in link.decisions():
            misbehave(link, decision)
        link.leave()

    return remote_bot(play)


def while_it_thinks(misbehave: InDecision) -> Callable[[Visit], None]:
    """Make a function a program of its name: it is called with the first decision, and the bot listens to the end."""

    @wraps(misbehave)
    def play(visit: Visit) -> None:
        link = visit.seated()
        misbehave(link, next(link.decisions()))
        link.hear_all()

    return remote_bot(play)


def main() -> None:
    """Run the program that the command line names."""
    PROGRAMS[sys.argv[1]]()


def status_of(error: grpc.RpcError) -> str:
    """Return how a call of another kind has ended."""
    assert isinstance(error, grpc.Call)
    return f"{error.code().name}: {error.details()}"
