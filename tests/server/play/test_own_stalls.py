"""A stall of the arena that messages of a bot have caused is not credited to the bots of its owner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.match_log.reader import read_log
from arena.v1 import bot_pb2, match_pb2, play_pb2, token_pb2
from tests.server.play.arena_process import ArenaProcess
from tests.server.play.raw_bot import RawBot

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
    process = ArenaProcess(tmp_path / "data", before=COSTLY_DEBUG_LINES)
    try:
        yield process.wait_open()
    finally:
        process.close()


def dial(arena: ArenaProcess, owner: str) -> RawBot:
    """Return a bot of this owner, alone on a running solo ladder, with its seat."""
    arena.bots.CreateBot(
        bot_pb2.CreateBotRequest(bot_id=owner, owner=f"owners/{owner}"), metadata=arena.organiser
    )
    request = token_pb2.CreateTokenRequest(role=token_pb2.ROLE_BOT, bot=f"bots/{owner}")
    bot = RawBot(arena.unix, arena.tokens.CreateToken(request, metadata=arena.organiser).secret)
    bot.hello()
    arena.ladder(f"of-{owner}", owner, matches=1, game="caravanserai")
    return bot


def first_decision(arena: ArenaProcess, match: str) -> tuple[int, int]:
    """Return what the first decision of a match was charged, and credited as a stall, in nanoseconds."""
    for _ in arena.matches.WatchMatch(match_pb2.WatchMatchRequest(name=match), metadata=arena.organiser):
        pass
    download = match_pb2.DownloadMatchLogRequest(name=match)
    pieces = arena.matches.DownloadMatchLog(download, metadata=arena.organiser)
    ply = read_log(b"".join(piece.chunk for piece in pieces)).plies[0]
    return ply.used_ns, ply.stall_ns


def test_who_keeps_the_arena_busy_is_not_credited_with_it(arena: ArenaProcess) -> None:
    bot = dial(arena, "busy")
    seat = bot.take_seat()
    decision = bot.hear("decision")

    bot.say(debug=play_pb2.Debug(assignment=seat.assignment, text="a costly line"))
    arena.wait_for("busy")
    bot.answer(decision)  # is read when the arena is done with the line
    bot.say(resign=play_pb2.Resign(assignment=seat.assignment))
    bot.hear("match_ended")

    used, credited = first_decision(arena, seat.match)
    assert credited < NS_PER_S < used
    bot.cut()
