"""Floods, silence and foreign bytes over real connections; a match beside them goes on. Rows: docs/bad_inputs.md."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import grpc
import pytest

from arena.server.limits import STREAMS
from arena.v1 import game_pb2, game_pb2_grpc, match_pb2, play_pb2
from tests.system.play import wire
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.oracle import reason_and_wait
from tests.system.play.raw_bot import hello, request
from tests.system.play.test_match import SHORT, answer_everything, undisturbed_match
from tests.system.play.wire import Kind, Wire

PLAY = "/arena.v1.PlayService/Play"
GET_BOT = "/arena.v1.BotService/GetBot"
LIST_GAMES = "/arena.v1.GameService/ListGames"
HELLO = request(hello=hello())


SMALL = """
from arena.server import limits
limits.CALLS = limits.Allowance("unanswered calls", 150, 1)
limits.OPENINGS = limits.Allowance("Play calls", 50, 1)
limits.MOST_CONNECTIONS = 40
limits.REQUEST_WITHIN_S = limits.PIECE_WITHIN_S = 1
limits.SILENT_CONNECTION_S = 1
limits.WATCHER_WRITE_S = limits.DOWNLOAD_WRITE_S = 1
"""
"""Limits that a test reaches quickly."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("floods") / "data", before=SMALL) as process:
        yield process


@pytest.fixture(autouse=True)
def _bystanders(bot_factory: BotFactory) -> Iterator[None]:
    with undisturbed_match(bot_factory):
        yield


def wait_until(true: Callable[[], bool]) -> None:
    """Wait until this is true."""
    deadline = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline


def refusal(arena: ArenaProcess, token: str) -> tuple[grpc.StatusCode, str, int]:
    """Code, reason and seconds to wait that an owner's call with this token is answered with."""
    metadata = (("authorization", f"Bearer {token}"),)
    with pytest.raises(grpc.RpcError) as refused:
        arena.bots.ListBots(metadata=metadata, timeout=WAIT_S)
    trailing: dict[str, Any] = dict(refused.value.trailing_metadata())  # type: ignore[arg-type]
    return refused.value.code(), *reason_and_wait(trailing)


def check_banned(arena: ArenaProcess, token: str) -> None:
    """Check that the token is refused with the time to wait, and that the log has its ban without the secret."""
    code, reason, seconds = refusal(arena, token)
    assert (code, reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
    assert 0 < seconds <= 60
    public = token.split("_")[1]

    arena.wait_for_line("banned", public)  # the refusal may be quicker than the pipe
    assert sum("banned" in line and public in line for line in arena.log) == 1
    assert token not in "".join(arena.log)


def flood(arena: ArenaProcess, path: str, token: str, calls: int, *messages: bytes) -> None:
    """So many calls are open at once, and what comes behind them is refused."""
    with ExitStack() as connections:
        for begun in range(0, calls, STREAMS):
            last = connections.enter_context(Wire(arena.tcp))
            for number in range(min(STREAMS, calls - begun)):
                last.call(2 * number + 1, path, token, *messages)
        wait_until(lambda: refusal(arena, token)[1] == "RATE_LIMITED")


def test_row_25_calls_that_nobody_waits_for_ban_the_token(bot_factory: BotFactory) -> None:
    token = bot_factory.tokens[bot_factory.register("x")]
    flood(bot_factory.arena, GET_BOT, token, 150 + STREAMS)
    check_banned(bot_factory.arena, token)
    bot = bot_factory.register("y")
    assert bot_factory.dial(bot).hello().bot == f"bots/{bot}"


@pytest.mark.parametrize("token", [None, "none"])
def test_row_25_a_request_that_does_not_become_whole_is_given_up(
    bot_factory: BotFactory, token: str | None
) -> None:
    """With the token of an owner, and with one that nobody has."""
    shown = token or (bot_factory.arena.data / "organiser.token").read_text().strip()
    with Wire(bot_factory.arena.tcp) as slow:
        slow.call(1, GET_BOT, shown)
        slow.send_bytes(wire.frame(Kind.DATA, stream=1, payload=b"\0\0\0\0\x09\x0a"))
        [ended] = [frame for frame in until_ended(slow, 1) if frame.kind == Kind.HEADERS]
    assert str(grpc.StatusCode.DEADLINE_EXCEEDED.value[0]).encode() in ended.payload
    assert b"not complete within 1 s" in ended.payload


def test_row_25_requests_of_strangers_that_are_not_whole_give_way_to_one_that_is(
    bot_factory: BotFactory,
) -> None:
    with ExitStack() as connections:
        flood = [connections.enter_context(Wire(bot_factory.arena.tcp)) for _ in range(2)]
        for number in range(60):
            flood[number % 2].call(2 * number + 1, LIST_GAMES, "none")
        assert _takes_calls(bot_factory.arena.tcp)
        refused = next(frame for frame in flood[0].frames() if frame.kind == Kind.HEADERS)
    # It gave way, or had its second: whichever came first on this machine.
    ends = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED)
    assert any(b"grpc-status\x01%d" % code.value[0] in refused.payload for code in ends)


def test_row_8_metadata_that_grpc_lets_through_is_refused(bot_factory: BotFactory) -> None:
    """A peer that has not acknowledged the arena's settings may send up to 16 MiB, for all that gRPC does."""
    metadata = {f"x-{number}": "a" for number in range(1_000)}
    with Wire(bot_factory.arena.tcp) as large:
        large.send_bytes(wire.call_with(1, LIST_GAMES, metadata))
        refused = next(frame for frame in large.frames() if frame.kind == Kind.HEADERS)
    assert str(grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]).encode() in refused.payload


def until_ended(wires: Wire, stream: int) -> Iterator[wire.Frame]:
    """Yield the frames of a stream until it has ended."""
    for frame in wires.frames():
        if frame.stream == stream:
            yield frame
            if frame.ends_stream:
                return


def test_row_25_opening_play_calls_without_end_bans_the_token(bot_factory: BotFactory) -> None:
    bot = bot_factory.register("x")
    token = bot_factory.tokens[bot]
    before = bot_factory.dial(bot)
    before.hello()
    flood(bot_factory.arena, PLAY, token, 50 + STREAMS, HELLO)
    refused = bot_factory.dial(bot)
    refused.say(hello=hello())
    goodbye = refused.hear_end()
    assert (goodbye.code, goodbye.reason) == (play_pb2.Goodbye.CODE_RATE_LIMITED, "RATE_LIMITED")
    assert refused.status is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert reason_and_wait(refused.trailing)[1] > 0
    assert goodbye.come_back
    assert 0 < goodbye.come_back_after_ms <= 60_000
    check_banned(bot_factory.arena, token)
    before.say(capacity=play_pb2.Capacity(matches=1_001))
    assert before.hear("warning").code == play_pb2.Warning.CODE_OUT_OF_RANGE  # who was there before stays


def test_row_25_more_streams_than_a_connection_may_have_are_refused_by_grpc(bot_factory: BotFactory) -> None:
    token = bot_factory.tokens[bot_factory.register("x")]
    with Wire(bot_factory.arena.unix) as flood:
        for number in range(80):
            flood.call(2 * number + 1, PLAY, token)
        refused = next(frame for frame in flood.frames() if frame.kind in (Kind.RST_STREAM, Kind.GOAWAY))
    assert refused.stream in (0, *range(2 * STREAMS + 1, 160, 2))


NOT_HTTP2 = {
    "HTTP/1.1": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "random bytes": bytes(range(256)) * 4,
    "a TLS greeting": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
    "a frame that is too long": wire.PREFACE + wire.frame(Kind.SETTINGS) + b"\xff\xff\xff\x00" + bytes(64),
    "settings on a stream": wire.PREFACE + wire.frame(Kind.SETTINGS, stream=3),
    "settings of a wrong size": wire.PREFACE + wire.frame(Kind.SETTINGS, payload=b"abc"),
    "headers that cannot be unpacked": wire.PREFACE
    + wire.frame(Kind.SETTINGS)
    + wire.frame(Kind.HEADERS, flags=5, stream=1, payload=b"\xff" * 40),
}


@pytest.mark.parametrize("data", NOT_HTTP2.values(), ids=NOT_HTTP2)
@pytest.mark.parametrize("way", ["tcp", "unix"])
def test_row_28_bytes_that_are_no_http2_close_the_connection(
    bot_factory: BotFactory, data: bytes, way: str
) -> None:
    with wire.dial(getattr(bot_factory.arena, way)) as connection:
        connection.sendall(data)
        while connection.recv(4096):
            pass


def test_row_27_a_spectator_that_does_not_read_is_dropped(bot_factory: BotFactory) -> None:
    players = BotFactory(bot_factory.arena)
    name = answer_everything(players.table(2, options=SHORT))[0].match.name
    players.close()
    token = (bot_factory.arena.data / "organiser.token").read_text().strip()
    request = match_pb2.WatchMatchRequest(name=name, from_start=True).SerializeToString()
    with Wire(bot_factory.arena.tcp, window=0) as deaf:
        deaf.call(1, "/arena.v1.MatchService/WatchMatch", token, request, whole=True)
        bot_factory.arena.wait_for_line("slow reader", "WatchMatch")
        deaf.allow(1, 1 << 20)
        told = [match_pb2.WatchMatchResponse.FromString(data) for data in wire.messages_in(deaf.frames())]
    assert not [response for response in told if response.ended]


def test_row_25_a_flood_of_connections_leaves_the_socket_and_open_connections_alone(
    bot_factory: BotFactory,
) -> None:
    bot = bot_factory.dial(bot_factory.register("x"))
    with ExitStack() as flood:
        crowd = [flood.enter_context(wire.dial(bot_factory.arena.tcp)) for _ in range(60)]
        assert _turned_away(crowd[-1])
        assert bot.hello().session
    wait_until(lambda: _takes_calls(bot_factory.arena.tcp))


def _turned_away(connection: socket.socket) -> bool:
    """Whether it is closed before the arena has said anything."""
    try:
        connection.sendall(wire.PREFACE + wire.frame(Kind.SETTINGS))
        return not connection.recv(9)
    except (ConnectionResetError, BrokenPipeError):
        return True


def _takes_calls(address: str) -> bool:
    with grpc.insecure_channel(address) as channel:
        try:
            game_pb2_grpc.GameServiceStub(channel).ListGames(game_pb2.ListGamesRequest(), timeout=WAIT_S)
        except grpc.RpcError:
            return False
    return True
