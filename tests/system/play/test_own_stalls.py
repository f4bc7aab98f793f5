"""A stall of the arena that messages of a bot have caused is not credited to the bots of its owner."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.match_log.reader import read_log
from arena.v1 import play_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.conftest import BotFactory

COSTLY_DEBUG_LINES = """
import sys
import time
import arena.server.play.conversation as conversation

cheap = conversation.Conversation._debug

def costly(self, debug):
    print("busy", file=sys.stderr, flush=True)
    until = time.process_time() + 1.5
    while time.process_time() < until:
        pass
    cheap(self, debug)

conversation.Conversation._debug = costly
"""
"""As if a message could be made that keeps the arena busy for long."""

NS_PER_S = 1_000_000_000


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path / "data", before=COSTLY_DEBUG_LINES) as process:
        yield process


def test_a_bot_that_keeps_the_arena_busy_gets_no_credit_for_it(
    arena: ArenaProcess, bot_factory: BotFactory
) -> None:
    [bot] = bot_factory.table(1, game="caravanserai", matches=1)
    decision = bot.hear("decision")

    bot.say(debug=play_pb2.Debug(assignment=decision.assignment, text="a costly line"))
    arena.wait_for("busy")
    bot.answer(decision)  # is read when the arena is done with the line
    bot.say(resign=play_pb2.Resign(assignment=decision.assignment))

    ply = read_log(arena.log_bytes(bot.hear("match_ended").match.name)).plies[0]
    assert ply.stall_ns < NS_PER_S < ply.used_ns
