"""`make bots`: what it says of languages that are built, that lack a tool, and that do not build."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sample_bots import languages
from sample_bots.languages import LANGUAGES, Language, Outcome, build_all

BUILDS = {
    "good": """
        mkdir -p bin
        touch bin/greedy bin/random
    """,
    "lacking": """
        echo "apt install frobnicator" >&2
        exit 69
    """,
    "broken": """
        echo "main.x:3: no such type"
        exit 1
    """,
    "forgetful": """
        mkdir -p bin
        touch bin/greedy
    """,
}


SHELL_TOOLS = (
    *("awk", "bash", "cat", "cut", "dirname", "env", "grep", "head", "mkdir"),
    *("mktemp", "readlink", "rm", "sed", "sort", "tail", "tr", "uname"),
)
"""What any system has; the build scripts may use no other program before they have looked for what they need."""


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Language]:
    """Languages that are nothing but a build script."""
    monkeypatch.setattr(languages, "ROOT", tmp_path)
    for name, script in BUILDS.items():
        build = tmp_path / name / "build"
        build.parent.mkdir()
        build.write_text(f'#!/bin/sh\ncd "$(dirname "$0")"\n{script}')
        build.chmod(0o755)
    return {name: Language(name) for name in BUILDS}


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("good", Outcome.BUILT),
        ("lacking", Outcome.SKIPPED),
        ("broken", Outcome.FAILED),
        ("forgetful", Outcome.FAILED),
    ],
)
def test_a_build_is_judged_by_its_exit_code_and_by_what_it_leaves(
    made_up: dict[str, Language], name: str, outcome: Outcome
) -> None:
    assert not made_up[name].is_built()
    assert made_up[name].build().outcome is outcome
    assert made_up[name].is_built() is (outcome is Outcome.BUILT)


@pytest.mark.parametrize(
    ("name", "code", "reasons"),
    [("lacking", 0, ("skipped", "apt install frobnicator")), ("broken", 1, ("main.x:3: no such type",))],
)
def test_a_language_without_its_tools_is_skipped_and_one_that_does_not_build_fails_both_with_the_reason(
    made_up: dict[str, Language],
    capsys: pytest.CaptureFixture[str],
    name: str,
    code: int,
    reasons: tuple[str, ...],
) -> None:
    assert build_all([made_up[name], made_up["good"]]) == code
    said = capsys.readouterr().out
    assert [reason for reason in reasons if reason not in said] == []
    assert made_up["good"].is_built()


@pytest.mark.parametrize("language", LANGUAGES[1:], ids=lambda language: language.name)
def test_without_any_tool_each_language_says_what_it_needs_and_does_nothing(
    language: Language, tmp_path: Path
) -> None:
    """Its build script runs on a copy of its folder, with nothing on the path but the shell's own tools."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in SHELL_TOOLS:
        found = shutil.which(tool)
        assert found
        (tools / tool).symlink_to(found)
    folder = tmp_path / "sample_bots" / language.name
    folder.mkdir(parents=True)
    script = folder / "build"
    script.write_bytes((language.folder / "build").read_bytes())
    done = subprocess.run(
        ["/bin/bash", str(script)], env={"PATH": str(tools)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == languages.TOOL_IS_MISSING, done.stderr
    assert all(line.startswith("needs ") for line in done.stderr.splitlines())
    assert done.stderr
    assert [path.name for path in folder.iterdir()] == ["build"]


def test_a_language_that_is_not_there_is_refused() -> None:
    command = [sys.executable, "-m", "sample_bots.languages", "build", "cobol"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'cobol'; there are some in python, go" in " ".join(done.stderr.split())
