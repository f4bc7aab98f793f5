"""Writing of the log of one match: records are kept as they come, the rest is done at the end.

So a running match only appends to a list, and a thread can do the work of the end. Done at once it takes a third of
the time that it would take ply by ply.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.codecs.codec import Codec
from arena.core.match import MatchResult, MatchSetup, NoteRecord
from arena.core.ply import PlyRecord
from arena.match_log.encode import (
    LogOrigin,
    PlyEncoder,
    encode_footer,
    encode_header,
    encode_note,
    encode_set_up,
)
from arena.match_log.framing import chain_end, pack, signature_record, signed_message
from arena.match_log.keys import SigningKey
from engine.game import Event


@dataclass(frozen=True)
class FinishedLog:
    """A signed log."""

    name: str
    """The end of its chain, 64 hex digits."""
    data: bytes
    """The file."""


class MatchRecords:
    """Collects what happens in one match, between the header of its log and the footer."""

    __slots__ = ("_codec", "_records")

    def __init__(self, codec: Codec) -> None:
        """`codec`: of the match's game."""
        self._codec = codec
        self._records: list[PlyRecord | NoteRecord | tuple[Event, ...]] = []

    def set_up(self, events: tuple[Event, ...]) -> None:
        """Add what happened before the first action."""
        self._records.append(events)

    def ply(self, record: PlyRecord) -> None:
        """Add a ply."""
        self._records.append(record)

    def note(self, record: NoteRecord) -> None:
        """Add a note."""
        self._records.append(record)

    @property
    def all(self) -> Sequence[PlyRecord | NoteRecord | tuple[Event, ...]]:
        """The records so far."""
        return self._records

    def encoded(self, first: int = 0, until: int | None = None) -> list[bytes]:
        """Return the records so far as bytes, or those of these indices. A whole match takes a millisecond."""
        return list(self._encode(self._records[first:until]))

    def _encode(self, records: Sequence[PlyRecord | NoteRecord | tuple[Event, ...]]) -> Iterator[bytes]:
        plies = PlyEncoder(self._codec)
        for record in records:
            if isinstance(record, PlyRecord):
                yield plies.encode(record)
            elif isinstance(record, NoteRecord):
                yield encode_note(record)
            else:
                yield encode_set_up(record, self._codec)


class MatchLogBuilder(MatchRecords):
    """Collects the records of one match, and makes a signed log of them."""

    __slots__ = ("_key", "_origin", "_result", "_setup")

    def __init__(
        self, setup: MatchSetup, codec: Codec, *, software: str, key: SigningKey, start_time_ms: int
    ) -> None:
        """`start_time_ms`: milliseconds since 1970 UTC."""
        super().__init__(codec)
        self._setup = setup
        self._key = key
        self._origin = LogOrigin(software, key.public.key_id, start_time_ms)
        self._result: MatchResult | None = None

    def end(self, result: MatchResult) -> None:
        """Add the result, the last record."""
        self._result = result

    def finish(self) -> FinishedLog:
        """Return the log of an ended match, signed and compressed; the same one on every call.

        Takes about a millisecond; another thread may do it.
        """
        return self.finish_with(self.encoded())

    def finish_with(self, records: list[bytes]) -> FinishedLog:
        """Return the log of an ended match whose records another process has collected, as `MatchRecords.encoded`."""
        assert self._result is not None, "the match has ended"
        header = encode_header(self._setup, self._codec, self._origin)
        return seal([header, *records, encode_footer(self._setup, self._result)], self._key)


def seal(records: list[bytes], key: SigningKey) -> FinishedLog:
    """Return the log of these records, header to footer, signed with a key."""
    end = chain_end(records)
    signature = key.sign(signed_message(end))
    return FinishedLog(end.hex(), pack([*records, signature_record(signature)]))
