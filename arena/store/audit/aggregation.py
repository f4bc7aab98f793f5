"""What happens again and again, summed up: the first incident of a kind is an entry at once, later ones together.

Each silence is twice as long as the one before, up to an hour, so frequent incidents cannot fill the disk.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypedDict

from arena.core.endings.arena_faults import Facts
from arena.core.units import NS_PER_MS, NS_PER_S, US_PER_S
from arena.store.audit.entries import AuditEntry, AuditKind

SILENT_NS: Final = 60 * NS_PER_S
"""How long no other entry of a kind is stored after one."""

LONGEST_SILENCE_NS: Final = 3_600 * NS_PER_S

MOST_NAMED: Final = 10
"""The most values of one fact in an entry, and the most resources that it is about; others are left out."""


class IncidentDetails(TypedDict, total=False):
    """What may be said of an incident: fields of Incident."""

    about: tuple[str, ...]
    facts: Facts
    length_ns: int | None


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that belongs to no transaction, and may happen often."""

    kind: AuditKind
    what: str
    """A sentence part without a full stop."""
    at_us: int
    about: tuple[str, ...] = ()
    facts: Facts = ()
    length_ns: int | None = None
    """How long it lasted; None for what has no length."""


class AuditAggregator:
    """Turns incidents into entries, at most one a minute of a kind. Times are nanoseconds of a monotonic clock."""

    def __init__(self) -> None:
        """Begin without incidents."""
        self._kinds: dict[AuditKind, _Series] = {}

    def note(self, incident: Incident) -> None:
        """Count the incident."""
        self._kinds.setdefault(incident.kind, _Series()).add(incident)

    def due(self, now: int) -> list[AuditEntry]:
        """Return the entries that are to be stored now."""
        return [kind.take(now) for kind in self._kinds.values() if kind.count and now >= kind.silent_until]

    def all(self) -> list[AuditEntry]:
        """Return entries for all that is not stored yet, and begin anew: the arena ends."""
        entries = [kind.entry() for kind in self._kinds.values() if kind.count]
        self._kinds.clear()
        return entries

    def next_due(self) -> int | None:
        """Return when an entry will be due if nothing more happens; None if there is none."""
        return min((kind.silent_until for kind in self._kinds.values() if kind.count), default=None)


class _Series:
    """The incidents of one kind since its last entry, summed up in bounded memory, and until when it has no other."""

    def __init__(self) -> None:
        self.count = 0
        self.silent_until = 0
        self._silence = SILENT_NS

    def take(self, now: int) -> AuditEntry:
        entry = self.entry()
        self.count = 0
        # After as long a time again without incidents the series has ended, and this is the first of another.
        continues = self.silent_until > 0 and now - self.silent_until < self._silence
        self._silence = min(2 * self._silence, LONGEST_SILENCE_NS) if continues else SILENT_NS
        self.silent_until = now + self._silence
        return entry

    def add(self, incident: Incident) -> None:
        if not self.count:
            self._first = incident
            self._about: dict[str, None] = {}
            self._facts: dict[str, dict[str, None]] = {}
            self._longest_ns: int | None = None
            self._total_ns = 0
        self.count += 1
        self._last = incident
        _keep(self._about, incident.about)
        for fact, value in incident.facts:
            _keep(self._facts.setdefault(fact, {}), (value,))
        if incident.length_ns is not None:
            self._longest_ns = max(self._longest_ns or 0, incident.length_ns)
            self._total_ns += incident.length_ns

    def entry(self) -> AuditEntry:
        sentence = self._first.what
        evidence: list[tuple[str, str]] = []
        if self.count > 1:
            since = moment(self._first.at_us)
            sentence = f"{self.count} times since {since}, at last: {self._last.what}"
            evidence += [("times", str(self.count)), ("since", since)]
        if self._longest_ns is not None:
            lengths = (("longest_ms", self._longest_ns), ("total_ms", self._total_ns))
            evidence += [(fact, str(ns // NS_PER_MS)) for fact, ns in lengths]
        evidence += [(fact, ", ".join(values)) for fact, values in self._facts.items()]
        return AuditEntry(
            kind=self._first.kind,
            at_us=self._last.at_us,
            sentence=f"{sentence[0].upper()}{sentence[1:]}.",
            about=tuple(self._about),
            evidence=tuple(evidence),
        )


def moment(at_us: int) -> str:
    """Return microseconds since 1970 as "2026-11-21T09:30:05Z"."""
    return datetime.fromtimestamp(at_us // US_PER_S, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _keep(known: dict[str, None], more: Iterable[str]) -> None:
    for each in more:
        if len(known) < MOST_NAMED:
            known[each] = None
