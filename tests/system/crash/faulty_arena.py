"""A real arena in which faults happen when a test says so, and bots that play on whatever happens."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from arena.cli.framework.connection import fetch_all
from arena.v1 import audit_pb2, ladder_pb2, match_pb2, play_pb2
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.system.play.test_match import SHORT

SECRET: Final = "what-the-exception-says"

_INJECTED: Final = """
import os
import arena.core.referee.referee, arena.match_log.writer, arena.sessions.decision_window, arena.sessions.seat
import arena.server.play.connection, arena.server.play.conversation, arena.server.services.games
import arena.store.matches.results, arena.store.store
from arena.v1 import play_pb2

def fires(fault):
    try:
        os.unlink(os.path.join({folder!r}, fault))
    except FileNotFoundError:
        return False
    return True

def inject(fault, owner, name, error=RuntimeError, when=lambda *_: True):
    real = getattr(owner, name)
    def faulty(*args, **kwargs):
        if when(*args) and fires(fault):
            raise error({secret!r})
        return real(*args, **kwargs)
    faulty.__qualname__ = getattr(real, "__qualname__", name)
    setattr(owner, name, faulty)

inject("set_up", arena.core.referee.referee.Referee, "__init__")
inject("start", arena.sessions.seat.AssignedSeat, "start")
inject("referee", arena.core.referee.referee.Referee, "answered")
inject("read", arena.server.play.conversation, "read_answer")
is_asked = lambda message, _: isinstance(message, arena.sessions.decision_window.Asked)
inject("words", arena.server.play.connection, "encode_message", when=is_asked)
asks = lambda messages: any(play_pb2.ServerMessage.FromString(each).HasField("decision") for each in messages)
inject("write", arena.server.play.connection, "frame", when=asks)
inject("log", arena.match_log.writer.MatchLogBuilder, "finish")
inject("record", arena.store.matches.results.Results, "record", when=lambda _, report, __: report.log)
inject("store", arena.store.store.Store, "write_together", SystemExit)
inject("call", arena.server.services.games.GameService, "GetGame")
"""


class FaultyArena(ArenaProcess):
    """A real arena. A fault happens once for each file of its name that a test makes."""

    def __init__(self, data: Path) -> None:
        self.faults = data.parent / "faults"
        self.faults.mkdir(exist_ok=True)
        super().__init__(data, before=_INJECTED.format(folder=str(self.faults), secret=SECRET))
        self.wait_open()

    def inject(self, fault: str) -> None:
        """Inject this fault the next time that it can happen."""
        (self.faults / fault).touch()

    def has_happened(self, fault: str) -> bool:
        """Whether the fault was not only asked for."""
        return not (self.faults / fault).exists()

    def entries(self, **wanted: Any) -> list[audit_pb2.AuditEntry]:
        """Return the audit trail, newest first."""
        return entries(self, **wanted)

    def listed(self, ladder: str) -> list[match_pb2.Match]:
        """Return the matches of a ladder, oldest first."""
        listing = fetch_all(
            self.matches.ListMatches,
            match_pb2.ListMatchesRequest(ladder=f"ladders/{ladder}"),
        )
        return list(reversed(listing.matches))

    def standings(self, ladder: str) -> list[ladder_pb2.Standing]:
        """Who stands how."""
        return list(self.ladders.ListStandings(name=f"ladders/{ladder}").standings)


def entries(arena: ArenaProcess, **wanted: Any) -> list[audit_pb2.AuditEntry]:
    """Return the audit trail of an arena, newest first."""
    listing = fetch_all(arena.audit.ListAuditEntries, audit_pb2.ListAuditEntriesRequest(**wanted))
    return list(listing.entries)


def wait_for_entry(
    arena: ArenaProcess, kind: audit_pb2.AuditKind.ValueType, words: str
) -> audit_pb2.AuditEntry:
    """Return the newest entry of a kind that has these words, as soon as it is there; each try is a call."""
    for _ in range(5_000):
        for entry in entries(arena, kind=kind)[:5]:
            if words in str(entry):
                return entry
    raise AssertionError(f"no entry has {words!r}: {entries(arena)[:5]}")


def facts(evidence: Any) -> dict[str, str]:
    """Evidence by the name of the fact."""
    return {each.fact: each.value for each in evidence}


def passes(bot: RawBot, decision: play_pb2.Decision) -> None:
    """Return the first of the list."""
    bot.answer(decision)


class Playing:
    """A bot that plays whatever it is given, in a thread of its own."""

    def __init__(
        self,
        arena: ArenaProcess,
        token: str,
        *,
        choose: Callable[[RawBot, play_pb2.Decision], None] = passes,
    ) -> None:
        self.bot = RawBot(arena.unix, token)
        self.bot.hello()
        self.ends: queue.Queue[match_pb2.Match] = queue.Queue()
        self.began = threading.Event()
        self._choose = choose
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while True:
            try:
                message = self.bot.hear_any()
            except queue.Empty:
                continue  # nobody has said anything for a while
            if message is None:
                return
            match message.WhichOneof("kind"):
                case "assigned":
                    self.bot.say(ready=play_pb2.Ready(assignment=message.assigned.assignment))
                case "decision":
                    self.began.set()
                    self._choose(self.bot, message.decision)
                case "match_ended":
                    self.ends.put(message.match_ended.match)
                case _:
                    pass

    def finished(self, count: int) -> list[match_pb2.Match]:
        """So many matches with a result, once it has heard their ends."""
        found: list[match_pb2.Match] = []
        while len(found) < count:
            match = self.ends.get(timeout=WAIT_S)
            if match.state == match_pb2.MATCH_STATE_FINISHED:
                found.append(match)
        return found

    def wait_sent_away(self) -> None:
        """Return when the arena has ended its connection."""
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive()

    def close(self) -> None:
        self.bot.cut()
        self._thread.join(WAIT_S)


@contextmanager
def playing(
    arena: ArenaProcess,
    tokens: Sequence[str],
    *,
    first_chooses: Callable[[RawBot, play_pb2.Decision], None] = passes,
) -> Iterator[list[Playing]]:
    """Yield a bot for each token; the connections are cut afterwards. `first_chooses`: how the first one answers."""
    bots = [
        Playing(arena, token, choose=passes if number else first_chooses)
        for number, token in enumerate(tokens)
    ]
    try:
        yield bots
    finally:
        for bot in bots:
            bot.close()


def a_ladder(arena: ArenaProcess, name: str, **more: Any) -> list[str]:
    """Run a ladder of two bots and two short matches; return their tokens."""
    bots = [f"{name}-a", f"{name}-b"]
    tokens = [arena.bot(bot) for bot in bots]
    arena.ladder(name, *bots, options=SHORT, **more)
    return tokens
