"""Runs misbehaving bots beside honest ones on one arena, and returns what came of each."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from arena.cli.framework.processes import without_arena
from arena.match_log.keys import open_key_ring
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.verify import Verification, verify
from arena.v1 import match_pb2, play_pb2
from tests.checkout import ROOT
from tests.system.misbehaving.honest import MOST, Honest
from tests.system.misbehaving.table import Row, clocks
from tests.system.play.arena_process import ArenaProcess

PROGRAM_S = 120.0
TRACE_LINES = 40
OPTIONS = {"caravan": {"turn_limit": "12", "no_progress_turns": "100"}, "caravanserai": {}}
"""By game. In Caravan six turns for each of two bots; who passes has one decision in each."""

MATCHES = {"caravan": 1, "caravanserai": 2}
"""By game, how many matches have to end before the log of the first one is public: one, or both of a shared seed."""

HELD = "endless"
"""The clock of a match that an honest bot holds up until the other one has misbehaved: on a busy machine that may take
longer than a minute."""

_NUMBERS = count(1)


@dataclass(frozen=True)
class ObservedMatch:
    """A match of an honest bot that was played while the other one misbehaved, or right after."""

    match: match_pb2.Match
    log: MatchLog
    verification: Verification
    seat: int
    """The honest bot's."""
    thought_ns: dict[int, int]
    """By decision, as the honest bot has measured it itself."""


@dataclass(frozen=True)
class Outcome:
    """What came of one misbehaving bot."""

    exit: int
    stderr: str
    ends: list[str]
    incidents: list[str]
    during: ObservedMatch
    after: ObservedMatch


class ZooArena:
    """Runs bots on one arena."""

    def __init__(self, arena: ArenaProcess, honest_at: str = "") -> None:
        """`honest_at`: the address that honest bots connect to; by default that of the misbehaving ones."""
        self._arena = arena
        self._address = honest_at or arena.tcp
        self._clocks = clocks()
        self._keys = open_key_ring(arena.data / "keys").public
        self._tokens: list[str] = []

    def log_errors(self) -> list[str]:
        """Return what the service log must not hold: errors of the arena, and tokens of bots."""
        secrets = [token.split("_")[2] for token in self._tokens]
        log = list(self._arena.log)
        return [
            "".join(log[place : place + TRACE_LINES]) if "Traceback" in line else line
            for place, line in enumerate(log)
            if "[error" in line or "Traceback" in line or any(secret in line for secret in secrets)
        ]

    def run(self, row: Row) -> Outcome:
        """Run a bot to its end while an honest one plays a match, and then another one."""
        number = next(_NUMBERS)
        name, ladder, after = f"bad{number}", f"during{number}", f"after{number}"
        token = self._arena.bot(name)
        self._tokens.append(token)
        with self._honest(f"honest{number}") as honest, self._honest(f"steady{number}") as steady:
            if row.seat is None:
                steady.hold()
                self._match(ladder, f"honest{number}", f"steady{number}", clock=HELD)
                honest.wait_told("match_started")
            process = self._start(row, token, honest)
            try:
                if row.offered:
                    self._match(f"offer{number}", f"honest{number}", name)
                if row.seat is not None:
                    self._match(ladder, f"honest{number}", name, game=row.game, clock=row.clock)
                if row.revoked:
                    honest.wait_told("match_started")
                    self._revoke(token)
            except BaseException:
                process.kill()
                process.communicate()
                raise
            out, err = _finish(process)
            steady.go_on()
            during = self._observed(honest, ladder, f"honest{number}", MATCHES[row.game])
            self._match(after, f"honest{number}", f"steady{number}")
            return Outcome(
                process.returncode,
                err,
                *_report(out, err),
                during,
                self._observed(honest, after, f"honest{number}"),
            )

    @contextmanager
    def _honest(self, name: str, most: int = MOST) -> Iterator[Honest]:
        honest = Honest(self._address, self._arena.bot(name), most=most)
        try:
            yield honest
        finally:
            honest.dismiss()

    def _match(self, ladder: str, *bots: str, game: str = "caravan", clock: str = "patient") -> None:
        self._arena.ladder(ladder, *bots, game=game, options=OPTIONS[game], time_control=self._clocks[clock])

    def _start(self, row: Row, token: str, honest: Honest) -> subprocess.Popen[str]:
        environment = without_arena(os.environ) | {
            "ARENA_ADDRESS": self._arena.tcp,
            "ARENA_TOKEN": token,
            "ARENA_LOOT": honest.resume_token,
        }
        return subprocess.Popen(
            row.command(),
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def _revoke(self, token: str) -> None:
        name = f"tokens/{token.split('_')[1]}"
        self._arena.tokens.RevokeToken(name=name)

    def _observed(self, honest: Honest, ladder: str, name: str, matches: int = 1) -> ObservedMatch:
        """Return the first match of a ladder, once so many of them have ended."""
        return self._observe(honest, honest.wait_ended(ladder, matches)[0], name)

    def _observe(self, honest: Honest, ended: play_pb2.MatchEnded, name: str) -> ObservedMatch:
        data = self._arena.log_bytes(ended.match.name)
        log = read_log(data)
        thought = {
            decision: took
            for (match, decision), took in honest.thought_ns.items()
            if match == ended.match.name
        }
        return ObservedMatch(
            ended.match,
            log,
            verify(data, keys=self._keys, name=self._arena.match(ended.match.name).log),
            [holder.bot for holder in log.setup.seats].index(name),
            thought,
        )


def _finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return what it has written, once it has ended."""
    try:
        return process.communicate(timeout=PROGRAM_S)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return out, f"{err}\nIt did not end within {PROGRAM_S:g} s."


def _report(out: str, err: str) -> tuple[list[str], list[str]]:
    """Return the ends and incidents that the bot has reported."""
    lines = out.splitlines()
    if not lines:
        return [f"no report: {err[-2_000:]}"], []
    report = json.loads(lines[-1])
    return report["ends"], report["incidents"]
