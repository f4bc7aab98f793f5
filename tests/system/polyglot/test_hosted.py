"""A sample bot of each language, run by the arena in its sandbox, plays a ladder with the others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.match_log.reader import read_log
from sample_bots.languages import LANGUAGES, Language
from sample_bots.submission import assemble
from tests.system.hosting.needs import needs_sandbox
from tests.system.play.arena_process import ArenaProcess
from tests.system.polyglot.languages import assert_both_matches_end_normally, need
from tests.unit.hosting.sample_submissions import plant, plant_folder

pytestmark = needs_sandbox


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Make a data folder in which a bot in Python is hosted."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    plant(folder, "partner")
    return folder


@pytest.fixture
def arena(data: Path, language: Language, tmp_path: Path) -> Iterator[ArenaProcess]:
    """Open an arena that runs the random bot of this language, too."""
    need(language)
    assemble(language, "random", tmp_path / "bot")
    plant_folder(data, language.name, tmp_path / "bot")
    with ArenaProcess(data) as process:
        yield process


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_a_bot_of_every_language_plays_hosted(arena: ArenaProcess, language: Language) -> None:
    """On both seats; no limit of the sandbox is too tight for what runs it. Its evaluations are in the logs."""
    arena.ladder("main", "partner", language.name, matches=2)
    assert_both_matches_end_normally(arena)
    lines = set()
    for match in arena.matches.ListMatches(ladder="ladders/main").matches:
        seat = [each.bot for each in match.seats].index(f"bots/{language.name}")
        plies = [ply for ply in read_log(arena.log_bytes(match.name)).plies if ply.seat == seat]
        lines |= {ply.evaluation.line for ply in plies if ply.evaluation is not None}
    assert lines == (set() if language.name == "python" else {"as it stands"})
    assert arena.terminate() == 0
