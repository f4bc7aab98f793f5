"""What happens again and again, summed up: the audit trail tells the first at once, and later ones together.

While it goes on, each silence is twice as long as the one before. So nobody fills the disk by what he does often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from arena.core.endings.arena_faults import Facts
from arena.core.units import NS_PER_MS, NS_PER_S, US_PER_S
from arena.store.audit.entries import AuditEntry, AuditKind

SILENT_NS: Final = 60 * NS_PER_S
"""How long nothing more of a kind is told after an entry."""

LONGEST_SILENCE_NS: Final = 3_600 * NS_PER_S

MOST_NAMED: Final = 10
"""So many values of one fact, and things that it is about, stand in an entry; the others are left out."""


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
        """Nothing has happened yet."""
        self._kinds: dict[AuditKind, _Kind] = {}

    def note(self, incident: Incident) -> None:
        """It has happened."""
        self._kinds.setdefault(incident.kind, _Kind()).incidents.add(incident)

    def due(self, now: int) -> list[AuditEntry]:
        """The entries that are to be stored now."""
        return [entry for kind in self._kinds.values() if (entry := kind.due(now)) is not None]

    def all(self) -> list[AuditEntry]:
        """What was not told yet: the arena comes to its end."""
        return [kind.tell() for kind in self._kinds.values() if kind.incidents.count]

    def next_due(self) -> int | None:
        """When an entry will be due, if nothing more happens; None while there is nothing to tell."""
        return min((kind.silent_until for kind in self._kinds.values() if kind.incidents.count), default=None)


class _Kind:
    """The incidents of one kind."""

    def __init__(self) -> None:
        self.incidents = _Together()
        self.silent_until = 0
        self._silence = SILENT_NS

    def due(self, now: int) -> AuditEntry | None:
        if not self.incidents.count or now < self.silent_until:
            return None
        # Quiet for as long again after the silence: it is over, and what comes now is news.
        goes_on = now - self.silent_until < self._silence and self.silent_until > 0
        self._silence = min(2 * self._silence, LONGEST_SILENCE_NS) if goes_on else SILENT_NS
        self.silent_until = now + self._silence
        return self.tell()

    def tell(self) -> AuditEntry:
        told, self.incidents = self.incidents, _Together()
        return told.entry()


class _Together:
    """Incidents of one kind since the last entry. However many those are, it takes no more memory."""

    def __init__(self) -> None:
        self.count = 0
        self._first: Incident | None = None
        self._last: Incident | None = None
        self._about: dict[str, None] = {}
        self._facts: dict[str, dict[str, None]] = {}
        self._longest_ns: int | None = None
        self._total_ns = 0

    def add(self, incident: Incident) -> None:
        self.count += 1
        self._first = self._first or incident
        self._last = incident
        _keep(self._about, incident.about)
        for fact, value in incident.facts:
            _keep(self._facts.setdefault(fact, {}), (value,))
        if incident.length_ns is not None:
            self._longest_ns = max(self._longest_ns or 0, incident.length_ns)
            self._total_ns += incident.length_ns

    def entry(self) -> AuditEntry:
        first, last = self._first, self._last
        assert first is not None
        assert last is not None
        sentence = first.what
        if self.count > 1:
            sentence = f"{self.count} times since {moment(first.at_us)}, at last: {last.what}"
        return AuditEntry(
            kind=first.kind,
            at_us=last.at_us,
            sentence=f"{sentence[0].upper()}{sentence[1:]}.",
            about=tuple(self._about),
            evidence=tuple(self._evidence(first)),
        )

    def _evidence(self, first: Incident) -> Iterator[tuple[str, str]]:
        if self.count > 1:
            yield "times", str(self.count)
            yield "since", moment(first.at_us)
        if self._longest_ns is not None:
            yield "longest_ms", str(self._longest_ns // NS_PER_MS)
            yield "total_ms", str(self._total_ns // NS_PER_MS)
        for fact, values in self._facts.items():
            yield fact, ", ".join(values)


def moment(at_us: int) -> str:
    """Microseconds since 1970 as "2026-11-21T09:30:05Z"."""
    return datetime.fromtimestamp(at_us // US_PER_S, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _keep(known: dict[str, None], more: Iterable[str]) -> None:
    for each in more:
        if len(known) < MOST_NAMED:
            known[each] = None
