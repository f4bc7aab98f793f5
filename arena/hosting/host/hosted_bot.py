"""A hosted bot: what is stored, and what the host has learnt while the arena runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.core.units import US_PER_MINUTE
from arena.hosting.host.process import HostedProcess
from arena.store.bots.hosting import HostedRow
from arena.store.json_columns import VersionProgram
from arena.store.store import Transaction

FAILURES_ALLOWED: Final = 2
"""One failure in a row more suspends the version."""

FAIR_MATCHES: Final = 3
"""So many matches played to their end, with no failure in between, and all before is forgotten."""

FIRST_PAUSE_US: Final = US_PER_MINUTE
LONGEST_PAUSE_US: Final = 60 * US_PER_MINUTE


def pause_us(suspensions: int) -> int:
    """Return how long a version is suspended that was so often in a row before, in microseconds."""
    doublings = min(suspensions, LONGEST_PAUSE_US.bit_length())
    return min(FIRST_PAUSE_US << doublings, LONGEST_PAUSE_US)


@dataclass(slots=True)
class HostedBot:
    """A hosted bot, in the version that plays."""

    row: HostedRow
    """As it is stored."""
    version: str
    program: VersionProgram
    why_unavailable: str = ""
    """Why its runtime does not work while this arena runs; empty if it does."""
    failures: int = 0
    """Failures in a row since the arena has started, or since it was suspended."""
    current: HostedProcess | None = None
    """The program that plays its next matches; None if none runs."""
    rests_until: int = 0
    """No program of it is started before, because the machine had no processor for the last one."""
    dropped: bool = False
    """Whether another version plays by now, or none."""
    played: int = 0
    """Matches played to their end since the last failure."""
    _match_limit: int = 1
    """Matches that its program took at once when it was last there."""
    _rules: dict[str, frozenset[int]] | None = None
    """What it said it plays; None if it was never there."""

    @property
    def bot(self) -> str:
        """Its id."""
        return self.row.bot

    @property
    def has_failed(self) -> bool:
        """Whether it has failures or a suspension that later matches have not cleared."""
        return bool(self.row.suspensions or self.failures)

    def note_failure(self) -> bool:
        """Count a failure. Return whether it was one too many."""
        self.played = 0
        self.failures += 1
        return self.failures > FAILURES_ALLOWED

    def note_played(self) -> bool:
        """Count a match played to its end. Return whether the version has proved itself."""
        self.played += 1
        if self.played < FAIR_MATCHES:
            return False
        self.failures = 0
        return True

    def learn(self, match_limit: int, rules: dict[str, frozenset[int]]) -> bool:
        """Note what its process takes: matches at once, and rules versions by game. Return whether that is news."""
        known = (self._match_limit, self._rules)
        self._match_limit, self._rules = match_limit, rules
        return known != (match_limit, rules)

    def capacity_for(self, game: str, rules_version: int) -> int:
        """Return how many matches of a game it will most likely take at once when its process is started."""
        if self._rules is None:
            return self._match_limit if game in self.program.games else 0
        versions = self._rules.get(game)
        plays = versions is not None and (not versions or rules_version in versions)
        return max(1, self._match_limit) if plays else 0


def stored_bots(
    tx: Transaction, held: Mapping[str, str]
) -> list[tuple[HostedRow, str, VersionProgram | None]]:
    """Return all bots that may be hosted, with the version that plays: no program for one that connects itself.

    None either for a bot whose owner may not play. `held`: by bot, what plays whatever its owner has chosen.
    """
    without = tx.users.without_bots()

    def playing(row: HostedRow) -> tuple[HostedRow, str, VersionProgram | None]:
        version = held.get(row.bot, row.version or "")
        plays = version and row.owner not in without
        return row, version, tx.bots.version(row.bot, version).program if plays else None

    return [playing(row) for row in tx.hosting.all()]
