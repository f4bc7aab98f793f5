"""The standing of a comparison: as a table on a terminal, as lines elsewhere, as JSON."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from rich.console import Group, RenderableType
from rich.live import Live

from arena.cli.compare.faults import BotFaults, FaultTally
from arena.cli.framework.output import err, facts, plain, table
from arena.core.pairing.comparison import ComparisonPlan
from arena.core.sequential.sprt import Estimate, Hypotheses, Verdict
from arena.drawings.wording import counted

_REFRESH_SECONDS: Final = 0.25
_LINE_SECONDS: Final = 10.0
_MINUTE: Final = 60
_ROLES: Final = ("new", "old")

_GROUPS_ALIKE: Final = 5
"""After so many groups in which both versions scored alike, their opponents are named as the likely reason."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known at one moment."""

    names: tuple[str, ...]
    """Of the entrants: the new bot, the old one, the opponents."""
    plan: ComparisonPlan
    groups: int
    """At most so many are played."""
    hypotheses: Hypotheses
    verdict: Verdict
    estimate: Estimate
    faults: FaultTally
    played: int
    """Matches, those of earlier runs included."""
    seconds: float
    """Of this run."""
    played_now: int
    """Matches of this run."""

    @property
    def matches_per_minute(self) -> float | None:
        """The speed of this run; None before its first match."""
        return self.played_now * _MINUTE / self.seconds if self.played_now and self.seconds else None

    @property
    def seconds_left(self) -> float | None:
        """The expected time to the end, 0 after it; None if it is unknown."""
        if self.verdict is not Verdict.UNDECIDED:
            return 0.0
        groups = min(self.estimate.groups_left, self.groups - self.estimate.groups)
        speed = self.matches_per_minute
        return None if speed is None else max(0.0, groups) * self.plan.group_size * _MINUTE / speed

    def draw(self) -> RenderableType:
        """Return it as a table."""
        rows = [
            (role, name, bot.matches, _percent(score), bot.describe() or "none")
            for role, name, score, bot in self._bots()
        ]
        return Group(
            table(("", "bot", ">seats played", ">score", "faults"), rows),
            facts(
                ("Elo difference", self._elo()),
                ("superiority", self._superiority()),
                ("LLR", self._ratio()),
                ("played", self._count()),
                ("speed", self._speed()),
                ("note", self.note()),
            ),
        )

    def line(self) -> str:
        """Return it as one line."""
        superiority = self._superiority()
        faults = sum(bot.forfeits.total() for bot in self.faults.bots)
        parts = (
            self._count(),
            f"Elo {self._elo()}",
            f"superiority {superiority}" if superiority else "",
            f"LLR {self._ratio()}",
            self._speed(),
            counted(faults, "forfeit") if faults else "",
            self.note(),
        )
        return "; ".join(filter(None, parts)) + "."

    def note(self) -> str:
        """Return why the opponents tell the two versions apart in no group so far; empty if they do, or may soon."""
        now = self.estimate
        if not self.plan.opponents or now.groups < _GROUPS_ALIKE or now.superiority is not None or now.elo:
            return ""
        which = {0.0: "weaker ", 1.0: "stronger "}.get(now.new if now.new is not None else 0.5, "other ")
        return f"both versions scored alike in every group; {which}opponents would tell more"

    def document(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        now, test = self.estimate, self.hypotheses
        return {
            "verdict": self.verdict.value,
            "groups": now.groups,
            "matches": self.played,
            "group_size": self.plan.group_size,
            "elo": {"difference": _number(now.elo), "low": _number(now.low), "high": _number(now.high)},
            "likelihood_of_superiority": _number(now.superiority, 6),
            "sprt": {
                "elo0": test.elo0,
                "elo1": test.elo1,
                "alpha": test.alpha,
                "beta": test.beta,
                "llr": round(now.ratio, 4),
                "lower": round(test.lower, 4),
                "upper": round(test.upper, 4),
            },
            "groups_left": _number(now.groups_left),
            "bots": [_bot(*each) for each in self._bots()],
            "seconds": round(self.seconds, 3),
            "matches_per_minute": _number(self.matches_per_minute),
        }

    def _bots(self) -> Iterator[tuple[str, str, float | None, BotFaults]]:
        """Yield role, name, score and faults of each entrant; opponents have no score."""
        scores = (self.estimate.new, self.estimate.old)
        for entrant, (name, bot) in enumerate(zip(self.names, self.faults.bots, strict=True)):
            is_compared = entrant < len(_ROLES)
            role = _ROLES[entrant] if is_compared else "opponent"
            yield role, name, scores[entrant] if is_compared else None, bot

    def _elo(self) -> str:
        now = self.estimate
        if now.elo is None:
            return "unknown"
        interval = (
            "" if now.low is None or now.high is None else f" ({_points(now.low)} to {_points(now.high)})"
        )
        return f"{_points(now.elo)}{interval}"

    def _superiority(self) -> str:
        return _percent(self.estimate.superiority)

    def _ratio(self) -> str:
        test = self.hypotheses
        return (
            f"{self.estimate.ratio:.2f} ({test.lower:.2f} to {test.upper:.2f}) for {test.elo0:g} against "
            f"{test.elo1:g} Elo"
        )

    def _count(self) -> str:
        return f"{counted(self.played, 'match', 'matches')}, {counted(self.estimate.groups, 'group')}"

    def _speed(self) -> str:
        speed, left = self.matches_per_minute, self.seconds_left
        if speed is None:
            return ""
        rest = "" if not left else f", about {_time(left)} left"
        return f"{speed:.0f} matches per minute{rest}"


class StandingDisplay:
    """Shows the standing on stderr: a table on a terminal, a line now and then elsewhere. Use it with `with`."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._shown = time.monotonic()

    def __enter__(self) -> Self:
        console = err()
        if console.is_terminal:
            self._live = Live(console=console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._live is not None:
            self._live.stop()

    @property
    def is_due(self) -> bool:
        """Whether it is time to show the standing again."""
        every = _REFRESH_SECONDS if self._live is not None else _LINE_SECONDS
        return time.monotonic() - self._shown >= every

    def show(self, standing: Standing) -> None:
        """Show it."""
        self._shown = time.monotonic()
        if self._live is not None:
            self._live.update(standing.draw(), refresh=True)
        else:
            err().print(plain(standing.line()), highlight=False, soft_wrap=True)


def _bot(role: str, name: str, score: float | None, bot: BotFaults) -> dict[str, Any]:
    return {
        "role": role,
        "bot": name,
        "score": _number(score, 6),
        "seats_played": bot.matches,
        "forfeits": dict(bot.forfeits),
        "strikes": bot.strikes,
        "exceptions": bot.exceptions,
        "logs": bot.logs,
    }


def _number(value: float | None, digits: int = 2) -> float | None:
    """Return a number for JSON, which has no infinity."""
    return None if value is None or math.isinf(value) else round(value, digits)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _points(elo: float) -> str:
    if math.isinf(elo):
        return "+infinite" if elo > 0 else "-infinite"
    return f"{elo:+.1f}"


def _time(seconds: float) -> str:
    minutes = math.ceil(seconds / _MINUTE)
    return (
        f"{seconds:.0f} s"
        if seconds < _MINUTE
        else f"{minutes // 60}:{minutes % 60:02d} h"
        if minutes >= 60
        else f"{minutes} min"
    )
