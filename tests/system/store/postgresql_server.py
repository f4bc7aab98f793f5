"""A PostgreSQL server of the tests' own, from the package of the system."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from arena.sandbox.proc_fs import descendants
from tests.system.cluster.machines import send_to_all

REQUIRE: Final = "REQUIRE_POSTGRESQL"
"""Set: a server that is not installed fails the tests; otherwise they are skipped."""

_USER: Final = "postgres"
"""Of the package. The server refuses to run as root."""

_PORT: Final = 5432
"""Names the socket; no network is used."""


def programs() -> Path | None:
    """Return the folder of the newest server that is installed; None without one."""
    found = [Path(path).resolve() for path in [shutil.which("initdb")] if path is not None]
    found += Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((each.parent for each in found), key=lambda folder: folder.parent.name.zfill(9), default=None)


class PostgresqlServer:
    """A running server; its databases are on a Unix socket in its folder."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        """`folder`: empty, with a short path."""
        self._binaries, self.folder = binaries, folder
        self.url = f"postgresql://arena@/postgres?host={folder}&port={_PORT}"
        """Of a database; its user may create others."""

    def make(self) -> None:
        """Make its files."""
        if os.geteuid() == 0:
            shutil.chown(self.folder, _USER)
        self._run(
            "initdb", "--auth=trust", "--username=arena", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"
        )

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        options = f"-p {_PORT} -k {self.folder} -c listen_addresses= -c fsync=off"
        self._run("pg_ctl", "start", "--wait", f"--log={self.folder / 'log'}", f"--options={options}")

    def stop(self, how: str = "fast") -> None:
        """Stop it. `how`: "fast", or "immediate" as in a crash."""
        self._run("pg_ctl", "stop", "--wait", f"--mode={how}")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all of its processes inside: the system still accepts connections for it, and nothing is answered."""
        first = int((self.folder / "postmaster.pid").read_text().split()[0])
        pids = [first]
        try:
            os.kill(first, signal.SIGSTOP)  # from now on it starts no other one
            pids += descendants(first)
            send_to_all(pids, signal.SIGSTOP)
            yield
        finally:
            send_to_all(pids, signal.SIGCONT)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), f"--pgdata={self.folder}", *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, timeout=120)


@contextmanager
def running(folder: Path) -> Iterator[PostgresqlServer]:
    """Yield a server in a new folder, or skip the test without the package."""
    binaries = programs()
    if binaries is None:
        why = "no PostgreSQL server is installed (`apt-get install postgresql`)"
        if os.environ.get(REQUIRE):
            pytest.fail(why)
        pytest.skip(why)
    server = PostgresqlServer(binaries, folder)
    server.make()
    server.start()
    try:
        yield server
    finally:
        if (folder / "postmaster.pid").exists():  # a test may have stopped it
            server.stop("immediate")
