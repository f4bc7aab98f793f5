"""Calls that are broken off while the arena writes to them: no fault of its own, so the service log says none."""

from collections.abc import Callable

import pytest

from arena.v1 import bot_pb2, match_pb2, play_pb2
from tests.system.play import wire
from tests.system.play.conftest import BotFactory
from tests.system.play.oracle import faults
from tests.system.play.test_floods import HELLO, PLAY
from tests.system.play.test_match import SHORT, answer_everything
from tests.system.play.wire import Kind, Wire

LIST_BOTS = "/arena.v1.BotService/ListBots"
WATCH = "/arena.v1.MatchService/WatchMatch"
DOWNLOAD = "/arena.v1.MatchService/DownloadMatchLog"

WINDOW = 5
"""Bytes of a stream that the arena may send: those in front of a message. What it writes stays on its way."""

TIMES = 25
"""Whether a call or its write is first to end differs from time to time."""


@pytest.mark.parametrize("break_off", [lambda wires: wires.send_bytes(wire.reset(1)), lambda _: None])
def test_row_23_a_call_that_is_broken_off_while_it_is_written_to_is_no_fault(
    bot_factory: BotFactory, break_off: Callable[[Wire], None]
) -> None:
    name = answer_everything(bot_factory.table(2, options=SHORT))[0].match.name
    organiser = (bot_factory.arena.data / "organiser.token").read_text().strip()
    watch = match_pb2.WatchMatchRequest(name=name, from_start=True).SerializeToString()
    download = match_pb2.DownloadMatchLogRequest(name=name).SerializeToString()
    calls = {
        "play": (PLAY, bot_factory.tokens[bot_factory.register("x")], HELLO, False),
        "refused": (PLAY, "of nobody", HELLO, False),
        "list": (LIST_BOTS, organiser, bot_pb2.ListBotsRequest().SerializeToString(), True),
        "watch": (WATCH, organiser, watch, True),
        "download": (DOWNLOAD, organiser, download, True),
    }
    for path, token, request, whole in calls.values():
        for _ in range(TIMES):
            with Wire(bot_factory.arena.tcp, window=WINDOW) as wires:
                wires.call(1, path, token, request, whole=whole)
                assert any(frame.kind == Kind.DATA and frame.payload for frame in wires.frames())
                break_off(wires)
    bot = bot_factory.dial(bot_factory.register("y"))
    bot.hello()  # the arena has come to what was sent after all of them
    bot.half_close()
    assert bot.hear_end().code == play_pb2.Goodbye.CODE_DONE
    assert not (found := faults(bot_factory.arena.log)), "".join(found)
