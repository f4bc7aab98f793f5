"""Hostile archives, each with the reason of its refusal: row 33 of docs/bad_inputs.md."""

import gzip
import stat
from dataclasses import replace

from arena.core.errors import ErrorReason
from arena.submissions.limits import SubmissionLimits
from tests.unit.submissions.archives import (
    BLOCK,
    BOT_TOML,
    END,
    FOLDER_MODE,
    GNU,
    LINK_MODE,
    MANIFEST,
    Zipped,
    extended,
    folder_of,
    header,
    long_name,
    record,
    tar,
    tar_file,
    tar_gz,
    zip_of,
    zipped,
)

SMALL = SubmissionLimits(archive_bytes=512 * 1024, unpacked_bytes=1024 * 1024, files=60, depth=8)
"""Small limits, so that the archives can be small."""

MALFORMED = ErrorReason.ARCHIVE_MALFORMED
PATH = ErrorReason.ARCHIVE_PATH
LINK = ErrorReason.ARCHIVE_LINK
SPECIAL = ErrorReason.ARCHIVE_SPECIAL_FILE
COLLISION = ErrorReason.ARCHIVE_COLLISION
TOO_LARGE = ErrorReason.ARCHIVE_TOO_LARGE
TOO_MANY = ErrorReason.ARCHIVE_TOO_MANY_FILES
NO_MANIFEST = ErrorReason.MANIFEST_MISSING
BAD_MANIFEST = ErrorReason.MANIFEST_INVALID

Hostile = tuple[bytes, ErrorReason]

PATHS = {
    "parent": b"../out",
    "parent inside": b"a/../../out",
    "parent that stays inside": b"a/../b",
    "parent after dot": b"./../out",
    "parent at the end": b"a/..",
    "only parents": b"..",
    "absolute": b"/tmp/out",
    "doubly absolute": b"//tmp/out",
    "absolute after dot": b".//tmp/out",
    "drive": b"C:/out",
    "drive without slash": b"c:out",
    "backslashes": b"..\\out",
    "backslash within a name": b"a\\b",
    "network drive": b"\\\\server\\share",
    "empty part": b"a//b",
    "dot part": b"a/./b",
    "control character": b"a\x07b",
    "line feed": b"a\nbot.toml",
    "escape sequence": b"\x1b[2Jb",
    "delete": b"a\x7f",
    "control character of Latin-1": "a\x85".encode(),
    "text that runs backwards": "a\u202egpj.py".encode(),
    "zero width": "bot\u200b.py".encode(),
    "line separator": "a\u2028b".encode(),
    "latin-1": b"caf\xe9",
    "overlong slash": b"a\xc0\xafb",
    "overlong dots": b"\xc0\xae\xc0\xae/out",
    "surrogate": b"a\xed\xa0\x80",
    "long part": b"a" * 201,
    "long path": b"/".join([b"a" * 70] * 6),
    "deep": b"/".join([b"a"] * 9),
}
"""Paths that are refused in any format."""


def _tar_named(name: bytes) -> bytes:
    """Return an archive with a file of this name, in an extended header if it is long."""
    if len(name) <= 100:
        return tar(tar_file(name))
    return tar(extended(record(b"path", name)), tar_file(b"short"))


TAR: dict[str, Hostile] = {
    "empty path": (tar(tar_file(b"")), PATH),
    "NUL within a name": (tar(tar_file(b"a\0../../out")), PATH),
    "NUL within an extended path": (tar(extended(record(b"path", b"a\0b")), tar_file(b"a")), PATH),
    "NUL within a long name": (tar(long_name(b"a\0b"), tar_file(b"a")), PATH),
    "file with the path of a folder": (tar(tar_file(b"a/")), PATH),
    "file in place of the top": (tar(tar_file(b".")), MALFORMED),
    "parent in the prefix": (tar(header(b"out", prefix=b"../..")), PATH),
    "parent in an extended header": (tar(extended(record(b"path", b"../out")), tar_file(b"a")), PATH),
    "parent in a long name": (tar(long_name(b"../out"), tar_file(b"a")), PATH),
    "much said of no file": (
        tar(*[extended(record(b"comment", bytes([97]) * 60_000))] * 3, tar_file(b"a")),
        MALFORMED,
    ),
    "parent for all": (tar(extended(record(b"path", b"../out"), kind=b"g"), tar_file(b"a")), MALFORMED),
    "size for all": (tar(extended(record(b"size", b"0"), kind=b"g"), tar_file(b"a", b"x")), MALFORMED),
    "symbolic link": (tar(header(b"a", kind=b"2", link=b"/etc/passwd")), LINK),
    "symbolic link that stays inside": (tar(header(b"a", kind=b"2", link=b"bot.toml")), LINK),
    "symbolic link, then a file through it": (
        tar(header(b"a", kind=b"2", link=b"/tmp"), tar_file(b"a/out")),
        LINK,
    ),
    "link with a long target": (
        tar(tar_file(b"././@LongLink", b"/" * 200, kind=b"K", magic=GNU), header(b"a", kind=b"2", magic=GNU)),
        LINK,
    ),
    "hard link": (tar(header(b"a", kind=b"1", link=b"/etc/passwd")), LINK),
    "hard link that stays inside": (tar(header(b"a", kind=b"1", link=b"bot.toml")), LINK),
    "character device": (tar(header(b"null", kind=b"3")), SPECIAL),
    "block device": (tar(header(b"sda", kind=b"4")), SPECIAL),
    "named pipe": (tar(header(b"pipe", kind=b"6")), SPECIAL),
    "sparse file": (tar(header(b"a", kind=b"S", size=BLOCK, magic=GNU) + bytes(BLOCK)), MALFORMED),
    "sparse file by extended header": (
        tar(extended(record(b"GNU.sparse.realsize", b"1099511627776")), tar_file(b"a", b"x")),
        MALFORMED,
    ),
    "volume of several": (tar(header(b"a", kind=b"M", magic=GNU)), MALFORMED),
    "kind that nobody knows": (tar(header(b"a", kind=b"Z")), MALFORMED),
    "folder with data": (tar(header(b"a/", kind=b"5", size=BLOCK) + bytes(BLOCK)), MALFORMED),
    "file twice": (tar(tar_file(b"a", b"1"), tar_file(b"a", b"2")), COLLISION),
    "manifest twice": (tar(tar_file(b"./bot.toml", MANIFEST)), COLLISION),
    "names that differ in case": (tar(tar_file(b"Bot.py"), tar_file(b"bot.py")), COLLISION),
    "folders that differ in case": (tar(tar_file(b"A/x"), tar_file(b"a/y")), COLLISION),
    "names that differ in composition": (
        tar(tar_file("é".encode()), tar_file("e\u0301".encode())),
        COLLISION,
    ),
    "names that differ in sharp s": (tar(tar_file("straße".encode()), tar_file(b"STRASSE")), COLLISION),
    "file, then a folder": (tar(tar_file(b"a"), tar_file(b"a/b")), COLLISION),
    "folder, then a file": (tar(tar_file(b"a/b"), tar_file(b"a")), COLLISION),
    "too many files": (tar(*(tar_file(f"{number}".encode()) for number in range(60))), TOO_MANY),
    "too many folders by their paths": (
        tar(*(tar_file(f"{number}/a/b/c/d/e".encode()) for number in range(12))),
        TOO_MANY,
    ),
    "one folder for ever": (gzip.compress(tar(header(b"a/", kind=b"5") * 1000)), TOO_MANY),
    "headers of nothing for ever": (gzip.compress(tar(extended(record(b"mtime", b"1")) * 1000)), TOO_MANY),
    "file too large": (tar(header(b"a", size=2**21)), TOO_LARGE),
    "file too large in binary": (tar(header(b"a", size=b"\x80" + (2**60).to_bytes(11))), TOO_LARGE),
    "file too large by extended header": (
        tar(extended(record(b"size", b"9" * 19)), tar_file(b"a")),
        TOO_LARGE,
    ),
    "files too large together": (
        gzip.compress(tar(*(tar_file(f"{number}".encode(), bytes(300_000)) for number in range(4)))),
        TOO_LARGE,
    ),
    "bomb of a file": (gzip.compress(tar(tar_file(b"a", bytes(2**25)))), TOO_LARGE),
    "bomb behind the end": (gzip.compress(tar() + bytes(2**25)), TOO_LARGE),
    "bomb of nothing": (gzip.compress(bytes(2**25)), TOO_LARGE),
    "bomb of an extended header": (
        gzip.compress(tar(extended(record(b"comment", b"x" * 2**24)), tar_file(b"a"))),
        MALFORMED,
    ),
    "bomb of a long name": (gzip.compress(tar(long_name(b"x" * 2**24), tar_file(b"a"))), MALFORMED),
    "negative size": (tar(header(b"a", size=b"\xff" * 12)), MALFORMED),
    "size that is no number": (tar(header(b"a", size=b"0000000009\0\0")), MALFORMED),
    "extended size that is no number": (tar(extended(record(b"size", b"-1")), tar_file(b"a")), MALFORMED),
    "extended header without a length": (
        tar(tar_file(b"x", b"path=../out\n", kind=b"x"), tar_file(b"a")),
        MALFORMED,
    ),
    "extended header longer than it is": (
        tar(tar_file(b"x", b"99 path=a\n", kind=b"x"), tar_file(b"a")),
        MALFORMED,
    ),
    "extended header for nothing": (tar(extended(record(b"path", b"a"))), MALFORMED),
    "wrong checksum": (tar(header(b"a", checksum=b"000000\0 ")), MALFORMED),
    "something behind the end": (tar() + b"x" * BLOCK, MALFORMED),
    "an archive behind the end": (tar() + tar(tar_file(b"b")), MALFORMED),
    "without an end": (tar(end=b""), MALFORMED),
    "cut within a file": (tar(tar_file(b"a", bytes(5000)))[:3000], MALFORMED),
    "cut within a header": (tar()[:700], MALFORMED),
    "cut within its compression": (tar_gz()[:-20], MALFORMED),
    "damaged within its compression": (tar_gz()[:40] + b"\xff" * 8 + tar_gz()[48:], MALFORMED),
    "wrong checksum of its compression": (tar_gz()[:-8] + bytes(8), MALFORMED),
    "something behind its compression": (tar_gz() + b"x", MALFORMED),
    "two compressed parts": (tar_gz() + tar_gz(), MALFORMED),
    "nothing at all": (b"", MALFORMED),
    "a compressed nothing": (gzip.compress(b""), MALFORMED),
    "a program": (b"\x7fELF" + bytes(4000), MALFORMED),
    "a text": (b"#!/bin/sh\n" * 100, MALFORMED),
    "compressed by something else": (b"\x28\xb5\x2f\xfd" + bytes(600), MALFORMED),
    "without a manifest": (tar_file(b"bot.py") + END, NO_MANIFEST),
    "manifest in one of two folders": (
        tar_file(b"a/bot.toml", MANIFEST) + tar_file(b"b/bot.py") + END,
        NO_MANIFEST,
    ),
    "manifest two folders down": (tar_file(b"a/b/bot.toml", MANIFEST) + END, NO_MANIFEST),
    "manifest that is a folder": (tar_file(b"bot.toml/x") + END, NO_MANIFEST),
    "manifest in capitals": (tar_file(b"BOT.TOML", MANIFEST) + END, NO_MANIFEST),
    "manifest too large": (tar(manifest=MANIFEST + b"#" * 70_000), BAD_MANIFEST),
    "manifest that is not UTF-8": (tar(manifest=MANIFEST + b"# \xff"), BAD_MANIFEST),
    "manifest that starts what is not there": (
        tar(manifest=MANIFEST.replace(b'"python", "bot.py"', b'"./bot"')),
        BAD_MANIFEST,
    ),
    "manifest that starts what is not executable": (
        tar(tar_file(b"bot"), manifest=MANIFEST.replace(b'"python", "bot.py"', b'"./bot"')),
        BAD_MANIFEST,
    ),
    "archive too large": (tar(tar_file(b"a", bytes(600_000))), TOO_LARGE),
}


def _mode(kind: int) -> bytes:
    return zipped(Zipped(b"a", mode=kind | 0o644))


def _zip64() -> bytes:
    """Return an archive with the locator of another directory before its end."""
    size = len(BOT_TOML.central(0)) + 20
    data = zip_of(BOT_TOML, directory_size=size)
    return data[:-22] + b"PK\6\7" + bytes(16) + data[-22:]


_STORED = Zipped(b"a", b"x" * 100, method=0)
_SECOND = len(BOT_TOML.local())
"""Where the second file of an archive begins."""

ZIP: dict[str, Hostile] = {
    "empty path": (zipped(Zipped(b"")), PATH),
    "NUL within a name": (zipped(Zipped(b"a\0../../out")), PATH),
    "file with the path of a folder": (zipped(Zipped(b"a/")), PATH),
    "folder without a slash": (zipped(Zipped(b"a", mode=FOLDER_MODE)), PATH),
    "folder with data": (zipped(Zipped(b"a/", b"x", mode=FOLDER_MODE)), PATH),
    "symbolic link": (zipped(Zipped(b"a", b"/etc/passwd", mode=LINK_MODE)), LINK),
    "symbolic link, then a file through it": (
        zipped(Zipped(b"a", b"/tmp", mode=LINK_MODE), Zipped(b"a/out")),
        LINK,
    ),
    "character device": (_mode(stat.S_IFCHR), SPECIAL),
    "block device": (_mode(stat.S_IFBLK), SPECIAL),
    "named pipe": (_mode(stat.S_IFIFO), SPECIAL),
    "socket": (_mode(stat.S_IFSOCK), SPECIAL),
    "file twice": (zipped(Zipped(b"a", b"1"), Zipped(b"a", b"2")), COLLISION),
    "names that differ in case": (zipped(Zipped(b"A"), Zipped(b"a")), COLLISION),
    "names that differ in composition": (zipped(Zipped("é".encode()), Zipped("e\u0301".encode())), COLLISION),
    "file as a folder": (zipped(Zipped(b"a"), Zipped(b"a/b")), COLLISION),
    "folder as a file": (zipped(folder_of(b"a/"), Zipped(b"a")), COLLISION),
    "too many files": (zipped(*(Zipped(f"{number}".encode()) for number in range(60))), TOO_MANY),
    "too many files by its end": (zip_of(BOT_TOML, count=60_000), TOO_MANY),
    "bomb of a directory": (zip_of(BOT_TOML, directory_size=2**25), TOO_MANY),
    "bomb": (zipped(Zipped(b"a", bytes(2**25))), TOO_LARGE),
    "files too large together": (
        zipped(*(Zipped(f"{number}".encode(), bytes(300_000)) for number in range(4))),
        TOO_LARGE,
    ),
    "bomb that says it is small": (zipped(Zipped(b"a", bytes(2**25), size=10)), MALFORMED),
    "smaller than it says": (zipped(Zipped(b"a", b"x" * 10, size=1000)), MALFORMED),
    "bomb of files that overlap": (
        zipped(Zipped(b"a", bytes(10_000)), Zipped(b"b", bytes(10_000), offset=_SECOND)),
        MALFORMED,
    ),
    "file within another": (
        zipped(replace(_STORED, data=Zipped(b"b").local() + bytes(50)), Zipped(b"b", offset=_SECOND + 31)),
        MALFORMED,
    ),
    "one file listed twice": (zipped(Zipped(b"a"), Zipped(b"a", offset=_SECOND)), MALFORMED),
    "file that runs into the directory": (zipped(replace(_STORED, size=200, packed_size=200)), MALFORMED),
    "stored in another size": (zipped(replace(_STORED, size=50)), MALFORMED),
    "another name in front of it": (zipped(Zipped(b"aa", local_name=b"bb")), MALFORMED),
    "wrong checksum": (zipped(Zipped(b"a", b"x", checksum=1)), MALFORMED),
    "encrypted": (zipped(Zipped(b"a", b"x", flags=1)), MALFORMED),
    "strongly encrypted": (zipped(Zipped(b"a", b"x", flags=1 << 6)), MALFORMED),
    "with a hidden directory": (zipped(Zipped(b"a", b"x", flags=1 << 13)), MALFORMED),
    "compressed by something else": (zipped(Zipped(b"a", b"x", method=12)), MALFORMED),
    "data that cannot be inflated": (zipped(Zipped(b"a", b"x", body=b"\xff" * 9)), MALFORMED),
    "data that ends early": (
        zipped(Zipped(b"a", b"x" * 999, body=Zipped(b"", b"x" * 999).packed()[:-2])),
        MALFORMED,
    ),
    "directory of zip64": (_zip64(), MALFORMED),
    "sizes of zip64": (zipped(Zipped(b"a", b"x", size=0xFFFFFFFF)), MALFORMED),
    "something in front": (zip_of(BOT_TOML, before=b"#!/bin/sh\n"), MALFORMED),
    "something behind the end": (zip_of(BOT_TOML, after=b"x"), MALFORMED),
    "two ends": (zip_of(BOT_TOML, comment=zip_of(comment=b"")), MALFORMED),
    "fewer files than listed": (zip_of(BOT_TOML, Zipped(b"a"), count=1), MALFORMED),
    "more files than listed": (zip_of(BOT_TOML, count=2), MALFORMED),
    "directory shorter than it says": (zip_of(BOT_TOML, directory_size=10), MALFORMED),
    "cut": (zipped(Zipped(b"a", b"x"))[:-10], MALFORMED),
    "only a beginning": (b"PK\3\4" + bytes(100), MALFORMED),
    "of nothing": (zip_of(), NO_MANIFEST),
    "without a manifest": (zip_of(Zipped(b"a")), NO_MANIFEST),
    "manifest that is a folder": (zip_of(folder_of(b"bot.toml/")), NO_MANIFEST),
    "archive too large": (zipped(Zipped(b"a", bytes(600_000), method=0)), TOO_LARGE),
}


HOSTILE: dict[str, Hostile] = {
    **{f"tar: path: {name}": (_tar_named(path), PATH) for name, path in PATHS.items()},
    **{f"zip: path: {name}": (zipped(Zipped(path)), PATH) for name, path in PATHS.items()},
    **{f"tar: {name}": hostile for name, hostile in TAR.items()},
    **{f"zip: {name}": hostile for name, hostile in ZIP.items()},
}
"""By what is wrong with it."""
