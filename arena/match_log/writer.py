"""Writes the log of one match: each record is encoded as it comes, everything else happens at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.codecs.codec import Codec
from arena.core.match import MatchResult, MatchSetup, NoteRecord
from arena.core.ply import PlyRecord
from arena.match_log.chain import chain_end, signature_record, signed_message
from arena.match_log.encode import (
    Origin,
    PlyEncoder,
    encode_footer,
    encode_header,
    encode_note,
    encode_set_up,
)
from arena.match_log.framing import pack
from arena.match_log.keys import SigningKey
from engine.game import Event


@dataclass(frozen=True, slots=True)
class FinishedLog:
    """A signed log."""

    name: str
    """The end of its chain, 64 hex digits."""
    data: bytes
    """The file."""


class MatchLogBuilder:
    """Collects the records of one match."""

    __slots__ = ("_codec", "_key", "_plies", "_records", "_setup")

    def __init__(
        self, setup: MatchSetup, codec: Codec, *, software: str, key: SigningKey, start_time_ms: int
    ) -> None:
        """The header is written. `start_time_ms`: milliseconds since 1970 UTC."""
        origin = Origin(software, key.public.key_id, start_time_ms)
        self._setup = setup
        self._codec = codec
        self._key = key
        self._plies = PlyEncoder(codec)
        self._records = [encode_header(setup, codec, origin)]

    def set_up(self, events: Sequence[Event]) -> None:
        """What happened before the first action is written."""
        self._records.append(encode_set_up(events, self._codec))

    def ply(self, record: PlyRecord) -> None:
        """The ply is written."""
        self._records.append(self._plies.encode(record))

    def note(self, record: NoteRecord) -> None:
        """The note is written."""
        self._records.append(encode_note(record))

    def finish(self, result: MatchResult) -> FinishedLog:
        """The log, signed and compressed. Takes about a millisecond; the builder is of no more use."""
        self._records.append(encode_footer(self._setup, result))
        return seal(self._records, self._key)


def seal(records: list[bytes], key: SigningKey) -> FinishedLog:
    """The log of these records, header to footer, signed with a key."""
    end = chain_end(records)
    signature = key.sign(signed_message(end))
    return FinishedLog(end.hex(), pack([*records, signature_record(signature)]))
