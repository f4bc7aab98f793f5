"""Logs of ended matches, checked against the recorded results."""

from __future__ import annotations

from arena.core.errors import DataLossError, ErrorReason
from arena.core.match_record import MatchRecord
from arena.match_log.files import LogStorage
from arena.match_log.reader import UnreadableLogError, read_stored


def recorded_log(logs: LogStorage, match: MatchRecord) -> bytes:
    """Return the log file of a match that has one, if it is the recorded one. Blocks.

    Raises:
        DataLossError: LOG_MISSING, the file is gone, damaged or another log.
        UnavailableError: STORAGE, it could not be read.
    """
    data = logs.read(match.id)
    try:
        name = read_stored(data).end.hex()
    except UnreadableLogError as error:
        raise damaged(match.id, error.flaw.sentence) from error
    if name != match.log:
        raise damaged(match.id, "It is not the log that was recorded with the result.")
    return data


def damaged(match: int, why: str) -> DataLossError:
    """Return the error of a damaged log. `why`: a sentence."""
    return DataLossError(
        ErrorReason.LOG_MISSING,
        f"The log of match {match} is damaged: the organiser can restore it from a backup. {why}",
        match=str(match),
    )
