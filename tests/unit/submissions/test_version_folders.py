"""Versions lie under the hash of their content, whole or not at all, whoever dies in between."""

import os
import shutil
from pathlib import Path

import pytest

from arena.core.errors import ArenaError, ErrorReason
from arena.submissions.content import Content, content_of
from arena.submissions.limits import SubmissionLimits
from arena.submissions.version_folders import VersionFolders
from tests.unit.submissions.archives import MANIFEST

UNKNOWN = "0" * 64


@pytest.fixture
def folders(tmp_path: Path) -> VersionFolders:
    return VersionFolders(tmp_path / "versions")


def added(folders: VersionFolders, text: str = "print()") -> Content:
    """Add a version with this bot."""
    with folders.workspace() as workspace:
        unpacked = workspace / "source"
        unpacked.mkdir()
        unpacked.chmod(0o755)
        (unpacked / "bot.toml").write_bytes(MANIFEST)
        (unpacked / "bot.py").write_text(text)
        content = content_of(unpacked)
        assert folders.add(unpacked, content) == folders.source(content.hash)
        assert not unpacked.exists()
    return content


def tree(folder: Path) -> list[str]:
    """Everything below."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_version_is_there_under_its_hash_and_whole(folders: VersionFolders) -> None:
    content = added(folders)
    assert folders.hashes() == [content.hash]
    assert folders.is_whole(content.hash)
    assert content_of(folders.folder(content.hash)) == content


def test_the_same_content_twice_is_one(folders: VersionFolders, tmp_path: Path) -> None:
    first = added(folders)
    before = tree(tmp_path)
    assert added(folders) == first
    assert tree(tmp_path) == before


def test_a_version_that_was_changed_or_is_not_there_is_not_whole(folders: VersionFolders) -> None:
    content = added(folders)
    (folders.source(content.hash) / "bot.py").write_text("else")
    assert not folders.is_whole(content.hash)
    assert not folders.is_whole(UNKNOWN)


def test_everything_is_readable_for_a_user_that_owns_nothing_of_it(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        folders = VersionFolders(tmp_path / "versions")
        content = added(folders)
        with folders.workspace() as workspace:
            (workspace / "made").mkdir(mode=0o700)
            (workspace / "made" / "bot").write_text("")
            folders.add_built(content.hash, workspace / "made")
    finally:
        os.umask(before)
    for path in [tmp_path / "versions", *(tmp_path / "versions" / content.hash).rglob("*")]:
        if path.name not in {"bot.toml", "bot.py"}:  # their modes are for `unpack`
            assert path.stat().st_mode & 0o005 == (0o005 if path.is_dir() else 0o004), path


def test_only_what_is_named_is_left(folders: VersionFolders) -> None:
    first, second, third = (added(folders, text) for text in "abc")
    assert folders.collect({second.hash, UNKNOWN}) == 2
    assert folders.hashes() == [second.hash]
    folders.remove(first.hash)  # what is gone may be removed again
    assert not folders.is_whole(third.hash)


def test_a_workspace_is_removed_after_an_error(folders: VersionFolders, tmp_path: Path) -> None:
    def fail() -> None:
        with folders.workspace() as workspace:
            (workspace / "deep").mkdir()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert tree(tmp_path / "versions") == [".work"]


def test_leftovers_of_a_crash_are_removed(folders: VersionFolders, tmp_path: Path) -> None:
    content = added(folders)
    (tmp_path / "versions" / ".work" / "of a dead process" / "source").mkdir(parents=True)
    again = VersionFolders(tmp_path / "versions")
    assert again.hashes() == [content.hash]
    assert again.sweep() == 1
    assert again.sweep() == 0
    assert again.is_whole(content.hash)


def test_a_version_that_cannot_be_kept_stays(
    folders: VersionFolders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if target.parent == tmp_path / "versions":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    (unpacked / "bot.toml").write_bytes(MANIFEST)
    with pytest.raises(OSError, match="No space"):
        folders.add(unpacked, content_of(unpacked))
    assert tree(unpacked) == ["bot.toml"]
    assert folders.hashes() == []


@pytest.mark.parametrize("name", ["", "..", "a/b", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_what_is_no_hash_never_becomes_a_path(folders: VersionFolders, name: str) -> None:
    with pytest.raises(ValueError, match="no content hash"):
        folders.folder(name)


class TestBuilt:
    """What a build leaves behind, which its program has made as it liked."""

    @pytest.fixture
    def version(self, folders: VersionFolders) -> str:
        return added(folders).hash

    @pytest.fixture
    def built(self, tmp_path: Path) -> Path:
        built = tmp_path / "built"
        (built / "bin").mkdir(parents=True)
        (built / "bin" / "bot").write_text("program")
        (built / "bin" / "bot").chmod(0o4711)
        return built

    def test_it_replaces_the_source(self, folders: VersionFolders, version: str, built: Path) -> None:
        (built / "link").symlink_to("bin/bot")
        (built / "bin" / "up").symlink_to("../bin")
        folders.add_built(version, built)
        folder = folders.folder(version)
        assert folder != folders.source(version)
        assert (folder / "link").read_text() == "program"
        assert (folder / "bin" / "bot").stat().st_mode & 0o7777 == 0o755
        assert folders.is_whole(version)

    def test_it_stays_as_it_is(self, folders: VersionFolders, version: str, built: Path) -> None:
        folders.add_built(version, built)
        (built / "bin" / "bot").write_text("else")
        folders.add_built(version, built)
        assert (folders.folder(version) / "bin" / "bot").read_text() == "program"

    @pytest.mark.parametrize(
        "links",
        [
            {"a": "/etc/passwd"},
            {"a": "../out"},
            {"bin/a": "../../out"},
            {"a": "."} | {"b": "a/../../out"},
            {"bin/up": "..", "a": "bin/up/../out"},
            {"bin/up": "..", "a": "bin/up/.."},
            {"a": "b", "b": "a"},
        ],
        ids=str,
    )
    def test_a_link_out_of_the_folder_is_refused(
        self, folders: VersionFolders, version: str, built: Path, links: dict[str, str]
    ) -> None:
        for path, target in links.items():
            (built / path).symlink_to(target)
        with pytest.raises(ArenaError) as refused:
            folders.add_built(version, built)
        assert refused.value.reason is ErrorReason.ARCHIVE_LINK
        assert folders.folder(version) == folders.source(version)

    def test_a_pipe_is_refused(self, folders: VersionFolders, version: str, built: Path) -> None:
        os.mkfifo(built / "pipe")
        with pytest.raises(ArenaError) as refused:
            folders.add_built(version, built)
        assert refused.value.reason is ErrorReason.ARCHIVE_SPECIAL_FILE

    def test_too_much_is_refused(self, folders: VersionFolders, version: str, built: Path) -> None:
        reasons = []
        for bounds in (
            SubmissionLimits(files=1),
            SubmissionLimits(unpacked_bytes=3),
            SubmissionLimits(depth=0),
        ):
            with pytest.raises(ArenaError) as refused:
                folders.add_built(version, built, bounds)
            reasons.append(refused.value.reason)
        assert reasons == [
            ErrorReason.ARCHIVE_TOO_MANY_FILES,
            ErrorReason.ARCHIVE_TOO_LARGE,
            ErrorReason.ARCHIVE_PATH,
        ]
        assert folders.folder(version) == folders.source(version)

    def test_an_unknown_version_has_nothing_built(self, folders: VersionFolders, built: Path) -> None:
        with pytest.raises(FileNotFoundError):
            folders.add_built(UNKNOWN, built)
        shutil.rmtree(built)
