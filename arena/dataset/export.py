"""Writes what an arena exports to a data set."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from arena.dataset.card import CardFacts, logs_sha256
from arena.dataset.columns import rows_of
from arena.dataset.exported import (
    CallEnd,
    ExportedEntry,
    ExportedMatch,
    Record,
    decision_records,
    log_of,
    match_record,
    rating_records,
    seat_records,
)
from arena.dataset.folder import DatasetFolder
from arena.dataset.pseudonyms import Pseudonyms
from arena.dataset.schema import DECISIONS, MATCHES, OBSERVATIONS, RATINGS, SEATS, Table

if TYPE_CHECKING:
    from arena.dataset.observations import Observer  # needs the extra [research]

Line = ExportedMatch | ExportedEntry

POSITIONS: Final = 1_000
"""Of one call, the most that an arena takes."""


class ExportWriter:
    """Writes matches and ledger entries to the tables of a folder."""

    def __init__(
        self, folder: DatasetFolder, pseudonyms: Pseudonyms | None = None, observer: "Observer | None" = None
    ) -> None:
        """`pseudonyms`: for an anonymous data set; `observer`: to add observations."""
        self._folder = folder
        self._pseudonyms = pseudonyms
        self._observer = observer
        self._facts = CardFacts()

    def add(self, line: Line) -> None:
        """Write a match or an entry. Raises OSError, ExportError: a log cannot be read."""
        if isinstance(line, ExportedEntry):
            self._write(RATINGS, rating_records(line))
            return
        log = log_of(line)
        record = match_record(line)
        self._write(MATCHES, [record])
        self._write(SEATS, seat_records(line))
        if log is not None:
            self._facts.logs[int(line.match.name.removeprefix("matches/"))] = log.name
            self._write(DECISIONS, decision_records(line, log))
            if self._observer is not None:
                self._write(OBSERVATIONS, self._observer.records(line, log))
        match = line.match
        self._facts.games[match.game, match.rules_version, len(match.seats)] += 1
        self._facts.states[str(record["state"])] += 1
        self._facts.log_states[line.log_state] += 1

    def card(self) -> dict[str, Any]:
        """Return what the card says of the matches."""
        facts = self._facts.document()
        # With it somebody who may read the arena could check which matches these are.
        hashed = {} if self._pseudonyms is not None else {"logs_sha256": logs_sha256(self._facts.logs)}
        observed = {} if self._observer is None else {"observations": self._observer.features()}
        return facts | hashed | observed

    def _write(self, table: Table, records: list[Record]) -> None:
        if self._pseudonyms is not None:
            records = [self._pseudonyms.applied(record) for record in records]
        self._folder.write(table, rows_of(records))


def read_steps(
    call: Callable[[int, int, int], Iterable[Line | CallEnd]], since: int, limit: int
) -> Iterator[Line | CallEnd]:
    """Yield what several calls export, and at last where they ended.

    `call`: makes a call with a cursor, the position to stop at, and a number of positions; `limit`: the number of
    positions of all calls, 0 for all up to the newest.
    """
    cursor, until, read = since, 0, 0
    while True:
        size = min(limit - read, POSITIONS) if limit else POSITIONS
        for line in call(cursor, until, size):
            if isinstance(line, CallEnd):
                cursor, until = line.cursor, line.end
            else:
                yield line
        read += size
        if cursor >= until or read == limit:
            yield CallEnd(cursor, until)
            return
