"""Whose token opens a Play call, and how many calls the bots of one user may have."""

import grpc
import pytest

from arena.v1 import play_pb2, token_pb2, user_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot, hello

SPECTATOR, OWNER, ORGANISER = token_pb2.ROLE_SPECTATOR, token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER


@pytest.fixture
def user(arena: ArenaProcess, bot_factory: BotFactory) -> str:
    """Make a user; return their id."""
    name = f"u{bot_factory.number}"
    arena.users.CreateUser(user_id=name)
    return name


@pytest.mark.parametrize("role", [SPECTATOR, OWNER, ORGANISER])
def test_only_bots_play(arena: ArenaProcess, user: str, role: token_pb2.Role.ValueType) -> None:
    owner = {SPECTATOR: "reader", OWNER: user, ORGANISER: "organiser"}[role]
    bot = RawBot(arena.unix, arena.tokens.CreateToken(role=role, owner=f"users/{owner}").secret)
    bot.say(hello=hello())
    assert bot.hear_end().reason == "ROLE_REQUIRED"
    assert bot.status is grpc.StatusCode.PERMISSION_DENIED


def test_the_bots_of_a_user_have_so_many_connections_together(arena: ArenaProcess, user: str) -> None:
    arena.bots.CreateBot(bot_id=f"bot-of-{user}", owner=f"owners/{user}")
    token, other = (
        arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=f"bots/bot-of-{user}").secret for _ in range(2)
    )
    arena.users.SetUserQuotas(name=f"users/{user}", quotas=user_pb2.UserQuotas(connections=1))
    welcome = RawBot(arena.unix, token).hello()
    second = RawBot(arena.unix, other)
    second.say(hello=hello())
    goodbye = second.hear_end()
    assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_RATE_LIMITED, "QUOTA_EXCEEDED")
    assert goodbye.come_back
    assert second.status is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert user in goodbye.sentence
    # A bot that returns to a session of its own is always let in.
    back = RawBot(arena.unix, token)
    assert back.hello(resume_token=welcome.resume_token).resumed
    shown = arena.users.GetUser(name=f"users/{user}").user
    assert shown.usage.connections == 1
    back.half_close()
    back.hear_end()
    RawBot(arena.unix, other).hello()
