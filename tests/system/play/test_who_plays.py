"""Whose token opens a Play call, and that the call ends with it; how many calls the bots of one user may have."""

from collections.abc import Callable

import grpc
import pytest

from arena.v1 import play_pb2, token_pb2, user_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot, hello

SPECTATOR, OWNER, ORGANISER = token_pb2.ROLE_SPECTATOR, token_pb2.ROLE_OWNER, token_pb2.ROLE_ORGANISER


class UserFixture:
    """What an organiser does with a user who has one bot."""

    def __init__(self, arena: ArenaProcess, bot_factory: BotFactory) -> None:
        self.arena = arena
        self.user = f"u{bot_factory.number}"
        self.bot = f"b{bot_factory.number}"
        self.users = arena.users
        self.users.CreateUser(user_id=self.user)
        arena.bots.CreateBot(bot_id=self.bot, owner=f"owners/{self.user}")
        made = self.make(role=token_pb2.ROLE_BOT, bot=f"bots/{self.bot}")
        self.token, self.token_name = made.secret, made.token.name

    def make(self, **fields: object) -> token_pb2.CreateTokenResponse:
        """Make a token."""
        request = token_pb2.CreateTokenRequest(**fields)  # type: ignore[arg-type]
        made = self.arena.tokens.CreateToken(request)
        assert isinstance(made, token_pb2.CreateTokenResponse)
        return made

    def revoke(self) -> None:
        """Revoke the bot's token."""
        self.arena.tokens.RevokeToken(name=self.token_name)

    def shut_out(self) -> None:
        """Disable the user."""
        self.users.SetUserDisabled(name=f"users/{self.user}", disabled=True)

    def lower(self) -> None:
        """Make the user a spectator."""
        self.users.SetUserRole(name=f"users/{self.user}", role=SPECTATOR)


@pytest.fixture
def account(arena: ArenaProcess, bot_factory: BotFactory) -> UserFixture:
    return UserFixture(arena, bot_factory)


@pytest.mark.parametrize("role", [SPECTATOR, OWNER, ORGANISER])
def test_only_bots_play(account: UserFixture, role: token_pb2.Role.ValueType) -> None:
    user = {SPECTATOR: "reader", OWNER: account.user, ORGANISER: "organiser"}[role]
    bot = RawBot(account.arena.unix, account.make(role=role, owner=f"users/{user}").secret)
    bot.say(hello=hello())
    assert bot.hear_end().reason == "ROLE_REQUIRED"
    assert bot.status is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize("end", [UserFixture.revoke, UserFixture.shut_out, UserFixture.lower])
@pytest.mark.parametrize("introduced", [True, False], ids=["introduced", "not yet"])
def test_a_bot_is_told_goodbye_when_its_token_ends(
    account: UserFixture, end: Callable[[UserFixture], None], introduced: bool
) -> None:
    """Row 2; one that has not said hello is not waited for."""
    bot = RawBot(account.arena.unix, account.token)
    if introduced:
        bot.hello()
    end(account)
    goodbye = bot.hear_end()
    assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_UNAUTHENTICATED, "TOKEN_INVALID")
    assert not goodbye.come_back
    assert bot.status is grpc.StatusCode.UNAUTHENTICATED
    again = RawBot(account.arena.unix, account.token)
    again.say(hello=hello())
    assert again.hear_end().reason == "TOKEN_INVALID"


def test_the_bots_of_a_user_have_so_many_connections_together(account: UserFixture) -> None:
    account.users.SetUserQuotas(name=f"users/{account.user}", quotas=user_pb2.UserQuotas(connections=1))
    other = account.make(role=token_pb2.ROLE_BOT, bot=f"bots/{account.bot}").secret
    first = RawBot(account.arena.unix, account.token)
    welcome = first.hello()
    second = RawBot(account.arena.unix, other)
    second.say(hello=hello())
    goodbye = second.hear_end()
    assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_RATE_LIMITED, "QUOTA_EXCEEDED")
    assert goodbye.come_back
    assert second.status is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert account.user in goodbye.sentence
    # Who comes back to what it has begun always may.
    back = RawBot(account.arena.unix, account.token)
    assert back.hello(resume_token=welcome.resume_token).resumed
    shown = account.users.GetUser(name=f"users/{account.user}").user
    assert shown.usage.connections == 1
    back.half_close()
    back.hear_end()
    third = RawBot(account.arena.unix, other)
    third.hello()
    third.cut()
