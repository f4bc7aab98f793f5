"""Hosted bots in a data folder, as admission would have left them, without the time that it takes."""

import shutil
from pathlib import Path

from arena.hosting.admission.admission import program_of
from arena.store.accounts.tokens import Role
from arena.store.bots.bots import BotRow, BotVersionRow, VersionOrigin
from arena.store.store import Store, Transaction
from arena.submissions.content import Content, content_of
from arena.submissions.manifest import parse_manifest
from arena.submissions.version_folders import VersionFolders
from tests.unit.store.store_fixture import open_store

OWNER = "organiser"

MANIFEST = 'command = ["python", "bot.py"]\nruntime = "python"\ngames = ["caravan"]\n'

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


def plant(data: Path, bot: str, program: str = RANDOM_BOT, *, owner: str = OWNER) -> str:
    """Add a hosted bot with this Python program; return its version."""
    with VersionFolders(data / "versions").workspace() as workspace:
        for name, text in (("bot.py", program), ("bot.toml", MANIFEST)):
            (workspace / name).write_text(text)
        return plant_folder(data, bot, workspace, owner=owner)


def plant_folder(data: Path, bot: str, folder: Path, *, owner: str = OWNER) -> str:
    """Add a hosted bot with the program in the folder; return its version."""
    folders = VersionFolders(data / "versions")
    with folders.workspace() as workspace:
        unpacked = workspace / "unpacked"
        shutil.copytree(folder, unpacked)
        for path in (unpacked, *unpacked.rglob("*")):
            runs = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if runs else 0o644)
        content = content_of(unpacked)
        folders.add(unpacked, content)
    store = open_store(data)
    admit(store, bot, content, owner=owner)
    store.close()
    return content.hash


def a_content(version: str) -> Content:
    """Return the content of a version of the program above."""
    return Content(version, 2, 1_000, parse_manifest(MANIFEST))


def admit(store: Store, bot: str, content: Content, *, owner: str = OWNER) -> None:
    """Store that the arena runs this version of the bot."""

    def change(tx: Transaction) -> None:
        tx.users.ensure(owner, Role.ORGANISER if owner == OWNER else Role.OWNER)
        if tx.bots.find(bot) is None:
            tx.bots.add(BotRow(bot, owner, "", False, 1_000))
        language, program = content.manifest.language, program_of(content)
        version = BotVersionRow(bot, content.hash, VersionOrigin.SUBMITTED, language, 1_000, program)
        tx.bots.ensure_version(version)
        tx.hosting.admitted(bot, content.hash)

    store.write(change)
