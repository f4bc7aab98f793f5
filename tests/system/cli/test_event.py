"""`arena event`: the examples of the documentation, planned and applied on a real arena."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena.cli.app import app
from arena.v1 import ladder_pb2, tournament_pb2
from tests.checkout import ROOT
from tests.system.play.arena_process import ArenaProcess

EXAMPLES = sorted((ROOT / "docs" / "events").glob("*.toml"))
BOTS = ("random", "greedy", "planner", "mcts", "amber", "basalt", "cedar", "dune")

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    with ArenaProcess(tmp_path_factory.mktemp("club") / "data") as arena:
        for bot in BOTS:
            arena.bot(bot)
        yield arena


@pytest.fixture
def event(club: ArenaProcess) -> Command:
    """Return a function that runs `arena event ARGS...` on the club's arena."""

    def run(*args: str, answer: str = "") -> Result:
        return CliRunner().invoke(app, ["--data", str(club.data), "event", *args], input=answer)

    return run


def planned(result: Result) -> dict[str, list[dict[str, object]]]:
    document: dict[str, list[dict[str, object]]] = json.loads(result.stdout)
    return document


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_planned_applied_and_then_changes_nothing(
    event: Command, club: ArenaProcess, example: Path
) -> None:
    before = planned(event("plan", str(example), "--format", "json"))
    assert before["obstacles"] == []
    assert {change["action"] for change in before["changes"]} >= {"create", "run"}
    assert all(size["matches_to_play"] for size in before["tournaments"])
    refused = event("apply", str(example))
    assert (refused.exit_code, "--yes" in refused.output) == (2, True), refused.output
    assert planned(event("plan", str(example), "--format", "json"))["changes"] == before["changes"]
    applied = event("apply", str(example), "--yes")
    assert applied.exit_code == 0, applied.output
    assert applied.output.count("Done: ") == len(before["changes"])
    assert planned(event("plan", str(example), "--format", "json"))["changes"] == []
    again = event("apply", str(example), "--yes")
    assert (again.exit_code, "Nothing to change." in again.output) == (0, True), again.output


def test_what_was_applied_is_what_the_file_says(event: Command, club: ArenaProcess, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        '[ladder.own]\ngame = "caravan"\nseats = [2, 4]\noptions = { camels = 6 }\nclock = { strikes = 7 }\n'
        'bots = ["greedy"]\nforbid_same_owner = true\n'
        '[tournament.own]\ngame = "caravan"\nseats = 3\nrounds = 2\nbots = ["mcts", "random", "greedy"]\n'
    )
    assert event("apply", str(path), "--yes").exit_code == 0
    ladder = club.ladders.GetLadder(ladder_pb2.GetLadderRequest(name="ladders/own")).ladder
    assert (list(ladder.seat_counts), ladder.time_control.strikes, ladder.entries) == ([2, 4], 7, 1)
    assert (ladder.same_owner, ladder.state) == (False, ladder_pb2.Ladder.STATE_PAUSED)
    request = tournament_pb2.GetTournamentRequest(name="tournaments/own")
    tournament = club.tournaments.GetTournament(request).tournament
    assert list(tournament.bots) == ["bots/mcts", "bots/random", "bots/greedy"]
    assert (tournament.seats, tournament.rounds) == (3, 2)
    path.write_text(
        path.read_text().replace("camels = 6", "camels = 5").replace('"greedy"]\nf', '"mcts"]\nf')
    )
    refused = event("apply", str(path), "--yes")
    assert (refused.exit_code, "options of a ladder" in refused.output) == (1, True), refused.output
    assert "Nothing was changed." in refused.output
    after = club.ladders.GetLadder(ladder_pb2.GetLadderRequest(name="ladders/own")).ladder
    assert after.entries == 1, "the other change of the file was not made either"


def test_a_tournament_with_stages_is_made_as_the_file_has_it(
    event: Command, club: ArenaProcess, tmp_path: Path
) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(
        '[ladder.rated]\ngame = "caravan"\nbots = ["greedy", "mcts"]\nanchors = { greedy = 1650.5 }\n'
        'title = "Rated"\nhidden = true\ndeadline = 2100-12-01T18:00:00Z\nfreeze = 2100-12-01\n'
    )
    assert event("apply", str(path), "--yes").exit_code == 0
    path.write_text(
        f"{path.read_text()}"
        '[tournament.cup]\ngame = "caravan"\nformat = "stages"\nbots = ["mcts", "amber", "greedy", "dune"]\n'
        'seeded_by = "rated"\nvisibility = "live"\ntitle = "Cup"\nhidden = true\nwithdrawn = ["dune"]\n'
        'stages = [{ format = "swiss", rounds = 2, qualifiers = 2 }, { format = "knockout", best_of = 3 }]\n'
    )
    applied = event("apply", str(path), "--yes")
    assert applied.exit_code == 0, applied.output
    assert "Without a rating on rated" in applied.output, "no match has been played there"
    made = club.tournaments.GetTournament(name="tournaments/cup").tournament
    assert (made.title, made.hidden, made.seeded_by) == ("Cup", True, "ladders/rated")
    assert made.visibility == tournament_pb2.Tournament.VISIBILITY_LIVE
    assert [each.bot for each in made.withdrawals] == ["bots/dune"]
    groups, finals = made.parameters.stages
    assert (groups.format, groups.rounds, groups.qualifiers) == (tournament_pb2.Tournament.FORMAT_SWISS, 2, 2)
    assert (finals.format, finals.parameters.best_of) == (tournament_pb2.Tournament.FORMAT_KNOCKOUT, 3)
    ladder = club.ladders.GetLadder(name="ladders/rated").ladder
    assert (ladder.title, ladder.hidden) == ("Rated", True)
    times = [each.ToJsonString() for each in (ladder.deadline, ladder.freeze_time)]
    assert times == ["2100-12-01T18:00:00Z", "2100-12-01T00:00:00Z"]
    standings = club.ladders.ListStandings(name="ladders/rated").standings
    assert {each.bot: each.rating_milli for each in standings if each.anchor} == {"bots/greedy": 1_650_500}
    assert planned(event("plan", str(path), "--format", "json"))["changes"] == []
    path.write_text(path.read_text().replace("best_of = 3", "best_of = 5"))
    refused = event("plan", str(path), "--format", "json")
    assert (refused.exit_code, len(planned(refused)["obstacles"])) == (1, 1)


def test_what_the_arena_would_refuse_is_an_obstacle_of_the_plan(event: Command, tmp_path: Path) -> None:
    path = tmp_path / "refused.toml"
    path.write_text(
        '[tournament.few]\ngame = "caravan"\nseats = 3\nbots = ["mcts", "random"]\n'
        '[ladder.more]\ngame = "caravan"\nbots = ["nobody"]\n'
    )
    result = event("plan", str(path), "--format", "json")
    assert result.exit_code == 1
    assert {each["subject"] for each in planned(result)["obstacles"]} == {"tournaments/few", "ladders/more"}
    assert "arena bot create nobody" in result.stdout
