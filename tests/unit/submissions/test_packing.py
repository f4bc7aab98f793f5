"""A folder is packed without what its author ignores, the same each time, and refused if it could not be submitted."""

import hashlib
import io
import os
import socket
import tarfile
from pathlib import Path

import pytest

from arena.core.errors import ArenaError, ErrorReason, InvalidArgumentError
from arena.submissions.content import Content, content_of, hash_of_scan
from arena.submissions.limits import SubmissionLimits
from arena.submissions.packing import ignore_patterns, scan_folder, write_archive
from arena.submissions.unpacking import unpack
from tests.unit.submissions.archives import MANIFEST


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a bot of three files."""
    folder = tmp_path / "my-bot"
    (folder / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_bytes(MANIFEST)
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o700)
    (folder / "deep" / "données").write_bytes(bytes(100_000))
    return folder


def packed(folder: Path) -> bytes:
    """Return the archive of a folder."""
    file = io.BytesIO()
    digest = write_archive(scan_folder(folder), file)
    assert digest == hashlib.sha256(file.getvalue()).hexdigest()
    return file.getvalue()


def repacked(folder: Path, tmp_path: Path) -> Content:
    """Pack a folder, and unpack it to "unpacked"."""
    archive = tmp_path / "archive"
    archive.write_bytes(packed(folder))
    return unpack(archive, tmp_path / "unpacked")


def reason_of(folder: Path, bounds: SubmissionLimits | None = None) -> ErrorReason:
    """Return why a folder cannot be submitted."""
    with pytest.raises(ArenaError) as refused:
        scan_folder(folder, bounds or SubmissionLimits())
    return refused.value.reason


def test_what_is_unpacked_is_what_was_surveyed(folder: Path, tmp_path: Path) -> None:
    content = repacked(folder, tmp_path)
    found = scan_folder(folder)
    assert content.hash == hash_of_scan(found) == content_of(folder).hash
    assert (content.files, content.bytes) == (len(found.files), found.bytes)
    assert content.manifest == found.manifest
    assert [file.path for file in found.files if file.executable] == ["run"]


def test_owner_time_and_other_permissions_make_no_difference(folder: Path) -> None:
    before = packed(folder)
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    (folder / "run").chmod(0o755)
    (folder / "bot.toml").chmod(0o600)
    assert packed(folder) == before


def test_a_byte_a_name_and_the_permission_to_execute_make_a_difference(folder: Path) -> None:
    hashes = {hash_of_scan(scan_folder(folder))}
    (folder / "run").chmod(0o600)
    hashes.add(hash_of_scan(scan_folder(folder)))
    (folder / "run").rename(folder / "go")
    hashes.add(hash_of_scan(scan_folder(folder)))
    (folder / "go").write_text("#!/bin/sh ")
    hashes.add(hash_of_scan(scan_folder(folder)))
    assert len(hashes) == 4


def test_an_empty_folder_makes_no_difference(folder: Path) -> None:
    before = hash_of_scan(scan_folder(folder))
    (folder / "empty").mkdir()
    assert hash_of_scan(scan_folder(folder)) == before


def test_any_program_can_read_the_archive(folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(packed(folder))) as archive:
        assert sorted(archive.getnames()) == ["bot.toml", "deep/données", "run"]
        assert {(member.uid, member.uname, member.mtime) for member in archive} == {(0, "", 0)}


def test_a_long_path_is_packed_and_unpacked(folder: Path, tmp_path: Path) -> None:
    long = folder.joinpath(*["n" * 60] * 5)
    long.parent.mkdir(parents=True)
    long.write_text("x")
    assert repacked(folder, tmp_path).hash == content_of(folder).hash


def test_what_is_ignored_is_not_packed(folder: Path) -> None:
    for path in (
        ".git/config",
        "__pycache__/x.pyc",
        "deep/__pycache__/y.pyc",
        "notes.md",
        "deep/notes.md",
        "out/a",
    ):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text("")
    (folder / ".arenaignore").write_text("# comment\n\nnotes.md\n/out/\n")
    found = scan_folder(folder)
    assert [file.path for file in found.files] == ["bot.toml", "deep/données", "run"]
    assert found.ignored == 7


def test_a_link_to_a_file_of_the_folder_is_packed_as_that_file(folder: Path, tmp_path: Path) -> None:
    (folder / "same").symlink_to("deep/données")
    repacked(folder, tmp_path)
    assert not (tmp_path / "unpacked" / "same").is_symlink()
    assert (tmp_path / "unpacked" / "same").stat().st_size == 100_000


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "deep", "nowhere", "link"])
def test_any_other_link_is_refused(folder: Path, target: str) -> None:
    (folder.parent / "outside").write_text("")
    (folder / "link").symlink_to(target)
    assert reason_of(folder) is ErrorReason.ARCHIVE_LINK


def test_a_pipe_and_a_socket_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(folder / "pipe")
    assert reason_of(folder) is ErrorReason.ARCHIVE_SPECIAL_FILE
    (folder / "pipe").unlink()
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        assert reason_of(folder) is ErrorReason.ARCHIVE_SPECIAL_FILE


def test_names_that_would_not_be_unpacked_are_refused_before_anything_is_sent(folder: Path) -> None:
    (folder / "a\\b").write_text("")
    assert reason_of(folder) is ErrorReason.ARCHIVE_PATH
    (folder / "a\\b").rename(folder / "RUN")
    assert reason_of(folder) is ErrorReason.ARCHIVE_COLLISION


def test_a_name_that_is_not_utf_8_is_refused(folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9")).write_text("")
    except OSError:
        pytest.skip("this file system takes no such names")
    assert reason_of(folder) is ErrorReason.ARCHIVE_PATH


def test_too_much_is_refused_before_anything_is_sent(folder: Path) -> None:
    assert reason_of(folder, SubmissionLimits(files=2)) is ErrorReason.ARCHIVE_TOO_MANY_FILES
    assert reason_of(folder, SubmissionLimits(unpacked_bytes=50_000)) is ErrorReason.ARCHIVE_TOO_LARGE


def test_a_folder_without_a_manifest_is_refused(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    assert reason_of(folder) is ErrorReason.MANIFEST_MISSING


@pytest.mark.parametrize("data", [b"", bytes(200_000)], ids=["shorter", "longer"])
def test_a_file_that_changes_meanwhile_is_named(folder: Path, data: bytes) -> None:
    found = scan_folder(folder)
    (folder / "deep" / "données").write_bytes(data)
    with pytest.raises(ArenaError, match="has changed"):
        write_archive(found, io.BytesIO())


def test_progress_adds_up_to_the_size(folder: Path) -> None:
    sizes: list[int] = []
    found = scan_folder(folder)
    write_archive(found, io.BytesIO(), sizes.append)
    assert sum(sizes) == found.bytes


@pytest.mark.parametrize(
    ("patterns", "path", "ignored"),
    [
        (["notes.md"], "deep/notes.md", True),
        (["notes.md"], "notes.md.txt", False),
        (["/out"], "deep/out", False),
        (["out/"], "out", False),
        (["out/"], "deep/out/", True),
        (["**/er/*.o"], "deep/er/a.o", True),
        (["# out"], "# out", False),
        (["*.md", "!README.md"], "README.md", False),
        (["!.git/", "!__pycache__/"], "deep/__pycache__/", True),
        ([], ".git/", True),
    ],
)
def test_patterns_are_those_of_gitignore(patterns: list[str], path: str, ignored: bool) -> None:
    assert ignore_patterns(patterns).match_file(path) == ignored


def test_a_line_that_is_no_pattern_is_refused() -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        ignore_patterns(["a", "!"])
    assert refused.value.reason is ErrorReason.FIELD_INVALID
