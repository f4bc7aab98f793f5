"""Delivery from a real database to a real receiver: order, repetition, giving up, and receivers that do not answer."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from standardwebhooks.webhooks import Webhook

from arena.core.pairing.formats.formats import format_of
from arena.core.tournaments import TournamentFormat
from arena.core.units import US_PER_S
from arena.scheduling.wall_clock import now_us
from arena.server.webhooks import deliveries as module
from arena.server.webhooks.deliveries import GIVE_UP_S, Deliveries, pause_us
from arena.server.webhooks.sender import Sender
from arena.server.webhooks.signature import secret_text
from arena.store.database import Database
from arena.store.store import Store, Transaction
from arena.store.webhooks.outbox import NotificationType
from arena.store.webhooks.webhooks import WebhookRow, WebhookStyle
from tests.unit.scheduling.fakes import opened
from tests.unit.scheduling.test_rounds import GROUP, RoundsFixture
from tests.unit.store.store_fixture import open_store
from tests.webhook_receiver import Received, Receiver

KIND = NotificationType.NODE_LOST
SECRET = bytes(range(32))


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Yield a running receiver."""
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Yield a database."""
    store = open_store(tmp_path)
    yield store
    store.close()


class Sending:
    """Deliveries of a store, with a clock of their own, which can be run until something is so."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "LOOK_EVERY_S", 0.01)
        self.store = store
        self.now_us = 1_000_000 * US_PER_S

    def webhook(self, name: str, url: str, kind: NotificationType = KIND) -> str:
        """Create a webhook; return its id."""
        row = WebhookRow(name, url, (kind,), WebhookStyle.JSON, SECRET, self.now_us)
        self.store.write(lambda tx: tx.webhooks.add(row))
        return name

    def notify(self, *nodes: str) -> None:
        """Put a notification of each node into the outbox."""

        def put(tx: Transaction) -> None:
            for node in nodes:
                tx.outbox.put(KIND, {"node": node, "why": ""}, self.now_us)

        self.store.write(put)

    def row(self, name: str) -> WebhookRow:
        """Return a webhook as it is stored."""
        return self.store.read(lambda tx: tx.webhooks.get(name))

    def pending(self, name: str) -> int:
        """Return how many notifications wait."""
        return self.store.read(lambda tx: tx.outbox.pending(name))

    def run_until(self, is_so: Callable[[], bool], within_s: float = 5.0) -> Deliveries:
        """Run until it is so."""

        async def run() -> Deliveries:
            database = Database(self.store)
            sender = Sender(allow_private=True, within_s=within_s)
            deliveries = Deliveries(database, sender, lambda: self.now_us, lambda: 0.5)
            running = asyncio.create_task(deliveries.run())
            async with asyncio.timeout(60):
                while not is_so():
                    assert not running.done()
                    await asyncio.sleep(0.005)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            return deliveries

        return asyncio.run(run())


@pytest.fixture
def sending(store: Store, monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Return deliveries of the database."""
    return Sending(store, monkeypatch)


def nodes(receiver: Receiver) -> list[str]:
    """Return what the receiver was told, in order."""
    return [json.loads(each.body)["data"]["node"] for each in receiver.received]


def test_notifications_arrive_in_order_signed_and_once(sending: Sending, receiver: Receiver) -> None:
    name = sending.webhook("a", receiver.url("/ok"))
    sending.notify("n1", "n2", "n3")
    deliveries = sending.run_until(lambda: sending.pending(name) == 0)
    assert nodes(receiver) == ["n1", "n2", "n3"]
    assert len({each.headers["webhook-id"] for each in receiver.received}) == 3
    assert deliveries.outcomes == {"accepted": 3, "failed": 0, "given_up": 0}
    row = sending.row(name)
    assert (row.delivered, row.failures, row.last_success_us) == (3, 0, sending.now_us)
    first = receiver.received[0]
    document = json.loads(first.body)
    assert (document["type"], document["timestamp"]) == ("node.lost", "1970-01-12T13:46:40.000000Z")
    assert first.headers["webhook-timestamp"] == "1000000"
    signer, at = Webhook(secret_text(SECRET)), datetime.fromtimestamp(1_000_000, UTC)
    signature = signer.sign(first.headers["webhook-id"], at, first.body.decode())
    assert first.headers["webhook-signature"] == signature


def test_a_failure_is_repeated_after_a_pause_and_nothing_overtakes_it(
    sending: Sending, receiver: Receiver
) -> None:
    receiver.behave = lambda _: "/status/500"
    name = sending.webhook("a", receiver.url("/ok"))
    sending.notify("n1", "n2")
    sending.run_until(lambda: sending.row(name).failures == 1)
    row = sending.row(name)
    assert row.retry_us == sending.now_us + pause_us(1, 300, 0.5)
    assert "500" in row.last_failure
    assert sending.pending(name) == 2
    receiver.behave = lambda request: request.path
    sending.now_us += 60 * US_PER_S
    sending.run_until(lambda: sending.pending(name) == 0)
    assert nodes(receiver) == ["n1", "n1", "n2"]
    ids = [each.headers["webhook-id"] for each in receiver.received]
    assert ids[0] == ids[1] != ids[2]
    assert sending.row(name).retry_us is None


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[RoundsFixture]:
    """Yield a knockout of five bots."""
    yield from opened(RoundsFixture(tmp_path, TournamentFormat.KNOCKOUT))


def test_the_end_of_a_tournament_comes_with_its_standings(
    cup: RoundsFixture, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    sending = Sending(cup.db.store, monkeypatch)
    sending.webhook("a", receiver.url("/ok"), NotificationType.TOURNAMENT_ENDED)
    cup.play_to_the_end()
    sending.now_us = now_us()  # as the scheduler
    sending.run_until(lambda: sending.pending("a") == 0)
    [sent] = receiver.received
    data = json.loads(sent.body)["data"]
    ranking = format_of(cup.row().format, 2, cup.row().parameters).ranking(cup.history())
    matches = Counter(GROUP * [bot for pairing in cup.pairings() for bot in pairing.bots])
    assert (data["tournament"], data["bots"]) == ("tournaments/cup", 5)
    lines = data["standings"]
    ranked = {bot: 1 + sum(map(len, ranking[:at])) for at, equals in enumerate(ranking) for bot in equals}
    assert {line["bot"]: (line["rank"], line["matches"]) for line in lines} == {
        f"bots/{bot}": (rank, matches[bot]) for bot, rank in ranked.items()
    }
    assert [line["rank"] for line in lines] == sorted(ranked.values())
    assert sum(line["score"] for line in lines) == matches.total() / 2


async def test_a_look_from_before_a_failure_sends_nothing(sending: Sending, receiver: Receiver) -> None:
    """What is due was read, and then the webhook failed: it pauses, and the next notification with it."""
    receiver.behave = lambda _: "/status/500"
    name = sending.webhook("a", receiver.url("/ok"))
    sending.notify("n1", "n2")
    sender = Sender(allow_private=True)
    deliveries = Deliveries(Database(sending.store), sender, lambda: sending.now_us, lambda: 0.5)
    for _ in range(3):
        await deliveries._send_all(name)
    assert nodes(receiver) == ["n1"]


def test_one_that_is_never_accepted_delays_the_others_but_not_for_ever(
    sending: Sending, receiver: Receiver
) -> None:
    receiver.behave = lambda request: "/status/500" if b"bad" in request.body else "/ok"
    name = sending.webhook("a", receiver.url("/ok"))
    sending.notify("bad", "good")

    def fails_once_more() -> None:
        before = sending.row(name)
        sending.run_until(lambda: sending.row(name) != before)
        sending.now_us += module.LONGEST_PAUSE_S * 2 * US_PER_S

    for _ in range(20):
        if "good" not in nodes(receiver):
            fails_once_more()
    sending.run_until(lambda: sending.row(name).delivered == 1)
    assert nodes(receiver)[:6] == ["bad"] * 6
    assert (sending.pending(name), sending.row(name).last_failure_us is not None) == (1, True)


def test_after_a_day_a_notification_is_given_up_and_counted(sending: Sending, receiver: Receiver) -> None:
    name = sending.webhook("a", receiver.url("/status/410"))
    sending.notify("n1")
    sending.now_us += GIVE_UP_S * US_PER_S
    deliveries = sending.run_until(lambda: sending.pending(name) == 0)
    row = sending.row(name)
    assert (row.given_up, row.delivered, len(receiver.received)) == (1, 0, 1)
    assert deliveries.outcomes["given_up"] == 1


def test_a_receiver_that_hangs_delays_no_other_webhook(sending: Sending, receiver: Receiver) -> None:
    sending.webhook("hangs", receiver.url("/hang"))
    other = sending.webhook("other", receiver.url("/ok"))
    sending.notify(*(f"n{number}" for number in range(5)))
    sending.run_until(lambda: sending.pending(other) == 0, within_s=60)
    assert [each.path for each in receiver.received].count("/hang") == 1  # one request at a time
    assert sending.pending("hangs") == 5


def test_what_was_sent_and_not_answered_before_a_stop_is_sent_again(
    sending: Sending, receiver: Receiver
) -> None:
    name = sending.webhook("a", receiver.url("/ok"))
    receiver.behave = lambda _: "/hang"
    sending.notify("n1")
    sending.run_until(lambda: len(receiver.received) == 1, within_s=60)
    receiver.behave = lambda request: request.path
    sending.run_until(lambda: sending.pending(name) == 0)
    first, second = receiver.received
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


def test_a_webhook_that_is_deleted_while_it_is_sent_to_is_gone(sending: Sending, receiver: Receiver) -> None:
    name = sending.webhook("a", receiver.url("/ok"))
    sending.notify("n1", "n2")

    def behave(request: Received) -> str:
        sending.store.write(lambda tx: tx.webhooks.remove(name))
        return request.path

    receiver.behave = behave
    other = sending.webhook("b", receiver.url("/other"))
    sending.run_until(lambda: len(receiver.received) == 1)
    receiver.behave = lambda request: request.path
    sending.notify("n3")
    sending.run_until(lambda: sending.pending(other) == 0)
    assert nodes(receiver) == ["n1", "n3"]
    assert [row.id for row in sending.store.read(lambda tx: tx.webhooks.all())] == [other]


def test_pauses_double_up_to_the_longest() -> None:
    seconds = [pause_us(failures, 300, 0.5) // US_PER_S for failures in (1, 2, 3, 7, 8, 1_000)]
    assert seconds == [5, 10, 20, 300, 300, 300]
    assert pause_us(1, 300, 0) < pause_us(1, 300, 1)
