"""A real arena tells a real receiver that a match has ended, also if it is killed before it knows that it was heard."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from standardwebhooks.webhooks import Webhook

from arena.v1 import webhook_pb2
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot
from tests.webhook_receiver import Receiver

ENDED = webhook_pb2.NOTIFICATION_TYPE_MATCH_ENDED


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Yield a running receiver."""
    with Receiver() as receiver:
        yield receiver


def play_a_match(arena: ArenaProcess, ladder: str) -> None:
    """Play one match of one bot on a ladder of its own."""
    bot = RawBot(arena.unix, arena.bot(f"of-{ladder}"))
    bot.hello()
    arena.ladder(ladder, f"of-{ladder}", game="caravanserai", matches=1)
    assert play_on(bot, 1)
    bot.cut()


def test_the_end_of_a_match_is_told_and_told_again_after_a_kill(tmp_path: Path, receiver: Receiver) -> None:
    receiver.behave = lambda request: "/hang" if len(receiver.received) == 0 else request.path
    data = tmp_path / "data"
    with ArenaProcess(data, "--allow-private-webhooks") as arena:
        made = arena.webhooks.CreateWebhook(url=receiver.url("/ok"), types=[ENDED], ladder="")
        play_a_match(arena, "main")
        receiver.wait_for(1)
        arena.kill()
    with ArenaProcess(data, "--allow-private-webhooks") as arena:
        first, second = receiver.wait_for(2)
        assert first.body == second.body
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        verified = Webhook(made.secret).verify(second.body, second.headers)
        assert (verified["type"], verified["data"]["match"]) == ("match.ended", "matches/1")
        assert verified["data"]["seats"][0]["bot"] == "bots/of-main"

        arena.ladders.CreateLadder(ladder_id="other", game="caravan")
        other = arena.webhooks.CreateWebhook(
            url=receiver.url("/other"), types=[ENDED], ladder="ladders/other"
        )
        test = arena.webhooks.TestWebhook(name=other.webhook.name)
        assert (test.accepted, test.status) == (True, 204)
        play_a_match(arena, "second")
        third, fourth = receiver.wait_for(4)[2:]
        assert (third.path, json.loads(third.body)["type"]) == ("/other", "webhook.test")
        assert (fourth.path, json.loads(fourth.body)["data"]["ladder"]) == ("/ok", "ladders/second")
        [webhook, _] = arena.webhooks.ListWebhooks().webhooks
        assert (webhook.given_up, webhook.dropped, webhook.failures) == (0, 0, 0)
