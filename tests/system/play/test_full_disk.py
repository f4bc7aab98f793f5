"""An arena whose disk is nearly full begins no match, and says why (row 48 of docs/bad_inputs.md)."""

from pathlib import Path

from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import connect

MORE_THAN_THERE_IS_MB = "100000000000"


def test_with_too_little_free_space_bots_wait_and_the_ladder_says_for_what(tmp_path: Path) -> None:
    with ArenaProcess(tmp_path / "data", "--keep-free", MORE_THAN_THERE_IS_MB) as arena:
        bots = connect(arena.unix, [arena.bot(bot) for bot in ("ant", "bee")])
        arena.ladder("main", "ant", "bee")
        asked = (arena.ladders.GetLadder(name="ladders/main").ladder for _ in range(10_000))
        waiting_for = next(ladder.waiting_for for ladder in asked if ladder.waiting_for)

        assert waiting_for.startswith("only ")
        assert f"{MORE_THAN_THERE_IS_MB} MB are kept" in waiting_for
        listing = arena.matches.ListMatches()
        assert not listing.matches
        assert any("the disk is full" in line for line in arena.log)
        for bot in bots:
            bot.cut()
