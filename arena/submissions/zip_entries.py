"""Reads a zip archive, strictly: what its directory says, its files must say too, and no byte belongs to two of them.

The format is that of PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 to 4.5. Zip64 is for archives larger than the arena
takes, so it is refused with everything else that is unusual.
"""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from arena.core.errors import InvalidArgumentError
from arena.submissions.entries import CHUNK, ArchiveEntry, EntryKindInArchive
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

_END: Final = struct.Struct("<4sHHHHIIH")
_CENTRAL: Final = struct.Struct("<4sHHHHHHIIIHHHHHII")
_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
_END_SIGNATURE: Final = b"PK\x05\x06"
_CENTRAL_SIGNATURE: Final = b"PK\x01\x02"
_LOCAL_SIGNATURE: Final = b"PK\x03\x04"
_LONGEST_COMMENT: Final = 0xFFFF
_ENCRYPTED: Final = 1 << 0 | 1 << 6 | 1 << 13
_SIZES_BEHIND: Final = 1 << 3
"""The sizes stand behind the data, in a record of at most `_SIZES_BYTES`."""
_SIZES_BYTES: Final = 24
_STORED: Final = 0
_DEFLATED: Final = 8
_DOS_FOLDER: Final = 0x10
_EXECUTABLE: Final = 0o111
_ODD: Final = "The archive is damaged or unusual: {}; pack the bot with `arena bot pack`."


@dataclass(frozen=True, slots=True)
class _Listed:
    """What the directory of the archive says of a file."""

    name: bytes
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    offset: int
    mode: int
    """As of Unix; 0 if the archive was made where there is none."""
    folder_by_dos: bool

    def kind(self) -> EntryKindInArchive:
        """File or folder. Raises InvalidArgumentError (ARCHIVE_LINK, ARCHIVE_SPECIAL_FILE, ARCHIVE_PATH)."""
        form = stat.S_IFMT(self.mode)
        if form == stat.S_IFLNK:
            raise is_link(self.name)
        if form not in {0, stat.S_IFREG, stat.S_IFDIR}:
            raise is_special(self.name)
        named_as_folder = self.name.endswith(b"/")
        if form == stat.S_IFDIR or (form == 0 and self.folder_by_dos) or named_as_folder:
            if form == stat.S_IFREG or not named_as_folder or self.size:
                raise bad_path(self.name, "which is said to be a file and a folder")
            return EntryKindInArchive.FOLDER
        return EntryKindInArchive.FILE


def zip_entries(file: BinaryIO, bounds: SubmissionLimits) -> Iterator[ArchiveEntry]:
    """The files and folders of a zip archive, in the order in which they lie in it.

    Raises:
        InvalidArgumentError: an entry is a link (ARCHIVE_LINK) or no file at all (ARCHIVE_SPECIAL_FILE), its path is
            no text (ARCHIVE_PATH), or the archive is damaged, encrypted or ambiguous (ARCHIVE_MALFORMED).
        ResourceExhaustedError: it unpacks too far (ARCHIVE_TOO_LARGE), or is of too many (ARCHIVE_TOO_MANY_FILES).
    """
    listed = _directory(file, bounds)
    if sum(one.size for one in listed) > bounds.unpacked_bytes:
        raise too_large("The archive unpacks to", bounds.unpacked_bytes)
    for one, start in listed.items():
        kind = one.kind()
        path = decoded(one.name)
        if kind is EntryKindInArchive.FOLDER:
            yield ArchiveEntry(path.removesuffix("/"), kind, False, 0, iter(()))
        else:
            data = _data(file, one, start)
            yield ArchiveEntry(path, kind, bool(one.mode & _EXECUTABLE), one.size, data)
            for _ in data:
                pass  # whatever was not asked for


def _directory(file: BinaryIO, bounds: SubmissionLimits) -> dict[_Listed, int]:
    """All files of the archive in order, and where the data of each begins."""
    end = file.seek(0, 2)
    count, size, offset, at = _end_record(file, end)
    if count > bounds.files:
        raise too_many_files(bounds.files)
    if offset + size != at:
        raise _odd("its directory is not where its end says")
    file.seek(offset)
    directory = file.read(size)
    listed = []
    place = 0
    for _ in range(count):
        one, place = _central(directory, place)
        listed.append(one)
    if place != len(directory) or len(directory) != size:
        raise _odd("its directory is longer or shorter than its end says")
    return _places(file, sorted(listed, key=lambda one: one.offset), offset)


def _end_record(file: BinaryIO, end: int) -> tuple[int, int, int, int]:
    """How many files, size and offset of the directory, and where the record itself lies."""
    tail_from = max(0, end - _END.size - _LONGEST_COMMENT)
    file.seek(tail_from)
    tail = file.read(end - tail_from)
    found = []
    place = tail.find(_END_SIGNATURE)
    while 0 <= place <= len(tail) - _END.size:
        record = _END.unpack_from(tail, place)
        if place + _END.size + record[7] == len(tail):
            found.append((record, tail_from + place))
        place = tail.find(_END_SIGNATURE, place + 1)
    if len(found) != 1:
        raise _odd("it has no end" if not found else "it has two ends")
    (_, disk, first_disk, here, count, size, offset, _), at = found[0]
    if disk or first_disk or here != count or 0xFFFFFFFF in {size, offset}:
        raise _odd("it has several parts, or is a zip64 archive")
    return count, size, offset, at


def _central(directory: bytes, place: int) -> tuple[_Listed, int]:
    """The file that the directory lists at this place, and the place behind it."""
    if len(directory) - place < _CENTRAL.size:
        raise _odd("its directory ends early")
    values = _CENTRAL.unpack_from(directory, place)
    signature, _, _, flags, method, _, _, checksum, packed, size = values[:10]
    name_length, extra_length, comment_length, disk, _, attributes, offset = values[10:]
    name = directory[place + _CENTRAL.size : place + _CENTRAL.size + name_length]
    if signature != _CENTRAL_SIGNATURE or len(name) != name_length:
        raise _odd("its directory cannot be read")
    if flags & _ENCRYPTED:
        raise malformed(f"The archive is encrypted (the file {shown(name)}): pack it without a password.")
    if method not in {_STORED, _DEFLATED}:
        raise malformed(
            f"The archive holds {shown(name)} in a compression that the arena does not read: use deflate, as "
            "`arena bot pack` does."
        )
    if disk or 0xFFFFFFFF in {packed, size, offset} or (method == _STORED and packed != size):
        raise _odd(f"the sizes of {shown(name)} make no sense, or are those of a zip64 archive")
    mode = attributes >> 16
    dos = bool(attributes & _DOS_FOLDER)
    one = _Listed(name, flags, method, checksum, packed, size, offset, mode, dos)
    return one, place + _CENTRAL.size + name_length + extra_length + comment_length


def _places(file: BinaryIO, listed: list[_Listed], directory_at: int) -> dict[_Listed, int]:
    """Where the data of each file begins; together they fill the archive up to its directory."""
    places: dict[_Listed, int] = {}
    free = 0
    slack = 0
    for one in listed:
        if not free <= one.offset <= free + slack:
            raise _odd(f"the file {shown(one.name)} overlaps another, or has something before it")
        start = _local(file, one)
        places[one] = start
        free = start + one.packed
        slack = _SIZES_BYTES if one.flags & _SIZES_BEHIND else 0
    if not free <= directory_at <= free + slack:
        raise _odd("it holds something that belongs to no file")
    return places


def _local(file: BinaryIO, one: _Listed) -> int:
    """Where a file's data begins; its own header says the same as the directory."""
    file.seek(one.offset)
    header = file.read(_LOCAL.size)
    if len(header) != _LOCAL.size:
        raise _odd("it ends early")
    signature, _, flags, method, _, _, checksum, packed, size, name_length, extra_length = _LOCAL.unpack(
        header
    )
    same = (flags, method, file.read(name_length)) == (one.flags, one.method, one.name)
    sizes = (checksum, packed, size) == (one.checksum, one.packed, one.size)
    if signature != _LOCAL_SIGNATURE or not same or not (sizes or one.flags & _SIZES_BEHIND):
        raise _odd(f"its directory and its file {shown(one.name)} do not say the same")
    return one.offset + _LOCAL.size + int(name_length) + int(extra_length)


def _data(file: BinaryIO, one: _Listed, start: int) -> Iterator[bytes]:
    """The bytes of a file: as many as it says, of the checksum that it says."""
    size = checksum = 0
    for data in _inflated(file, one, start) if one.method == _DEFLATED else _stored(file, one, start):
        size += len(data)
        checksum = zlib.crc32(data, checksum)
        if size > one.size:
            raise _odd(f"the file {shown(one.name)} is larger than it says")
        yield data
    if (size, checksum) != (one.size, one.checksum):
        raise _odd(f"the file {shown(one.name)} is not what its checksum says")


def _stored(file: BinaryIO, one: _Listed, start: int) -> Iterator[bytes]:
    for offset in range(0, one.packed, CHUNK):
        file.seek(start + offset)
        yield file.read(min(CHUNK, one.packed - offset))


def _inflated(file: BinaryIO, one: _Listed, start: int) -> Iterator[bytes]:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    for packed in _stored(file, one, start):
        while packed:
            try:
                yield inflate.decompress(packed, CHUNK)
            except zlib.error as error:
                raise _odd(f"the file {shown(one.name)} cannot be inflated") from error
            if inflate.unused_data:
                raise _odd(f"the file {shown(one.name)} ends before its data")
            packed = inflate.unconsumed_tail
    while not inflate.eof:
        data = inflate.decompress(b"", CHUNK)
        if not data and not inflate.eof:
            raise _odd(f"the file {shown(one.name)} ends early")
        yield data


def _odd(what: str) -> InvalidArgumentError:
    return malformed(_ODD.format(what))
