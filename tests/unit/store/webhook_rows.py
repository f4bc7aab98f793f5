"""A webhook of the tests, and what waits in its outbox."""

import json

from sqlalchemy import select

from arena.store.schema import NOTIFICATIONS
from arena.store.store import Transaction
from arena.store.webhooks.outbox import NotificationType, PendingNotification
from arena.store.webhooks.webhooks import WebhookRow, WebhookStyle


def a_webhook(*types: NotificationType, name: str = "all", ladder: str | None = None) -> WebhookRow:
    """Return a webhook for these types."""
    return WebhookRow(name, "https://example.org/", types, WebhookStyle.JSON, bytes(32), 5, ladder=ladder)


def notifications(tx: Transaction, name: str = "all") -> list[PendingNotification]:
    """Return what waits for a webhook, in order."""
    waiting = select(NOTIFICATIONS).where(NOTIFICATIONS.c.webhook == name)
    rows = tx._connection.execute(waiting.order_by(NOTIFICATIONS.c.number))
    return [
        PendingNotification(
            row.number,
            row.webhook,
            NotificationType(row.type),
            json.loads(row.data),
            row.created_us,
            row.attempts,
        )
        for row in rows
    ]
