"""A second environment with the wheel of this checkout in it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.checkout import ROOT, files

BUILD = "import setup, sys; setup.build_wheel(sys.argv[1])"
SOURCES = ("setup.py", "pyproject.toml", "README.md", "LICENSE")


def build_wheel(folder: Path, environment: Mapping[str, str] = os.environ) -> tuple[Path, str]:
    """The wheel that a copy of the checkout in `folder` makes, and what was said meanwhile."""
    checkout, built = folder / "checkout", folder / "built"
    built.mkdir(parents=True)
    for path in files():
        if path in SOURCES or path.startswith(("engine/", "arena/__init__")):
            (checkout / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, checkout / path)
    finished = subprocess.run(
        [sys.executable, "-c", BUILD, str(built)],
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    assert finished.returncode == 0, finished.stdout
    (wheel,) = built.glob("*.whl")
    return wheel, finished.stdout


def install(wheel: Path, environment: Path) -> None:
    """A new environment with what the wheel holds; nothing that the engine needs is missing in it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = (environment / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages)


@pytest.fixture(scope="session")
def compiled_python(request: pytest.FixtureRequest) -> Path:
    """The interpreter of an environment with the compiled engine, made once for these sources of the engine."""
    cache = request.config.cache
    assert cache is not None
    folder = cache.mkdir("compiled_engine")
    ready = folder / _fingerprint()
    with _alone(folder / "lock"):
        if not ready.exists():
            _make(ready)
    return ready / "environment" / "bin" / "python"


def _make(ready: Path) -> None:
    for old in ready.parent.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
    unfinished = ready.with_suffix(".unfinished")
    wheel, said = build_wheel(unfinished)
    if "-none-any" in wheel.name:
        pytest.fail(
            f"The engine was not compiled; this needs a C compiler (on Debian: apt install gcc).\n{said[-2000:]}"
        )
    install(wheel, unfinished / "environment")
    unfinished.rename(ready)


def _fingerprint() -> str:
    """Of all that decides what the wheel holds of the engine."""
    everything = sha256((sys.version + version("mypy")).encode())
    for path in files():
        if path in SOURCES or path.startswith("engine/"):
            everything.update(path.encode() + b"\0" + (ROOT / path).read_bytes())
    return everything.hexdigest()[:16]


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """One process at a time: tests run on several."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
