"""Reads a tar archive, strictly: the ustar format, with the long names of GNU tar and the extended headers of POSIX.

The formats are those of POSIX.1-2017, pax, "ustar Interchange Format" and "pax Header Block", and of the GNU tar
manual, "Basic Tar Format". What two programs could read in two ways is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from arena.submissions.entries import CHUNK, ArchiveEntry, ByteSource, EntryKindInArchive
from arena.submissions.errors import (
    bad_path,
    is_link,
    is_special,
    malformed,
    shown,
    too_large,
    too_many_files,
)
from arena.submissions.limits import SubmissionLimits
from arena.submissions.paths import decoded

BLOCK: Final = 512
_POSIX: Final = b"ustar\x0000"
_GNU: Final = b"ustar  \x00"
_EXTENSION_BYTES: Final = 64 * 1024
"""The longest extended header or long name."""
_EXTENSIONS_PER_FILE: Final = 1024
"""All of those together have so many bytes for each file that an archive may hold: to read them takes time."""
_HEADERS_PER_ENTRY: Final = 4
"""As many headers as one file may have: an extended one, a long name and a long link before its own."""
_ENDS_EARLY: Final = "The archive ends in the middle: pack or send it again."

_EXECUTABLE: Final = 0o111


@dataclass(slots=True)
class _Said:
    """What headers before an entry say of it."""

    path: bytes | None = None
    size: int | None = None
    any: bool = False


@dataclass(slots=True)
class _Counted:
    """A source of which no more than `left` is read."""

    source: ByteSource
    bounds: SubmissionLimits
    left: int = field(init=False)
    left_of_extensions: int = field(init=False)

    def __post_init__(self) -> None:
        self.left_of_extensions = self.bounds.files * _EXTENSIONS_PER_FILE + _EXTENSION_BYTES
        self.left = (
            self.bounds.unpacked_bytes
            + self.bounds.files * (_HEADERS_PER_ENTRY + 1) * BLOCK
            + _EXTENSION_BYTES
        )

    def some(self, size: int) -> bytes:
        """At most so many bytes; none at the end. Raises ResourceExhaustedError (ARCHIVE_TOO_LARGE)."""
        data = self.source.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise too_large("The archive unpacks to", self.bounds.unpacked_bytes)
        return data

    def exactly(self, size: int) -> bytes:
        """So many bytes. Raises InvalidArgumentError (ARCHIVE_MALFORMED) if there are fewer."""
        parts = []
        while size:
            part = self.some(min(size, CHUNK))
            if not part:
                raise malformed(_ENDS_EARLY)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


def tar_entries(source: ByteSource, bounds: SubmissionLimits) -> Iterator[ArchiveEntry]:
    """The files and folders of a tar archive, in its order. The whole source is read.

    Raises:
        InvalidArgumentError: an entry is a link (ARCHIVE_LINK) or no file at all (ARCHIVE_SPECIAL_FILE), its path is
            no text (ARCHIVE_PATH), or the archive is damaged or ambiguous (ARCHIVE_MALFORMED).
        ResourceExhaustedError: it unpacks too far (ARCHIVE_TOO_LARGE), or is of too many (ARCHIVE_TOO_MANY_FILES).
    """
    counted = _Counted(source, bounds)
    said = _Said()
    headers = 0
    while any(header := counted.exactly(BLOCK)):
        headers += 1
        if headers > bounds.files * _HEADERS_PER_ENTRY:
            raise too_many_files(bounds.files)
        _check_header(header)
        if header[156:157] in b"xgLK":
            _read_extension(header, counted, said)
            continue
        yield from _entry(header, said, counted)
        said = _Said()
    if said.any:
        raise malformed("The archive ends with a header of a file that does not follow.")
    _read_end(counted)


def _check_header(header: bytes) -> None:
    if header[257:265] not in {_POSIX, _GNU}:
        raise malformed("The archive is no tar archive, or damaged: pack the bot with `arena bot pack`.")
    blank = header[:148] + b" " * 8 + header[156:]
    if _number(header[148:156], "checksum") != sum(blank):
        raise malformed("The archive is damaged, a checksum of it is wrong: pack or send it again.")


def _entry(header: bytes, said: _Said, counted: _Counted) -> Iterator[ArchiveEntry]:
    name = said.path if said.path is not None else _name(header)
    kind = _kind(header[156:157], name)
    size = said.size if said.size is not None else _number(header[124:136], "size")
    path = decoded(name)
    if kind is EntryKindInArchive.FOLDER:
        if size:
            raise malformed(f"The archive holds the folder {shown(path)} with a size, which is damage.")
        yield ArchiveEntry(path.removesuffix("/") if path != "./" else path, kind, False, 0, iter(()))
        return
    if path.endswith("/"):
        raise bad_path(path, "a file with the path of a folder")
    if size > counted.bounds.unpacked_bytes:
        raise too_large("The archive unpacks to", counted.bounds.unpacked_bytes)
    executable = bool(_number(header[100:108], "mode") & _EXECUTABLE)
    data = _data(counted, size)
    yield ArchiveEntry(path, kind, executable, size, data)
    for _ in data:
        pass  # whatever was not asked for


def _data(counted: _Counted, size: int) -> Iterator[bytes]:
    left = size
    while left:
        part = counted.exactly(min(left, CHUNK))
        left -= len(part)
        yield part
    if any(counted.exactly(-size % BLOCK)):
        raise malformed("The archive has something between its files: pack the bot with `arena bot pack`.")


def _kind(flag: bytes, name: bytes) -> EntryKindInArchive:
    match flag:
        case b"0" | b"\0" | b"7":
            return EntryKindInArchive.FILE
        case b"5":
            return EntryKindInArchive.FOLDER
        case b"1" | b"2":
            raise is_link(name)
        case b"3" | b"4" | b"6":
            raise is_special(name)
        case b"S":
            raise malformed(f"The archive holds {shown(name)} as a sparse file: pack it without --sparse.")
        case _:
            raise malformed(
                f"The archive holds {shown(name)}, of a kind that the arena does not read: leave it out."
            )


def _name(header: bytes) -> bytes:
    """The name in the header itself."""
    name = _text(header[:100])
    prefix = _text(header[345:500]) if header[257:265] == _POSIX else b""
    return prefix + b"/" + name if prefix else name


def _text(field: bytes) -> bytes:
    text, _, rest = field.partition(b"\0")
    if any(rest):
        raise bad_path(field.rstrip(b"\0"), "a path with a NUL")
    return text


def _number(field: bytes, what: str) -> int:
    """A number in octal digits, or in binary as GNU tar writes large ones."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:])
    digits = field.strip(b" \0")
    if not all(digit in b"01234567" for digit in digits):
        raise malformed(f"The archive is damaged, a {what} in it is no number: pack or send it again.")
    return int(digits or b"0", 8)


def _read_extension(header: bytes, counted: _Counted, said: _Said) -> None:
    """What the header and its data say of the entry that follows is in `said`."""
    size = _number(header[124:136], "size")
    if size > _EXTENSION_BYTES:
        raise malformed(f"The archive has a header of more than {_EXTENSION_BYTES:,} bytes.")
    counted.left_of_extensions -= size
    if counted.left_of_extensions < 0:
        raise malformed("The archive says too much of its files: pack the bot with `arena bot pack`.")
    data = counted.exactly(size)
    if any(counted.exactly(-size % BLOCK)):
        raise malformed("The archive has something behind a header: pack the bot with `arena bot pack`.")
    match header[156:157]:
        case b"L":
            said.path = _text(data)
        case b"x":
            for key, value in _records(data):
                _take_record(key, value, said)
        case b"g":
            _check_global(data)
            return
        case _:
            pass  # the target of a link, and the link itself is refused
    said.any = True


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The records of an extended header: each is its own length, a space, key=value and a line feed."""
    at = 0
    while at < len(data):
        digits, space, _ = data[at : at + 8].partition(b" ")
        length = int(digits) if space and digits.isdigit() else 0
        record = data[at : at + length]
        at += length
        key, equals, value = record[len(digits) + 1 : -1].partition(b"=")
        if len(record) != length or not record.endswith(b"\n") or not equals:
            raise malformed("The archive has an extended header that cannot be read.")
        yield key, value


def _take_record(key: bytes, value: bytes, said: _Said) -> None:
    if key.startswith(b"GNU.sparse"):
        raise malformed("The archive holds a sparse file: pack it without --sparse.")
    if key == b"path":
        said.path = value
    elif key == b"size":
        if not (value.isdigit() and len(value) < 20):
            raise malformed("The archive is damaged, a size in it is no number: pack or send it again.")
        said.size = int(value)


def _check_global(data: bytes) -> None:
    """A header for all entries may say when and from where, as git's does; not what an entry is called or holds."""
    for key, _ in _records(data):
        if key in {b"path", b"size", b"linkpath"} or key.startswith(b"GNU."):
            raise malformed(f"The archive has a global header that says {shown(key)} of every file.")


def _read_end(counted: _Counted) -> None:
    """A second block of zeros, and whatever zeros fill the archive up."""
    rest = counted.exactly(BLOCK)
    while rest:
        if any(rest):
            raise malformed("The archive has something behind its end: pack the bot with `arena bot pack`.")
        rest = counted.some(CHUNK)
