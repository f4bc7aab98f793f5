"""WebhookService over a real connection: what is refused, what is shown, and a test of a receiver."""

from collections.abc import Iterator
from typing import Any

import pytest

from arena.server.webhooks.deliveries import Deliveries
from arena.server.webhooks.sender import Sender
from arena.store.audit.entries import AuditKind
from arena.store.webhooks.outbox import MOST_WEBHOOKS, NotificationType
from arena.v1 import webhook_pb2 as pb
from tests.unit.server.services.harness import FIELD_INVALID, Arena
from tests.webhook_receiver import Receiver

ENDED, ADMITTED = pb.NOTIFICATION_TYPE_MATCH_ENDED, pb.NOTIFICATION_TYPE_VERSION_ADMITTED
URL = "https://example.org/arena?key=1"


@pytest.fixture
def receiver(arena: Arena) -> Iterator[Receiver]:
    """Yield a running receiver, to which the arena may send."""
    arena.runtime.deliveries = Deliveries(arena.database, Sender(allow_private=True), lambda: arena.now_us)
    with Receiver() as receiver:
        yield receiver


def create(arena: Arena, url: str = URL, **fields: Any) -> pb.CreateWebhookResponse:
    """Create a webhook as an organiser."""
    made: pb.CreateWebhookResponse = arena.call(
        "CreateWebhook", "organiser", url=url, **{"types": [ENDED], **fields}
    )
    return made


def test_the_secret_is_shown_once(arena: Arena) -> None:
    first, second = create(arena), create(arena)
    assert first.secret.startswith("whsec_")
    assert first.secret != second.secret
    listed = arena.call("ListWebhooks", "organiser")
    assert {each.name for each in listed.webhooks} == {first.webhook.name, second.webhook.name}
    assert first.secret not in str(listed)
    assert (first.webhook.url, first.webhook.style, list(first.webhook.types)) == (
        URL,
        pb.WEBHOOK_STYLE_JSON,
        [ENDED],
    )


def test_the_url_of_a_chat_is_a_password_and_is_not_shown(arena: Arena) -> None:
    made = create(arena, "https://discord.example/api/secret", style=pb.WEBHOOK_STYLE_DISCORD)
    assert "secret" not in made.webhook.url
    assert made.webhook.url.startswith("https://discord.example/")


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("url", {"url": "example.org"}),
        ("url", {"url": "https://user:word@example.org/"}),
        ("url", {"url": "http://127.0.0.1:80/"}),
        ("url", {"url": "http://[::ffff:10.0.0.1]/"}),
        ("types", {"types": []}),
        ("types", {"types": [99]}),
        ("style", {"style": 99}),
        ("ladder", {"ladder": "main"}),
        ("ladder", {"ladder": "ladders/main", "types": [ENDED, ADMITTED]}),
    ],
)
def test_what_is_refused(arena: Arena, field: str, fields: dict[str, Any]) -> None:
    request = {"url": URL, "types": [ENDED], **fields}
    refused = arena.refusal("CreateWebhook", "organiser", **request)
    assert (refused.status, refused.metadata["field"]) == (FIELD_INVALID, field)


def test_a_ladder_that_is_not_there_and_one_webhook_too_many(arena: Arena) -> None:
    refused = arena.refusal("CreateWebhook", "organiser", url=URL, types=[ENDED], ladder="ladders/no")
    assert refused.reason == "LADDER_NOT_FOUND"
    for _ in range(MOST_WEBHOOKS):
        create(arena)
    refused = arena.refusal("CreateWebhook", "organiser", url=URL, types=[ENDED])
    assert refused.status == ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")


def test_pending_notifications_are_counted_and_deleted_with_the_webhook(arena: Arena) -> None:
    name = create(arena).webhook.name
    arena.change(lambda tx: tx.outbox.put(NotificationType.MATCH_ENDED, {}, arena.now_us))
    [listed] = arena.call("ListWebhooks", "organiser").webhooks
    assert (listed.pending, listed.delivered) == (1, 0)
    arena.call("DeleteWebhook", "organiser", name=name)
    assert not arena.call("ListWebhooks", "organiser").webhooks
    for method in ("DeleteWebhook", "TestWebhook"):
        refused = arena.refusal(method, "organiser", name=name)
        assert refused.status == ("NOT_FOUND", "WEBHOOK_NOT_FOUND")


def test_a_webhook_is_deleted_with_its_ladder(arena: Arena) -> None:
    arena.call("CreateLadder", "organiser", ladder_id="short", game="caravan")
    create(arena, ladder="ladders/short")
    other = create(arena).webhook.name
    arena.change(lambda tx: tx.outbox.put(NotificationType.MATCH_ENDED, {}, arena.now_us, ladder="short"))
    arena.call("DeleteLadder", "organiser", name="ladders/short")
    assert [each.name for each in arena.call("ListWebhooks", "organiser").webhooks] == [other]


def test_a_test_says_what_the_receiver_answered(arena: Arena, receiver: Receiver) -> None:
    good = create(arena, receiver.url("/ok")).webhook.name
    bad = create(arena, receiver.url("/status/500")).webhook.name
    answer = arena.call("TestWebhook", "organiser", name=good)
    assert (answer.accepted, answer.status, answer.failure) == (True, 204, "")
    answer = arena.call("TestWebhook", "organiser", name=bad)
    assert (answer.accepted, answer.status, answer.answer) == (False, 500, "the <b>receiver</b> says so")
    assert b'"type":"webhook.test"' in receiver.received[0].body
    [first, second] = arena.call("ListWebhooks", "organiser").webhooks
    assert (first.failures, second.failures) == (0, 0)  # a test counts as neither


def test_only_organisers_have_webhooks_and_each_change_is_in_the_audit_trail(arena: Arena) -> None:
    assert arena.refusal("ListWebhooks", "ada").reason == "ROLE_REQUIRED"
    name = create(arena).webhook.name
    arena.call("DeleteWebhook", "organiser", name=name)
    entries = [entry for entry in arena.audited() if entry.kind is AuditKind.WEBHOOK]
    assert [entry.about for entry in entries] == [(name,), (name,)]
    assert not [entry for entry in entries if "key=1" in entry.sentence]  # a URL may hold a password
