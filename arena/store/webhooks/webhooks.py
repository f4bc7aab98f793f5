"""Webhooks: where organisers want notifications to be sent, and how sending went."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from sqlalchemy import bindparam, delete, select

from arena.core.errors import ErrorReason
from arena.store.json_columns import pack, unpack_numbers
from arena.store.repository import Repository, found, from_row, row_values
from arena.store.schema import WEBHOOKS
from arena.store.webhooks.outbox import (
    MOST_WEBHOOKS,
    NotificationType,
    Outbox,
    PendingNotification,
    types_wanted,
)


class WebhookStyle(Enum):
    """The form of what is sent; the numbers of proto/arena/v1/webhook.proto."""

    JSON = 1
    DISCORD = 2
    SLACK = 3


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook, and how sending to it went."""

    id: str
    url: str
    types: tuple[NotificationType, ...]
    style: WebhookStyle
    secret: bytes
    """32 bytes, the key of signatures. It is stored as it is: signing needs it."""
    created_us: int
    ladder: str | None = None
    """Only matches of this ladder are wanted; None: everything is."""
    delivered: int = 0
    given_up: int = 0
    """Notifications that were not accepted in the time in which they are sent again."""
    dropped: int = 0
    """Notifications that were dropped because too many waited."""
    last_success_us: int | None = None
    last_failure_us: int | None = None
    last_failure: str = ""
    """Why it failed last: a sentence part."""
    failures: int = 0
    """Requests that have failed since the last success."""
    retry_us: int | None = None
    """Nothing is sent before this time; None: whenever something waits."""


class Webhooks(Repository):
    """The webhooks."""

    def add(self, webhook: WebhookRow) -> None:
        """Store the webhook; its ladder exists."""
        types_wanted(self._connection).update(webhook.types)
        types = pack([each.value for each in webhook.types])
        self._insert(WEBHOOKS, **row_values(webhook, style=webhook.style.value, types=types))

    def find(self, webhook_id: str) -> WebhookRow | None:
        """Return the webhook; None if there is none."""
        return self._first(select(WEBHOOKS).where(WEBHOOKS.c.id == webhook_id), _webhook)

    def get(self, webhook_id: str) -> WebhookRow:
        """Return the webhook. Raises NotFoundError (WEBHOOK_NOT_FOUND)."""
        return found(self.find(webhook_id), ErrorReason.WEBHOOK_NOT_FOUND, "webhook", webhook_id)

    def all(self) -> tuple[WebhookRow, ...]:
        """Return all webhooks, oldest first; there are few."""
        rows = self._all(select(WEBHOOKS).limit(MOST_WEBHOOKS), _webhook)
        return tuple(sorted(rows, key=lambda row: (row.created_us, row.id)))

    def remove(self, webhook_id: str) -> None:
        """Remove the webhook and what waits for it."""
        types_wanted(self._connection)
        Outbox(self._connection).remove_all(webhook_id)
        self._connection.execute(delete(WEBHOOKS).where(WEBHOOKS.c.id == webhook_id))

    def remove_of(self, ladder: str) -> None:
        """Remove the webhooks that are only about matches of this ladder."""
        for webhook_id in self._connection.execute(_OF_LADDER, {"ladder": ladder}).scalars().all():
            self.remove(webhook_id)

    def note_success(self, sent: PendingNotification, now_us: int) -> None:
        """Store that the receiver has accepted a notification, and remove it."""
        row = self.find(sent.webhook)
        if row is not None and Outbox(self._connection).remove(sent.number):
            self._replace(
                replace(row, delivered=row.delivered + 1, last_success_us=now_us, failures=0, retry_us=None)
            )

    def note_failure(
        self, sent: PendingNotification, why: str, now_us: int, *, retry_us: int, due_us: int | None
    ) -> None:
        """Store that sending a notification has failed.

        `why`: a sentence part; `retry_us`: when the webhook is tried again; `due_us`: when the notification is sent
        again, None: never.
        """
        row, outbox = self.find(sent.webhook), Outbox(self._connection)
        if row is None:
            return
        given_up = row.given_up
        if due_us is None:
            given_up += int(outbox.remove(sent.number))
        else:
            outbox.postpone(sent.number, sent.attempts + 1, due_us)
        self._replace(
            replace(
                row,
                given_up=given_up,
                last_failure=why,
                last_failure_us=now_us,
                failures=row.failures + 1,
                retry_us=retry_us,
            )
        )

    def _replace(self, row: WebhookRow) -> None:
        counted = (
            *("delivered", "given_up", "failures"),
            *("last_success_us", "last_failure_us", "last_failure", "retry_us"),
        )
        self._update(WEBHOOKS, WEBHOOKS.c.id == row.id, **{name: getattr(row, name) for name in counted})


_OF_LADDER: Final = select(WEBHOOKS.c.id).where(WEBHOOKS.c.ladder == bindparam("ladder"))


def _webhook(row: Any) -> WebhookRow:
    return from_row(
        WebhookRow,
        row,
        types=tuple(map(NotificationType, unpack_numbers(row.types))),
        style=WebhookStyle(row.style),
        secret=bytes(row.secret),
    )
