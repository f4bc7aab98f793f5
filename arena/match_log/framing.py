"""The outermost layer of a log file: zstd around records, each behind its length.

Only one encoding is allowed, one frame with the shortest lengths, so that no bytes can hide from the chain.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import zstandard

from arena.codecs.serialized import varint

MAX_UNPACKED_BYTES: Final = 64 * 1024 * 1024
"""The largest unpacked size: a match takes some kilobytes."""

_LEVEL: Final = 3
"""Level 6 makes a file 1 % smaller and takes twice as long, level 15 4 % and twenty times."""

_MAX_LENGTH_BYTES: Final = 4

_COMPRESSORS: Final = threading.local()


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first place where a log is wrong."""

    record: int
    """The index of the first record that does not fit, from 0."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The records of a file, as stored, up to the first flaw."""

    records: tuple[bytes, ...]
    flaw: Flaw | None


def pack(records: Iterable[bytes]) -> bytes:
    """Return the bytes of a file that holds these records."""
    body = b"".join([varint(len(record)) + record for record in records])
    return _of_thread().compress(body)


def _of_thread() -> zstandard.ZstdCompressor:
    """Return the compressor of this thread: making one takes as long as a log, and threads must not share one."""
    compressor: zstandard.ZstdCompressor | None = getattr(_COMPRESSORS, "own", None)
    if compressor is None:
        compressor = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True, write_content_size=True)
        _COMPRESSORS.own = compressor
    return compressor


def unpack(data: bytes) -> Unpacked:
    """Return the records of a file; never raises, whatever the bytes are."""
    try:
        body = _decompress(data)
    except (zstandard.ZstdError, ValueError) as error:
        return Unpacked((), Flaw(0, f"The file is not one whole zstd frame ({error})."))
    return _split(body)


def _decompress(data: bytes) -> bytes:
    """Return the content of one whole zstd frame. Raises ZstdError or ValueError for anything else."""
    size = zstandard.get_frame_parameters(data).content_size
    if size == zstandard.CONTENTSIZE_UNKNOWN:
        raise ValueError("it does not state the size of its content")
    if size > MAX_UNPACKED_BYTES:
        raise ValueError(f"it unpacks to {size} bytes, but at most {MAX_UNPACKED_BYTES} are allowed")
    return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)


def _split(body: bytes) -> Unpacked:
    records: list[bytes] = []
    place = 0
    while place < len(body):
        index = len(records)
        try:
            length, start = _length_at(body, place)
        except ValueError as error:
            flaw = Flaw(index, f"The length of record {index} is unreadable: {error}.")
            return Unpacked(tuple(records), flaw)
        place = start + length
        if place > len(body):
            flaw = Flaw(index, f"Record {index} is cut off: {place - len(body)} bytes are missing.")
            return Unpacked(tuple(records), flaw)
        records.append(body[start:place])
    return Unpacked(tuple(records), None)


def _length_at(body: bytes, place: int) -> tuple[int, int]:
    """Return the length at a place, and where its record starts. Raises ValueError if there is none."""
    length = 0
    for i in range(_MAX_LENGTH_BYTES):
        if place + i >= len(body):
            raise ValueError("the file ends within it")
        byte = body[place + i]
        length |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            if i and not byte:
                raise ValueError("it is longer than needed")
            return length, place + i + 1
    raise ValueError(f"it takes more than {_MAX_LENGTH_BYTES} bytes")


LABEL: Final = b"arena-log-v1"

_SIGNATURE_RECORD: Final = b"\x2a\x42\x0a\x40"
_SIGNATURE_BYTES: Final = 64


def chain_end(records: Iterable[bytes]) -> bytes:
    """Return h(n), 32 bytes: h0 = SHA-256("arena-log-v1" || r0), hi = SHA-256(h(i-1) || ri), over stored bytes."""
    end = LABEL
    for record in records:
        end = sha256(end + record).digest()
    return end


def signed_message(end: bytes) -> bytes:
    """Return what the arena signs for a chain that ends so."""
    return LABEL + end


def signature_record(signature: bytes) -> bytes:
    """Return the record of a signature of 64 bytes: a LogRecord in its only allowed form."""
    return _SIGNATURE_RECORD + signature


def signature_of(record: bytes) -> bytes | None:
    """Return the signature in a record; None if it is no signature record, or one in any other form.

    The record is not in the chain, so a looser reading would let bytes be added unseen.
    """
    head, signature = record[: len(_SIGNATURE_RECORD)], record[len(_SIGNATURE_RECORD) :]
    return signature if head == _SIGNATURE_RECORD and len(signature) == _SIGNATURE_BYTES else None
