"""What the audit trail was told."""

from dataclasses import dataclass, field
from typing import Unpack

from arena.store.audit.aggregation import IncidentDetails
from arena.store.audit.entries import AuditKind


@dataclass(frozen=True, slots=True)
class RecordedIncident:
    """One call."""

    kind: AuditKind
    what: str
    about: tuple[str, ...]
    facts: dict[str, str]
    length_ns: int | None


@dataclass
class AuditRecorder:
    """Remembers it; called as `AuditWriter.record` is."""

    told: list[RecordedIncident] = field(default_factory=list)

    def __call__(self, kind: AuditKind, what: str, /, **details: Unpack[IncidentDetails]) -> None:
        facts = dict(details.get("facts", ()))
        self.told.append(
            RecordedIncident(kind, what, details.get("about", ()), facts, details.get("length_ns"))
        )

    @property
    def kinds(self) -> list[AuditKind]:
        return [each.kind for each in self.told]
