"""Stored match logs that calls read: a few at the same time, each compared with what the database names."""

import asyncio
from contextlib import AbstractContextManager

from arena.core.errors import DataLossError, ErrorReason
from arena.core.match_record import MatchRecord
from arena.match_log.files import LogStorage
from arena.match_log.reader import UnreadableLogError, read_stored
from arena.server.auth.limiters import CallSlots
from arena.server.limits import LOGS_READ, STORED_LOGS, STORED_LOGS_OF_ONE


class StoredLogs:
    """The stored logs, for all calls that read them."""

    def __init__(self, logs: LogStorage) -> None:
        """Start without calls."""
        self._logs = logs
        self._calls = CallSlots("stored logs", STORED_LOGS, STORED_LOGS_OF_ONE)
        self.turns = asyncio.Semaphore(LOGS_READ)
        """Taken while a log is read, checked or replayed in a thread."""

    def taken(self, user: str) -> AbstractContextManager[None]:
        """Return what a call holds as long as it has a log in memory. Raises ResourceExhaustedError (RATE_LIMITED)."""
        return self._calls.taken(user)

    async def read(self, match: MatchRecord) -> bytes:
        """Return the log file of a match that has one. Raises as `recorded_log`."""
        async with self.turns:
            return await asyncio.to_thread(recorded_log, self._logs, match)


def recorded_log(logs: LogStorage, match: MatchRecord) -> bytes:
    """Return the log file of a match that has one, if it is the recorded one. Blocks.

    Raises DataLossError (LOG_MISSING): the file is gone, damaged or another log; UnavailableError (STORAGE).
    """
    data = logs.read(match.id)
    try:
        name = read_stored(data).end.hex()
    except UnreadableLogError as error:
        raise damaged_log(match.id, error.flaw.sentence) from error
    if name != match.log:
        raise damaged_log(match.id, "It is not the log that was recorded with the result.")
    return data


def damaged_log(match: int, why: str) -> DataLossError:
    """Return the error of a damaged log. `why`: a sentence."""
    return DataLossError(
        ErrorReason.LOG_MISSING,
        f"The log of match {match} is damaged: the organiser can restore it from a backup. {why}",
        match=str(match),
    )
