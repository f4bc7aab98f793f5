"""An arena on which a ladder has been played while it was exported in steps."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from arena.cli.app import app
from tests.system.e2e.playing import play_on
from tests.system.play.arena_process import ArenaProcess
from tests.system.play.raw_bot import RawBot, connect

MATCHES = 12
BOTS = ("ant", "bee")
SHORT = {"turn_limit": "4"}

Row = dict[str, Any]


@dataclass
class PlayedArena:
    """The arena, and the steps of the export."""

    process: ArenaProcess
    folder: Path
    """Holds the arena's data folder, data."""
    cursor: int = 0
    is_void: bool = False

    def export(self, to: str, *options: str) -> int:
        """Export to a folder; return the cursor that is printed."""
        place = ("--data", str(self.folder / "data"), "--to", str(self.folder / to))
        result = CliRunner().invoke(app, ["data", "export", *place, *options])
        assert result.exit_code == 0, result.output + result.stderr
        return int(result.stdout)

    def step(self, limit: int = 0) -> None:
        """Continue the export in steps."""
        self.cursor = self.export(
            "steps", "--ladder", "main", "--since", str(self.cursor), "--limit", str(limit)
        )

    def void_the_first(self, after: int) -> None:
        """Void the match that was exported first, once so many were; only once."""
        exported = self.rows("steps", "matches")
        if not self.is_void and len(exported) >= after:
            name = f"matches/{exported[0]['match']}"
            self.process.matches.VoidMatch(name=name, reason="a test")
            self.is_void = True

    def rows(self, to: str, table: str) -> list[Row]:
        """Return the rows of a table in all exports of a folder, in their order."""
        files = sorted((self.folder / to).glob(f"*/{table}.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@contextmanager
def played_arena(folder: Path) -> Iterator[PlayedArena]:
    """Play a ladder to its end, exporting a step whenever a match ends, and void a match in the middle."""
    with ArenaProcess(folder / "data") as process:
        arena = PlayedArena(process, folder)
        bots = connect(process.unix, [process.bot(name) for name in BOTS])
        threads = [threading.Thread(target=play, args=(bot,)) for bot in bots]
        process.ladder("main", *BOTS, options=SHORT, matches=MATCHES)
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            arena.step(limit=3)
            arena.void_the_first(after=4)
        for bot in bots:
            bot.cut()
        arena.step()
        arena.void_the_first(after=1)
        arena.step()
        yield arena


def play(bot: RawBot) -> None:
    """Play all matches."""
    play_on(bot, MATCHES)
