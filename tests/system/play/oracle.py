"""What may never happen, whatever an arena is sent: inner life in the open, a fault of its own, a changed database."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from arena.core.errors import ErrorReason

_INNER_LIFE = re.compile(
    r"Traceback|\bFile \"|site-packages|/arena/server|\b[A-Z]\w+(?:Error|Exception)\b|0x[0-9a-f]{8}|<class"
)
_FAULTS = re.compile(r"Traceback|call failed|exception was never retrieved|never awaited|\[error|\[critical")


def check_words(text: str, data: Path) -> None:
    """Nothing of the arena's inside stands in the text."""
    assert not _INNER_LIFE.search(text), text
    assert str(data) not in text, text


def check_refusal(error: Any, data: Path) -> str:
    """Check that a refusal is one of the table's, with one ErrorInfo; return its reason, or the code of gRPC's own."""
    code, details = error.code(), error.details() or ""
    assert code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE), (
        details
    )
    check_words(details, data)
    trailing: dict[str, Any] = dict(error.trailing_metadata() or ())
    if "grpc-status-details-bin" not in trailing:
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED, (code, details)
        return str(code.name)
    status = Status.FromString(trailing["grpc-status-details-bin"])
    infos = [detail for detail in status.details if detail.Is(ErrorInfo.DESCRIPTOR)]
    assert len(infos) == 1
    info = ErrorInfo()
    infos[0].Unpack(info)
    check_words(str(status), data)
    assert info.domain == "arena.v1"
    return ErrorReason(info.reason).value


def reason_and_wait(trailing: dict[str, Any]) -> tuple[str, int]:
    """Return the reason of a refusal, and the seconds until a retry, from its trailing metadata."""
    info, retry = ErrorInfo(), RetryInfo()
    for detail in Status.FromString(trailing["grpc-status-details-bin"]).details:
        detail.Unpack(info)
        detail.Unpack(retry)
    return info.reason, retry.retry_delay.seconds


_TRACEBACK_LINES = 60


def faults(log: list[str]) -> list[str]:
    """Lines of the service log that tell of a fault of the arena, each with the traceback behind it."""
    found: list[str] = []
    for number, line in enumerate(log):
        if _FAULTS.search(line):
            found += log[number : number + _TRACEBACK_LINES]
    return found


WATCHED_ROWS = {
    **dict.fromkeys(("frozen_standings", "ladder_secrets", "sqlite_sequence"), "0"),
    "audit": "user IS NOT NULL",
    "audit_about": "number IN (SELECT number FROM audit WHERE user IS NOT NULL)",
}
"""Which rows are compared of tables that the arena also writes without a call, at a time of its own.

It draws the secrets of a ladder shortly after it was started and at midnight, and acts on a deadline or a freeze whose
time has passed.
"""
UNWATCHED_COLUMNS = {"last_used_us", "deadline_recorded", "frozen_seq", "frozen"}


class Watched:
    """A database that is looked at from outside."""

    def __init__(self, data: Path) -> None:
        self._database = sqlite3.connect(f"file:{data / 'arena.db'}?mode=ro", uri=True, isolation_level=None)

    def content(self) -> list[str]:
        """All of it at one moment, but what the arena writes by itself."""
        self._database.execute("BEGIN")
        try:
            return list(self._lines())
        finally:
            self._database.execute("COMMIT")

    def version(self) -> int:
        """Another number after every change."""
        (version,) = self._database.execute("PRAGMA data_version").fetchone()
        return int(version)

    def _lines(self) -> Iterator[str]:
        tables = self._database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in sorted(tables):
            columns = [row[1] for row in self._database.execute(f"PRAGMA table_info({table})")]
            kept = ", ".join(f'"{column}"' for column in columns if column not in UNWATCHED_COLUMNS)
            rows = WATCHED_ROWS.get(table, "1")
            for row in self._database.execute(f'SELECT {kept} FROM "{table}" WHERE {rows}'):
                yield f"{table} {row}"

    def close(self) -> None:
        """No more."""
        self._database.close()
