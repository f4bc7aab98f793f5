"""The environments of what ours is compared with, apart from the project's own: benchmarks/.venvs, made when needed."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

from benchmarks.processes.worker import ROOT

_PIP: Final = ("-m", "pip", "--disable-pip-version-check", "--no-input")
_INSTALL_WITHIN_S: Final = 1_800
_WHERE: Final = "import engine.state as state; print(state.__file__)"


class MissingError(Exception):
    """Something that a row needs is not there and cannot be had; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The arena as something that can be started."""

    python: Path
    """Runs `-m arena.cli.app`."""
    build: str
    """Which build it is, in words, with the reason if it is not the one wanted."""
    is_compiled: bool = False


class Environments:
    """Makes each environment once and keeps it until what it was made from changes."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        """`say` is told what takes long."""
        self._folder = folder
        self._say = say
        self._arena: Installed | None = None
        self.made_s = 0.0
        """How long it took to make environments in this run."""

    def engines(self) -> Path:
        """Return the Python that has open_spiel and python-chess. Raises MissingError."""
        return self._of_requirements("engines")

    def kaggle(self) -> Path:
        """Return the Python that has kaggle-environments. Raises MissingError."""
        return self._of_requirements("kaggle")

    def pettingzoo(self) -> Path:
        """Return the Python that has PettingZoo and what its classic games need. Raises MissingError."""
        return self._of_requirements("pettingzoo")

    def compiled(self) -> Path:
        """Return the Python that has this project as a wheel, if the wheel is compiled. Raises MissingError."""
        installed = self.arena()
        if not installed.is_compiled:
            raise MissingError(f"not built: there is {installed.build}")
        return installed.python

    def arena(self) -> Installed:
        """Return the arena as an organiser installs it: a wheel of this checkout, and what the floors need.

        Where that cannot be had it is the checkout itself, and `build` says so.
        """
        if self._arena is None:
            self._arena = self._installed_arena()
        return self._arena

    @property
    def arena_build(self) -> str:
        """Which build of the arena was measured; empty if none was."""
        return self._arena.build if self._arena is not None else ""

    def _installed_arena(self) -> Installed:
        sources = [
            path for part in ("arena", "engine") for path in (ROOT / part).rglob("*") if _is_source(path)
        ]
        try:
            with tempfile.TemporaryDirectory(prefix="bench-wheel-") as scratch:
                python = self._made(
                    "arena", _with_compiler([*sources, *_BUILT_BY]), lambda: _with_server(Path(scratch))
                )
        except MissingError as error:
            return Installed(Path(sys.executable), f"the checkout, plain Python, since {error}")
        if _is_compiled(python):
            return Installed(python, "a wheel of this checkout, compiled", is_compiled=True)
        return Installed(python, "a wheel of this checkout, plain Python, since it could not be compiled")

    def versions(self) -> dict[str, str]:
        """Return the versions of the peers that are installed, by name."""
        found: dict[str, str] = {}
        for name in ("engines", "kaggle", "pettingzoo"):
            python = self._python(name)
            if python.exists():
                asked = f"import importlib.metadata as m; print(*map(m.version, {_names(name)}))"
                found |= dict(zip(_names(name), _output(python, "-P", "-c", asked).split(), strict=True))
        return found

    def _of_requirements(self, name: str) -> Path:
        file = _requirements(name)
        return self._made(name, [file], lambda: ("-r", str(file)))

    def _made(self, name: str, sources: list[Path], packages: Callable[[], tuple[str, ...]]) -> Path:
        """Return the environment, made of what pip is to install unless it was made of these sources already."""
        python, fingerprint = self._python(name), _fingerprint(sources)
        stamp = self._folder / name / "made-from"
        if stamp.exists() and stamp.read_text() == fingerprint:
            return python
        self._say(f"Making the environment of {name}; this takes up to some minutes, once.")
        began = time.monotonic()
        try:
            self._run(name, sys.executable, "-m", "venv", "--clear", str(self._folder / name))
            self._run(name, str(python), *_PIP, "install", "--quiet", *packages())
        finally:
            self.made_s += time.monotonic() - began
        stamp.write_text(fingerprint)
        return python

    def _python(self, name: str) -> Path:
        return self._folder / name / "bin" / "python"

    def _run(self, name: str, *command: str) -> None:
        try:
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=_INSTALL_WITHIN_S)
        except subprocess.TimeoutExpired:
            raise MissingError(f"{name} could not be installed within {_INSTALL_WITHIN_S} s") from None
        except subprocess.CalledProcessError as error:
            said = error.stderr.strip().splitlines() or ["no reason given"]
            raise MissingError(f"{name} could not be installed ({said[-1].strip()})") from None


def _requirements(name: str) -> Path:
    return ROOT / "benchmarks" / "requirements" / f"{name}.txt"


def _names(name: str) -> list[str]:
    lines = _requirements(name).read_text().splitlines()
    return [line.split("==")[0] for line in lines if "==" in line]


_BUILT_BY: Final = (ROOT / "setup.py", ROOT / "pyproject.toml")


def _is_source(path: Path) -> bool:
    return path.is_file() and path.suffix not in {".pyc", ".so"}


def _with_compiler(sources: list[Path]) -> list[Path]:
    """Return the sources in order, with the C compiler among them: another compiler makes another wheel."""
    compiler = shutil.which("cc")
    return [*sorted(sources), *([Path(compiler)] if compiler else [])]


def _is_compiled(python: Path) -> bool:
    return not _output(python, "-P", "-c", _WHERE).endswith(".py")


def _with_server(folder: Path) -> tuple[str, ...]:
    """Return what pip is to install for a whole arena: libraries in the versions that run here."""
    here = folder / "versions.txt"
    here.write_text("".join(f"{one.name}=={one.version}\n" for one in distributions()))
    return ("--constraint", str(here), f"{_copied(folder / 'checkout')}[server]")


def _copied(folder: Path) -> Path:
    """Return a copy of what a wheel is made of: building leaves files behind."""
    folder.mkdir(exist_ok=True)
    for part in ("arena", "engine"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for pattern in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        for file in ROOT.glob(pattern):
            shutil.copy(file, folder)
    return folder


def _fingerprint(files: list[Path]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _output(*command: str | Path) -> str:
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=True, cwd="/"
    ).stdout.strip()
