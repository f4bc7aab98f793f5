"""Runs misbehaving programs on one arena that hosts them, and returns what came of each."""

import re
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from arena.v1 import bot_pb2, match_pb2
from tests.system.misbehaving.honest import Honest
from tests.system.misbehaving.hosted_folders import settle
from tests.system.misbehaving.table import HostedRow
from tests.system.misbehaving.zoo_arena import HELD, ObservedMatch, ZooArena
from tests.system.play.arena_process import ArenaProcess

HONEST_PROGRAM = HostedRow("has_manners", "python", rows=(), seat=None, over=())
"""The honest bot that the arena runs."""

PATIENCE_S = 180.0
"""A bot is suspended after three times ten seconds, and programs start slowly on a busy machine."""

LEFT_BEHIND_S = 60.0
"""What is there for so long after the end has been left behind."""

HELLO_WITHIN_S = 60.0
"""For programs that are about something else, instead of ten."""

PLACES = 10
"""Programs at once."""

_NUMBERS = count(1)


@dataclass(frozen=True)
class HostedOutcome:
    """What came of one misbehaving program."""

    during: list[ObservedMatch]
    """Its matches; if none began, one that the honest bot has played meanwhile."""
    after: ObservedMatch
    over: list[str]
    """How its programs came to their ends, and why."""
    overstayed: bool
    """Whether one of them had to be ended when it was told to leave."""
    debug: list[str]
    """What it has told its owner in its first match."""
    wrote: list[str]
    """What it has written to its standard output and error in that match."""
    left: list[str]
    """Command lines of what was left of it after its end."""
    suspended: str
    """Why it is suspended; empty if it is not."""


def open_hosted_zoo(data: Path, rows: list[HostedRow]) -> tuple[ArenaProcess, dict[str, str]]:
    """Open an arena that runs all of these; return it and the version of each."""
    data.mkdir(mode=0o700)
    versions = settle(data, (HONEST_PROGRAM, *rows))
    return ArenaProcess(data, "--hosted-programs", str(PLACES), before=_other_limits(rows)), versions


def _other_limits(rows: list[HostedRow]) -> str:
    """Python that leaves some programs much less time than a day or a week, and others more for their hello.

    A dozen interpreters start at once here, beside other tests. Whoever is not about the ten seconds is not to be
    suspended for being slow.
    """
    limits = {
        row.bot: {
            name: value
            for name, value in (("cpu_seconds", row.cpu_s), ("wall_seconds", row.wall_s))
            if value is not None
        }
        for row in rows
    }
    silent = {row.bot for row in rows if any(over.startswith("silent") for over in row.over)}
    return f"""
import dataclasses
import arena.hosting.host.process as process

class Process(process.HostedProcess):
    def __init__(self, identity, run, *others):
        spec, limits = run
        limits = dataclasses.replace(limits, **{limits!r}.get(identity.bot, dict()))
        super().__init__(identity, (spec, limits), *others)
        if identity.bot not in {silent!r}:
            self.hello_within_s = {HELLO_WITHIN_S}

process.HostedProcess = Process
"""


class HostedZooArena(ZooArena):
    """Watches the programs of one arena."""

    def run_hosted(self, row: HostedRow) -> HostedOutcome:
        """Run a program to its end while an honest bot plays with it, and once more after it."""
        number = next(_NUMBERS)
        name, ladder, after = f"honest{number}", f"during{number}", f"after{number}"
        with self._honest(name, row.matches) as honest, self._honest(f"steady{number}") as steady:
            if row.seat is None:
                honest.take_more()
                steady.hold()
                self._match(ladder, name, f"steady{number}", clock=HELD)
                honest.wait_told("match_started")
                self._match(f"offer{number}", name, row.bot)
                self._arena.wait_for_line("version suspended", f"bot={row.bot} ", within_s=PATIENCE_S)
                steady.go_on()
                during = [self._observed(honest, ladder, name)]
            else:
                during = self._matches_of(row, honest, name)
            suspended = self._arena.bots.GetBot(name=f"bots/{row.bot}").bot.paused
            self._dismiss(row.bot)
            left = self._wait_until_gone(row)
            told = [] if row.seat is None else self._debug_lines(during[0].match.name, row.bot)
            honest.take_more()
            self._match(after, name, f"steady{number}")
            seen_after = self._observed(honest, after, name)
            return HostedOutcome(
                during,
                seen_after,
                over=[
                    f"{_field(line, 'how')}: {_field(line, 'why')}"
                    for place, line in enumerate(self._ends(row))
                    if not (place and _was_not_needed(line))
                ],
                overstayed=any(_field(line, "overstayed") == "True" for line in self._ends(row)),
                debug=[line.text for line in told if line.source == match_pb2.DebugLine.SOURCE_MESSAGE],
                wrote=[line.text for line in told if line.source != match_pb2.DebugLine.SOURCE_MESSAGE],
                left=left,
                suspended=suspended,
            )

    def log_lines(self, row: HostedRow) -> str:
        """Return the service log of its programs and of the honest hosted one, the last lines."""
        bots = (f"bot={row.bot} ", f"bot={HONEST_PROGRAM.bot} ")
        lines = [line for line in list(self._arena.log) if any(bot in line for bot in bots)]
        return "".join(lines[-20:])

    def _matches_of(self, row: HostedRow, honest: Honest, name: str) -> list[ObservedMatch]:
        """Its matches; each ladder has two at a time."""
        ladders = [f"{name}-{part}" for part in range((row.matches + 1) // 2)]
        for ladder in ladders:
            others = (HONEST_PROGRAM.bot,) if row.company else ()
            self._match(ladder, name, row.bot, *others, clock=row.clock)
        most = min(row.matches, 2)
        ended = [each for ladder in ladders for each in honest.wait_ended(ladder, most)[:most]]
        return [self._observe(honest, each, name) for each in ended]

    def _dismiss(self, bot: str) -> None:
        """Stop hosting the bot: its program is asked to leave, and its next match never begins."""
        self._arena.bots.SetHosting(bot=f"bots/{bot}", mode=bot_pb2.Hosting.MODE_OFF)

    def _wait_until_gone(self, row: HostedRow) -> list[str]:
        """Return the command lines of what is left of it after enough time to end."""
        self._arena.wait_for_line("hosted program over", f"bot={row.bot} ", within_s=PATIENCE_S)
        give_up = time.monotonic() + LEFT_BEHIND_S
        while (left := processes_of(row)) and time.monotonic() < give_up:
            time.sleep(0.05)  # the kernel tells nobody else of it
        return left

    def _debug_lines(self, match: str, bot: str) -> list[match_pb2.DebugLine]:
        return list(self._arena.matches.ListDebugLines(name=match, bot=f"bots/{bot}", page_size=1_000).lines)

    def _ends(self, row: HostedRow) -> list[str]:
        """Return the lines of the service log on the ends of its programs."""
        return [
            line
            for line in list(self._arena.log)
            if "hosted program over" in line and f"bot={row.bot} " in line
        ]


def _was_not_needed(line: str) -> bool:
    """Whether a program played nothing: it was begun for the ladder's next match just before its bot was dismissed."""
    return (_field(line, "how"), _field(line, "played")) == ("left", "0")


def _field(line: str, name: str) -> str:
    """Return a value in a line of the service log."""
    found = re.search(rf"\b{name}=('[^']*'|\"[^\"]*\"|\S+)", line)
    return "" if found is None else found[1].strip("'\"")


def processes_of(program: HostedRow) -> list[str]:
    """Return the command lines of all processes that are, or were started by, this program."""
    lines = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                words = (process / "cmdline").read_text(errors="replace").split("\0")
            except OSError:
                continue
            if program.word in words:
                lines.append(" ".join(words))
    return lines
