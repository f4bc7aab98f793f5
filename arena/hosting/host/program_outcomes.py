"""What the programs of hosted bots do, here and at workers, and what follows for their versions."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import structlog

from arena.core.units import NS_PER_S
from arena.hosting.host.hosted_bot import HostedBot
from arena.hosting.host.process import ProcessDeparture, ProcessEnd
from arena.hosting.host.suspensions import Suspensions
from arena.runner.timers import Timers
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink

REST_NS: Final = 30 * NS_PER_S
"""After the arena could not start a process it tries none for so long."""

NOT_READY: Final = "It did not answer an offered seat with ready in time."

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class HostStats:
    """Counts for the metrics, since the start of the arena."""

    starts: int = 0
    """Processes started."""
    ends: Counter[str] = field(default_factory=Counter)
    """Processes that have ended: by verdict if by themselves, else by what the arena had against them."""
    overstayed: int = 0
    """Processes that had to be ended after the arena's goodbye."""
    suspensions: int = 0
    """Versions suspended."""
    hellos: int = 0
    """Processes that said hello."""
    hello_s: float = 0.0
    """How long these took from their start, all together."""
    waited_s: float = 0.0
    """How long processes were ready to run and got no processor, as far as they had something to answer."""


class ProgramOutcomes:
    """Counts what programs do, and has versions suspended that keep failing."""

    def __init__(
        self,
        bots: Mapping[str, HostedBot],
        suspensions: Suspensions,
        timers: Timers,
        *,
        changed: Callable[[], None],
        audit: AuditSink,
    ) -> None:
        """`bots`: those that are hosted, by id; `changed`: called when more may be possible."""
        self._bots = bots
        self._suspensions = suspensions
        self._timers = timers
        self._changed = changed
        self._audit = audit
        self._rests_until = 0
        self.stats = HostStats()
        """Of programs that have ended, or at least begun; suspensions are counted elsewhere."""

    def hello(
        self, bot: str, version: str, match_limit: int, rules: dict[str, frozenset[int]], after_s: float
    ) -> None:
        """Note what a process of a version takes, as it said after so long: matches at once, rules versions by game."""
        self.stats.hellos += 1
        self.stats.hello_s += after_s
        hosted = self._bots.get(bot)
        if hosted is not None and hosted.version == version and hosted.learn(match_limit, rules):
            self._changed()

    def match_played(self, bot: str, version: str) -> None:
        """Note that a version has played a match to its end."""
        hosted = self._bots.get(bot)
        if hosted is not None and hosted.version == version:
            self._suspensions.note_played(hosted)

    def failure(self, bot: str, version: str, why: str) -> None:
        """Note that a version has failed by its own fault. `why`: a sentence."""
        hosted = self._bots.get(bot)
        if hosted is not None and hosted.version == version:
            self._suspensions.note_failure(hosted, why)

    def started(self) -> None:
        """Count a process."""
        self.stats.starts += 1

    def missing(self, bot: str, version: str, why: str) -> None:
        """Suspend a version whose files are not there. `why`: a sentence part."""
        hosted = self._bots.get(bot)
        if hosted is not None and hosted.version == version:
            self._suspensions.suspend(hosted, f"{why}; submit it again")

    def departed(
        self, bot: str, version: str, departure: ProcessDeparture, *, played: int, waited_ns: int
    ) -> None:
        """Note how a process of a version has ended.

        `played`: its matches; `waited_ns`: how long it was ready to run and got no processor.
        """
        self.stats.waited_s += waited_ns / NS_PER_S
        verdict = departure.how.value
        if departure.how is ProcessEnd.ENDED and departure.ending is not None:
            verdict = departure.ending.reason.name.lower()
        self.stats.ends[verdict] += 1
        self.stats.overstayed += departure.overstayed
        _log.info(
            "hosted program over",
            bot=bot,
            version=version[:12],
            how=departure.how.value,
            why=departure.sentence,
            played=played,
            overstayed=departure.overstayed,
        )
        if departure.how is ProcessEnd.NOT_STARTED:
            self.rest(bot, departure.sentence)
        elif departure.how is ProcessEnd.STARVED:  # no bot is blamed
            if (hosted := self._bots.get(bot)) is not None:
                hosted.rests_until = self._timers.now() + REST_NS
            _log.warning(
                "the machine is overloaded; a hosted process is started later",
                bot=bot,
                why=departure.sentence,
            )
        elif departure.blamed:
            self.failure(bot, version, departure.sentence)

    @property
    def rests(self) -> bool:
        """Whether no process is started for a while."""
        return self._timers.now() < self._rests_until

    def rest(self, bot: str, why: str) -> None:
        """Start no process for a while: the arena itself has failed, and no bot is blamed."""
        self._rests_until = self._timers.now() + REST_NS
        self._audit(
            AuditKind.REST,
            f"the arena could not start a program of {bot}, and starts none for {REST_NS // NS_PER_S} s",
            about=(f"bots/{bot}",),
        )
        _log.error("a hosted program could not be started; all of them wait", bot=bot, why=why)
