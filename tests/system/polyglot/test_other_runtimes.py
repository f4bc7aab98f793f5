"""A static executable and a bot of an added runtime: submitted to a real arena, tried, and in a ladder's matches."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.v1 import errors_pb2, submission_pb2
from sample_bots.languages import LANGUAGES
from tests.checkout import ROOT
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.system.polyglot.languages import REQUIRE, assert_both_matches_end_normally, need
from tests.unit.cli.programs import finish, start, submitted
from tests.unit.hosting.sample_submissions import plant, plant_folder

pytestmark = needs_sandbox

RUBY = ROOT / "sample_bots" / "ruby"
TOOLS = ("ruby", "grpc_tools_ruby_protoc")
BINARY = 'command = ["./bot"]\ngames = ["caravan"]\nruntime = "binary"\nlanguage = "go"\n'


def ruby(folder: Path) -> None:
    """Assemble the random bot in Ruby; skip the test if Ruby is not installed, unless that is demanded."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing and not os.environ.get(REQUIRE):
        pytest.skip(f"{', '.join(missing)} missing: apt-get install ruby ruby-grpc ruby-grpc-tools")
    assert not missing
    subprocess.run([RUBY / "build", folder], check=True)


def binary(folder: Path) -> None:
    """Assemble the random bot in Go, which is linked statically, as a program of no particular language."""
    [language] = (each for each in LANGUAGES if each.name == "go")
    need(language)
    folder.mkdir()
    shutil.copy(language.program("random")[-1], folder / "bot")
    (folder / "bot.toml").write_text(BINARY, encoding="utf-8")


@dataclass
class OtherRuntimes:
    """A data folder with the runtime ruby and a hosted bot in Python, and the arenas of a test."""

    data: Path
    arenas: list[ArenaProcess]

    def serve(self) -> ArenaProcess:
        """Open an arena."""
        self.arenas.append(ArenaProcess(self.data))
        return self.arenas[-1].wait_open()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[OtherRuntimes]:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    shutil.copytree(RUBY / "runtimes", data / "runtimes")
    plant(data, "partner")
    runtimes = OtherRuntimes(data, [])
    yield runtimes
    for arena in runtimes.arenas:
        arena.close()


@pytest.mark.parametrize("assemble", [ruby, binary], ids=["an added runtime", "a static executable"])
def test_a_bot_passes_its_trials_and_plays_a_ladder(
    other: OtherRuntimes, tmp_path: Path, assemble: Callable[[Path], None]
) -> None:
    assemble(tmp_path / "bot")
    arena = other.serve()
    arena.bot("ant")
    submission = submitted(arena.data, "ant", tmp_path / "bot")
    assert submission.state == submission_pb2.Submission.STATE_ADMITTED, submission
    arena.ladder("main", "partner", "ant", matches=2)
    assert_both_matches_end_normally(arena)
    assert arena.terminate() == 0


def test_a_bot_whose_runtime_was_removed_is_suspended_until_it_is_back(
    other: OtherRuntimes, tmp_path: Path
) -> None:
    """It needs no Ruby: the bot is never started."""
    (tmp_path / "bot").mkdir()
    for name in ("bot.toml", "random.rb"):
        shutil.copy(RUBY / name, tmp_path / "bot")
    plant_folder(other.data, "ant", tmp_path / "bot")
    (other.data / "runtimes").rename(tmp_path / "runtimes")
    arena = other.serve()
    arena.wait_for_line("waits for its runtime", "ant")
    arena.ladder("main", "partner", "ant", matches=1)
    assert "no runtime ruby" in arena.bots.GetBot(name="bots/ant").bot.paused
    assert arena.bots.GetBot(name="bots/partner").bot.paused == ""
    (tmp_path / "bot" / "more").touch()
    rejected = submitted(arena.data, "partner", tmp_path / "bot")
    assert rejected.rejection.reason == errors_pb2.ERROR_REASON_MANIFEST_INVALID, rejected
    assert arena.terminate() == 0

    (tmp_path / "runtimes").rename(other.data / "runtimes")
    assert other.serve().bots.GetBot(name="bots/ant").bot.paused == ""


def test_doctor_and_serve_name_the_file_and_key_of_a_bad_runtime(other: OtherRuntimes) -> None:
    bad = other.data / "runtimes" / "bad.toml"
    bad.write_text(f'name = "bad"\ncommand = ["sh"]\npaths = ["{other.data}"]\n', encoding="utf-8")
    code, _, err = finish(start("serve", "--data", str(other.data), "--port", "0"), within=60)
    assert (code, str(bad) in err, "paths" in err, "Traceback" in err) == (1, True, True, False)
    code, out, _ = finish(start("doctor", "--data", str(other.data), "--format", "json"), within=60)
    levels = {line["check"]: line["level"] for line in json.loads(out)["findings"]}
    assert (code, levels["runtimes"]) == (1, "fail")


def test_doctor_tries_every_runtime_and_counts_the_bots_that_lack_one(other: OtherRuntimes) -> None:
    added = other.data / "runtimes" / "ruby.toml"
    added.unlink()
    (added.parent / "good.toml").write_text('name = "good"\ncommand = ["sh"]\nversion = ["echo", "good 7"]\n')
    (added.parent / "broken.toml").write_text('name = "broken"\ncommand = ["sh"]\nversion = ["false"]\n')
    plant_folder(other.data, "ant", RUBY)
    _, out, _ = finish(start("doctor", "--data", str(other.data), "--format", "json"), within=120)
    found = {line["check"]: (line["level"], line["says"]) for line in json.loads(out)["findings"]}
    assert found["runtime: good"] == ("ok", "Works: good 7.")
    assert found["runtime: broken"][0] == "fail"
    assert found["runtime: python"][0] == found["runtime: binary"][0] == "ok"
    assert found["runtimes in use"][0] == "warn"
    assert "ruby (1 bot)" in found["runtimes in use"][1]
