"""Reading of a log file: first its records as stored, then their content."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import DecodeError

from arena.codecs.codec import Codec, codec_for
from arena.core.errors import DataLossError, ErrorReason
from arena.core.match import MatchResult, MatchSetup, NoteRecord
from arena.core.ply import PlyRecord
from arena.match_log.decode import (
    LoggedPly,
    LoggedSetUp,
    decode_note,
    decode_ply,
    decode_result,
    decode_set_up,
    decode_setup,
)
from arena.match_log.encode import LogOrigin
from arena.match_log.framing import Flaw, chain_end, signature_of, unpack
from arena.v1 import match_log_pb2
from engine.game import GameError

SET_UP_INDEX: Final = 1
"""The index of the set-up in the log of a match that began."""


class UnreadableLogError(DataLossError):
    """The bytes are no whole log; `flaw` says from which record on."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(ErrorReason.LOG_MISSING, flaw.sentence, record=str(flaw.record))
        self.flaw = flaw


@dataclass(frozen=True, slots=True)
class StoredLog:
    """A log whose records are messages in the right order; their content is not checked."""

    records: tuple[bytes, ...]
    """The chain as stored: header to footer."""
    messages: tuple[match_log_pb2.LogRecord, ...]
    """The same, parsed."""
    end: bytes
    """The end of the chain, 32 bytes."""
    signature: bytes
    """64 bytes."""

    @property
    def header(self) -> match_log_pb2.LogHeader:
        """The first record."""
        return self.messages[0].header

    @property
    def footer(self) -> match_log_pb2.LogFooter:
        """The last record of the chain."""
        return self.messages[-1].footer


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """One record between header and footer."""

    index: int
    """Its index among the records of the file."""
    content: LoggedSetUp | LoggedPly | NoteRecord


@dataclass(frozen=True, slots=True)
class MatchLog:
    """A match as its log tells it. It need not be true: see arena.match_log.verify."""

    name: str
    """The end of the chain, 64 hex digits."""
    setup: MatchSetup
    seed_commitment: bytes
    origin: LogOrigin
    entries: tuple[LoggedEntry, ...]
    result: MatchResult
    stated_used_ms: tuple[int, ...]
    """By seat: the thinking time that the footer states; `result` has the sums of the plies."""
    footer_index: int
    """The index of the footer among the records."""

    def footer_flaw(self, what: str) -> Flaw:
        """Return the flaw of a footer that does not fit. `what`: part of a sentence."""
        return Flaw(self.footer_index, f"The footer does not fit: {what}.")

    @property
    def set_up(self) -> LoggedSetUp | None:
        """What happened before the first action; None if the match did not begin."""
        first = self.entries[0].content if self.entries else None
        return first if isinstance(first, LoggedSetUp) else None

    @property
    def plies(self) -> tuple[PlyRecord, ...]:
        """The actions played, in order."""
        return tuple(logged.record for _, logged in self.numbered_plies)

    @property
    def numbered_plies(self) -> tuple[tuple[int, LoggedPly], ...]:
        """The actions played, in order, each with the index of its record."""
        return tuple(
            (entry.index, entry.content) for entry in self.entries if isinstance(entry.content, LoggedPly)
        )


def read_log(data: bytes, codecs: Callable[[str], Codec] = codec_for) -> MatchLog:
    """Return the content of a log file. It need not be true: see arena.match_log.verify.

    Raises UnreadableLogError: it is no whole log, or of a game that this software does not know.
    """
    stored = read_stored(data)
    try:
        codec = codecs(stored.header.game)
    except KeyError as error:
        sentence = f'The log is of the game "{stored.header.game}", which this software does not know.'
        raise UnreadableLogError(Flaw(0, sentence)) from error
    return interpret(stored, codec)


def read_stored(data: bytes) -> StoredLog:
    """Return the records of a file, in the order that the format demands.

    Raises:
        UnreadableLogError: the file is cut off, altered or something else; `flaw` names the first record that does
            not fit.
    """
    unpacked = unpack(data)
    messages: list[match_log_pb2.LogRecord] = []
    for index, record in enumerate(unpacked.records):
        try:
            messages.append(match_log_pb2.LogRecord.FromString(record))
        except DecodeError as error:
            sentence = f"Record {index} is not a readable LogRecord message."
            raise UnreadableLogError(Flaw(index, sentence)) from error
        if (why := _misplaced(messages)) is not None:
            raise UnreadableLogError(Flaw(index, f"Record {index} {why}."))
    if unpacked.flaw is not None:
        raise UnreadableLogError(unpacked.flaw)
    if not messages or messages[-1].WhichOneof("kind") != "signature":
        raise UnreadableLogError(Flaw(len(messages), "The file ends before the footer and the signature."))
    signature = signature_of(unpacked.records[-1])
    if signature is None:
        last = len(messages) - 1
        sentence = f"Record {last}, the signature, is not 64 bytes and nothing else."
        raise UnreadableLogError(Flaw(last, sentence))
    chained = unpacked.records[:-1]
    return StoredLog(chained, tuple(messages[:-1]), chain_end(chained), signature)


def interpret(stored: StoredLog, codec: Codec) -> MatchLog:
    """Return the content of the records. `codec`: of the game that the header names.

    Raises UnreadableLogError: a record holds what no log can hold; `flaw` names it.
    """
    index, header = 0, stored.header
    try:
        setup = decode_setup(header, codec, stored.footer.seed)
        entries: list[LoggedEntry] = []
        for index, message in enumerate(stored.messages):
            content = _content(message, codec, len(setup.seats))
            if content is not None:
                entries.append(LoggedEntry(index, content))
        plies = tuple(entry.content.record for entry in entries if isinstance(entry.content, LoggedPly))
        result = decode_result(stored.footer, setup, plies)
    except (ValueError, GameError) as error:
        why = str(error).rstrip(".")
        raise UnreadableLogError(Flaw(index, f"Record {index} does not fit: {why}.")) from error
    return MatchLog(
        name=stored.end.hex(),
        setup=setup,
        seed_commitment=header.seed_commitment,
        origin=LogOrigin(header.software, header.key_id, header.start_time_ms),
        entries=tuple(entries),
        result=result,
        stated_used_ms=tuple(seat.used_ms for seat in stored.footer.seats),
        footer_index=len(stored.messages) - 1,
    )


def read_record(record: bytes, codec: Codec, seats: int) -> LoggedSetUp | LoggedPly | NoteRecord:
    """Return the content of one record between header and footer, as `MatchRecords.encoded` has written it.

    Raises ValueError: it holds what no record can hold.
    """
    try:
        content = _content(match_log_pb2.LogRecord.FromString(record), codec, seats)
    except DecodeError as error:
        raise ValueError("it is not a readable LogRecord message") from error
    if content is None:
        raise ValueError("it is no set-up, ply or note")
    return content


def _content(
    message: match_log_pb2.LogRecord, codec: Codec, seats: int
) -> LoggedSetUp | LoggedPly | NoteRecord | None:
    """Return what a record says; None for header, footer and signature. Raises ValueError."""
    kind = message.WhichOneof("kind")
    if kind == "ply":
        return decode_ply(message.ply, codec, seats)
    if kind == "set_up":
        return decode_set_up(message.set_up, codec)
    return decode_note(message.note, seats) if kind == "note" else None


def _misplaced(messages: list[match_log_pb2.LogRecord]) -> str | None:
    """Return why the last of these messages is not in an allowed place; None if it is."""
    index = len(messages) - 1
    kind = messages[index].WhichOneof("kind")
    before = messages[index - 1].WhichOneof("kind") if index else None
    name = kind or "record of an unknown kind"
    if (kind == "header") != (index == 0):
        return f"is a {name}, but the header is the first record alone"
    if kind == "set_up" and index != SET_UP_INDEX:
        return f"is a set_up, but that can only be record {SET_UP_INDEX}"
    if before == "signature":
        return "stands after the signature"
    if (kind == "signature") != (before == "footer"):
        return f"is a {name}, but the signature, and nothing else, follows the footer"
    return None
