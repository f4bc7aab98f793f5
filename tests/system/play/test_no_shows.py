"""Bots that do not take the matches of a group that they have begun, on real connections."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.v1 import ending_pb2, match_pb2, play_pb2
from tests.system.play.arena_process import WAIT_S, ArenaProcess
from tests.system.play.conftest import BotFactory
from tests.system.play.raw_bot import RawBot

SHORT_OFFERS = """
import arena.sessions.registry as sessions
import arena.runner.match_runner as match_runner
match_runner.READY_WITHIN_MS = 3_000
sessions.FIRST_REST_S = 2
"""
"""Offers of three seconds; then a pause of two seconds, and of four, long enough to dial anew before the next offer."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(Path(tmp_path_factory.mktemp("arena")) / "data", before=SHORT_OFFERS) as process:
        yield process


def begin(bot_factory: BotFactory) -> tuple[str, RawBot, str, RawBot, str]:
    """Let the cheat resign the first match of a group of two; return bots, connections, and the second match."""
    (cheat, honest), bots = bot_factory.welcomed("ch")
    bot_factory.arena.ladder(f"l{cheat}", cheat, honest)
    seats = [bot.take_seat() for bot in bots]
    for bot in bots:
        bot.hear("match_started")
    bots[0].say(resign=play_pb2.Resign(assignment=seats[0].assignment))
    for bot in bots:
        bot.hear("match_ended")
    listed = bot_factory.arena.matches.ListMatches(ladder=f"ladders/l{cheat}").matches
    [second] = [match.name for match in listed if match.name != seats[0].match]
    return cheat, bots[0], honest, bots[1], second


def wait_for_its_end(arena: ArenaProcess, match: str) -> match_pb2.Match:
    """Return the match, as soon as it has ended."""
    for _ in arena.matches.WatchMatch(name=match, timeout=WAIT_S):
        pass
    return arena.match(match)


def check_forfeited(arena: ArenaProcess, match: match_pb2.Match, cheat: str) -> None:
    """Check that the cheat has lost it by its three no-shows, and that the group is rated."""
    assert match.state == match_pb2.MATCH_STATE_FINISHED
    assert (match.ending, match.plies) == ("LAST_STANDING", 0)
    lost, won = sorted(match.seats, key=lambda seat: seat.placing, reverse=True)
    assert (lost.bot, lost.placing, won.placing) == (f"bots/{cheat}", 2, 1)
    assert lost.ending.termination == ending_pb2.TERMINATION_NO_SHOW
    assert lost.ending.fault == ending_pb2.FAULT_BOT
    assert won.ending.fault == ending_pb2.FAULT_OPPONENT
    assert all(seat.bot_version for seat in match.seats)
    assert arena.log_bytes(match.name)
    lines = arena.ladders.ListStandings(name=match.ladder).standings
    assert {line.bot: (line.matches, line.forfeits) for line in lines} == {lost.bot: (2, 2), won.bot: (2, 0)}
    assert {each.fact: each.value for each in lost.ending.evidence} == {"no_shows": "3"}


def refuse(bot: RawBot, honest: RawBot, match: str) -> None:
    """Let a match be offered without an answer of the bot."""
    while bot.hear("assigned").match != match:
        pass
    honest.take_seat()
    bot.hear("withdrawn")


@pytest.mark.parametrize("reconnects", [False, True])
def test_a_bot_that_refuses_the_second_match_of_a_group_three_times_forfeits_it(
    arena: ArenaProcess, bot_factory: BotFactory, reconnects: bool
) -> None:
    """A new hello does not make the arena forget the offers that were not taken."""
    cheat, bot, _, honest, second = begin(bot_factory)
    for _ in range(3):
        refuse(bot, honest, second)
        if reconnects:
            bot.cut()
            bot = bot_factory.dial(cheat)
            bot.hello()
    check_forfeited(arena, wait_for_its_end(arena, second), cheat)
