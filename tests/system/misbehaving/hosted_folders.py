"""The misbehaving programs in place of versions that admission has let through, which it would not have done.

Those of a language are one version, in whose folder they lie as in the checkout, with what they need beside them. What
is started in it is another one for each bot.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from arena.submissions.content import Content, content_of
from arena.submissions.version_folders import VersionFolders
from tests.checkout import ROOT
from tests.system.misbehaving.table import ZOO, HostedRow
from tests.unit.hosting.sample_submissions import MANIFEST, admit
from tests.unit.store.store_fixture import open_store

PYTHON = ("tests/system/misbehaving/python", "tests/system/play/raw_bot.py", "tests/system/play/wire.py")
JAVASCRIPT = ("tests/system/misbehaving/javascript", "sample_bots/typescript/package.json", "proto/arena")
PACKAGES = "sample_bots/typescript"
"""Where the packages lie that the scripts import."""


def settle(data: Path, rows: Iterable[HostedRow]) -> dict[str, str]:
    """Host all of these on the arena of this data folder, which is not open; return the version of each bot."""
    contents: dict[str, Content] = {}
    store = open_store(data)
    for row in rows:
        if row.language not in contents:
            contents[row.language] = _content(data, row.language)
        admit(store, row.bot, replace(contents[row.language], manifest=row.manifest))
    store.close()
    return {row.bot: contents[row.language].hash for row in rows}


def _content(data: Path, language: str) -> Content:
    """Make the folder with the programs of a language among those of the versions."""
    folders = VersionFolders(data / "versions")
    with folders.workspace() as workspace:
        folder = workspace / "unpacked"
        folder.mkdir()
        _FILLS[language](folder)
        (folder / "bot.toml").write_text(MANIFEST, encoding="utf-8")
        (folder / "loot.json").write_text(json.dumps(_loot(data)), encoding="utf-8")
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        content = content_of(folder)
        folders.add(folder, content)
    return content


def _loot(data: Path) -> dict[str, str]:
    """Where things of the arena and of other bots lie: more than a bot could know."""
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


def _copy(folder: Path, *places: str) -> None:
    for place in places:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / place).is_dir():
            shutil.copytree(ROOT / place, folder / place, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / place, folder / place)


def _fill_python(folder: Path) -> None:
    _copy(folder, *PYTHON)


def _fill_go(folder: Path) -> None:
    shutil.copy(ZOO / "go" / "bin" / "zoo", folder)


def _fill_javascript(folder: Path) -> None:
    _copy(folder, *JAVASCRIPT)
    lock = json.loads((ROOT / PACKAGES / "package-lock.json").read_text(encoding="utf-8"))
    for place, package in lock["packages"].items():
        if place and not package.get("dev"):
            nested = shutil.ignore_patterns("node_modules", "*.map", "*.d.ts", "*.md")
            source, target = ROOT / PACKAGES / place, folder / PACKAGES / place
            shutil.copytree(source, target, ignore=nested, dirs_exist_ok=True)


_FILLS = {"python": _fill_python, "go": _fill_go, "javascript": _fill_javascript}
