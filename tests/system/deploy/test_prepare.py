"""The script that prepares an arena for the bots of the compose file: it may run at each start."""

import os
import subprocess
import sys
from pathlib import Path

from arena.cli.framework.processes import without_arena
from arena.v1 import ladder_pb2
from tests.checkout import ROOT
from tests.system.play.arena_process import ArenaProcess

PREPARE = ROOT / "docs" / "deploy" / "container" / "prepare.sh"


def prepare(arena: ArenaProcess, tokens: Path) -> dict[str, str]:
    """Run it as the compose file does; return the tokens by the names of their files."""
    done = subprocess.run(
        ["sh", PREPARE, "main", "caravanserai", "1", "greedy"],
        env={
            **without_arena(os.environ),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "ARENA_ADDRESS": arena.tcp,
            "ARENA_TOKEN": str(arena.data / "organiser.token"),
            "TOKENS": str(tokens),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    found = {path.name: path.read_text() for path in tokens.iterdir()}
    assert all((tokens / name).stat().st_mode & 0o077 == 0 for name in found)
    assert not any(token.strip() in done.stdout for token in found.values())
    return found


def test_what_is_there_already_stays_and_a_token_that_is_of_no_use_is_replaced(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.mkdir()
    (tokens / "greedy.token").write_text("arn_0123456789ab_of-an-arena-that-is-gone_0\n")
    with ArenaProcess(tmp_path / "data", "--hosted-programs", "0") as arena:
        first = prepare(arena, tokens)
        assert prepare(arena, tokens) == first
        ladder = arena.ladders.GetLadder(name="ladders/main").ladder
        assert ladder.state == ladder_pb2.Ladder.STATE_RUNNING
        assert ladder.entries == 1
        for token in first.values():
            arena.games.ListGames(metadata=(("authorization", f"Bearer {token.strip()}"),))
