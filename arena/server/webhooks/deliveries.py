"""Delivery of notifications: at least once, one request at a time for each webhook, again and again if it fails.

After a failure a webhook pauses, and so does the notification: at first for the same time, so that nothing overtakes
it. The pauses of a notification become longer than those of its webhook can, so one that is never accepted delays the
others for some minutes and not for ever.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable
from typing import Any, Final

import structlog

from arena.core.errors import UnavailableError
from arena.core.tournaments import NO_RANK, WIN_MILLI
from arena.core.units import US_PER_S
from arena.server.tournament_results import TournamentResults, read_results
from arena.server.webhooks.bodies import TEST, body_of
from arena.server.webhooks.sender import Answer, Sender
from arena.server.webhooks.signature import signed_headers
from arena.store.database import Database
from arena.store.store import Transaction
from arena.store.webhooks.outbox import NotificationType, PendingNotification
from arena.store.webhooks.webhooks import WebhookRow
from arena.wire.resource_names import bot_name, parse_tournament

LOOK_EVERY_S: Final = 1.0
"""While there are webhooks the outbox is looked at so often."""
TRY_AGAIN_S: Final = 1.0
"""The pause while the storage refuses."""
FIRST_PAUSE_S: Final = 5
"""After one failure; it doubles with each one in a row."""
LONGEST_PAUSE_S: Final = 300
"""Of a webhook."""
LONGEST_NOTIFICATION_PAUSE_S: Final = 3_600
GIVE_UP_S: Final = 24 * 3_600
"""A notification that is older is not sent again."""
_MOST_DOUBLINGS: Final = 16
MOST_LINES: Final = 10
"""Of the standings of a tournament that has ended."""

_log = structlog.get_logger(__name__)


class Deliveries:
    """Sends what waits in the outbox. All on one event loop; `run` has to be running."""

    def __init__(
        self,
        database: Database,
        sender: Sender,
        now_us: Callable[[], int],
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """`now_us`: microseconds since 1970 UTC; `jitter`: a number from 0 to 1 that makes pauses differ."""
        self._database = database
        self._sender = sender
        self._now_us = now_us
        self._jitter = jitter
        self._busy: set[str] = set()
        """The webhooks that are being sent to."""
        self._woken = asyncio.Event()
        self.outcomes = {"accepted": 0, "failed": 0, "given_up": 0}
        """Requests since the start, by what came of them; the last of those that are given up counts as that."""

    @property
    def allow_private(self) -> bool:
        """Whether addresses that are not public are allowed."""
        return self._sender.allow_private

    def webhooks_changed(self) -> None:
        """Look at the webhooks again: one was created."""
        self._woken.set()

    async def run(self) -> None:
        """Send what is due, for ever. An arena without webhooks waits here for the first one."""
        async with asyncio.TaskGroup() as group:
            while True:
                self._woken.clear()
                any_there, due = await self._look()
                for webhook_id in due:
                    if webhook_id not in self._busy:
                        self._busy.add(webhook_id)
                        group.create_task(self._send_all(webhook_id))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY_S if any_there else None):
                        await self._woken.wait()

    async def test(self, webhook: WebhookRow) -> Answer:
        """Send a test to the receiver, once, and return what came of it."""
        now_us = self._now_us()
        body = body_of(webhook.style, TEST, now_us, {"webhook": f"webhooks/{webhook.id}"})
        return await self._post(webhook, f"test-{webhook.id}-{now_us}", body, wants_text=True)

    async def _look(self) -> tuple[bool, list[str]]:
        """Return whether there are webhooks, and to which of them something is to be sent now."""
        now_us = self._now_us()

        def look(tx: Transaction) -> tuple[bool, list[str]]:
            webhooks = tx.webhooks.all()
            ready = [each.id for each in webhooks if is_ready(each, now_us)]
            return bool(webhooks), [each for each in ready if tx.outbox.next_due(each, now_us) is not None]

        while True:
            try:
                return await self._database.read(look)
            except UnavailableError:
                await asyncio.sleep(TRY_AGAIN_S)

    async def _send_all(self, webhook_id: str) -> None:
        """Send to one webhook until nothing is due or a request fails."""
        try:
            while await self._send_next(webhook_id):
                pass
        except UnavailableError as error:
            _log.error("notifications cannot be read", webhook=webhook_id, why=error.sentence)
        # A failure to send notifications must not end the arena.
        except Exception:  # noqa: BLE001
            _log.exception("notifications could not be sent", webhook=webhook_id)
        finally:
            self._busy.discard(webhook_id)

    async def _send_next(self, webhook_id: str) -> bool:
        """Send one notification that is due; return whether it was accepted.

        The webhook may have failed since `_look` has read it, and then pauses.
        """

        def next_one(
            tx: Transaction,
        ) -> tuple[WebhookRow, PendingNotification, TournamentResults | None] | None:
            webhook, now_us = tx.webhooks.find(webhook_id), self._now_us()
            if webhook is None or not is_ready(webhook, now_us):
                return None
            pending = tx.outbox.next_due(webhook_id, now_us)
            return None if pending is None else (webhook, pending, _results(tx, pending))

        found = await self._database.read(next_one)
        if found is None:
            return False
        webhook, pending, results = found
        data = pending.data
        if results is not None:
            data = {**data, "standings": await asyncio.to_thread(best_lines, results)}
        body = body_of(webhook.style, pending.type.word, pending.created_us, data)
        answer = await self._post(webhook, f"{webhook.id}-{pending.number}", body)
        await self._store(self._outcome(webhook, pending, answer))
        return answer.accepted

    async def _post(
        self, webhook: WebhookRow, message_id: str, body: bytes, *, wants_text: bool = False
    ) -> Answer:
        headers = {
            "content-type": "application/json",
            "user-agent": "caravan-arena",
            **signed_headers(webhook.secret, message_id, self._now_us() // US_PER_S, body),
        }
        return await self._sender.post(webhook.url, headers, body, wants_text=wants_text)

    def _outcome(
        self, webhook: WebhookRow, pending: PendingNotification, answer: Answer
    ) -> Callable[[Transaction], None]:
        """Count what came of a request; return the change that stores it."""
        now_us = self._now_us()
        if answer.accepted:
            self.outcomes["accepted"] += 1
            return lambda tx: tx.webhooks.note_success(pending, now_us)
        jitter = self._jitter()
        given_up = now_us - pending.created_us >= GIVE_UP_S * US_PER_S
        self.outcomes["given_up" if given_up else "failed"] += 1
        retry_us = now_us + pause_us(webhook.failures + 1, LONGEST_PAUSE_S, jitter)
        due_us = now_us + pause_us(pending.attempts + 1, LONGEST_NOTIFICATION_PAUSE_S, jitter)
        _log.warning(
            "a notification was not accepted",
            webhook=webhook.id,
            type=pending.type.word,
            why=answer.failure,
            given_up=given_up,
        )
        return lambda tx: tx.webhooks.note_failure(
            pending, answer.failure, now_us, retry_us=retry_us, due_us=None if given_up else due_us
        )

    async def _store(self, change: Callable[[Transaction], None]) -> None:
        """Store the outcome of a request, as soon as the storage takes it: it must not be sent meanwhile."""
        while True:
            try:
                await self._database.write(change)
            except UnavailableError:
                await asyncio.sleep(TRY_AGAIN_S)
                continue
            return


def _results(tx: Transaction, pending: PendingNotification) -> TournamentResults | None:
    """Return the results of the tournament whose end a notification reports; None: it reports something else."""
    if pending.type is not NotificationType.TOURNAMENT_ENDED:
        return None
    return read_results(tx, parse_tournament("tournament", pending.data["tournament"]))


def best_lines(results: TournamentResults) -> list[dict[str, Any]]:
    """Return the first lines of the standings of a tournament."""
    return [
        {
            "rank": line.rank,
            "bot": bot_name(line.bot),
            "score": line.score_milli / WIN_MILLI,
            "matches": line.matches,
        }
        for line in results.crosstable().standings[:MOST_LINES]
        if line.rank != NO_RANK
    ]


def is_ready(webhook: WebhookRow, now_us: int) -> bool:
    """Return whether the webhook does not pause after a failure."""
    return webhook.retry_us is None or webhook.retry_us <= now_us


def pause_us(failures: int, longest_s: int, jitter: float) -> int:
    """Return the pause after so many failures in a row: the doubled ones, by up to a quarter shorter or longer.

    `jitter`: 0 to 1.
    """
    seconds = min(longest_s, FIRST_PAUSE_S << min(failures - 1, _MOST_DOUBLINGS))
    return int(seconds * (0.75 + jitter / 2) * US_PER_S)
