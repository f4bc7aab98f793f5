"""What the audit trail was told."""

from dataclasses import dataclass, field

from arena.core.endings.arena_faults import Facts
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
    """Remembers it; called as `Trail.tell` is."""

    told: list[RecordedIncident] = field(default_factory=list)

    def __call__(
        self,
        kind: AuditKind,
        what: str,
        *,
        about: tuple[str, ...] = (),
        facts: Facts = (),
        length_ns: int | None = None,
    ) -> None:
        self.told.append(RecordedIncident(kind, what, about, dict(facts), length_ns))

    @property
    def kinds(self) -> list[AuditKind]:
        return [each.kind for each in self.told]
