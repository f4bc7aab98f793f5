"""What people decide, in the audit trail: in the transaction of the decision, so that neither is there alone."""

from __future__ import annotations

from arena.server.access import Caller
from arena.store.audit import AuditEntry, AuditKind
from arena.store.store import Transaction


def decided(
    tx: Transaction, kind: AuditKind, caller: Caller, now_us: int, sentence: str, *about: str
) -> None:
    """The caller has decided so. `sentence`: for people; `about`: resource names, each once."""
    tx.audit.add(AuditEntry(kind, now_us, sentence, about, actor=caller.actor))
