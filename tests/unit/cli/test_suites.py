"""The suites that come with the games, and what a match on this machine begins from."""

from pathlib import Path

import pytest

from arena.cli.suites import shipped_suite_with, shipped_suites, suite_named
from arena.core.suites import parse_suite
from arena.match_log.reader import read_log
from engine.registry import GAMES
from tests.checkout import ROOT
from tests.unit.cli.conftest import Run
from tests.unit.cli.fake_arena import FakeArena

LOG = ROOT / "tests" / "data" / "logs" / "caravan-2-seats.arenalog"
VOID = ROOT / "tests" / "data" / "logs" / "worked-example.arenalog"
PLIES = len(read_log(LOG.read_bytes()).plies)
SUITE = f"game caravan\nseats 2\nopen {'5e' * 32}\n"


@pytest.mark.parametrize("game", GAMES)
def test_a_suite_of_256_set_ups_comes_with_each_game(game: str) -> None:
    suite = suite_named(f"{game}-2")
    assert (suite.game, suite.seats, len(suite.entries)) == (game, 2, 256)
    assert [each.id for each in suite.entries[:2]] == ["001", "002"]


def test_every_file_that_comes_with_the_games_is_a_suite() -> None:
    assert len({suite_named(name).sha256 for name in shipped_suites()}) == len(shipped_suites()) >= len(GAMES)


def test_a_suite_is_named_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.suite").write_text(SUITE)
    assert suite_named("mine.suite").name == "mine"


@pytest.mark.parametrize(
    ("command", "code", "named"),
    [
        ("--suite nowhere", 2, "caravan-2"),
        ("--suite mine.suite --entry shut", 1, "'shut'"),
        ("--suite bytes.suite", 1, "not text"),
        ("--suite broken.suite", 1, "line 1"),
        ("--suite caravanserai-2", 1, "caravanserai with 2 seats"),
        ("--entry 001", 2, "--suite"),
        (f"--suite caravan-2 --seed {'5e' * 32}", 2, "--seed"),
        (f"--from {LOG}", 2, "--ply"),
        ("--ply 3", 2, "--from"),
        (f"--from {LOG} --ply 3 --suite caravan-2", 2, "--suite"),
        (f"--from {LOG} --ply 3 --seed {'5e' * 32}", 2, "--seed"),
        (f"--from {LOG} --ply 3 --option camels=5", 2, "--option"),
        (f"--from {LOG} --ply {PLIES}", 1, f"--ply {PLIES - 1} or less"),
        (f"--from {VOID} --ply 1", 1, "void"),
        ("--from mine.suite --ply 1", 1, "mine.suite is not a complete match log"),
    ],
)
def test_what_does_not_fit_is_refused(run: Run, tmp_path: Path, command: str, code: int, named: str) -> None:
    (tmp_path / "mine.suite").write_text(SUITE)
    (tmp_path / "broken.suite").write_text("seats 2")
    (tmp_path / "bytes.suite").write_bytes(b"\xff\xfe")
    result = run("play", "caravan", "random", "random", *command.split())
    assert (result.exit_code, named in " ".join(result.output.split())) == (code, True), result.output
    assert not list(tmp_path.glob("*.arenalog"))


def test_a_tournament_is_given_the_suite_without_its_comments(
    fake: FakeArena, ask: Run, tmp_path: Path
) -> None:
    fake.answers |= {"CreateTournament": ""}
    (tmp_path / "mine.suite").write_text(f"# openings\n{SUITE}")
    create = ("tournament", "create", "cup", "--bots", "a,b", "--suite")
    for named in ("mine.suite", "wasteland-2"):
        assert ask(*create, named).exit_code == 0
    own, shipped = (request.suite for request in fake.requests("CreateTournament"))
    assert (own.name, own.text) == ("mine", SUITE)
    assert (shipped.name, parse_suite(shipped.name, shipped.text)) == (
        "wasteland-2",
        suite_named("wasteland-2"),
    )
    assert ask(*create, "missing.suite").exit_code == 2
    entries = "".join(f"{number} {number:064x}\n" for number in range(1_000))
    (tmp_path / "large.suite").write_text(f"game caravan\nseats 2\n{entries}")
    large = ask(*create, "large.suite")
    assert (large.exit_code, "at most 65536" in large.output) == (1, True)
    assert len(fake.requests("CreateTournament")) == 2


def test_a_log_of_another_game_or_number_of_seats_is_refused(run: Run) -> None:
    other = run("play", "wasteland", "random", "random", "--from", str(LOG), "--ply", "3")
    assert (other.exit_code, "a match of caravan, not of wasteland" in other.output) == (1, True), (
        other.output
    )
    seats = run("play", "caravan", "random", "random", "random", "--from", str(LOG), "--ply", "3")
    assert (seats.exit_code, "2 seats, but 3 bots" in " ".join(seats.output.split())) == (1, True)


def test_a_suite_that_comes_with_the_games_is_found_by_its_hash() -> None:
    for name in shipped_suites():
        suite = suite_named(name)
        assert shipped_suite_with(suite.sha256) == suite
    assert shipped_suite_with("0" * 64) is None
