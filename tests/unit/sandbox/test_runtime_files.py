"""The file of an organiser's runtime: what it gives, and the rules that it may break (docs/runtimes.md)."""

from pathlib import Path

import pytest

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.sandbox.process_spec import MIB, ProcessLimits
from arena.sandbox.runtime_files import read_runtime, read_runtimes
from arena.sandbox.runtimes import BUILT_IN
from tests.checkout import ROOT

LEAST = 'name = "ruby"\ncommand = ["sh"]\n'
LIMITS = ProcessLimits(memory_bytes=128 * MIB)

FAULTS = {
    'nam = "ruby"': ("nam", "did you mean name?"),
    "writable = true": ("writable", "there are name, command"),
    'name = "Ruby"': ("name", "1 to 32"),
    "name = 3": ("name", "1 to 32"),
    'name = "python"': ("name", "every arena has"),
    'name = "binary"': ("name", "every arena has"),
    'command = "ruby"': ("command", "list of texts"),
    "command = []": ("command", "is missing"),
    'command = [""]': ("command", "names a program"),
    'command = ["ru\\nby"]': ("command", "cannot be printed"),
    f"command = {['x'] * 65}": ("command", "longer than 64"),
    'command = ["/opt/other/ruby"]': ("command", "do not see"),
    'command = ["../ruby"]': ("command", "absolute path"),
    'paths = "/opt/ruby"': ("paths", "list of texts"),
    'paths = ["opt/ruby"]': ("paths", "absolute path"),
    'paths = ["/opt/../etc"]': ("paths", "absolute path"),
    'paths = ["/"]': ("paths", "must not see"),
    'paths = ["/etc"]': ("paths", "must not see"),
    'paths = ["/etc/shadow"]': ("paths", "must not see"),
    'paths = ["/proc/self"]': ("paths", "must not see /proc"),
    'paths = ["/run/docker.sock"]': ("paths", "must not see /run"),
    'paths = ["/bot"]': ("paths", "must not see /bot"),
    'build_paths = ["/tmp"]': ("build_paths", "must not see /tmp"),
    "environment = 3": ("environment", "must be a table"),
    "[environment]\nPATH = '/opt'": ("environment.PATH", "set by the arena"),
    "[environment]\nARENA_ADDRESS = 'x'": ("environment.ARENA_ADDRESS", "set by the arena"),
    "[environment]\n'A-B' = 'x'": ("environment.A-B", "name of a variable"),
    "[environment]\nA = 3": ("environment.A", "printable text"),
    "version = 3": ("version", "list of texts"),
    "start_seconds = 0": ("start_seconds", "1 to 60"),
    "start_seconds = 61": ("start_seconds", "1 to 60"),
    "start_seconds = true": ("start_seconds", "1 to 60"),
    "start_seconds = 1.5": ("start_seconds", "1 to 60"),
    "command = [": ("", "not TOML"),
}
"""A line in place of the one with the same key, the key that is named, and words of the rule."""


def written(folder: Path, text: str, name: str = "ruby.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path, *protected: Path) -> InvalidArgumentError:
    with pytest.raises(InvalidArgumentError) as error:
        read_runtime(path, protected)
    assert error.value.reason is ErrorReason.FIELD_INVALID
    assert error.value.metadata["file"] == str(path)
    assert error.value.sentence.startswith(f"{path}: ")
    return error.value


@pytest.mark.parametrize("line", FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_named_with_its_file_key_and_rule(tmp_path: Path, line: str) -> None:
    key, words = FAULTS[line]
    others = [other for other in LEAST.splitlines() if other.split()[0] != line.split(maxsplit=1)[0]]
    error = refused(written(tmp_path, "\n".join([*others, line])))
    assert error.metadata["key"] == key
    assert words in error.sentence


@pytest.mark.parametrize("key", ["name", "command"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    text = "\n".join(line for line in LEAST.splitlines() if not line.startswith(key))
    assert refused(written(tmp_path, text)).metadata["key"] == key


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "ruby.toml").write_bytes(b'name = "\xff"')
    assert "UTF-8" in refused(tmp_path / "ruby.toml").sentence


@pytest.mark.parametrize(
    "path", ["data", "data/versions", "."], ids=["the folder", "a part of it", "one above it"]
)
def test_what_is_protected_cannot_be_shown_not_even_through_a_link(tmp_path: Path, path: str) -> None:
    (tmp_path / "data" / "versions").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / path)
    for shown in (tmp_path / path, tmp_path / "link"):
        error = refused(written(tmp_path, f'{LEAST}paths = ["{shown}"]'), tmp_path / "data")
        assert error.metadata["key"] == "paths"


def test_two_files_with_one_name_are_refused(tmp_path: Path) -> None:
    written(tmp_path, LEAST, "a.toml")
    written(tmp_path, LEAST, "b.toml")
    with pytest.raises(InvalidArgumentError, match=r"b\.toml: a\.toml has the name 'ruby'"):
        read_runtimes(tmp_path)


def test_a_folder_that_is_missing_adds_nothing(tmp_path: Path) -> None:
    assert read_runtimes(tmp_path / "none").all == BUILT_IN


def test_a_runtime_shows_its_paths_and_those_of_builds_to_builds_alone(tmp_path: Path) -> None:
    own, tool = tmp_path / "ruby", tmp_path / "tool"
    for folder in (own / "bin", tool / "bin"):
        folder.mkdir(parents=True)
    (own / "bin" / "ruby").write_text("#!/bin/sh\n")
    (own / "bin" / "ruby").chmod(0o755)
    text = (
        f'name = "ruby-own"\ncommand = ["{own}/bin/ruby", "-w"]\npaths = ["{own}", "/usr/share"]\n'
        f'build_paths = ["{tool}"]\nstart_seconds = 20\n[environment]\nHEAP = "-m{{heap_mib}}"\n'
    )
    runtime = read_runtime(written(tmp_path, text))
    shown = runtime.visible_paths(LIMITS, False)
    assert shown.binds == ((own, str(own)),)
    assert shown.path == (f"{own}/bin",)
    assert shown.settings == {"HEAP": "-m64"}
    built = runtime.visible_paths(LIMITS, True)
    assert built.binds == ((own, str(own)), (tool, str(tool)))
    assert built.path == (f"{own}/bin", f"{tool}/bin")
    assert runtime.start_s == 20
    assert runtime.why_not() == ""
    assert runtime.command_line(("ruby-own", "bot.rb")) == (f"{own}/bin/ruby", "-w", "bot.rb")
    assert runtime.command_line(("./start", "ruby-own")) == ("./start", "ruby-own")


def test_a_runtime_that_is_not_installed_is_read_and_says_so(tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    written(tmp_path, 'name = "ruby"\ncommand = ["no-such-ruby"]\n', "a.toml")
    written(tmp_path, f'name = "tool"\ncommand = ["sh"]\npaths = ["{absent}"]\n', "b.toml")
    runtimes = read_runtimes(tmp_path)
    assert "no-such-ruby is not installed" in runtimes.why_unavailable("ruby")
    assert f"{absent} is missing" in runtimes.why_unavailable("tool")
    assert "no runtime perl" in runtimes.why_unavailable("perl")
    assert runtimes.why_unavailable("binary") == ""


def test_a_file_sets_the_time_for_a_start_and_what_of_the_machine_its_programs_see(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "ld.so").touch()
    written(tmp_path, f'{LEAST}start_seconds = 20\npaths = ["{tmp_path}/own"]\n')
    runtimes = read_runtimes(tmp_path)
    assert (runtimes.start_s("ruby", 10), runtimes.start_s("go", 10), runtimes.start_s("perl", 10)) == (
        20,
        10,
        10,
    )
    assert runtimes.shows("ruby", f"{tmp_path}/own/ld.so")
    assert not runtimes.shows("binary", f"{tmp_path}/own/ld.so")
    assert runtimes.shows("binary", "/usr/bin/env")
    assert not runtimes.shows("binary", "/etc/passwd")


def test_the_example_of_ruby_is_valid_and_shown_in_the_page() -> None:
    file = ROOT / "sample_bots" / "ruby" / "runtimes" / "ruby.toml"
    assert read_runtime(file).name == "ruby"
    assert file.read_text(encoding="utf-8") in (ROOT / "docs" / "runtimes.md").read_text(encoding="utf-8")
