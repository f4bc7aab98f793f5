"""How a connection begins, and how it is refused. Rows are those of docs/bad_inputs.md."""

import grpc
import pytest

from arena.server.limits import MESSAGE_BYTES
from arena.v1 import play_pb2
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot, hello
from tests.system.play.test_match import SHORT


def test_a_bot_is_welcomed_with_what_it_needs_to_know(bot_factory: BotFactory) -> None:
    bot = bot_factory.register("a")
    welcome = bot_factory.dial(bot).hello(bot_version="2.1", highest_protocol=7)
    assert welcome.protocol == 1
    assert welcome.bot == f"bots/{bot}"
    assert welcome.bot_version == f"bots/{bot}/versions/2.1"
    assert welcome.resume_token
    assert not welcome.resumed
    assert welcome.limits.frame_messages == 64
    assert welcome.limits.frame_bytes == MESSAGE_BYTES
    assert welcome.idle_ping_s == 15


@pytest.mark.parametrize(("asked", "answered"), [(14, 15), (60, 60), (2**32 - 1, 300)])
def test_pings_without_a_match_are_as_rare_as_the_bot_accepts_within_bounds(
    bot_factory: BotFactory, asked: int, answered: int
) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    assert bot.hello(idle_ping_s=asked).idle_ping_s == answered


def test_an_idle_bot_is_pinged_at_once_when_its_bot_comes_again(bot_factory: BotFactory) -> None:
    bot = bot_factory.register("a")
    idle = bot_factory.dial(bot)
    idle.hello(idle_ping_s=300)
    assert [idle.hear("ping").id for _ in range(3)] == [1, 2, 3]
    for number in (4, 5, 6):  # one alone might be that of the round
        bot_factory.dial(bot).hello(idle_ping_s=300)
        assert idle.hear("ping").id == number


@pytest.mark.parametrize(
    ("fields", "reason", "words"),
    [
        ({"lowest_protocol": 2, "highest_protocol": 9}, "VERSION_UNSUPPORTED", "protocol 2 to 9"),
        ({"lowest_protocol": 0, "highest_protocol": 0}, "VERSION_UNSUPPORTED", "protocol 0 to 0"),
        ({"games": []}, "VERSION_UNSUPPORTED", "no game"),
        ({"games": [play_pb2.GameSupport(game="chess")]}, "VERSION_UNSUPPORTED", "no game"),
        (
            {"games": [play_pb2.GameSupport(game="caravan", rules_versions=[999])]},
            "VERSION_UNSUPPORTED",
            "no game and rules version",
        ),
        ({"bot_version": "0a" * 32}, "FIELD_INVALID", "64 hex digits"),
        ({"bot_version": "a/b"}, "FIELD_INVALID", "bot_version"),
    ],
)
def test_row_10_a_hello_that_cannot_be_accepted_is_refused_with_its_reason(
    bot_factory: BotFactory, fields: dict[str, object], reason: str, words: str
) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    bot.say(hello=hello(**fields))
    goodbye = bot.hear_end()
    assert goodbye.reason == reason
    assert words in goodbye.sentence
    assert (bot.status is grpc.StatusCode.FAILED_PRECONDITION) == (reason == "VERSION_UNSUPPORTED")


LARGE = 100_000


def flood(bot: RawBot, frames: int) -> None:
    """So many frames of unknown fields while a decision is open."""
    for _ in range(frames):
        bot.say_bytes(b"\xfa\x3e" + _varint(LARGE - 5) + bytes(LARGE - 5))


def test_row_26_a_flood_beside_an_open_decision_ends_the_connection_too(bot_factory: BotFactory) -> None:
    bots = bot_factory.table(2, options=SHORT)
    most = bots[0].heard[0].welcome.limits.decision_bytes // LARGE
    first = bots[0].hear("decision")
    flood(bots[0], most)
    bots[0].answer(first)
    bots[1].answer(bots[1].hear("decision"))
    bots[0].hear("decision")  # what came before it is forgotten
    flood(bots[0], most + 1)
    assert bots[0].hear_end().reason == "MESSAGE_FLOOD"
    assert bots[0].status is grpc.StatusCode.RESOURCE_EXHAUSTED


def _varint(number: int) -> bytes:
    return bytes([number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14])
