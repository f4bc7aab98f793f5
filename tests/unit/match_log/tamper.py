"""A log in pieces, for tests that change it; read by the standard library, zstd and the messages alone."""

from collections.abc import Callable
from hashlib import sha256

import zstandard

from arena.match_log.keys import SigningKey
from arena.v1 import match_log_pb2


def records_of(data: bytes) -> list[bytes]:
    """Return the records of a file, by docs/log_format.md alone."""
    body, records, place = zstandard.ZstdDecompressor().decompress(data), [], 0
    while place < len(body):
        length = shift = 0
        while True:
            byte, place = body[place], place + 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        records.append(body[place : place + length])
        place += length
    return records


def file_of(records: list[bytes]) -> bytes:
    """Return the file that holds these records; for records of less than 16 KiB."""
    lengths = [bytes((n,)) if n < 128 else bytes((n & 127 | 128, n >> 7)) for n in map(len, records)]
    body = b"".join(length + record for length, record in zip(lengths, records, strict=True))
    return zstandard.ZstdCompressor().compress(body)


def end_of_chain(records: list[bytes]) -> bytes:
    """Return the last hash over the records, without the signature."""
    end = sha256(b"arena-log-v1" + records[0]).digest()
    for record in records[1:]:
        end = sha256(end + record).digest()
    return end


def resigned(records: list[bytes], key: SigningKey) -> bytes:
    """Return the file of these records, header to footer, signed by a key."""
    signature = key.sign(b"arena-log-v1" + end_of_chain(records))
    record = match_log_pb2.LogRecord(signature=match_log_pb2.LogSignature(signature=signature))
    return file_of([*records, record.SerializeToString()])


def changed(
    data: bytes, index: int, change: Callable[[match_log_pb2.LogRecord], None], key: SigningKey
) -> bytes:
    """Change one record and sign all anew; a negative index counts from the footer, -1."""
    records = records_of(data)[:-1]
    message = match_log_pb2.LogRecord.FromString(records[index])
    change(message)
    records[index] = message.SerializeToString()
    return resigned(records, key)


def ply_indices(data: bytes) -> list[int]:
    """Return the indices of the records that are plies."""
    messages = [match_log_pb2.LogRecord.FromString(record) for record in records_of(data)]
    return [index for index, message in enumerate(messages) if message.HasField("ply")]
