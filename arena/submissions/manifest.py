"""The manifest bot.toml: its keys and their bounds (docs/submitting.md)."""

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from arena.submissions.errors import bad_manifest, shown

NAME: Final = "bot.toml"
"""At the top of the submission."""
LARGEST_BYTES: Final = 16 * 1024
MOST_DOTS: Final = 500
"""A key of many parts, such as a.a.a, takes time and memory with the square of their number: 30,000 took 14 s."""

BINARY: Final = "binary"
"""The runtime of a program that needs nothing of the machine but what every sandbox has."""

MEMORY_MIB: Final = range(16, 65_536 + 1)
CORES: Final = range(1, 64 + 1)
PIDS: Final = range(1, 256 + 1)
BUILD_SECONDS: Final = range(1, 600 + 1)

_LARGEST_SHOWN: Final = 10**15
_WORDS: Final = 64
_COMMAND_CHARACTERS: Final = 4096
_GAMES: Final = 32
_GAME: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_LANGUAGE: Final = re.compile(r"[a-z][a-z0-9+#._-]{0,31}")

_KEYS: Final = ("command", "build", "games", "runtime", "language", "strict", "deterministic", "limits")
_LIMITS: Final = {"memory_mib": MEMORY_MIB, "cores": CORES, "pids": PIDS, "build_seconds": BUILD_SECONDS}


@dataclass(frozen=True, slots=True)
class Grant:
    """The most that an arena gives to one program."""

    cores: int = 1
    memory_mib: int = 512


STANDARD: Final = Grant()
"""What every arena that hosts bots gives."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The checked values of bot.toml."""

    command: tuple[str, ...]
    """Starts the bot in its own folder; the first word is a path in it or a program of the runtime."""
    build: tuple[str, ...]
    """Runs once before, in the same folder; empty: nothing."""
    games: tuple[str, ...]
    """Ids of games, to be checked with `check_games`."""
    runtime: str
    """The name of a runtime, to be checked with `check_runtime`."""
    language: str
    """For people."""
    memory_mib: int = 256
    """All of its processes together, with its temporary files."""
    cores: int = 1
    """Processor cores that they have together, to be checked with `check_limits`, as `memory_mib`."""
    pids: int = 64
    """Processes and threads."""
    build_seconds: int = 120
    strict: bool = False
    """Whether a forbidden system call ends it."""
    deterministic: bool = False
    """Whether it always answers the same to the same decisions, however fast the machine is."""


def parse_manifest(text: str) -> Manifest:
    """Parse and check the text of a bot.toml.

    Raises InvalidArgumentError: it is no TOML, or a key breaks a rule, which the error names (MANIFEST_INVALID).
    """
    if text.count(".") > MOST_DOTS:
        raise bad_manifest("", f"it has more than {MOST_DOTS} dots; leave some out, in comments too")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise bad_manifest("", f"it is not TOML ({str(error).rstrip('.')})") from error
    except RecursionError as error:
        raise bad_manifest("", "it is not TOML (nested too deeply)") from error
    except ValueError as error:
        # Raised by the standard library for a number that it does not convert, and for nothing else.
        raise bad_manifest("", "a number in it has too many digits") from error
    _refuse_unknown_keys(values, _KEYS, "")
    limits = values.get("limits", {})
    if not isinstance(limits, dict):
        raise bad_manifest("limits", "limits must be a table, [limits]")
    _refuse_unknown_keys(limits, _LIMITS, "limits.")
    runtime = _runtime(values)
    command = _command(values, "command")
    if runtime == BINARY and "/" not in command[0]:
        first = shown(command[0])
        raise bad_manifest(
            "command",
            f"command starts {first}, but the runtime binary has no programs: name a file, such as ./bot",
        )
    return Manifest(
        command=command,
        build=_command(values, "build") if "build" in values else (),
        games=_games(values),
        runtime=runtime,
        language=_language(values, runtime),
        strict=_flag(values, "strict"),
        deterministic=_flag(values, "deterministic"),
        **{key: _number(limits, key, bounds) for key, bounds in _LIMITS.items() if key in limits},
    )


def read_manifest(data: bytes) -> Manifest:
    """Parse and check the bytes of a bot.toml.

    Raises InvalidArgumentError: as `parse_manifest`; or it is too long, or not UTF-8 (MANIFEST_INVALID).
    """
    if len(data) > LARGEST_BYTES:
        raise bad_manifest("", f"it is longer than {LARGEST_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise bad_manifest("", "it is not UTF-8; save it in that encoding") from error
    return parse_manifest(text)


def check_games(manifest: Manifest, known: Collection[str]) -> None:
    """Check that all games of the manifest are known here. Raises InvalidArgumentError (MANIFEST_INVALID)."""
    for game in manifest.games:
        if game not in known:
            raise bad_manifest(
                "games", f"there is no game {shown(game)} here; there are {', '.join(sorted(known))}"
            )


def check_runtime(manifest: Manifest, known: Collection[str]) -> None:
    """Check that the runtime of the manifest is known here. Raises InvalidArgumentError (MANIFEST_INVALID)."""
    if manifest.runtime not in known:
        near = difflib.get_close_matches(manifest.runtime, known, 1)
        meant = f"did you mean {near[0]}? There" if near else "there"
        raise bad_manifest(
            "runtime",
            f"there is no runtime {shown(manifest.runtime)} here; {meant} are {', '.join(sorted(known))}",
        )


def check_limits(manifest: Manifest, granted: Grant) -> None:
    """Check that the program asks for no more than this arena gives. Raises InvalidArgumentError (MANIFEST_INVALID)."""
    for key, most in (("cores", granted.cores), ("memory_mib", granted.memory_mib)):
        if (asked := getattr(manifest, key)) > most:
            raise bad_manifest(
                f"limits.{key}", f"limits.{key} is {asked}, and this arena gives a program {most} at most"
            )


def check_command(manifest: Manifest, executable: Mapping[str, bool]) -> None:
    """Check that a command which starts a file of the submission can; with a build, the build may make the file.

    `executable`: by path, whether each file is executable. Raises InvalidArgumentError: the file is missing or not
    executable (MANIFEST_INVALID).
    """
    first = manifest.command[0]
    if manifest.build or "/" not in first:
        return
    path = "/".join(part for part in first.split("/") if part not in {"", "."})
    if path not in executable:
        raise bad_manifest(
            "command",
            f"command starts {shown(first)}, which is not in the submission: add it, or the build that makes it",
        )
    if not executable[path]:
        raise bad_manifest(
            "command", f"command starts {shown(first)}, which is not executable: run `chmod +x` on it"
        )


def _refuse_unknown_keys(values: Mapping[str, Any], known: Collection[str], table: str) -> None:
    for key in values:
        if key not in known:
            everywhere = [*_KEYS, *(f"limits.{name}" for name in _LIMITS)]
            near = difflib.get_close_matches(table + key, everywhere, 1) or difflib.get_close_matches(
                f"limits.{key}", everywhere, 1, cutoff=0.85
            )
            instead = f"did you mean {near[0]}?" if near else f"there are {', '.join(everywhere)}"
            raise bad_manifest(table + key, f"there is no key {shown(table + key)}; {instead}".rstrip("."))


def _needed(values: Mapping[str, Any], key: str, example: str) -> Any:
    if key not in values:
        raise bad_manifest(key, f"{key} is missing; write for example {example}")
    return values[key]


def _texts(values: Mapping[str, Any], key: str, example: str) -> list[str]:
    texts = _needed(values, key, example)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise bad_manifest(key, f"{key} must be a list of texts, for example {example}")
    return texts


def _command(values: Mapping[str, Any], key: str) -> tuple[str, ...]:
    words = _texts(values, key, f'{key} = ["python", "bot.py"]')
    if not words or not words[0]:
        raise bad_manifest(key, f"{key} is empty: its first text names a program")
    if len(words) > _WORDS or sum(map(len, words)) > _COMMAND_CHARACTERS:
        raise bad_manifest(
            key, f"{key} is longer than {_WORDS} texts, or than {_COMMAND_CHARACTERS} characters"
        )
    if not all(word.isprintable() for word in words):
        raise bad_manifest(key, f"{key} holds characters that cannot be printed")
    first = words[0]
    if first.startswith("/") or ".." in first.split("/") or first.endswith("/"):
        raise bad_manifest(
            key,
            f"{key} starts {shown(first)}: name a program of the runtime, such as python, or a file in the "
            "submission, such as ./bot",
        )
    return tuple(words)


def _games(values: Mapping[str, Any]) -> tuple[str, ...]:
    games = _texts(values, "games", 'games = ["GAME"] with the ids of games')
    if not 1 <= len(games) <= _GAMES:
        raise bad_manifest("games", f"games names {len(games)} games: name 1 to {_GAMES}")
    for game in games:
        if not _GAME.fullmatch(game):
            raise bad_manifest(
                "games",
                f"games holds {shown(game)}, which is not the id of a game: `arena games list` shows the ids",
            )
    if len(set(games)) < len(games):
        raise bad_manifest("games", "games names a game twice")
    return tuple(games)


def _runtime(values: Mapping[str, Any]) -> str:
    runtime = _needed(values, "runtime", 'runtime = "python"')
    if not isinstance(runtime, str) or not _LANGUAGE.fullmatch(runtime):
        what = shown(runtime) if isinstance(runtime, str) else "something else than a text"
        raise bad_manifest(
            "runtime",
            f"runtime is {what}; it must be a name of 1 to 32 of a-z, 0-9 and +#._-, beginning with a letter",
        )
    return runtime


def _language(values: Mapping[str, Any], runtime: str) -> str:
    language = values.get("language", runtime)
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise bad_manifest(
            "language", "language must be 1 to 32 of a-z, 0-9 and +#._-, beginning with a letter"
        )
    return language


def _number(limits: Mapping[str, Any], key: str, bounds: range) -> int:
    number = limits[key]
    if isinstance(number, bool) or not isinstance(number, int):
        raise bad_manifest(f"limits.{key}", f"limits.{key} must be a whole number")
    if number not in bounds:
        # A number written in hexadecimal may have more digits than Python turns into text.
        what = str(number) if abs(number) <= _LARGEST_SHOWN else "too large"
        raise bad_manifest(f"limits.{key}", f"limits.{key} is {what}; it must be {bounds[0]} to {bounds[-1]}")
    return number


def _flag(values: Mapping[str, Any], key: str) -> bool:
    flag = values.get(key, False)
    if not isinstance(flag, bool):
        raise bad_manifest(key, f"{key} must be true or false")
    return flag
