"""WebhookService: webhooks, for organisers."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from arena.core.errors import ErrorReason, ResourceExhaustedError, invalid_field
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import current_caller
from arena.server.context import Context
from arena.server.services.service_context import Service, complete, record_decision
from arena.server.webhooks.addresses import RefusedAddressError, check_addresses
from arena.server.webhooks.sender import check_url
from arena.server.webhooks.signature import SECRET_BYTES, secret_text
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.store.webhooks.outbox import MOST_WEBHOOKS, OF_MATCHES, NotificationType
from arena.store.webhooks.webhooks import WebhookRow, WebhookStyle
from arena.v1 import webhook_pb2 as pb
from arena.v1 import webhook_pb2_grpc
from arena.wire.fields import enum_of, same, timestamp
from arena.wire.resource_names import ladder_name, parse_ladder, parse_webhook, webhook_name

_ID_BYTES: Final = 6


class WebhookService(Service, webhook_pb2_grpc.WebhookServiceServicer):
    """Manages webhooks."""

    async def CreateWebhook(self, request: pb.CreateWebhookRequest, _: Context) -> pb.CreateWebhookResponse:
        """Store a webhook; only the response has its secret."""
        caller, now_us = current_caller(), self._platform.now_us()
        webhook = WebhookRow(
            self._platform.random_bytes(_ID_BYTES).hex(),
            request.url,
            _types(request.types),
            enum_of(WebhookStyle, "style", request.style or pb.WEBHOOK_STYLE_JSON, "one of WebhookStyle"),
            self._platform.random_bytes(SECRET_BYTES),
            now_us,
            ladder=parse_ladder("ladder", request.ladder) if request.ladder else None,
        )
        url = check_url("url", webhook.url)
        if not self._platform.runtime.deliveries.allow_private:
            _check_literal(url)
        _check_ladder(webhook)

        def create(tx: Transaction) -> None:
            check_still_valid(tx, caller, now_us)
            if len(tx.webhooks.all()) >= MOST_WEBHOOKS:
                raise ResourceExhaustedError(
                    ErrorReason.QUOTA_EXCEEDED,
                    f"The arena has {MOST_WEBHOOKS} webhooks, which is the most: delete one first "
                    "(`arena webhook delete`).",
                )
            about = [webhook_name(webhook.id)]
            if webhook.ladder is not None:
                about.append(ladder_name(tx.ladders.get(webhook.ladder).id))
            tx.webhooks.add(webhook)
            words = ", ".join(each.word for each in webhook.types)
            what = f"The webhook {webhook.id} to {url.scheme}://{url.hostname} was created: {words}."
            record_decision(tx, AuditKind.WEBHOOK, caller, now_us, what, *about)

        async def carry_out() -> None:
            await self._platform.database.write(create)
            self._platform.runtime.deliveries.webhooks_changed()

        await complete(carry_out())
        return pb.CreateWebhookResponse(webhook=_message(webhook, 0), secret=secret_text(webhook.secret))

    async def ListWebhooks(self, request: pb.ListWebhooksRequest, _: Context) -> pb.ListWebhooksResponse:
        """Return all webhooks, oldest first."""
        found = await self._platform.database.read(
            lambda tx: [(webhook, tx.outbox.pending(webhook.id)) for webhook in tx.webhooks.all()]
        )
        return pb.ListWebhooksResponse(webhooks=[_message(webhook, pending) for webhook, pending in found])

    async def DeleteWebhook(self, request: pb.DeleteWebhookRequest, _: Context) -> pb.DeleteWebhookResponse:
        """Delete the webhook and what waits for it."""
        caller, webhook_id = current_caller(), parse_webhook("name", request.name)
        now_us = self._platform.now_us()

        def remove(tx: Transaction) -> None:
            check_still_valid(tx, caller, now_us)
            url = urlsplit(tx.webhooks.get(webhook_id).url)
            tx.webhooks.remove(webhook_id)
            what = f"The webhook {webhook_id} to {url.scheme}://{url.hostname} was deleted."
            record_decision(tx, AuditKind.WEBHOOK, caller, now_us, what, request.name)

        await self._platform.database.write(remove)
        return pb.DeleteWebhookResponse()

    async def TestWebhook(self, request: pb.TestWebhookRequest, _: Context) -> pb.TestWebhookResponse:
        """Send a test and return what came of it."""
        webhook_id = parse_webhook("name", request.name)
        webhook = await self._platform.database.read(lambda tx: tx.webhooks.get(webhook_id))
        answer = await self._platform.runtime.deliveries.test(webhook)
        return pb.TestWebhookResponse(**same(answer, "accepted", "status", "failure"), answer=answer.text)


def _types(numbers: Sequence[int]) -> tuple[NotificationType, ...]:
    """Return the types, each once. Raises InvalidArgumentError (FIELD_INVALID)."""
    if not numbers:
        words = ", ".join(each.word for each in NotificationType)
        raise invalid_field("types", f"types must name at least one of: {words}.")
    found = (enum_of(NotificationType, "types", number, "one of NotificationType") for number in numbers)
    return tuple(dict.fromkeys(found))


def _check_literal(url: SplitResult) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if the host is an IP address to which nothing may be sent.

    The addresses of names are checked at each connection.
    """
    assert url.hostname is not None, "checked before"
    try:
        ip_address(url.hostname.partition("%")[0])
    except ValueError:
        return
    try:
        check_addresses(url.hostname, [url.hostname])
    except RefusedAddressError as error:
        raise invalid_field("url", f"url is refused: {error}.") from error


def _check_ladder(webhook: WebhookRow) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if a ladder is given with types that are about no match."""
    others = [each.word for each in webhook.types if each not in OF_MATCHES]
    if webhook.ladder is not None and others:
        raise invalid_field(
            "ladder",
            f"ladder is only for types of matches, not for {', '.join(others)}: create another webhook for those.",
        )


def _message(webhook: WebhookRow, pending: int) -> pb.Webhook:
    url = webhook.url
    if webhook.style is not WebhookStyle.JSON:
        parts = urlsplit(url)
        url = f"{parts.scheme}://{parts.netloc}/..."
    return pb.Webhook(
        name=webhook_name(webhook.id),
        url=url,
        types=[pb.NotificationType.ValueType(each.value) for each in webhook.types],
        ladder="" if webhook.ladder is None else ladder_name(webhook.ladder),
        style=pb.WebhookStyle.ValueType(webhook.style.value),
        create_time=timestamp(webhook.created_us),
        pending=pending,
        **same(webhook, "delivered", "given_up", "dropped", "last_failure", "failures"),
        last_success_time=timestamp(webhook.last_success_us),
        last_failure_time=timestamp(webhook.last_failure_us),
        retry_time=timestamp(webhook.retry_us),
    )
