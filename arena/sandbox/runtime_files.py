"""Runtimes that an organiser adds: one TOML file for each, with its keys and their rules (docs/runtimes.md)."""

import difflib
import os
import pwd
import re
import shutil
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.sandbox.process_spec import BOT_FOLDER, MIB, ProcessLimits
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.runtimes import BUILT_IN, HEAP_SHARE, SYSTEM_PATH, Runtime, VisiblePaths

SUFFIX: Final = ".toml"
START_SECONDS: Final = range(1, 60 + 1)
HEAP: Final = "{heap_mib}"
"""In a value of `environment`: half the memory of the bot, in MiB."""

_KEYS: Final = ("name", "command", "paths", "build_paths", "environment", "version", "start_seconds")
_NAME: Final = re.compile(r"[a-z][a-z0-9+#._-]{0,31}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SET_BY_ARENA: Final = ("PATH", "HOME", "LANG")
_OF_ARENA: Final = "ARENA_"
_MOST: Final = 64
"""Words of a command, paths, variables."""
_CHARACTERS: Final = 4096
_OF_SANDBOX: Final = (BOT_FOLDER, "/venv", "/tmp", "/dev", "/proc", "/run", "/sys")
"""The sandbox has its own, or none."""
_OF_MACHINE: Final = (
    "/boot", "/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/hosts", "/etc/nsswitch.conf",
    "/etc/ssh", "/etc/ssl/private", "/etc/sudoers",
)  # fmt: skip
"""Secrets of the machine, and files of which the sandbox has its own."""


def read_runtimes(folder: Path, protected: Collection[Path] = ()) -> RuntimeRegistry:
    """Return the built-in runtimes and those of the files in a folder, which may be missing. Blocks.

    `protected`: what no runtime may show: the data folder, and keys elsewhere.
    Raises InvalidArgumentError: a file breaks a rule; the error names file, key and rule (FIELD_INVALID).
    """
    added: dict[str, Runtime] = {}
    names: dict[str, Path] = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        runtime = read_runtime(path, protected)
        if runtime.name in names:
            raise _bad(path, "name", f"{names[runtime.name].name} has the name {runtime.name!r} too")
        names[runtime.name] = path
        added[runtime.name] = runtime
    return RuntimeRegistry(added)


def read_runtime(path: Path, protected: Collection[Path] = ()) -> Runtime:
    """Return the runtime of a file. Raises as `read_runtimes`."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise _bad(path, "", "it is not UTF-8; save it in that encoding") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise _bad(path, "", f"it is not TOML ({str(error).rstrip('.')})") from error
    except OSError as error:
        raise _bad(path, "", f"it cannot be read ({error.strerror})") from error
    return _Reader(path, values, protected).runtime()


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks the values of one file."""

    path: Path
    values: Mapping[str, Any]
    protected: Collection[Path]
    """What must not be visible, beside what is secret on every machine."""

    def runtime(self) -> Runtime:
        """Return the runtime. Raises InvalidArgumentError."""
        self._refuse_unknown_keys()
        name = self._name()
        command = self._words("command", required=True)
        paths, build_paths = self._paths("paths"), self._paths("build_paths")
        interpreter = self._interpreter(command[0], paths)
        environment = self._environment()
        own = Path(interpreter).parent

        def visible(limits: ProcessLimits, tools: bool) -> VisiblePaths:
            shown = (*paths, *(build_paths if tools else ()))
            heap = str(limits.memory_bytes // HEAP_SHARE // MIB)
            folders = (own, *(path / "bin" for path in shown if (path / "bin").is_dir()))
            return VisiblePaths(
                binds=tuple((path, str(path)) for path in shown if not path.resolve().is_relative_to("/usr")),
                path=tuple(
                    dict.fromkeys(str(folder) for folder in folders if str(folder) not in SYSTEM_PATH)
                ),
                settings={key: value.replace(HEAP, heap) for key, value in environment.items()},
            )

        return Runtime(
            name,
            visible,
            command=command,
            interpreter=interpreter,
            paths=(*paths, *build_paths),
            version=self._words("version"),
            start_s=self._start_s(),
        )

    def _refuse_unknown_keys(self) -> None:
        for key in self.values:
            if key not in _KEYS:
                near = difflib.get_close_matches(key, _KEYS, 1)
                instead = f"did you mean {near[0]}?" if near else f"there are {', '.join(_KEYS)}"
                raise _bad(self.path, key, f"there is no key {key!r}; {instead}")

    def _name(self) -> str:
        name = self.values.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise _bad(
                self.path, "name", "name must be 1 to 32 of a-z, 0-9 and +#._-, beginning with a letter"
            )
        if name in BUILT_IN:
            rule = f"{name!r} is a runtime that every arena has; choose another name, such as {name}-own"
            raise _bad(self.path, "name", rule)
        return name

    def _texts(self, key: str) -> list[str]:
        texts = self.values.get(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise _bad(self.path, key, f"{key} must be a list of texts")
        if len(texts) > _MOST or sum(map(len, texts)) > _CHARACTERS:
            raise _bad(
                self.path, key, f"{key} is longer than {_MOST} texts, or than {_CHARACTERS} characters"
            )
        if not all(text.isprintable() for text in texts):
            raise _bad(self.path, key, f"{key} holds characters that cannot be printed")
        return texts

    def _words(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        words = self._texts(key)
        if required and not words:
            raise _bad(self.path, key, f'{key} is missing; write for example {key} = ["ruby"]')
        if words and not words[0]:
            raise _bad(self.path, key, f"the first text of {key} is empty; it names a program")
        return tuple(words)

    def _interpreter(self, program: str, paths: Collection[Path]) -> str:
        """Return the path of the program that `command` starts, which may be missing on this machine."""
        if "/" not in program:
            return shutil.which(program, path=os.pathsep.join(SYSTEM_PATH)) or f"/usr/bin/{program}"
        path = self._path("command", program)
        if not any(path.is_relative_to(shown) for shown in (Path("/usr"), *map(Path, SYSTEM_PATH), *paths)):
            raise _bad(
                self.path,
                "command",
                f"command starts {program!r}, which bots do not see: add its folder to paths",
            )
        return program

    def _paths(self, key: str) -> tuple[Path, ...]:
        return tuple(self._path(key, text) for text in self._texts(key))

    def _path(self, key: str, text: str) -> Path:
        path = Path(text)
        if not path.is_absolute() or ".." in path.parts:
            raise _bad(self.path, key, f"{key} holds {text!r}; write an absolute path without ..")
        for secret in self._hidden():
            if _overlap(path, secret) or _overlap(path.resolve(), secret):
                rule = f"{key} holds {text!r}, but bots must not see {secret}: name a folder that is apart from it"
                raise _bad(self.path, key, rule)
        return path

    def _hidden(self) -> Iterator[Path]:
        """Yield what bots may not see, and where the sandbox has its own."""
        yield from map(Path, (*_OF_SANDBOX, *_OF_MACHINE))
        for each in self.protected:
            yield from {each.absolute(), each.resolve()}
        homes = {Path(user.pw_dir) for user in pwd.getpwall()}
        yield from (home / ".ssh" for home in homes if not home.resolve().is_relative_to("/usr"))

    def _environment(self) -> dict[str, str]:
        variables = self.values.get("environment", {})
        if not isinstance(variables, dict) or len(variables) > _MOST:
            raise _bad(
                self.path,
                "environment",
                f"environment must be a table, [environment], of at most {_MOST} keys",
            )
        for name, value in variables.items():
            key = f"environment.{name}"
            if not _VARIABLE.fullmatch(name):
                raise _bad(
                    self.path, key, f"{name!r} is not the name of a variable: use letters, digits and _"
                )
            if name in _SET_BY_ARENA or name.startswith(_OF_ARENA):
                raise _bad(self.path, key, f"{name} is set by the arena; leave it out")
            if not isinstance(value, str) or not value.isprintable() or len(value) > _CHARACTERS:
                raise _bad(
                    self.path, key, f"{key} must be a printable text of at most {_CHARACTERS} characters"
                )
        return variables

    def _start_s(self) -> float | None:
        seconds = self.values.get("start_seconds")
        if seconds is None:
            return None
        if isinstance(seconds, bool) or not isinstance(seconds, int) or seconds not in START_SECONDS:
            bounds = f"{START_SECONDS[0]} to {START_SECONDS[-1]}"
            raise _bad(self.path, "start_seconds", f"start_seconds must be a whole number from {bounds}")
        return float(seconds)


def _overlap(path: Path, secret: Path) -> bool:
    """Return whether one of them is in the other; programs in /tmp are installed there for a trial."""
    return secret.is_relative_to(path) or (path.is_relative_to(secret) and secret != Path("/tmp"))


def _bad(path: Path, key: str, rule: str) -> InvalidArgumentError:
    """Return the error of a file; `rule` follows its path."""
    end = "" if rule.endswith("?") else "."
    return InvalidArgumentError(ErrorReason.FIELD_INVALID, f"{path}: {rule}{end}", file=str(path), key=key)
