"""Assembles a sample bot as it is submitted: `python -m sample_bots.submission go my-bot`.

Every game has some in Python: `python -m sample_bots.submission python my-bot --game wasteland --bot planner`.

The folder that it makes is ready for `arena bot pack` and `arena bot submit`. It holds the program as it was built
here, with all that the arena does not have: nothing is built, or fetched, over there (docs/submitting.md).
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import arena.sdk
from sample_bots.languages import BOTS, COMMON_GAME, LANGUAGES, Language

_RUNTIMES: Final = {"typescript": "node"}
"""Of the languages that are not called like what runs them."""
_JAVA_CLASSES: Final = {"greedy": "samplebots.greedy.Main", "random": "RandomBot"}
_JAVA_OPTIONS: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m")
"""As sample_bots/java/build starts it: what counts is the start, and little memory."""
_OF_EVERY_LINUX: Final = re.compile(r"(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv)\.so\..*")
"""Libraries that come with the loader, and only fit the one they come with."""
_WITH_ITS_LIBRARIES: Final = """#!/bin/sh
# The bot's own libraries come with it.
LD_LIBRARY_PATH="${0%/*}/lib" exec "${0%/*}/bin/BOT"
"""


class NotAssembledError(Exception):
    """The folder cannot be made: one sentence that says what to do."""


def assemble(language: Language, bot: str, folder: Path, game: str = COMMON_GAME) -> None:
    """Make `folder`, which holds a sample bot of the game as it is submitted.

    Raises:
        NotAssembledError: there is no such bot, it is not built, or the folder is there already.
        OSError: something could not be read or written.
    """
    if bot not in language.bots(game):
        raise NotAssembledError(_no_such_bot(language, bot, game))
    if not language.is_built():
        raise NotAssembledError(
            f"The bots in {language.name} are not built: run `make bots`, which says why."
        )
    if folder.exists():
        raise NotAssembledError(f"{folder} is there already: name a folder that is not, or remove it.")
    folder.mkdir(parents=True)
    if language.name == "python":
        command = _python(language, bot, folder, game)
    else:
        command = _ASSEMBLERS[language.name](language, bot, folder)
    games = tuple(arena.sdk.GAMES) if (language.name, bot) == ("python", "random") else (game,)
    (folder / "bot.toml").write_text(_manifest(language, command, games), encoding="utf-8")


def _no_such_bot(language: Language, bot: str, game: str) -> str:
    if there := language.bots(game):
        return f"There is no {bot} in {language.name} that plays {game}: name one of {', '.join(there)} with --bot."
    return f"The bots in {language.name} play {COMMON_GAME} alone: those of {game} are in python."


def _manifest(language: Language, command: Sequence[str], games: Sequence[str]) -> str:
    return "".join(
        f"{key} = {json.dumps(value)}\n"
        for key, value in (
            ("command", list(command)),
            ("games", list(games)),
            ("runtime", _RUNTIMES.get(language.name, language.name)),
            ("language", language.name),
        )
    )


def _python(language: Language, bot: str, folder: Path, game: str) -> Sequence[str]:
    """Pack the program, and for one that searches what it shares with others; sdk and rules are there."""
    shutil.copy(language.program(bot, game)[-1], folder / "bot.py")
    if bot not in BOTS:
        shared = folder / "sample_bots" / "python"
        for part in ("search", f"{game}/search"):
            shutil.copytree(
                language.folder / part, shared / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        for module in ("budget.py", "expectation.py"):
            shutil.copy(language.folder / module, shared)
    return ("python", "bot.py")


def _program(language: Language, bot: str, folder: Path) -> Sequence[str]:
    """Pack a program that needs nothing but what every Linux has."""
    shutil.copy(language.program(bot)[-1], folder / "bot")
    return ("./bot",)


def _typescript(language: Language, bot: str, folder: Path) -> Sequence[str]:
    """Pack the compiled scripts, the packages that they import, and the .proto files, which they read at the start."""
    for part in ("dist", "proto/arena"):
        shutil.copytree(language.folder / part, folder / part)
    shutil.copy(language.folder / "package.json", folder)
    lock = json.loads((language.folder / "package-lock.json").read_text(encoding="utf-8"))
    for place, package in lock["packages"].items():
        if place and not package.get("dev"):
            nested = shutil.ignore_patterns("node_modules", "*.map", "*.d.ts", "*.md")
            shutil.copytree(language.folder / place, folder / place, ignore=nested, dirs_exist_ok=True)
    return ("node", f"dist/{bot}.js")


def _java(language: Language, bot: str, folder: Path) -> Sequence[str]:
    """Pack the jar, and beside it the libraries that it names."""
    shutil.copy(language.folder / "target" / "bots.jar", folder)
    shutil.copytree(language.folder / "target" / "lib", folder / "lib")
    return ("java", *_JAVA_OPTIONS, "-cp", "bots.jar", _JAVA_CLASSES[bot])


def _cpp(language: Language, bot: str, folder: Path) -> Sequence[str]:
    """Pack the program with the libraries that it was linked with, and a script that starts it with them."""
    program = Path(language.program(bot)[-1])
    (folder / "bin").mkdir()
    (folder / "lib").mkdir()
    shutil.copy(program, folder / "bin" / bot)
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    if linked.returncode:
        raise NotAssembledError(
            f"`ldd {program}` failed, so nobody knows its libraries: {linked.stderr.strip()}"
        )
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", linked.stdout, re.MULTILINE):
        if not _OF_EVERY_LINUX.fullmatch(name):
            shutil.copy(path, folder / "lib" / name)
    starter = folder / "start"
    starter.write_text(_WITH_ITS_LIBRARIES.replace("BOT", bot), encoding="utf-8")
    starter.chmod(0o755)
    return ("./start",)


_ASSEMBLERS: Final[dict[str, Callable[[Language, str, Path], Sequence[str]]]] = {
    "go": _program,
    "rust": _program,
    "typescript": _typescript,
    "java": _java,
    "cpp": _cpp,
}


def main() -> None:
    """Make the folder that was asked for."""
    languages = {language.name: language for language in LANGUAGES}
    parser = argparse.ArgumentParser(prog="sample_bots.submission", description=__doc__.partition("\n")[0])
    parser.add_argument("language", choices=sorted(languages))
    parser.add_argument("folder", type=Path, help="where; it must not be there yet")
    parser.add_argument(
        "--game", choices=arena.sdk.GAMES, default=COMMON_GAME, help=f"what it plays (default: {COMMON_GAME})"
    )
    parser.add_argument("--bot", default="greedy", help="which of those that play it (default: greedy)")
    given = parser.parse_args()
    try:
        assemble(languages[given.language], given.bot, given.folder, given.game)
    except (NotAssembledError, OSError) as error:
        sys.exit(f"sample_bots.submission: {error}")
    print(f"{given.folder} is ready for `arena bot pack {given.folder}`.")


if __name__ == "__main__":
    main()
