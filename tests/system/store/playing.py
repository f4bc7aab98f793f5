"""A few rated matches, so that a database holds something of most kinds."""

from concurrent.futures import ThreadPoolExecutor

from arena.v1 import match_pb2
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, connect

SHORT = {"turn_limit": "2", "no_progress_turns": "100"}


def play_a_group(arena: ArenaProcess, ladder: str = "main") -> list[match_pb2.Match]:
    """Play two rated matches between two new bots on a new ladder; return them as they are stored."""
    names = [f"{ladder}-left", f"{ladder}-right"]
    bots = connect(arena.unix, [arena.bot(name) for name in names])
    arena.ladder(ladder, *names, options=SHORT)
    with ThreadPoolExecutor(len(bots)) as pool:
        list(pool.map(lambda bot: RawBot.play_matches(bot, 2), bots))
    return list(arena.matches.ListMatches(ladder=f"ladders/{ladder}").matches)
