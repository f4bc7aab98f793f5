"""How a connection begins, and how it is refused. Rows are those of docs/bad_inputs.md."""

import grpc
import pytest

from arena.server.limits import MESSAGE_BYTES
from arena.v1 import play_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot, hello
from tests.system.play.test_match import SHORT


def test_a_bot_is_welcomed_with_what_it_needs_to_know(bot_factory: BotFactory) -> None:
    bot = bot_factory.register("a")
    welcome = bot_factory.dial(bot).hello(bot_version="2.1")
    assert welcome.protocol == 1
    assert welcome.bot == f"bots/{bot}"
    assert welcome.bot_version == f"bots/{bot}/versions/2.1"
    assert welcome.resume_token
    assert not welcome.resumed
    assert welcome.limits.frame_messages == 64
    assert welcome.limits.frame_bytes == MESSAGE_BYTES


def test_the_answer_to_hello_is_the_first_message(bot_factory: BotFactory) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    bot.say(hello=hello())
    first = bot.hear_any()
    assert first is not None
    assert first.HasField("welcome")


def test_pings_come_and_are_answered(bot_factory: BotFactory) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    bot.hello()
    assert [bot.hear("ping").id for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        (None, "TOKEN_MISSING"),
        ("", "TOKEN_INVALID"),
        ("nonsense", "TOKEN_INVALID"),
        ("arn_000000000000_" + "0" * 64 + "_00000000", "TOKEN_INVALID"),
    ],
    ids=["row 1: none", "row 2: empty", "row 2: malformed", "row 2: unknown"],
)
def test_rows_1_and_2_without_a_valid_token_nobody_plays(
    arena: ArenaProcess, token: str | None, reason: str
) -> None:
    bot = RawBot(arena.unix, token)
    bot.say(hello=hello())
    goodbye = bot.hear_end()
    assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_UNAUTHENTICATED, reason)
    assert bot.status is grpc.StatusCode.UNAUTHENTICATED
    assert not goodbye.come_back


def test_an_organisers_token_does_not_play(arena: ArenaProcess) -> None:
    bot = RawBot(arena.unix, (arena.data / "organiser.token").read_text().strip())
    bot.say(hello=hello())
    assert bot.hear_end().reason == "ROLE_REQUIRED"
    assert bot.status is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    "fields",
    [
        {"lowest_protocol": 2, "highest_protocol": 9},
        {"lowest_protocol": 0, "highest_protocol": 0},
        {"games": []},
        {"games": [play_pb2.GameSupport(game="chess")]},
        {"games": [play_pb2.GameSupport(game="caravan", rules_versions=[999])]},
    ],
    ids=["newer protocol", "older protocol", "no game", "unknown game", "other rules version"],
)
def test_row_10_without_a_version_in_common_nobody_plays(
    bot_factory: BotFactory, fields: dict[str, object]
) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    bot.say(hello=hello(**fields))
    goodbye = bot.hear_end()
    assert goodbye.reason == "VERSION_UNSUPPORTED"
    assert bot.status is grpc.StatusCode.FAILED_PRECONDITION


def test_an_arena_picks_its_protocol_out_of_a_newer_bots_range(bot_factory: BotFactory) -> None:
    welcome = bot_factory.dial(bot_factory.register("a")).hello(lowest_protocol=1, highest_protocol=7)
    assert welcome.protocol == 1


def test_a_bot_that_dials_in_cannot_pass_for_a_submitted_version(bot_factory: BotFactory) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    bot.say(hello=hello(bot_version="0a" * 32))
    goodbye = bot.hear_end()
    assert goodbye.reason == "FIELD_INVALID"
    assert "64 hex digits" in goodbye.sentence


def test_a_version_label_must_be_printable(bot_factory: BotFactory) -> None:
    bot = bot_factory.dial(bot_factory.register("a"))
    bot.say(hello=hello(bot_version="a/b"))
    goodbye = bot.hear_end()
    assert goodbye.reason == "FIELD_INVALID"
    assert "bot_version" in goodbye.sentence


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
