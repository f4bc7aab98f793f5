"""Hosted bots in a data folder, as admission would have left them, without the time that it takes."""

from __future__ import annotations

from pathlib import Path

from arena.store.bots import BotRow, BotVersionRow, Origin
from arena.store.store import Store, Transaction
from arena.store.version_program import VersionProgram
from arena.submissions.content import content_of
from arena.submissions.version_folders import VersionFolders

OWNER = "organiser"

RANDOM_BOT = """
import random
import arena.sdk

class RandomBot(arena.sdk.Bot):
    name = "random"
    games = arena.sdk.GAMES
    matches = 1

    def choose(self, observation, legal_actions, clock):
        return random.randrange(len(legal_actions))

arena.sdk.run(RandomBot)
"""
"""Plays any legal action of any game, one match at a time."""


def manifest(game: str) -> str:
    """The bot.toml of a Python program."""
    return f'command = ["python", "bot.py"]\nruntime = "python"\ngames = ["{game}"]\n'


def plant(
    data: Path, bot: str, program: str = RANDOM_BOT, *, game: str = "caravan", owner: str = OWNER
) -> str:
    """The bot is there, and the arena runs this program as it; its version."""
    folders = VersionFolders(data / "versions")
    with folders.workspace() as workspace:
        unpacked = workspace / "unpacked"
        unpacked.mkdir()
        unpacked.chmod(0o755)
        for name, text in (("bot.py", program), ("bot.toml", manifest(game))):
            (unpacked / name).write_text(text)
            (unpacked / name).chmod(0o644)
        content = content_of(unpacked)
        folders.add(unpacked, content)
    store = Store(f"sqlite:///{data / 'arena.db'}")
    store.migrate()
    admit(store, bot, content.hash, game=game, owner=owner)
    store.close()
    return content.hash


def admit(store: Store, bot: str, version: str, *, game: str = "caravan", owner: str = OWNER) -> None:
    """The store says that the bot is hosted, in this version."""
    program = VersionProgram(
        command=("python", "bot.py"), build=(), games=(game,), runtime="python", files=2, bytes=1_000,
        memory_mib=256, pids=64, build_seconds=300, strict=False,
    )  # fmt: skip

    def change(tx: Transaction) -> None:
        tx.tokens.ensure_owner(owner)
        if tx.bots.find(bot) is None:
            tx.bots.add(BotRow(bot, owner, "", False, 1_000))
        tx.bots.ensure_version(BotVersionRow(bot, version, Origin.SUBMITTED, "python", 1_000, program))
        tx.hosting.admitted(bot, version)

    store.write(change)
