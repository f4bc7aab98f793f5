"""What is unpacked is what was packed, below its folder; of what must not be unpacked nothing is left (row 33)."""

import gzip
import os
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.errors import ArenaError, ErrorReason, ResourceExhaustedError
from arena.submissions.content import Content, content_of
from arena.submissions.limits import SubmissionLimits
from arena.submissions.unpacking import unpack
from tests.unit.submissions.archives import (
    BOT_TOML,
    GNU,
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
from tests.unit.submissions.hostile import HOSTILE, SMALL

FILES = {
    "bot.toml": MANIFEST,
    "bot.py": b"print()\n",
    "deep/er/data.bin": bytes(range(256)) * 1000,
    "empty": b"",
}
"""A valid submission."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return an empty folder to unpack in."""
    place = tmp_path / "place"
    place.mkdir()
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with FILES."""
    folder = tmp_path / "my-bot"
    for path, data in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    (folder / "bot.py").chmod(0o755)
    return folder


def unpacked(data: bytes, place: Path, bounds: SubmissionLimits = SMALL) -> Content:
    """Unpack the archive of these bytes to `into`."""
    archive = place.parent / "archive"
    archive.write_bytes(data)
    return unpack(archive, place / "into", bounds)


def written(place: Path) -> dict[str, bytes]:
    """Return all unpacked files by path."""
    into = place / "into"
    return {str(path.relative_to(into)): path.read_bytes() for path in into.rglob("*") if path.is_file()}


def test_there_are_many_ways_to_be_hostile() -> None:
    assert len(HOSTILE) >= 80
    assert len({data for data, _ in HOSTILE.values()}) == len(HOSTILE)


@pytest.mark.parametrize("name", HOSTILE)
def test_of_a_hostile_archive_nothing_is_left_and_its_fault_is_named(name: str, place: Path) -> None:
    data, reason = HOSTILE[name]
    with pytest.raises(ArenaError) as refused:
        unpacked(data, place)
    assert refused.value.reason is reason, refused.value.sentence
    exhausted = reason in {ErrorReason.ARCHIVE_TOO_LARGE, ErrorReason.ARCHIVE_TOO_MANY_FILES}
    assert isinstance(refused.value, ResourceExhaustedError) == exhausted
    assert refused.value.sentence.isprintable()
    assert len(refused.value.sentence) < 400
    assert list(place.iterdir()) == []
    assert {path.name for path in place.parent.iterdir()} == {"place", "archive"}


@pytest.mark.parametrize("name", [name for name in HOSTILE if "bomb" in name or "for ever" in name])
def test_a_bomb_is_never_in_memory(name: str, place: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ArenaError):
            unpacked(HOSTILE[name][0], place)
        assert tracemalloc.get_traced_memory()[1] < 2**20 + len(HOSTILE[name][0])
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", ["ustar", "gnu", "pax", "gz", "zip", "stored zip"])
@pytest.mark.parametrize("top", ["", ".", "my-bot"])
def test_packing_makes_no_difference(form: str, top: str, folder: Path, place: Path) -> None:
    archive = place.parent / "archive"
    if "zip" in form:
        method = zipfile.ZIP_STORED if form == "stored zip" else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(archive, "w", method) as packed_zip:
            for path in folder.rglob("*"):
                packed_zip.write(
                    path, f"{top}/{path.relative_to(folder)}" if top else path.relative_to(folder)
                )
    else:
        formats = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT}
        with tarfile.open(
            archive, "w:gz" if form == "gz" else "w", format=formats.get(form, tarfile.PAX_FORMAT)
        ) as packed_tar:
            for path in [folder] if top else sorted(folder.iterdir()):
                packed_tar.add(path, top or path.name)
    content = unpack(archive, place / "into")
    assert written(place) == FILES
    assert content == content_of(folder) == content_of(place / "into")
    assert list(place.iterdir()) == [place / "into"]


def test_of_permissions_only_the_one_to_execute_is_kept(place: Path) -> None:
    before = os.umask(0o077)
    try:
        unpacked(tar(tar_file(b"a/run", b"", mode=0o6711), tar_file(b"a/data", b"", mode=0o4602)), place)
    finally:
        os.umask(before)
    into = place / "into"
    modes = {path: (into / path).stat().st_mode & 0o7777 for path in ("", "a", "a/run", "a/data", "bot.toml")}
    assert modes == {"": 0o755, "a": 0o755, "a/run": 0o755, "a/data": 0o644, "bot.toml": 0o644}


def test_the_permission_to_execute_is_kept_from_a_zip_archive_too(place: Path) -> None:
    unpacked(zipped(Zipped(b"run", mode=0o100755), Zipped(b"data", mode=0)), place)
    assert (place / "into" / "run").stat().st_mode & 0o111
    assert not (place / "into" / "data").stat().st_mode & 0o111


LONG = b"folder/" * 6 + b"n" * 90

GOOD = {
    "tar": tar(tar_file(b"bot.py", b"1")),
    "tar.gz": tar_gz(tar_file(b"bot.py", b"1")),
    "zip": zipped(Zipped(b"bot.py", b"1")),
    "long name of GNU": tar(long_name(LONG), tar_file(b"short", b"1", magic=GNU)),
    "long name of POSIX": tar(
        extended(record(b"path", LONG), record(b"mtime", b"1.5")), tar_file(b"short", b"1")
    ),
    "long name in two fields": tar(header(b"n" * 90, size=0, prefix=b"folder/folder")),
    "data in the padding of a block": tar(header(b"a", size=1) + b"x" + b"y" * 511),
    "one block at the end": tar(end=bytes(512)),
    "tar of version 7": tar(header(b"a", magic=bytes(8))),
    "size of POSIX": tar(extended(record(b"size", b"1")), header(b"a", size=0) + b"x" + bytes(511)),
    "header for all of git": tar(extended(record(b"comment", b"1" * 40), kind=b"g"), tar_file(b"a")),
    "zip with sizes behind the data": zipped(
        Zipped(b"a", b"x", flags=8, local_size=0, behind=bytes(16)), Zipped(b"b")
    ),
    "zip with a comment": zip_of(BOT_TOML, comment=b"made by somebody"),
    "zip with another size before the data": zipped(Zipped(b"a", b"x", local_size=2)),
    "zip with data behind the end of a stream": zipped(
        Zipped(b"a", b"x", body=Zipped(b"", b"x").packed() + b"more")
    ),
    "zip with a gap between files": zipped(Zipped(b"a", b"x", behind=b"x"), Zipped(b"b")),
    "zip with a gap before the directory": zip_of(BOT_TOML, gap=b"x" * 30),
    "zip with folders": zipped(folder_of(b"a/"), Zipped(b"a/b", b"1")),
    "names that are not ASCII": tar(tar_file("größe/木.txt".encode())),
    "folder again": tar(header(b"a/", kind=b"5"), header(b"a/", kind=b"5"), tar_file(b"a/b")),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_packing_programs_do_is_understood(name: str, place: Path) -> None:
    content = unpacked(GOOD[name], place)
    assert content == content_of(place / "into")
    assert content.manifest.command == ("python", "bot.py")


def test_a_long_name_is_written_whole(place: Path) -> None:
    unpacked(GOOD["long name of GNU"], place)
    assert written(place)[LONG.decode()] == b"1"


def test_what_is_there_already_is_left_alone(place: Path) -> None:
    (place / "into").mkdir()
    (place / "into" / "mine").write_text("")
    with pytest.raises(FileExistsError):
        unpacked(GOOD["tar"], place)
    assert written(place) == {"mine": b""}


def test_nothing_is_left_if_writing_fails(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        unpacked(GOOD["tar"], place)
    assert list(place.iterdir()) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(sorted(GOOD)),
    inner=st.booleans(),
    at=st.floats(0, 1, exclude_max=True),
    cut=st.integers(0, 20),
    put=st.binary(max_size=20),
)
def test_a_damaged_archive_is_refused_or_is_plain_files(
    tmp_path_factory: pytest.TempPathFactory, name: str, inner: bool, at: float, cut: int, put: bytes
) -> None:
    place = tmp_path_factory.mktemp("damaged") / "place"
    place.mkdir()
    data = GOOD[name]
    packed = inner and name == "tar.gz"
    data = gzip.decompress(data) if packed else data
    index = int(at * len(data))
    data = data[:index] + put + data[index + cut :]
    try:
        content = unpacked(gzip.compress(data) if packed else data, place)
    except ArenaError:
        assert list(place.iterdir()) == []
    else:
        assert content == content_of(place / "into", SMALL)
        assert list(place.iterdir()) == [place / "into"]
    assert {path.name for path in place.parent.iterdir()} == {"place", "archive"}
