"""From an author's folder to a version that the arena runs: real processes, the real sandbox, the whole suite."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.conformance.scenarios import SCENARIOS
from arena.hosting.environment import socket_folder
from arena.v1 import bot_pb2
from tests.checkout import ROOT
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.unit.cli.programs import finish, start, submitted

pytestmark = needs_sandbox

RANDOM = (ROOT / "sample_bots" / "python" / "random_bot.py").read_text()
MANIFEST = 'command = ["python", "bot.py"]\nruntime = "python"\ngames = ["caravan", "caravanserai"]\n'
FEW_SCENARIOS = (
    "import arena.hosting.admission.trials as trials; "
    "trials.SCENARIOS = [each for each in trials.SCENARIOS if each.name in ('hello', 'pause', 'seats')]"
)
"""For an arena whose admissions are to be short: nothing that is shown here depends on the others."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    """Open an arena with the bot ant, whose suite is short."""
    running = ArenaProcess(tmp_path_factory.mktemp("arena") / "data", before=FEW_SCENARIOS)
    running.wait_open()
    running.bot("ant")
    yield running
    running.close()


def a_bot(folder: Path, code: str = RANDOM, manifest: str = MANIFEST) -> Path:
    """Make an author's folder."""
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(code)
    (folder / "bot.toml").write_text(manifest)
    return folder


def command(arena: ArenaProcess, *words: str) -> tuple[int, str]:
    """Exit code and output of `arena bot ...`; spaces and line ends are one blank."""
    code, out, err = finish(start("bot", words[0], "--data", str(arena.data), *words[1:]), within=180)
    return code, " ".join((out + err).split())


def hosting(arena: ArenaProcess, bot: str) -> Any:
    """How the bot is run."""
    return arena.bots.GetBot(name=f"bots/{bot}").bot.hosting


def left(arena: ArenaProcess) -> list[str]:
    """Return what admissions leave in the data folder, beside versions."""
    sockets = socket_folder(arena.data / "hosted")
    places = (arena.data / "uploads", arena.data / "versions" / ".work", sockets)
    return [path.name for place in places for path in place.iterdir()]


def test_a_sample_bot_passes_the_whole_suite_and_is_a_version(tmp_path: Path) -> None:
    arena = ArenaProcess(tmp_path / "data").wait_open()
    arena.bot("ant")
    code, said = command(arena, "submit", "ant", str(a_bot(tmp_path / "bot")))
    assert code == 0, said
    assert "admitted as version" in said
    code, said = command(arena, "submissions", "ant", "1")
    assert f"{len(SCENARIOS) + 1} of {len(SCENARIOS) + 1} scenarios tested" in said
    assert "failed" not in said
    assert left(arena) == []
    assert arena.terminate() == 0
    arena.close()


def test_versions_are_identified_by_their_content_and_rolled_back(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    arena.bot("bee")
    first = submitted(arena.data, "bee", a_bot(tmp_path / "one"))
    again = submitted(arena.data, "bee", a_bot(tmp_path / "the same"))
    second = submitted(arena.data, "bee", a_bot(tmp_path / "two", RANDOM + "\n# better\n"))
    assert (first.version, first.known) == (again.version, False)
    assert again.known
    assert hosting(arena, "bee").version == second.version != first.version
    code, said = command(arena, "host", "bee", "--rollback")
    assert code == 0, said
    assert "pinned" in said
    assert hosting(arena, "bee").version == first.version
    assert command(arena, "host", "bee", "--rollback")[0] == 1
    code, said = command(arena, "versions", "bee")
    assert all(version.rpartition("/")[2][:12] in said for version in (first.version, second.version))
    assert command(arena, "host", "bee", "--pin", second.version.rpartition("/")[2][:8])[0] == 0
    assert hosting(arena, "bee").version == second.version
    assert command(arena, "host", "bee", "--off")[0] == 0
    assert hosting(arena, "bee").mode == bot_pb2.Hosting.MODE_OFF
    assert command(arena, "host", "bee", "--newest")[0] == 0
    assert "the newest" in command(arena, "show", "bee")[1]


@pytest.mark.parametrize(
    ("code", "manifest", "words"),
    [
        ("print('no luck')\nraise SystemExit(3)\n", MANIFEST, ["BOT_START_FAILED", "exited with code 3", "no luck"]),
        (
            RANDOM.replace("arena.sdk.GAMES", '("caravan",)'),
            MANIFEST.replace('"caravan", ', ""),
            ["CONFORMANCE_FAILED", "scenarios failed: hello", "finding"],
        ),
        (
            "print('cannot build')\nraise SystemExit(1)\n",
            f'build = ["python", "bot.py"]\n{MANIFEST}',
            ["BUILD_FAILED", "ended with exit code 1", "cannot build"],
        ),
        ("1\n", MANIFEST.replace("caravan", "chess"), ["MANIFEST_INVALID", "'chess'", "there are ", "caravanserai"]),
    ],
    ids=["start", "conformance", "build", "game"],
)  # fmt: skip
def test_a_rejected_submission_names_the_reason(
    arena: ArenaProcess, tmp_path: Path, code: str, manifest: str, words: list[str]
) -> None:
    """Row 34 for the first one."""
    exit_code, said = command(arena, "submit", "ant", str(a_bot(tmp_path / "bot", code, manifest)))
    assert exit_code == 1
    assert "(ant) was rejected" in said
    assert [word for word in words if word not in said] == []
    assert left(arena) == []


def test_a_folder_without_a_manifest_is_refused_before_anything_is_sent(
    arena: ArenaProcess, tmp_path: Path
) -> None:
    (tmp_path / "bot").mkdir()
    code, said = command(arena, "submit", "ant", str(tmp_path / "bot"))
    assert code == 1
    assert "no file bot.toml" in said
