"""The socket of one program: who comes in there is known without a token, and gets nothing but Play."""

import asyncio
import stat
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from arena.runner.timers import LoopTimers
from arena.server.limits import OPENINGS
from arena.server.play.program_socket import CONNECTIONS, open_program_socket
from arena.server.play.service import PlayService
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.sessions.session import Session
from arena.v1 import bot_pb2, bot_pb2_grpc, play_pb2
from tests.system.play.raw_bot import RawBot, connect, hello
from tests.unit.core.stalls_by_hand import idle_meter

HASH = "ab" * 32
ANT = Identity("ant", HASH, "ada", "", 7)


def nobody(*_: object) -> None:
    """Do nothing, for callbacks that the socket of a program does not need."""


def at_program_socket(tmp_path: Path, visit: Callable[[str], None]) -> list[Session]:
    """Give `visit` the address of a program's socket, on a thread of its own; return the sessions opened there."""
    opened: list[Session] = []

    async def serve() -> None:
        timers = LoopTimers(asyncio.get_running_loop())
        play = PlayService(SessionRegistry(timers, nobody), timers, mass_loss=nobody, stalls=idle_meter())
        socket = tmp_path / "play.sock"
        admission_control = await open_program_socket(play, socket, ANT, opened.append, timers.now)
        assert stat.S_IMODE(await asyncio.to_thread(lambda: socket.stat().st_mode)) == 0o666
        try:
            await asyncio.to_thread(visit, f"unix://{socket}")
        finally:
            await play.shut_down()
            await admission_control.close()
        assert not await asyncio.to_thread(socket.exists)

    asyncio.run(serve())
    return opened


def test_a_connection_on_the_program_socket_is_the_program_whatever_it_sends(tmp_path: Path) -> None:
    def visit(address: str) -> None:
        for token in (None, "arena_whatever"):
            bot = RawBot(address, token)
            welcome = bot.hello(bot_version="of my own")
            assert welcome.bot == "bots/ant"
            assert welcome.bot_version == f"bots/ant/versions/{HASH}"
            bot.half_close()
            assert bot.hear_end().code == play_pb2.Goodbye.CODE_DONE

    opened = at_program_socket(tmp_path, visit)
    assert [session.identity for session in opened] == [ANT, ANT]


def test_a_program_has_only_so_many_connections_at_once(tmp_path: Path) -> None:
    def visit(address: str) -> None:
        bots = connect(address, [None for _ in range(CONNECTIONS)])
        one_too_many = RawBot(address, None).say(hello=hello())
        assert one_too_many.hear_end().reason == "RATE_LIMITED"
        assert one_too_many.status is grpc.StatusCode.RESOURCE_EXHAUSTED
        bots[0].half_close()
        bots[0].hear_end()
        RawBot(address, None).hello()

    assert len(at_program_socket(tmp_path, visit)) == CONNECTIONS + 1


@pytest.mark.parametrize("method", ["/arena.v1.PlayService/Play", "/arena.v1.Nothing/There"])
def test_a_program_that_calls_without_end_is_refused(tmp_path: Path, method: str) -> None:
    """Row 25. Nothing stands between it and the event loop: neither a network nor a token."""

    def visit(address: str) -> None:
        with grpc.insecure_channel(address) as channel:
            call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(method)
            codes = []
            for _ in range(2 * OPENINGS.burst):
                with pytest.raises(grpc.RpcError) as ended:
                    list(call(iter((b"",))))
                codes.append(ended.value.code())
        assert grpc.StatusCode.RESOURCE_EXHAUSTED in codes
        assert codes[-1] is grpc.StatusCode.UNAVAILABLE

    assert at_program_socket(tmp_path, visit) == []


def test_a_refused_program_loses_its_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 25: there is no other door by which it could come back."""
    forfeited: list[str] = []
    monkeypatch.setattr(Session, "forfeit_all", lambda _, why: forfeited.append(why))

    def visit(address: str) -> None:
        bot = RawBot(address, None)
        bot.hello()
        with grpc.insecure_channel(address) as channel:
            call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/no/thing")
            while not forfeited:
                with pytest.raises(grpc.RpcError):
                    list(call(iter((b"",))))

    assert len(at_program_socket(tmp_path, visit)) == 1
    [why] = forfeited
    assert f"more calls than {OPENINGS.burst} at once" in why


def test_nothing_but_play_is_served_there(tmp_path: Path) -> None:
    def visit(address: str) -> None:
        with grpc.insecure_channel(address) as channel:
            bots = bot_pb2_grpc.BotServiceStub(channel)
            with pytest.raises(grpc.RpcError, match="UNIMPLEMENTED"):
                bots.GetBot(bot_pb2.GetBotRequest(name="bots/ant"))

    assert at_program_socket(tmp_path, visit) == []
