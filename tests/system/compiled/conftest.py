"""A second environment with the wheel of this checkout in it, and the libraries of this one."""

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT, files

BUILD = "import setup, sys; setup.build_wheel(sys.argv[1])"
SOURCES = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
CODE = ("engine/", "arena/")
OPT_LEVEL = os.environ.get("ARENA_OPT_LEVEL", "0")
"""Of the wheel that the tests build, to be quick; `make soak` tests the one that is installed."""
SETUP: Any = import_module("setup")  # not a module of ours, and setuptools comes without types


def build_wheel(
    folder: Path, environment: Mapping[str, str] = os.environ, code: tuple[str, ...] = CODE
) -> tuple[Path, str]:
    """Return the wheel that a copy of the checkout in `folder` makes, and the output of the build.

    `code`: the folders whose modules are in it.
    """
    checkout, built = folder / "checkout", folder / "built"
    built.mkdir(parents=True)
    for path in files():
        if path in SOURCES or path.startswith(code):
            (checkout / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, checkout / path)
    finished = subprocess.run(
        [sys.executable, "-c", BUILD, str(built)],
        cwd=checkout,
        env={"ARENA_OPT_LEVEL": OPT_LEVEL, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=3_600,  # of a machine that has much else to do
    )
    assert finished.returncode == 0, finished.stdout
    (wheel,) = built.glob("*.whl")
    return wheel, finished.stdout


def install(wheel: Path, environment: Path) -> None:
    """Make an environment with the wheel; the libraries installed here come after it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = packages_of(environment)
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages)
    (packages / "libraries.pth").write_text(sysconfig.get_paths()["purelib"])


def packages_of(environment: Path) -> Path:
    """Where the environment keeps what is installed."""
    (packages,) = (environment / "lib").glob("python*/site-packages")
    return packages


@pytest.fixture(scope="session")
def compiled_python(request: pytest.FixtureRequest) -> Path:
    """Return the interpreter of an environment with a compiled wheel, made once for the compiled sources.

    The rest of the arena in it is that of this checkout at any time.
    """
    cache = request.config.cache
    assert cache is not None
    folder = cache.mkdir("compiled_arena")
    ready = folder / _fingerprint()
    with _alone(folder / "lock"):
        if not ready.exists():
            _make(ready)
        _refresh(packages_of(ready / "environment"))
    return ready / "environment" / "bin" / "python"


def _make(ready: Path) -> None:
    for old in ready.parent.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
    unfinished = ready.with_suffix(".unfinished")
    wheel, said = build_wheel(unfinished)
    if "-none-any" in wheel.name:
        why = [line for line in said.splitlines() if "stays plain" in line or "error:" in line]
        pytest.fail(
            "\n".join(
                ["The wheel was not compiled; this needs a C compiler (on Debian: apt install gcc).", *why]
            )
        )
    install(wheel, unfinished / "environment")
    unfinished.rename(ready)


def _refresh(packages: Path) -> None:
    for path in files():
        if path.startswith(CODE):
            there = packages / path
            if not there.exists() or there.read_bytes() != (ROOT / path).read_bytes():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, there)


def _fingerprint() -> str:
    """Of all that decides what is compiled."""
    everything = sha256((sys.version + version("mypy") + OPT_LEVEL).encode())
    for path in files():
        if (
            path in SOURCES
            or path.startswith("engine/")
            or any(fnmatch(path, part) for part in SETUP.PLAY_PATH)
        ):
            everything.update(path.encode() + b"\0" + (ROOT / path).read_bytes())
    return everything.hexdigest()[:16]


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """One process at a time: tests run on several."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
