"""The audit trail: what the arena did wrong and what people decided. Entries are never changed or removed."""

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sqlalchemy import Select, func, select

from arena.core.errors import ErrorReason
from arena.store.repository import Repository, found, from_row
from arena.store.schema import AUDIT, AUDIT_ABOUT
from arena.store.webhooks.outbox import Notification, Outbox


class AuditKind(Enum):
    """What an entry is about; the numbers of proto/arena/v1/audit.proto."""

    MATCH_VOID = 1
    LEFT_TO_ORGANISER = 2
    RULING = 3
    STALL = 4
    STORAGE = 5
    START = 6
    MASS_LOSS = 7
    REST = 8
    INTERNAL_ERROR = 9
    TOKEN = 10
    USER = 11
    BOT = 12
    EVENT = 13
    VERSION = 14
    BAN = 15
    NODE = 16
    WEBHOOK = 17


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it, and with which token."""

    user: str
    token: str


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that an organiser may have to account for."""

    kind: AuditKind
    at_us: int
    sentence: str
    about: tuple[str, ...] = ()
    """Resource names, each once."""
    evidence: tuple[tuple[str, str], ...] = ()
    actor: Actor | None = None
    """None: the arena did it by itself."""
    number: int = 0
    """Later entries have higher numbers; 0 before it is stored."""
    notification: Notification | None = None
    """What webhooks are told of it, of an entry that is not stored yet."""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries are wanted; None: all."""

    kind: AuditKind | None = None
    about: str | None = None
    user: str | None = None
    since_us: int | None = None
    """Not before this moment."""


class Audit(Repository):
    """The audit trail."""

    def add(self, entry: AuditEntry) -> int:
        """Store the entry; return its number."""
        result = self._insert(
            AUDIT,
            at_us=entry.at_us,
            kind=entry.kind.value,
            user=None if entry.actor is None else entry.actor.user,
            token=None if entry.actor is None else entry.actor.token,
            about=json.dumps(entry.about),
            sentence=entry.sentence,
            evidence=json.dumps(entry.evidence),
        )
        number = int(result.inserted_primary_key[0])  # type: ignore[index]
        for each in entry.about:
            self._insert(AUDIT_ABOUT, about=each, number=number)
        if entry.notification is not None:
            told = entry.notification
            Outbox(self._connection).put(told.type, told.data, entry.at_us)
        return number

    def get(self, number: int) -> AuditEntry:
        """Return the entry of this number. Raises NotFoundError (AUDIT_ENTRY_NOT_FOUND)."""
        entry = self._first(select(AUDIT).where(AUDIT.c.number == number), _entry)
        return found(entry, ErrorReason.AUDIT_ENTRY_NOT_FOUND, "entry", number, listing="audit list")

    def page(self, wanted: AuditFilter, *, before: int | None, limit: int) -> tuple[AuditEntry, ...]:
        """Return entries, newest first, those with numbers below `before`."""
        number = AUDIT.c.number if wanted.about is None else AUDIT_ABOUT.c.number
        query = _filtered(wanted)
        if wanted.since_us is not None:
            # Times need not ascend with the numbers: the clock may have been set back. The lowest number ends the
            # search at the oldest entry that is wanted; "+ 0" has SQLite find it by time instead of from number 1 on.
            lowest = select(func.min(AUDIT.c.number + 0)).where(AUDIT.c.at_us >= wanted.since_us)
            query = query.where(number >= lowest.scalar_subquery())
        return self._page(query, number, after=before, limit=limit, make=_entry, descending=True)

    def newest_but(self, user: str, newer: int) -> int | None:
        """Return the time of the user's newest entry but `newer` others, microseconds since 1970 UTC.

        None if there are no more than those.
        """
        times = select(AUDIT.c.at_us).where(AUDIT.c.user == user).order_by(AUDIT.c.number.desc())
        return self._connection.execute(times.offset(newer).limit(1)).scalar_one_or_none()


def _filtered(wanted: AuditFilter) -> Select[Any]:
    query = select(AUDIT)
    if wanted.about is not None:
        query = query.join(AUDIT_ABOUT, AUDIT_ABOUT.c.number == AUDIT.c.number).where(
            AUDIT_ABOUT.c.about == wanted.about
        )
    if wanted.kind is not None:
        query = query.where(AUDIT.c.kind == wanted.kind.value)
    if wanted.user is not None:
        query = query.where(AUDIT.c.user == wanted.user)
    if wanted.since_us is not None:
        query = query.where(AUDIT.c.at_us >= wanted.since_us)
    return query


def _entry(row: Any) -> AuditEntry:
    actor = None if row.user is None else Actor(row.user, row.token)
    return from_row(
        AuditEntry,
        row,
        kind=AuditKind(row.kind),
        about=tuple(json.loads(row.about)),
        evidence=tuple((fact, value) for fact, value in json.loads(row.evidence)),
        actor=actor,
        notification=None,
    )
