"""Makes archives byte by byte, including invalid ones."""

import gzip
import struct
import zlib
from dataclasses import dataclass, replace

MANIFEST = b'command = ["python", "bot.py"]\ngames = ["caravan"]\nruntime = "python"\n'

BLOCK = 512
END = bytes(2 * BLOCK)
POSIX = b"ustar\x0000"
GNU = b"ustar  \x00"

LINK_MODE = 0o120777
FOLDER_MODE = 0o040755


def header(
    name: bytes,
    *,
    size: int | bytes = 0,
    kind: bytes = b"0",
    mode: int | bytes = 0o644,
    link: bytes = b"",
    magic: bytes = POSIX,
    prefix: bytes = b"",
    checksum: bytes | None = None,
) -> bytes:
    """Return a header of a tar archive; numbers given as bytes are written as they are."""

    def number(value: int | bytes, length: int) -> bytes:
        return value if isinstance(value, bytes) else f"{value:0{length - 1}o}\0".encode()

    before = name.ljust(100, b"\0") + number(mode, 8) + number(0, 8) * 2 + number(size, 12) + number(0, 12)
    after = kind + link.ljust(100, b"\0") + magic + bytes(64) + number(0, 8) * 2
    after = (after + prefix.ljust(155, b"\0")).ljust(BLOCK - 156, b"\0")
    proper = f"{sum(before + b' ' * 8 + after):06o}\0 ".encode()
    return before + (proper if checksum is None else checksum) + after


def padded(data: bytes) -> bytes:
    """Pad data to whole blocks."""
    return data + bytes(-len(data) % BLOCK)


def tar_file(
    name: bytes, data: bytes = b"", *, kind: bytes = b"0", mode: int = 0o644, magic: bytes = POSIX
) -> bytes:
    """Return a file of a tar archive."""
    return header(name, size=len(data), kind=kind, mode=mode, magic=magic) + padded(data)


def record(key: bytes, value: bytes) -> bytes:
    """Return a record of an extended header, which begins with its own length."""
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest)
    while len(str(length)) + len(rest) != length:
        length = len(str(length)) + len(rest)
    return str(length).encode() + rest


def extended(*records: bytes, kind: bytes = b"x") -> bytes:
    """Return an extended header for the next entry, or with the kind g for all."""
    return tar_file(b"header", b"".join(records), kind=kind)


def long_name(name: bytes) -> bytes:
    """Return the long name of the next entry as GNU tar writes it."""
    return tar_file(b"././@LongLink", name + b"\0", kind=b"L", magic=GNU)


def tar(*entries: bytes, manifest: bytes = MANIFEST, end: bytes = END) -> bytes:
    """Return a tar archive with a manifest and these entries."""
    return tar_file(b"bot.toml", manifest) + b"".join(entries) + end


def tar_gz(*entries: bytes) -> bytes:
    """Return the same, compressed."""
    return gzip.compress(tar(*entries), mtime=0)


@dataclass(frozen=True)
class Zipped:
    """A file of a zip archive; None stands for the valid value."""

    name: bytes
    data: bytes = b""
    mode: int = 0o100644
    dos: int = 0
    flags: int = 0
    method: int = 8
    size: int | None = None
    packed_size: int | None = None
    checksum: int | None = None
    local_name: bytes | None = None
    local_size: int | None = None
    offset: int | None = None
    body: bytes | None = None
    """Its compressed bytes."""
    behind: bytes = b""

    def packed(self) -> bytes:
        if self.body is not None:
            return self.body
        if self.method != 8:
            return self.data
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        return deflate.compress(self.data) + deflate.flush()

    def numbers(self) -> tuple[int, int, int]:
        checksum = zlib.crc32(self.data) if self.checksum is None else self.checksum
        packed = len(self.packed()) if self.packed_size is None else self.packed_size
        return checksum, packed, len(self.data) if self.size is None else self.size

    def local(self) -> bytes:
        checksum, packed, size = self.numbers()
        size = size if self.local_size is None else self.local_size
        name = self.name if self.local_name is None else self.local_name
        fixed = struct.pack(
            "<4sHHHHHIIIHH",
            b"PK\3\4",
            20,
            self.flags,
            self.method,
            0,
            0,
            checksum,
            packed,
            size,
            len(name),
            0,
        )
        return fixed + name + self.packed() + self.behind

    def central(self, offset: int) -> bytes:
        at = offset if self.offset is None else self.offset
        made_by = 3 << 8 if self.mode else 0
        fixed = struct.pack(
            "<4sHHHHHHIIIHHHHHII", b"PK\1\2", made_by, 20, self.flags, self.method, 0, 0, *self.numbers(),
            len(self.name), 0, 0, 0, 0, self.mode << 16 | self.dos, at,
        )  # fmt: skip
        return fixed + self.name


BOT_TOML = Zipped(b"bot.toml", MANIFEST)


def zip_of(
    *files: Zipped,
    before: bytes = b"",
    gap: bytes = b"",
    count: int | None = None,
    directory_size: int | None = None,
    comment: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Return a zip archive of these files in this order."""
    body, directory = before, b""
    for file in files:
        directory += file.central(len(body))
        body += file.local()
    body += gap
    number = len(files) if count is None else count
    size = len(directory) if directory_size is None else directory_size
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, number, number, size, len(body), len(comment))
    return body + directory + end + comment + after


def zipped(*files: Zipped) -> bytes:
    """Return a zip archive with a manifest and these files."""
    return zip_of(BOT_TOML, *files)


def folder_of(name: bytes) -> Zipped:
    """Return a folder of a zip archive."""
    return replace(BOT_TOML, name=name, data=b"", mode=FOLDER_MODE, dos=0x10, method=0)
