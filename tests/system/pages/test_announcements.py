"""What an organiser announces: on every page, once for each person at the command line, and not in files."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.pages.pages_process import PagesProcess, export
from tests.system.play.arena_process import ArenaProcess

TEXT = "The ladder <b>closes</b> at 18:00 {{7*7}}."


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("announcing") / "data") as process:
        yield process


def test_what_is_announced_is_on_every_page_and_once_at_the_command_line(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    def run(*args: str, person: str) -> subprocess.CompletedProcess[str]:
        """Run a command with a home of the person's own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        done = subprocess.run(
            [sys.executable, "-m", "arena.cli.app", "--data", str(arena.data), *args],
            env={**kept, "ARENA_CONFIG": str(tmp_path / person)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done

    arena.ladders.CreateLadder(ladder_id="main", game="caravan", seat_counts=[2])
    run("announcement", "create", TEXT, "--until", "1h", person="organiser")
    assert run("bot", "list", person="organiser").stderr == ""
    first = run("bot", "list", "--format", "json", person="student")
    assert TEXT in first.stderr
    assert json.loads(first.stdout) == {"bots": [], "next_page_token": ""}
    assert run("bot", "list", person="student").stderr == ""
    with PagesProcess("--data", str(arena.data)) as pages:
        lists = ("ladders", "bots", "matches", "tournaments")
        for place in ("", *lists, "now", "wall", "live/wall/main", "sign-in", "join", "nowhere"):
            page = pages.get(place).text
            assert page.count("&lt;b&gt;closes&lt;/b&gt; at 18:00 {{7*7}}.") == 1, place
        listed = json.loads(pages.get("v1/announcements").text)["announcements"]
        assert [each["text"] for each in listed] == [TEXT]
    folder = tmp_path / "pages"
    exported = export(folder, "--data", str(arena.data))
    assert exported.returncode == 0, exported.stderr
    files = list(folder.rglob("*.html"))
    assert files
    assert not any("18:00" in file.read_text() for file in files)
