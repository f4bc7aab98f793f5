"""`arena bot pack`: what it writes can be unpacked, and what cannot be packed is named."""

import os
from pathlib import Path

import pytest

from arena.submissions.content import content_of
from arena.submissions.unpacking import unpack
from tests.system.cli.test_help import bare
from tests.unit.submissions.archives import MANIFEST


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a bot that can be submitted."""
    folder = tmp_path / "my-bot"
    folder.mkdir()
    (folder / "bot.toml").write_bytes(MANIFEST)
    (folder / "bot.py").write_text("print()\n")
    return folder


def test_a_folder_is_packed_beside_itself_and_its_version_is_printed(run, folder, tmp_path):
    result = run("bot", "pack", str(folder))

    content = unpack(tmp_path / "my-bot.tar.gz", tmp_path / "unpacked")
    assert result.exit_code == 0, result.output
    assert content == content_of(folder)
    assert f"version {content.hash[:12]}" in result.stdout
    assert "2 files" in result.stdout


def test_the_current_folder_is_packed_beside_itself_too(run, folder, tmp_path):
    os.chdir(folder)
    assert run("bot", "pack", ".").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my-bot", "my-bot.tar.gz"]
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize(
    ("source", "out", "named"),
    [
        ("my-bot", "my-bot/bot.tar.gz", "--out"),
        ("my-bot", "out", "--out"),
        ("my-bot/bot.py", None, "bot.toml"),
        ("nothing", None, "bot.toml"),
    ],
    ids=["into the folder itself", "over a folder", "a file", "nothing"],
)
def test_an_invalid_source_or_target_is_refused_and_changes_nothing(
    run, folder, tmp_path, source, out, named
):
    (tmp_path / "out").mkdir()
    before = sorted(tmp_path.rglob("*"))
    result = run("bot", "pack", str(tmp_path / source), *(["--out", str(tmp_path / out)] if out else []))
    assert result.exit_code == 1
    assert named in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_that_cannot_be_submitted_is_named_and_leaves_no_archive(run, folder, tmp_path):
    (folder / "outside").symlink_to("/etc/passwd")
    result = run("bot", "pack", str(folder))
    assert result.exit_code == 1
    assert "'outside'" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["my-bot"]


def test_an_existing_archive_stays_if_packing_fails(run, folder, tmp_path, monkeypatch):
    target = tmp_path / "my-bot.tar.gz"
    target.write_text("mine")
    monkeypatch.setattr(
        "arena.cli.bot.submit.write_archive", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
    )
    result = run("bot", "pack", str(folder))
    assert result.exit_code == 1
    assert target.read_text() == "mine"
    assert not list(tmp_path.glob("*.unfinished"))


def test_packing_needs_no_server_package_and_loads_nothing_of_the_server(folder):
    code, out, err = bare("bot", "pack", str(folder))
    assert code == 0, err
    assert "version" in out
    assert "HEAVY []" in err
