"""The moments at which a server may be made to die: around each commit, fsync and rename, by name.

Nothing of this is in the arena itself: the functions are wrapped in the process of the test.
"""

import os
import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy.engine.default import DefaultDialect

from arena.store.store import Store

_ONLY_READS: Final = {"sqlite": "PRAGMA query_only", "postgresql": "SHOW transaction_read_only"}
"""Asks whether a connection is a reader's."""


class Points:
    """Counts how often each point is passed, and ends the process at one of them."""

    def __init__(self, data: str, point: str, passage: int, trace: str | None) -> None:
        """`point`: at which passage of it the process dies; empty for never. `trace`: where each point is noted."""
        self._data = Path(data).resolve()
        self._point = point
        self._passage = passage
        self._trace = None if trace is None else os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._passed: Counter[str] = Counter()
        self._work = threading.local()

    def install(self) -> None:
        """Wrap the functions."""
        os.fsync = self._around(os.fsync, "fsync", lambda fd: str(Path(f"/proc/self/fd/{fd}").readlink()))
        os.replace = self._around(os.replace, "rename", lambda _source, target: os.fspath(target))
        os.rename = self._around(os.rename, "rename", lambda _source, target: os.fspath(target))
        self._name_transactions()
        self._wrap_commits()

    def _around(self, real: Callable[..., Any], verb: str, path_of: Callable[..., str]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            name = f"{verb} {self._shown(path_of(*args))}"
            self._pass(f"{name}, before")
            done = real(*args, **kwargs)
            self._pass(f"{name}, after")
            return done

        return wrapped

    def _shown(self, path: str) -> str:
        """Return the path within the data folder, numbers and key ids as #."""
        inside = os.path.relpath(Path(path).resolve(), self._data)
        return re.sub(r"\b[0-9a-f]{16}\b|\d+", "#", inside)

    def _name_transactions(self) -> None:
        write_real, migrate_real = Store.write_together, Store.migrate

        def write_together(store: Store, changes: Sequence[Callable[..., Any]]) -> Any:
            names = [change.__qualname__.partition(".<locals>")[0] for change in changes]
            with self._named(names):
                return write_real(store, changes)

        def migrate(store: Store) -> None:
            with self._named(["migration"]):
                migrate_real(store)

        Store.write_together = write_together  # type: ignore[method-assign, assignment]
        Store.migrate = migrate  # type: ignore[method-assign, assignment]

    @contextmanager
    def _named(self, names: list[str]) -> Iterator[None]:
        """Name the commits of writers that happen inside."""
        self._work.names = names
        try:
            yield
        finally:
            self._work.names = []

    def _wrap_commits(self) -> None:
        real = DefaultDialect.do_commit

        def do_commit(dialect: DefaultDialect, connection: Any) -> None:
            cursor = connection.cursor()
            reads = cursor.execute(_ONLY_READS[dialect.name]).fetchone()[0] in (1, "on")
            cursor.close()
            # A commit of several changes is one for each of them.
            names = [] if reads else getattr(self._work, "names", [])
            for name in names:
                self._pass(f"commit {name}, before")
            real(dialect, connection)
            for name in names:
                self._pass(f"commit {name}, after")

        DefaultDialect.do_commit = do_commit  # type: ignore[method-assign]

    def _pass(self, name: str) -> None:
        self._passed[name] += 1
        if self._trace is not None:
            os.write(self._trace, f"{name}\n".encode())
        if name == self._point and self._passed[name] == self._passage:
            os.kill(os.getpid(), signal.SIGKILL)
