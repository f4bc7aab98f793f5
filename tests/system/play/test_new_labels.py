"""A bot may declare a limited number of new versions a day, because each is stored for good; none after a deadline."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from arena.v1 import token_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import hello

FEW = """
from arena.server.auth import quotas

quotas.LABELS_A_DAY = 2
"""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path / "data", before=FEW) as process:
        yield process


def adas(bot_factory: BotFactory, name: str) -> str:
    """Make a bot of ada's: organisers have no quotas."""
    arena = bot_factory.arena
    arena.bots.CreateBot(bot_id=name, owner="owners/ada")
    bot_factory.tokens[name] = arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=f"bots/{name}").secret
    return name


def test_a_bot_whose_label_changes_too_often_is_refused_until_it_uses_an_earlier_one(
    bot_factory: BotFactory,
) -> None:
    bot, other = (adas(bot_factory, name) for name in ("lark", "owl"))
    for label in ("1", "2", "1"):
        bot_factory.dial(bot).hello(bot_version=label)
    refused = bot_factory.dial(bot)
    refused.say(hello=hello(bot_version="3"))
    goodbye = refused.hear_end()
    assert (goodbye.reason, goodbye.come_back) == ("QUOTA_EXCEEDED", True)
    assert goodbye.come_back_after_ms > 0
    assert "bot_version" in goodbye.sentence
    bot_factory.dial(bot).hello(bot_version="2")
    bot_factory.dial(other).hello(bot_version="3")
    versions = bot_factory.arena.bots.ListVersions(bot=f"bots/{bot}").versions
    assert {each.name.rpartition("/")[2] for each in versions} == {"1", "2"}


def test_a_new_label_is_refused_after_the_deadline_of_a_ladder(bot_factory: BotFactory) -> None:
    bot, arena = adas(bot_factory, "wren"), bot_factory.arena
    bot_factory.dial(bot).hello(bot_version="1")
    arena.ladders.CreateLadder(ladder_id="term", game="caravan", seat_counts=[2])
    arena.ladders.JoinLadder(name="ladders/term", bot=f"bots/{bot}")
    arena.ladders.SetLadderDeadline(name="ladders/term", deadline=Timestamp(seconds=1))
    refused = bot_factory.dial(bot)
    refused.say(hello=hello(bot_version="2"))
    assert refused.hear_end().reason == "DEADLINE_PASSED"
    bot_factory.dial(bot).hello(bot_version="1")
