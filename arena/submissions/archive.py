"""Reads the entries of a tar, tar.gz or zip archive from an untrusted sender; memory and output are bounded.

Tar headers are parsed by `tarfile.TarInfo`, zip archives by `zipfile`. `tarfile.TarFile` itself is not used: it reads
an extended header of any length into memory, recurses for each one, and takes a damaged header for the end.
"""

import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Final

from arena.core.errors import InvalidArgumentError
from arena.submissions.content import CHUNK
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

_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZIP_MAGIC: Final = b"PK"
_TAR_MAGIC: Final = b"ustar"
_TAR_MAGIC_OFFSET: Final = 257
_OTHER_MAGIC: Final = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zX": "xz",
    b"BZh": "bzip2",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
}
_EXECUTABLE: Final = 0o111
_ENDS_EARLY: Final = "The archive ends in the middle: pack or send it again."
_REPACK: Final = "pack the bot with `arena bot pack`"

_BLOCK: Final = tarfile.BLOCKSIZE
_EXTENSIONS: Final = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_FILES: Final = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_EXTENSION_BYTES: Final = 64 * 1024
"""The longest extended header or long name."""
_EXTENSION_BYTES_PER_FILE: Final = 1024
"""All extended headers together have at most this for each file that an archive may hold."""
_HEADERS_PER_FILE: Final = 4
"""An extended header, a long name, a long link, and the header of the file."""

_ZIP_END: Final = struct.Struct("<4sHHHHIIH")
_ZIP_END_SIGNATURE: Final = b"PK\x05\x06"
_ZIP64_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
_ZIP64_LOCATOR_BYTES: Final = 20
_ZIP_COMMENT_BYTES: Final = 0xFFFF
_ZIP_DIRECTORY_BYTES_PER_FILE: Final = 512
_ZIP_LOCAL_HEADER_BYTES: Final = 30
_ZIP64_SIZE: Final = 0xFFFFFFFF
_ZIP_ENCRYPTED: Final = 1 << 0 | 1 << 6 | 1 << 13


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file or a folder of an archive."""

    path: str
    """As in the archive, unchecked; a folder without a slash at its end."""
    is_folder: bool
    executable: bool
    size: int
    """Bytes of a file."""
    data: Iterable[bytes]
    """The bytes of a file, to be read before the next entry: exactly `size` in all, or InvalidArgumentError
    (ARCHIVE_MALFORMED)."""


def is_archive(start: bytes) -> bool:
    """Return whether a file that begins with these 512 bytes may be a tar, tar.gz or zip archive."""
    return start.startswith((_GZIP_MAGIC, _ZIP_MAGIC)) or start[_TAR_MAGIC_OFFSET:].startswith(_TAR_MAGIC)


def archive_entries(file: BinaryIO, limits: SubmissionLimits) -> Iterator[ArchiveEntry]:
    """Yield the files and folders of an archive. The format is found by its first bytes.

    Raises:
        InvalidArgumentError: an entry is a link (ARCHIVE_LINK) or a special file (ARCHIVE_SPECIAL_FILE), a path is not
            valid (ARCHIVE_PATH), or the archive is damaged or of an unknown format (ARCHIVE_MALFORMED).
        ResourceExhaustedError: it unpacks to too much (ARCHIVE_TOO_LARGE, ARCHIVE_TOO_MANY_FILES).
    """
    start = file.read(4)
    file.seek(0)
    for magic, name in _OTHER_MAGIC.items():
        if start.startswith(magic):
            raise malformed(f"The archive is packed with {name}: the arena reads tar, tar.gz and zip.")
    if start.startswith(_ZIP_MAGIC):
        return _zip_entries(file, limits)
    chunks = _gunzip(file) if start.startswith(_GZIP_MAGIC) else iter(lambda: file.read(CHUNK), b"")
    return _tar_entries(_TarStream(chunks, limits), limits)


def _gunzip(file: BinaryIO) -> Iterator[bytes]:
    """Yield the content of a gzip file of one member, at most CHUNK bytes at a time."""
    inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
    while not inflate.eof:
        packed = inflate.unconsumed_tail or file.read(CHUNK)
        try:
            data = inflate.decompress(packed, CHUNK)
        except zlib.error as error:
            raise malformed(
                "The archive is damaged inside its compression: pack or send it again."
            ) from error
        if data:
            yield data
        elif not packed and not inflate.eof:
            raise malformed(_ENDS_EARLY)
    if inflate.unused_data or file.read(1):
        raise malformed(f"Something follows the end of the archive: {_REPACK}.")


class _TarStream:
    """The bytes of a tar archive, no more of them than a submission within its limits can have."""

    def __init__(self, chunks: Iterator[bytes], limits: SubmissionLimits) -> None:
        self._chunks = chunks
        self._limits = limits
        self._buffer = bytearray()
        blocks = limits.files * (_HEADERS_PER_FILE + 1)  # of each file the last block is padded
        self._left = limits.unpacked_bytes + blocks * _BLOCK + _EXTENSION_BYTES

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer at the end. Raises ResourceExhaustedError (ARCHIVE_TOO_LARGE)."""
        while len(self._buffer) < size and (chunk := next(self._chunks, b"")):
            self._left -= len(chunk)
            if self._left < 0:
                raise too_large("The archive unpacks to", self._limits.unpacked_bytes)
            self._buffer += chunk
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    def exactly(self, size: int) -> bytes:
        """Return `size` bytes. Raises InvalidArgumentError (ARCHIVE_MALFORMED) if there are fewer."""
        data = self.read(size)
        if len(data) < size:
            raise malformed(_ENDS_EARLY)
        return data

    def content(self, size: int) -> Iterator[bytes]:
        """Yield the next `size` bytes, at most CHUNK at a time."""
        for offset in range(0, size, CHUNK):
            yield self.exactly(min(CHUNK, size - offset))


def _tar_entries(stream: _TarStream, limits: SubmissionLimits) -> Iterator[ArchiveEntry]:
    extension_bytes = limits.files * _EXTENSION_BYTES_PER_FILE + _EXTENSION_BYTES
    extended: dict[bytes, bytes] = {}
    headers = 0
    while any(block := stream.exactly(_BLOCK)):
        headers += 1
        if headers > limits.files * _HEADERS_PER_FILE:
            raise too_many_files(limits.files)
        info = _tar_header(block)
        if info.type in _EXTENSIONS:
            extension_bytes -= info.size
            if info.size > _EXTENSION_BYTES or extension_bytes < 0:
                raise malformed(f"The archive has extended headers of too many bytes: {_REPACK}.")
            extended |= _tar_extension(info.type, stream.exactly(info.size))
        else:
            _extend(info, extended)
            _check_tar_entry(info, limits)
            name = info.name.removesuffix("/")
            executable = bool(info.mode & _EXECUTABLE)
            yield ArchiveEntry(name, info.isdir(), executable, info.size, stream.content(info.size))
            extended = {}
        stream.exactly(-info.size % _BLOCK)
    if extended:
        raise malformed("The archive ends with a header of a file that does not follow.")
    while rest := stream.read(CHUNK):
        if rest.strip(b"\0"):
            raise malformed(f"The archive has something behind its end: {_REPACK}.")


def _tar_header(block: bytes) -> tarfile.TarInfo:
    try:
        info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError as error:
        raise malformed(f"The archive is no tar archive, or damaged: {_REPACK}.") from error
    if b"\0" in block[:100].rstrip(b"\0"):
        raise bad_path(info.name, "a path with a NUL")
    if info.size < 0:
        raise malformed("The archive is damaged, a size in it is negative: pack or send it again.")
    return info


def _tar_extension(kind: bytes, data: bytes) -> dict[bytes, bytes]:
    """Return what an extended header or a long name says of the next entry: its path and size."""
    if kind == tarfile.GNUTYPE_LONGNAME:
        return {b"path": data.rstrip(b"\0")}
    if kind == tarfile.GNUTYPE_LONGLINK:
        return {}  # the link itself is refused
    records = dict(_pax_records(data))
    if any(key.startswith(b"GNU.sparse") for key in records):
        raise malformed("The archive holds a sparse file: pack it without --sparse.")
    said = {key: value for key, value in records.items() if key in {b"path", b"size"}}
    if said and kind == tarfile.XGLTYPE:
        raise malformed("The archive has a global header with a path or a size for all files.")
    return said


def _pax_records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield key and value of each record: its length, a space, key=value, a line feed (POSIX.1-2017, pax)."""
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


def _extend(info: tarfile.TarInfo, extended: dict[bytes, bytes]) -> None:
    """Apply what extended headers say of an entry."""
    if b"path" in extended:
        info.name = extended[b"path"].decode("utf-8", "surrogateescape")
    size = extended.get(b"size", b"0")
    if not size.isdigit() or len(size) > 20:
        raise malformed("The archive is damaged, a size in it is no number: pack or send it again.")
    if b"size" in extended:
        info.size = int(size)


def _check_tar_entry(info: tarfile.TarInfo, limits: SubmissionLimits) -> None:
    if info.islnk() or info.issym():
        raise is_link(info.name)
    if info.isdev():
        raise is_special(info.name)
    if not info.isdir() and info.type not in _FILES:
        raise malformed(
            f"The archive holds {shown(info.name)}, which is sparse, or of a kind that the arena does not read."
        )
    if info.isdir() and info.size:
        raise malformed(f"The archive holds the folder {shown(info.name)} with a size, which is damage.")
    if not info.isdir() and info.name.endswith("/"):
        raise bad_path(info.name, "a file with the path of a folder")
    if info.size > limits.unpacked_bytes:
        raise too_large("The archive unpacks to", limits.unpacked_bytes)


def _zip_entries(file: BinaryIO, limits: SubmissionLimits) -> Iterator[ArchiveEntry]:
    count, directory_offset = _zip_directory(file, limits)
    with _zip_errors():
        archive = zipfile.ZipFile(file, metadata_encoding="utf-8")
    with archive:
        infos = archive.infolist()
        if len(infos) != count:
            raise _damaged("its directory lists more or fewer files than its end says")
        _check_zip_sizes(infos, directory_offset, limits)
        for info in infos:
            path = info.orig_filename
            is_folder = _is_zip_folder(info, path)
            if info.flag_bits & _ZIP_ENCRYPTED:
                raise malformed(
                    f"The archive is encrypted (the file {shown(path)}): pack it without a password."
                )
            if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise malformed(f"The archive does not hold {shown(path)} in deflate: {_REPACK}.")
            executable = bool(info.external_attr >> 16 & _EXECUTABLE)
            data = _zip_content(archive, info)
            yield ArchiveEntry(path.removesuffix("/"), is_folder, executable, info.file_size, data)


def _zip_directory(file: BinaryIO, limits: SubmissionLimits) -> tuple[int, int]:
    """Return the number of entries and the offset of the directory, which `zipfile` reads into memory as a whole.

    The record at the end is the one that `zipfile` finds, and there is nothing behind it (APPNOTE.TXT 4.3.16).
    """
    end = file.seek(0, os.SEEK_END)
    tail_offset = file.seek(max(0, end - _ZIP_END.size - _ZIP_COMMENT_BYTES))
    tail = file.read()
    at = tail.rfind(_ZIP_END_SIGNATURE)
    if not 0 <= at <= len(tail) - _ZIP_END.size:
        raise _damaged("it has no end")
    _, disk, first_disk, here, count, size, offset, comment = _ZIP_END.unpack_from(tail, at)
    if count > limits.files or size > limits.files * _ZIP_DIRECTORY_BYTES_PER_FILE:
        raise too_many_files(limits.files)
    if disk or first_disk or here != count:
        raise _damaged("it has several parts")
    if tail[:at][-_ZIP64_LOCATOR_BYTES:].startswith(_ZIP64_LOCATOR_SIGNATURE):
        raise _damaged("it is a zip64 archive")
    if offset + size != tail_offset + at or at + _ZIP_END.size + comment != len(tail):
        raise _damaged("its directory or its comment is not where its end says")
    return count, offset


def _check_zip_sizes(
    infos: Iterable[zipfile.ZipInfo], directory_offset: int, limits: SubmissionLimits
) -> None:
    """Check that files do not overlap, and unpack to no more than the limit."""
    total = end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise _damaged(f"the file {shown(info.orig_filename)} overlaps another")
        if _ZIP64_SIZE in {info.file_size, info.compress_size}:
            raise _damaged(f"the file {shown(info.orig_filename)} has the size of a zip64 archive")
        end = info.header_offset + _ZIP_LOCAL_HEADER_BYTES + info.compress_size
        total += info.file_size
    if end > directory_offset:
        raise _damaged("a file overlaps its directory")
    if total > limits.unpacked_bytes:
        raise too_large("The archive unpacks to", limits.unpacked_bytes)


def _is_zip_folder(info: zipfile.ZipInfo, path: str) -> bool:
    """Return whether an entry is a folder. Raises InvalidArgumentError (ARCHIVE_LINK, ARCHIVE_SPECIAL_FILE, ...)."""
    form = stat.S_IFMT(info.external_attr >> 16)  # 0 if the archive was not made on Unix
    if form == stat.S_IFLNK:
        raise is_link(path)
    if form not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise is_special(path)
    is_folder = path.endswith("/")
    if form == (stat.S_IFREG if is_folder else stat.S_IFDIR) or (is_folder and info.file_size):
        raise bad_path(path, "which is said to be a file and a folder")
    return is_folder


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    left = info.file_size
    with _zip_errors(), archive.open(info) as data:
        while chunk := data.read(CHUNK):  # never more than `file_size`; checks the CRC at the end
            left -= len(chunk)
            yield chunk
    if left:
        raise _damaged(f"the file {shown(info.orig_filename)} is smaller than it says")


@contextmanager
def _zip_errors() -> Iterator[None]:
    """Raise what `zipfile` raises for a bad archive as InvalidArgumentError."""
    try:
        yield
    except UnicodeDecodeError as error:
        path = error.object.decode("utf-8", "surrogateescape")
        raise bad_path(path, "a path that is not UTF-8") from error
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError) as error:
        raise _damaged(ascii(str(error))) from error


def _damaged(what: str) -> InvalidArgumentError:
    return malformed(f"The archive is damaged or unusual: {what}; {_REPACK}.")
