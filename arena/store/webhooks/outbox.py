"""The outbox: notifications that are stored with what they are about, and wait until a webhook's receiver has them.

An arena without a webhook of a type spends nothing on it: each connection keeps in memory which types are wanted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select

from arena.store.json_columns import unpack_numbers
from arena.store.repository import Prepared, Repository, from_row
from arena.store.schema import NOTIFICATIONS, WEBHOOKS

MOST_PENDING: Final = 1_000
"""Notifications that wait for one webhook; beyond it the oldest are dropped."""

MOST_WEBHOOKS: Final = 20
"""Of an arena, so that storing a notification, and looking for those that are due, is a small piece of work."""


class NotificationType(Enum):
    """What a notification is about; the numbers of proto/arena/v1/webhook.proto."""

    MATCH_ENDED = 1
    MATCH_LEFT_TO_ORGANISER = 2
    TOURNAMENT_ENDED = 3
    VERSION_ADMITTED = 4
    VERSION_REJECTED = 5
    VERSION_SUSPENDED = 6
    NODE_LOST = 7

    @property
    def word(self) -> str:
        """The type as people and receivers read it, for example "match.ended"."""
        return self.name.lower().replace("_", ".", 1)


OF_MATCHES: Final = frozenset({NotificationType.MATCH_ENDED, NotificationType.MATCH_LEFT_TO_ORGANISER})
"""The types that are about a match, so that a ladder can be asked for."""


@dataclass(frozen=True, slots=True)
class Notification:
    """What webhooks are told."""

    type: NotificationType
    data: Mapping[str, Any]
    """What the receiver gets (docs/webhooks.md)."""


@dataclass(frozen=True, slots=True)
class PendingNotification:
    """A notification that waits to be sent to one webhook."""

    number: int
    """Later ones have higher numbers; a number is never used again."""
    webhook: str
    type: NotificationType
    data: Mapping[str, Any]
    """What the receiver gets (docs/webhooks.md)."""
    created_us: int
    attempts: int
    """How often it was sent in vain."""


class Outbox(Repository):
    """The notifications that wait."""

    def wants(self, kind: NotificationType) -> bool:
        """Return whether a webhook may want this type. Costs no query but the first of a connection."""
        return kind in types_wanted(self._connection)

    def put(
        self, kind: NotificationType, data: Mapping[str, Any], now_us: int, *, ladder: str | None = None
    ) -> None:
        """Store the notification for each webhook that wants it. `ladder`: that of the match; None: of none.

        If too many wait for a webhook, its oldest ones are dropped and counted.
        """
        if not self.wants(kind):
            return
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)  # in the order of the page
        found = self._all(_RECIPIENTS, lambda row: (row.id, unpack_numbers(row.types)), ladder=ladder)
        recipients = [webhook for webhook, types in found if kind.value in types]
        same = {"type": kind.value, "data": text, "created_us": now_us, "due_us": now_us, "attempts": 0}
        _ADD.run_all(self._connection, [{"webhook": webhook, **same} for webhook in recipients])
        for webhook in recipients:
            self._drop_excess(webhook)

    def next_due(self, webhook: str, now_us: int) -> PendingNotification | None:
        """Return the oldest notification of a webhook that is to be sent now; None if there is none."""
        query = (
            select(NOTIFICATIONS)
            .where(NOTIFICATIONS.c.webhook == webhook, NOTIFICATIONS.c.due_us <= now_us)
            .order_by(NOTIFICATIONS.c.number)
        )
        return self._first(query.limit(1), _pending)

    def pending(self, webhook: str) -> int:
        """Return how many notifications wait for a webhook."""
        return self._number(_PENDING, webhook=webhook)

    def remove(self, number: int) -> bool:
        """Remove a notification; return False if it was not there any more."""
        return self._connection.execute(_of(number)).rowcount == 1

    def remove_all(self, webhook: str) -> None:
        """Remove everything that waits for a webhook."""
        self._connection.execute(delete(NOTIFICATIONS).where(NOTIFICATIONS.c.webhook == webhook))

    def postpone(self, number: int, attempts: int, due_us: int) -> None:
        """Store that a notification was sent in vain so many times, and when it is sent again."""
        self._update(NOTIFICATIONS, NOTIFICATIONS.c.number == number, attempts=attempts, due_us=due_us)

    def _drop_excess(self, webhook: str) -> None:
        excess = self.pending(webhook) - MOST_PENDING
        if excess <= 0:
            return
        this = NOTIFICATIONS.c.webhook == webhook
        oldest = select(NOTIFICATIONS.c.number).where(this).order_by(NOTIFICATIONS.c.number).limit(excess)
        numbers = tuple(self._connection.execute(oldest).scalars())
        for number in numbers:
            self.remove(number)
        self._update(WEBHOOKS, WEBHOOKS.c.id == webhook, dropped=WEBHOOKS.c.dropped + len(numbers))


def types_wanted(connection: Connection) -> set[NotificationType]:
    """Return the types that some webhook wants, or wanted since the connection was opened.

    Webhooks are created on the connection that writes. None is taken out of the set when a webhook is deleted, so a
    deletion that is rolled back cannot lose a notification; what nobody wants is not stored anyway.
    """
    known: set[NotificationType] | None = connection.info.get(_WANTED)
    if known is None:
        rows = connection.execute(select(WEBHOOKS.c.types).limit(MOST_WEBHOOKS)).scalars()
        known = {NotificationType(number) for text in rows for number in json.loads(text)}
        connection.info[_WANTED] = known
    return known


_WANTED: Final = "arena_notification_types"

_RECIPIENTS: Final = Prepared(
    select(WEBHOOKS.c.id, WEBHOOKS.c.types)
    .where(or_(WEBHOOKS.c.ladder.is_(None), WEBHOOKS.c.ladder == bindparam("ladder")))
    .limit(MOST_WEBHOOKS)
)

_ADD: Final = Prepared(insert(NOTIFICATIONS))
_PENDING: Final = Prepared(select(func.count()).where(NOTIFICATIONS.c.webhook == bindparam("webhook")))


def _of(number: int) -> Any:
    return delete(NOTIFICATIONS).where(NOTIFICATIONS.c.number == number)


def _pending(row: Any) -> PendingNotification:
    return from_row(PendingNotification, row, type=NotificationType(row.type), data=json.loads(row.data))
