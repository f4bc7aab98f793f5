"""The folders of misbehaving bots that the arena runs: what would have been submitted, had admission let it through.

A program lies in its folder as in the checkout, with what it needs beside it.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from tests.checkout import ROOT
from tests.hosting.planted import plant_folder
from tests.misbehaving.hosted_table import HostedRow
from tests.misbehaving.table import ZOO

PYTHON = (
    "tests/misbehaving/python/visit.py",
    "tests/misbehaving/python/hosted.py",
    "tests/server/play/raw_bot.py",
)
BY_HAND = ("tests/misbehaving/python/by_hand.py", "tests/server/play/wire.py")
"""What the programs in Python import."""

SCRIPTS = "sample_bots/typescript"
"""Whose packages those in JavaScript import."""


def settle(data: Path, row: HostedRow) -> str:
    """The arena of this data folder, which is not open, runs the program as a bot; its version."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "bot"
        folder.mkdir()
        _FILLS[row.language](folder, row)
        (folder / "bot.toml").write_text(row.manifest, encoding="utf-8")
        (folder / "loot.json").write_text(json.dumps(_loot(data)), encoding="utf-8")
        return plant_folder(data, row.bot, folder)


def _loot(data: Path) -> dict[str, str]:
    """Where things of the arena and of other bots lie."""
    return {
        "database": str(data / "arena.db"),
        "organiser's token": str(data / "organiser.token"),
        "keys": str(data / "keys"),
        "logs": str(data / "logs"),
        "sockets of all bots": str(data / "hosted"),
        "programs of all bots": str(data / "versions"),
        "the arena's socket": str(data / "arena.sock"),
        "first process": "/proc/1/root",
    }


def _copy(folder: Path, *files: str) -> None:
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)


def _fill_python(folder: Path, row: HostedRow) -> None:
    _copy(folder, str(row.file.relative_to(ROOT)), *PYTHON, *BY_HAND)


def _fill_go(folder: Path, _row: HostedRow) -> None:
    shutil.copy(ZOO / "go" / "bin" / "zoo", folder)


def _fill_javascript(folder: Path, row: HostedRow) -> None:
    _copy(folder, str(row.file.relative_to(ROOT)), "tests/misbehaving/javascript/visit.mjs")
    _copy(folder, f"{SCRIPTS}/package.json")
    shutil.copytree(ROOT / "proto", folder / "proto", ignore=shutil.ignore_patterns("*.binpb", "*.md"))
    lock = json.loads((ROOT / SCRIPTS / "package-lock.json").read_text(encoding="utf-8"))
    for place, package in lock["packages"].items():
        if place and not package.get("dev"):
            nested = shutil.ignore_patterns("node_modules", "*.map", "*.d.ts", "*.md")
            source, target = ROOT / SCRIPTS / place, folder / SCRIPTS / place
            shutil.copytree(source, target, ignore=nested, dirs_exist_ok=True)


_FILLS = {"python": _fill_python, "go": _fill_go, "javascript": _fill_javascript}
