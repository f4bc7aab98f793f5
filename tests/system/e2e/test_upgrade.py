"""A data folder of an older arena, served by this one: nothing is lost, and play goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.match_log.keys import open_key_ring
from arena.match_log.verify import VerificationExit, verify
from arena.v1 import match_pb2, token_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import begin_match, connect
from tests.unit.server.maintenance.old_folder import FINISHED, STANDINGS, VOID, unpack_old_folder

MAIN = "ladders/main"


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    with ArenaProcess(unpack_old_folder(tmp_path / "data")) as process:
        yield process


def standings(arena: ArenaProcess) -> list[tuple[str, int, int]]:
    """Bot, rating, matches."""
    listing = arena.ladders.ListStandings(name=MAIN)
    return [(line.bot.removeprefix("bots/"), line.rating_milli, line.matches) for line in listing.standings]


def token_for(arena: ArenaProcess, bot: str) -> str:
    """Make a token for a bot that is there already."""
    return str(arena.tokens.CreateToken(role=token_pb2.ROLE_BOT, bot=f"bots/{bot}").secret)


def play_one_match(arena: ArenaProcess, ladder: str) -> None:
    """Play the next match of the ladder to its end by two of the old bots, who give up at once."""
    bots = connect(arena.unix, [token_for(arena, bot) for bot in ("amber", "cedar")])
    arena.ladders.RunLadder(name=ladder, matches=1)
    begin_match(bots)
    decision = next(message for message in bots[0].heard if message.HasField("match_started"))
    bots[0].say(resign={"assignment": decision.match_started.assignment})
    for bot in bots:
        bot.hear("match_ended")
    for bot in bots:
        bot.cut()


def test_an_old_folder_is_upgraded_with_its_standings_logs_and_tokens_and_plays_on(arena: ArenaProcess):
    (copy,) = (arena.data / "backups").iterdir()
    assert copy.name.startswith("arena-0001-")
    assert standings(arena) == STANDINGS
    answer = arena.ladders.RecomputeLadder(name=MAIN)
    assert answer.identical
    assert answer.entries == 4
    states = {arena.match(f"matches/{match}").state for match in VOID}
    assert states == {match_pb2.MATCH_STATE_ABORTED}
    keys = open_key_ring(arena.data / "keys").public
    for match in FINISHED:
        assert verify(arena.log_bytes(f"matches/{match}"), keys=keys).exit_code is VerificationExit.OK, match

    play_one_match(arena, MAIN)

    listing = arena.matches.ListMatches(ladder=MAIN, page_size=2)
    assert "matches/14" in {match.name for match in listing.matches}
    assert arena.bots.GetBot(name="bots/cedar").bot.versions
